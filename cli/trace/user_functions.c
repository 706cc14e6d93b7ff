// SPDX-License-Identifier: GPL-2.0-only
/* Choosing functions of programs: see user_functions.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "calls/call_match.h"
#include "trace/user_functions.h"

#define NAMED_MAX	3	/* functions named that cannot be hooked */
#define NAME_LEN	512

/* The path of an object with this name in the memory of a process, and its inode there; NULL: none. */
static char *find_mapped(int pid, const char *name, u64 *inode_ret)
{
	struct sym_maps maps;
	char *path = NULL;
	size_t i;

	if (sym_maps_read(pid, &maps))
		return NULL;
	for (i = 0; i < maps.nr && !path; i++) {
		if (maps.maps[i].path[0] != '/' || strcmp(text_base_name(maps.maps[i].path), name))
			continue;
		*inode_ret = maps.maps[i].inode;
		path = strdup(maps.maps[i].path);
	}
	sym_maps_deinit(&maps);
	return path;
}

/* Finds the path of an object, its root, and the inode that it must have, 0: any. A task's executable is open already. */
static int find_object(struct user_object *object, const char *name, const struct task *task, u64 *inode_ret,
		       struct text_error *error_ret)
{
	*inode_ret = 0;
	if (strchr(name, '/')) {
		object->path = strdup(name);
	} else if (task && task->exe_fd >= 0 && !strcmp(text_base_name(task->path), name)) {
		object->path = strdup(task->path);
		object->fd = fcntl(task->exe_fd, F_DUPFD_CLOEXEC, 0);
	} else if (task && task->pid) {
		object->path = find_mapped(task->pid, name, inode_ret);
	} else {
		object->path = find_mapped(getpid(), name, inode_ret);
	}
	if (task && task->pid && (*inode_ret || object->fd >= 0))
		snprintf(object->root, sizeof(object->root), "/proc/%d/root", task->pid);
	if (object->path)
		return 0;
	text_fail(error_ret, 0, "find object %s: no file of this name is mapped as code", name);
	text_hint(error_ret, "give its path, or the process that maps it with -task PID");
	return -ENOENT;
}

/* Whether a name is of code that calls enter: no part of a function, and no entry of a linkage table. */
static bool is_function(const struct sym *sym, const char *name)
{
	size_t len = strlen(name);

	return sym->start == sym->entry && name[0] && !call_match_is_part(name) &&
		(len < 4 || strcmp(name + len - 4, "@plt"));
}

/* Names are positions in @texts until it is complete. */
static int collect(struct hookables *all, const struct sym_index *index, FILE *texts)
{
	size_t i, at = 0;

	for (i = 0; i < sym_index_size(index); i++) {
		const struct sym *sym = sym_index_at(index, i);
		char name[NAME_LEN];

		sym_name(sym, name, sizeof(name));
		if (!is_function(sym, name))
			continue;
		if (!array_has_room(&all->list, all->nr, sizeof(*all->list)))
			return -ENOMEM;
		all->list[all->nr++] = (struct hookable){ sym->start, (const char *)at, "" };
		at += strlen(name) + 1;
		fwrite(name, 1, strlen(name) + 1, texts);
	}
	return 0;
}

/* All functions of an object by address. */
static int read_functions(struct hookables *all, const struct sym_index *index)
{
	size_t len;
	FILE *texts = open_memstream(&all->texts, &len);
	int error = texts ? collect(all, index, texts) : -ENOMEM;
	u32 i;

	if (texts && fclose(texts))
		error = -ENOMEM;
	for (i = 0; i < all->nr; i++)
		all->list[i].name = error ? "" : all->texts + (size_t)all->list[i].name;
	return error;
}

/* The kernel replaces the return address of a followed call: runtimes that walk the stack end the program. */
static int check_runtime(const struct user_object *object, enum sym_runtime runtime, bool may_unwind,
			 struct text_error *error_ret)
{
	if (runtime == SYM_RUNTIME_GO) {
		text_fail(error_ret, 0, "follow %s: it is in Go, whose runtime ends a program with replaced return "
			  "addresses", object->path);
		text_hint(error_ret, "'probe flat -task' and 'probe graph -task' show its functions by samples");
		return -EOPNOTSUPP;
	}
	if (runtime == SYM_RUNTIME_PLAIN || may_unwind)
		return 0;
	text_fail(error_ret, 0, "follow %s: its code uses exceptions, and one that passes through a followed call "
		  "ends the program", object->path);
	text_hint(error_ret, "if none passes through these functions, add -ufn-unwinds");
	return -EOPNOTSUPP;
}

static int choose(struct user_object *object, const char *globs, bool may_unwind, struct text_error *error_ret)
{
	enum sym_runtime runtime;
	struct sym_error why;
	struct sym_index *index;
	int error = sym_image_read(object->fd, &object->image, &why) ?:
		sym_runtime_read(object->fd, &runtime, &why);

	if (error)
		return text_fail(error_ret, error, "read %s: %s", object->path, why.text);
	error = check_runtime(object, runtime, may_unwind, error_ret);
	if (error)
		return error;
	error = sym_index_create_object(object->fd, object->path, object->root[0] ? object->root : NULL, &index, NULL,
					&why);
	if (error)
		return text_fail(error_ret, error, "read %s: %s", object->path, why.text);
	error = read_functions(&object->functions, index);
	sym_index_destroy(index);
	if (error)
		return text_fail(error_ret, error, "read %s: out of memory", object->path);
	object->functions.file = text_base_name(object->path);
	return hookables_choose(&object->functions, globs, error_ret);
}

/* The owner of a process may have put anything in the place of a file that it maps, or a link to a file of ours. */
static int open_object(struct user_object *object, u64 inode, struct text_error *error_ret)
{
	int fd = object->fd >= 0 ? object->fd : sym_open_inside(object->root, object->path, inode);

	if (fd >= 0)
		object->fd = fd;
	return fd >= 0 ? 0 : text_fail(error_ret, fd, "open %s: %s", object->path,
				       fd == -ESTALE ? "its file has been replaced or removed" :
				       fd == -EINVAL ? "it is not a regular file" : strerror(-fd));
}

static int add_object(struct user_functions *functions, const char *text, bool may_unwind,
		      const struct task *task, struct text_error *error_ret)
{
	const char *colon = strchr(text, ':');
	char name[4096];
	struct user_object *object;
	u64 inode;
	int error;

	if (!colon || colon == text || colon - text >= (long)sizeof(name) || !colon[1])
		return text_fail(error_ret, -EINVAL, "-ufn %s: the form is OBJECT:GLOBS", text);
	if (!array_has_room(&functions->objects, functions->nr_objects, sizeof(*functions->objects)))
		return text_fail(error_ret, -ENOMEM, "find functions: out of memory");
	object = &functions->objects[functions->nr_objects++];
	*object = (struct user_object){ .fd = -1 };
	snprintf(name, sizeof(name), "%.*s", (int)(colon - text), text);
	error = find_object(object, name, task, &inode, error_ret) ?: open_object(object, inode, error_ret);
	return error ?: choose(object, colon + 1, may_unwind, error_ret);
}

/* The offset in the file of a link-time address; false: it is in no segment. */
static bool find_offset(const struct sym_image *image, u64 addr, u64 *offset_ret)
{
	size_t i;

	for (i = 0; i < image->nr_segments; i++) {
		const struct sym_segment *segment = &image->segment[i];

		if (addr < segment->addr || addr - segment->addr >= segment->len)
			continue;
		*offset_ret = addr - segment->addr + segment->offset;
		return true;
	}
	return false;
}

/* Functions outside of the file's code cannot be hooked: the module is not asked. */
static void drop_outside(struct user_object *object)
{
	struct hookables *functions = &object->functions;
	u32 i, nr = 0;
	u64 offset;

	for (i = 0; i < functions->nr; i++)
		if (find_offset(&object->image, functions->list[i].address, &offset))
			functions->list[nr++] = functions->list[i];
	functions->nr = nr;
}

static int ask_for_all(struct user_functions *functions, struct text_error *error_ret)
{
	u32 i, k, nr = 0;

	for (i = 0; i < functions->nr_objects; i++) {
		drop_outside(&functions->objects[i]);
		functions->nr += functions->objects[i].functions.nr;
	}
	if (functions->nr > CPUPROBE_USER_FUNCTIONS_MAX)
		return text_fail(error_ret, -E2BIG, "find functions: %u match, at most %u of programs can be hooked",
				 functions->nr, CPUPROBE_USER_FUNCTIONS_MAX);
	functions->asked = calloc(functions->nr + 1, sizeof(*functions->asked));
	if (!functions->asked)
		return text_fail(error_ret, -ENOMEM, "find functions: out of memory");
	for (i = 0; i < functions->nr_objects; i++)
		for (k = 0; k < functions->objects[i].functions.nr; k++, nr++) {
			const struct user_object *object = &functions->objects[i];

			functions->asked[nr].fd = object->fd;
			find_offset(&object->image, object->functions.list[k].address,
				    (u64 *)&functions->asked[nr].offset);
		}
	return 0;
}

int user_functions_choose(struct user_functions *functions, const struct user_choices *choices,
			  const struct task *task, struct text_error *error_ret)
{
	int error = 0;
	u32 i;

	for (i = 0; i < choices->nr && !error; i++)
		error = add_object(functions, choices->text[i], choices->may_unwind, task, error_ret);
	return error ?: ask_for_all(functions, error_ret);
}

const struct hookable *user_functions_at(const struct user_functions *functions, u32 at,
					 const struct user_object **object_ret)
{
	const struct user_object *object = functions->objects;

	while (at >= object->functions.nr)
		at -= object++->functions.nr;
	*object_ret = object;
	return &object->functions.list[at];
}

u32 user_functions_find(const struct user_functions *functions, const char *name)
{
	const struct user_object *object;
	u32 i, found = UINT32_MAX;

	for (i = 0; i < functions->nr; i++) {
		if (strcmp(user_functions_at(functions, i, &object)->name, name))
			continue;
		if (found != UINT32_MAX)
			return UINT32_MAX;
		found = i;
	}
	return found;
}

void user_functions_tell_refused(const struct user_functions *functions)
{
	const struct user_object *object;
	char names[300] = "";
	size_t used = 0;
	u32 i, nr = 0;

	for (i = 0; i < functions->nr; i++) {
		if (!functions->asked[i].state)
			continue;
		if (nr++ < NAMED_MAX && used < sizeof(names))
			used += snprintf(names + used, sizeof(names) - used, "%s%s", nr > 1 ? ", " : "",
					 user_functions_at(functions, i, &object)->name);
	}
	if (nr)
		fprintf(stderr, "probe: %u of %u functions of programs cannot be hooked (their first instruction): "
			"%s%s\n", nr, functions->nr, names, nr > NAMED_MAX ? ", ..." : "");
}

void user_functions_deinit(struct user_functions *functions)
{
	u32 i;

	for (i = 0; i < functions->nr_objects; i++) {
		if (functions->objects[i].fd >= 0)
			close(functions->objects[i].fd);
		free(functions->objects[i].path);
		hookables_deinit(&functions->objects[i].functions);
	}
	free(functions->objects);
	free(functions->asked);
	*functions = (struct user_functions){ .nr = 0 };
}
