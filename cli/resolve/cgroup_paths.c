// SPDX-License-Identifier: GPL-2.0-only
/* Control groups of processes: see cgroup_paths.h. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "resolve/cgroup_paths.h"

#define TEXT_LEN	8192	/* version 1 has a dozen lines */

static bool is_path(const void *owner, u32 position, const void *key)
{
	return !strcmp(((const struct cgroup_paths *)owner)->path[position], key);
}

static struct cgroup_number find_or_add(struct cgroup_paths *groups, const char *path)
{
	u64 hash = intern_hash(0, path, strlen(path));
	u32 at = intern_find(&groups->index, hash, is_path, groups, path);
	const struct cgroup_number unknown = { 0, 0 };
	char *copy;

	if (at != INTERN_NONE)
		return (struct cgroup_number){ at + 1, groups->generation };
	at = groups->nr;
	copy = array_has_room(&groups->path, at, sizeof(*groups->path)) ? strdup(path) : NULL;
	if (!copy || intern_add(&groups->index, hash, at)) {
		free(copy);
		return unknown;
	}
	groups->path[groups->nr++] = copy;
	return (struct cgroup_number){ at + 1, groups->generation };
}

struct cgroup_number cgroup_paths_add(struct cgroup_paths *groups, const char *text)
{
	const char *line = !strncmp(text, "0::", 3) ? text : strstr(text, "\n0::");
	char path[TEXT_LEN];
	u64 hash;

	/* The path of version 2; of version 1 the whole line, as its hierarchies differ. */
	line = line == text ? text + 3 : line ? line + 4 : text;
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(line, "\n"), line);
	hash = intern_hash(0, path, strlen(path));
	/* One place is left for the others. */
	if (groups->nr + 1 >= CGROUP_PATHS_MAX && intern_find(&groups->index, hash, is_path, groups, path) == INTERN_NONE)
		return find_or_add(groups, CGROUP_PATHS_OTHER);
	return find_or_add(groups, path);
}

struct cgroup_number cgroup_paths_read(struct cgroup_paths *groups, int pid)
{
	char path[32], text[TEXT_LEN];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (len <= 0)
		return (struct cgroup_number){ 0, 0 };
	text[len] = '\0';
	return cgroup_paths_add(groups, text);
}

const char *cgroup_paths_get(const struct cgroup_paths *groups, struct cgroup_number group)
{
	return group.number && group.generation == groups->generation ? groups->path[group.number - 1] : "";
}

static void forget_all(struct cgroup_paths *groups)
{
	while (groups->nr)
		free(groups->path[--groups->nr]);
	free(groups->path);
	groups->path = NULL;
	intern_deinit(&groups->index);
}

void cgroup_paths_trim(struct cgroup_paths *groups)
{
	if (groups->nr <= CGROUP_PATHS_MAX / 2)
		return;
	forget_all(groups);
	groups->generation++;
}

void cgroup_paths_deinit(struct cgroup_paths *groups)
{
	forget_all(groups);
}
