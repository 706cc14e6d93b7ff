// SPDX-License-Identifier: GPL-2.0-only
/* Mappings of code: /proc/PID/maps and /proc/modules. See symbolizer.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

void sym_maps_deinit(struct sym_maps *maps)
{
	size_t i;

	for (i = 0; i < maps->nr; i++)
		free(maps->maps[i].path);
	free(maps->maps);
	memset(maps, 0, sizeof(*maps));
}

static int add_map(struct sym_maps *maps, const struct sym_map *map, const char *path)
{
	/* The capacity is the next power of two, so no field for it is needed. */
	if (!(maps->nr & (maps->nr - 1))) {
		size_t max = maps->nr ? maps->nr * 2 : 1;
		void *more = realloc(maps->maps, max * sizeof(*maps->maps));

		if (!more)
			return -ENOMEM;
		maps->maps = more;
	}
	maps->maps[maps->nr] = *map;
	maps->maps[maps->nr].path = strdup(path);
	if (!maps->maps[maps->nr].path)
		return -ENOMEM;
	name_clean(maps->maps[maps->nr].path);
	maps->nr++;
	return 0;
}

/* "START-END rwxp OFFSET MAJOR:MINOR INODE   PATH" */
static int parse_map_line(struct sym_maps *maps, char *line)
{
	static const char deleted[] = " (deleted)";
	struct sym_map map = { 0 };
	char perms[5];
	int at = 0;
	size_t len;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &map.start, &map.end, perms,
		   &map.offset, &map.dev_major, &map.dev_minor, &map.inode, &at) < 7)
		return 0;
	if (!at || strlen(perms) != 4 || perms[2] != 'x' || map.start >= map.end)
		return 0;
	line += at;
	len = strlen(line);
	if (len > strlen(deleted) && !strcmp(line + len - strlen(deleted), deleted)) {
		line[len - strlen(deleted)] = '\0';
		map.is_deleted = true;
	}
	return add_map(maps, &map, line);
}

static int parse_each_line(char *text, int (*parse)(struct sym_maps *, char *),
			   struct sym_maps *maps)
{
	char *line, *rest = text;
	int error = 0;

	while (!error && (line = strsep(&rest, "\n")))
		error = parse(maps, line);
	if (error)
		sym_maps_deinit(maps);
	return error;
}

int sym_maps_parse(char *text, struct sym_maps *maps_ret)
{
	struct sym_maps maps = { 0 };
	int error = parse_each_line(text, parse_map_line, &maps);

	if (!error)
		*maps_ret = maps;
	return error;
}

static int read_maps_file(const char *path, char **text_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	size_t len;

	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	error = read_all(fd, text_ret, &len, NULL);
	close(fd);
	return error;
}

int sym_maps_read(int pid, struct sym_maps *maps_ret)
{
	char path[64], *text;
	int error;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	error = read_maps_file(path, &text);
	if (error)
		return error;
	error = sym_maps_parse(text, maps_ret);
	free(text);
	return error;
}

/* "NAME SIZE USES USERS STATE ADDRESS ..." */
static int parse_module_line(struct sym_maps *maps, char *line)
{
	struct sym_map map = { 0 };
	char name[128];
	u64 len;

	if (sscanf(line, "%127s %llu %*s %*s %*s %llx", name, &len, &map.start) < 3)
		return 0;
	map.end = map.start + len;
	return map.start && map.end <= map.start ? 0 : add_map(maps, &map, name);
}

static int compare_map_starts(const void *a, const void *b)
{
	const struct sym_map *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

int sym_modules_read(const char *path, struct sym_maps *maps_ret)
{
	struct sym_maps maps = { 0 };
	char *text;
	size_t i;
	int error = read_maps_file(path, &text);

	if (error)
		return error;
	error = parse_each_line(text, parse_module_line, &maps);
	free(text);
	if (error)
		return error;
	if (maps.nr)
		qsort(maps.maps, maps.nr, sizeof(*maps.maps), compare_map_starts);
	if (maps.nr && !maps.maps[0].start) {
		sym_maps_deinit(&maps);
		return -EACCES;
	}
	for (i = 0; i + 1 < maps.nr; i++)
		if (maps.maps[i].end > maps.maps[i + 1].start)
			maps.maps[i].end = maps.maps[i + 1].start;
	*maps_ret = maps;
	return 0;
}
