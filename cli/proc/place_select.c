// SPDX-License-Identifier: GPL-2.0-only
/* Finds the object that -map names: see place_select.h. */
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "proc/place_select.h"

/* Whether @name is @file up to its first dot: "libc" for "libc.so.6". */
static bool is_file_stem(const char *file, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(file, name, len) && file[len] == '.';
}

static bool is_object_named(const struct place_object *object, const char *name)
{
	switch (object->kind) {
	case PLACE_VDSO:
		return !strcmp(name, "vdso") || !strcmp(name, "[vdso]");
	case PLACE_ANON:
		return !strcmp(name, "anon") || !strcmp(name, "[anon]");
	case PLACE_FILE:
		return !strcmp(object->path, name) || !strcmp(text_base_name(object->path), name);
	default:
		return false;
	}
}

static bool is_module_name(const struct places *places, const char *name)
{
	size_t i;

	for (i = CPUPROBE_OBJECT_FIRST; i < places->nr_objects; i++)
		if (places->objects[i].kind == PLACE_MODULE &&
		    !strcmp(places->objects[i].path, name))
			return true;
	return false;
}

static int explain_not_mapped(const struct places *places, const char *name,
			      struct text_error *error_ret)
{
	char list[200] = "";
	size_t i, len = 0;

	text_fail(error_ret, 0, "find '%s': not mapped as code in %s", name, places->task->name);
	if (!places->nr_processes) {
		text_hint(error_ret,
			  "no running process was found; give the path of the object's file");
		return -ENOENT;
	}
	if (!strcmp(name, "kernel") || !strcmp(name, "vmlinux") || is_module_name(places, name)) {
		text_hint(error_ret, "use -mode kernel");
		return -ENOENT;
	}
	for (i = CPUPROBE_OBJECT_FIRST; i < places->nr_objects && len < sizeof(list); i++)
		if (places->objects[i].kind != PLACE_MODULE)
			len += snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "",
					places->objects[i].name);
	text_hint(error_ret, "mapped objects: %s%s", list, len >= sizeof(list) ? "..." : "");
	return -ENOENT;
}

/* An area of the object in some process; NULL: not mapped. */
static const struct cpuprobe_area *find_object_area(const struct places *places, u32 object)
{
	size_t i;

	for (i = 0; i < places->nr_areas; i++)
		if (places->areas[i].object == object)
			return &places->areas[i];
	return NULL;
}

/* Open the mapped file itself, even if it was deleted, replaced, or is in another root. -errno. */
static int open_object(const struct place_object *object, const struct cpuprobe_area *area)
{
	char path[64];
	int fd;

	if (area) {
		snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", area->pid, area->start,
			 area->end);
		fd = sym_open_regular(path, object->inode);
		if (fd >= 0)
			return fd;
		snprintf(path, sizeof(path), "/proc/%u/root", area->pid);
		fd = sym_open_inside(path, object->path, object->inode);
		if (fd >= 0)
			return fd;
	}
	return sym_open_regular(object->path, object->inode);
}

/* Copy our own vDSO to a file: the kernel maps the same one into every 64-bit process. -errno. */
static int open_vdso(void)
{
	const char *start = (const char *)getauxval(AT_SYSINFO_EHDR);
	struct sym_maps maps;
	int fd = -ENOENT;
	size_t i;

	if (!start || sym_maps_read(getpid(), &maps))
		return -ENOENT;
	for (i = 0; i < maps.nr; i++) {
		size_t len = maps.maps[i].end - maps.maps[i].start;

		if (strcmp(maps.maps[i].path, "[vdso]"))
			continue;
		fd = memfd_create("vdso", MFD_CLOEXEC);
		if (fd >= 0 && write(fd, start, len) != (ssize_t)len) {
			close(fd);
			fd = -ENOSPC;
		}
	}
	sym_maps_deinit(&maps);
	return fd;
}

/* Add a file that no process has mapped yet, but a COMMAND may map. */
static int add_by_path(struct places *places, const char *path, struct text_error *error_ret)
{
	struct place_object *object;
	struct stat info;

	if (stat(path, &info))
		return text_fail(error_ret, -errno, "find %s: %s", path, strerror(errno));
	if (places->nr_objects >= CPUPROBE_OBJECTS - 1)
		return text_fail(error_ret, -ENOSPC, "find %s: more than %d objects", path,
				 CPUPROBE_OBJECTS - 1);
	object = places_add_object(places, PLACE_FILE, text_base_name(path), path);
	object->inode = info.st_ino;
	object->dev_major = major(info.st_dev);
	object->dev_minor = minor(info.st_dev);
	return 0;
}

static size_t find_named_object(const struct places *places, const char *name, u32 *object_ret)
{
	size_t i, nr = 0;

	for (i = CPUPROBE_OBJECT_FIRST; i < places->nr_objects; i++) {
		if (!is_object_named(&places->objects[i], name))
			continue;
		*object_ret = i;
		nr++;
	}
	for (i = CPUPROBE_OBJECT_FIRST; !nr && i < places->nr_objects; i++) {
		if (places->objects[i].kind != PLACE_FILE ||
		    !is_file_stem(text_base_name(places->objects[i].path), name))
			continue;
		*object_ret = i;
		return 1;
	}
	return nr;
}

/* A name copied from /proc/PID/maps may end in " (deleted)". */
static size_t len_without_deleted(const char *name)
{
	size_t len = strlen(name), mark_len = strlen(" (deleted)");

	return len > mark_len && !strcmp(name + len - mark_len, " (deleted)") ? len - mark_len : len;
}

/* Whether places_select() finds @object, and no other, by @name. Names of the executable never
   select another object. */
static bool is_found_by(const struct places *places, const char *name, u32 object)
{
	u32 found = 0;

	return strcmp(name, places->task->name) && strcmp(name, places->task->path) &&
	       len_without_deleted(name) == strlen(name) &&
	       find_named_object(places, name, &found) == 1 && found == object;
}

const char *places_map_name(const struct places *places, u32 object)
{
	const struct place_object *of = &places->objects[object];
	const char *name = text_base_name(of->path);

	switch (of->kind) {
	case PLACE_VDSO:
		return is_found_by(places, "vdso", object) ? "vdso" : NULL;
	case PLACE_ANON:	/* its addresses differ between processes */
		return places->task->pid && is_found_by(places, "anon", object) ? "anon" : NULL;
	case PLACE_FILE:
		return is_found_by(places, name, object) ? name :
			is_found_by(places, of->path, object) ? of->path : NULL;
	default:
		return NULL;
	}
}

/* Find an object by its device and inode. 0: none. */
static u32 find_object_of_file(const struct places *places, const struct stat *info)
{
	size_t i;

	for (i = CPUPROBE_OBJECT_FIRST; i < places->nr_objects; i++)
		if (places->objects[i].kind == PLACE_FILE && places->objects[i].inode == info->st_ino &&
		    places->objects[i].dev_major == major(info->st_dev) &&
		    places->objects[i].dev_minor == minor(info->st_dev))
			return i;
	return 0;
}

/* Find an object by a path in the processes' own root, which may differ from ours. 0: none. */
static u32 find_in_roots(const struct places *places, const char *path)
{
	struct stat info;
	char root[64];
	u32 found = 0;
	size_t k;

	for (k = 0; k < places->nr_processes && !found; k++) {
		int fd;

		snprintf(root, sizeof(root), "/proc/%d/root", places->processes[k].pid);
		fd = sym_open_inside(root, path, 0);
		if (fd < 0)
			continue;
		if (!fstat(fd, &info))
			found = find_object_of_file(places, &info);
		close(fd);
	}
	return found;
}

static int open_selected(struct places *places, int *fd_ret, int *pid_ret,
			 struct text_error *error_ret)
{
	const struct place_object *object = &places->objects[places->selected];
	const struct cpuprobe_area *area = find_object_area(places, places->selected);
	struct sym_error reason;
	int error;

	*pid_ret = area ? area->pid : 0;
	*fd_ret = object->kind == PLACE_FILE ? open_object(object, area) :
		object->kind == PLACE_VDSO ? open_vdso() : -1;
	if (object->kind == PLACE_ANON)
		return 0;
	if (*fd_ret < 0) {
		error = *fd_ret;
		*fd_ret = -1;
		return text_fail(error_ret, error, "open %s: %s", object->path, error == -ESTALE || error == -EINVAL ?
				 "its file has been replaced or removed" : strerror(-error));
	}
	error = sym_image_read(*fd_ret, &places->image, &reason);
	if (!error)
		return 0;
	close(*fd_ret);
	*fd_ret = -1;
	return text_fail(error_ret, error, "read %s: %s", object->path, reason.text);
}

int places_select(struct places *places, const char *asked, int *fd_ret, int *pid_ret,
		  struct text_error *error_ret)
{
	const char *name = strndupa(asked, len_without_deleted(asked));
	size_t nr = find_named_object(places, name, &places->selected);
	int error;

	*fd_ret = -1;
	if (!nr && name[0] == '/') {
		places->selected = find_in_roots(places, name);
		nr = places->selected != 0;
	}
	if (nr > 1) {
		text_fail(error_ret, 0, "find '%s': %zu objects of that name are mapped", name, nr);
		text_hint(error_ret, "give the path of one, as /proc/PID/maps shows it");
		return -ENOTUNIQ;
	}
	if (!nr && name[0] == '/' && !places->nr_processes) {
		error = add_by_path(places, name, error_ret);
		places->selected = places->nr_objects - 1;
	} else {
		error = nr ? 0 : explain_not_mapped(places, name, error_ret);
	}
	if (!error && places->objects[places->selected].kind == PLACE_ANON && !places->task->pid) {
		text_fail(error_ret, 0,
			  "show anonymous code: its addresses differ between processes");
		text_hint(error_ret, "give the pid of one process");
		error = -EINVAL;
	}
	if (!error)
		error = open_selected(places, fd_ret, pid_ret, error_ret);
	/* With the image known, the biases can be computed. */
	if (!error)
		places_reread(places);
	return error;
}

void places_range(const struct places *places, u64 *low_ret, u64 *high_ret)
{
	size_t i;

	*low_ret = UINT64_MAX;
	*high_ret = 0;
	for (i = 0; i < places->nr_areas; i++) {
		if (places->areas[i].object != places->selected)
			continue;
		if (places->areas[i].start < *low_ret)
			*low_ret = places->areas[i].start;
		if (places->areas[i].end > *high_ret)
			*high_ret = places->areas[i].end;
	}
}
