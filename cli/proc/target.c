// SPDX-License-Identifier: GPL-2.0-only
/* Finds the task, object and symbols that were asked for: see target.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "proc/place_select.h"
#include "proc/target.h"
#include "proc/target_range.h"

#define NAMED_MIN	0.2	/* with names for less of its code, an object is stripped */
#define HINT_SYMBOLS	"hint: give the file that holds its symbols as SYMBOLS\n"

/** The object's file, for reading its symbols. */
struct object_file {
	int fd;			/* -1: none */
	const char *path;
	int pid;		/* a process that runs or maps the file; 0: none known */
};

static int find_task(struct target *target, const struct target_request *request,
		     struct text_error *error_ret)
{
	int error = request->all_of ?
		task_find_all_of(request->all_of, &target->task, error_ret) :
		request->word ?
		task_find(request->word, request->command ? request->command[0] : NULL,
			  &target->task, error_ret) :
		task_find_command(request->command[0], &target->task, error_ret);

	target->is_command_missing = error == -ENOENT && !request->word && !request->all_of;
	if (error)
		return error;
	if (target->task.exe_fd < 0 && !request->is_kernel) {
		text_fail(error_ret, 0, "measure %s: a kernel thread has no user mode",
			  target->task.name);
		text_hint(error_ret, "use -mode kernel");
		task_deinit(&target->task);
		return -EINVAL;
	}
	return 0;
}

/* After "ld.so ./prog", the executable is the loader, and prog is one of its objects. */
static void explain_loader(const struct target *target)
{
	if (strncmp(target->task.name, "ld-linux", 8) && strncmp(target->task.name, "ld.so", 5))
		return;
	fprintf(stderr, "probe: %s is the program loader: the program that it runs is another "
		"object\nhint: -map NAME shows the program\n", target->task.name);
}

/* Warn if SYMBOLS does not describe the object that is measured. */
static void check_symbols(const struct target *target, const char *path, int symbols_fd, int own_fd)
{
	struct sym_index *own = NULL;
	struct sym_image image;
	const struct sym *first;
	bool is_foreign;
	size_t i;

	if (!sym_image_read(symbols_fd, &image, NULL) && image.build_id_len &&
	    target->image.build_id_len) {
		is_foreign = !sym_image_is_same(&image, &target->image);
	} else if (!sym_index_create_elf(own_fd, &own, NULL)) {
		is_foreign = sym_index_agreement(target->symbols, own) < 0.99;
		sym_index_destroy(own);
	} else {
		i = sym_index_lower_bound(target->symbols, target->image.code_start);
		first = i < sym_index_size(target->symbols) ?
			sym_index_at(target->symbols, i) : NULL;
		is_foreign = !first || first->start >= target->image.code_end;
	}
	if (is_foreign)
		fprintf(stderr, "probe: warning: the symbols of %s do not belong to this %s\n",
			path, target->object);
}

static int load_file(struct target *target, const char *path, struct text_error *error_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct sym_error reason;
	int error;

	if (fd < 0)
		return text_fail(error_ret, -errno, "open %s: %s", path, strerror(errno));
	error = sym_index_create(fd, &target->symbols, &reason);
	if (error)
		text_fail(error_ret, 0, "read symbols of %s: %s", path, reason.text);
	close(fd);
	return error;
}

static void load_own(struct target *target, const struct object_file *file, bool is_plain)
{
	struct sym_origin origin;
	struct sym_error reason;
	char root[64];
	double named;

	snprintf(root, sizeof(root), "/proc/%d/root", file->pid);
	if (sym_index_create_object(file->fd, file->path, file->pid ? root : NULL, &target->symbols,
				    &origin, &reason)) {
		if (is_plain)
			return;
		fprintf(stderr, "probe: %s: %s; addresses are shown without names\n" HINT_SYMBOLS,
			target->object, reason.text);
		return;
	}
	if (is_plain)
		return;
	if (origin.passed[0] && !origin.path[0])
		fprintf(stderr, "probe: warning: %s does not belong to this %s and is not used\n",
			origin.passed, target->object);
	named = sym_index_coverage(target->symbols, target->code_low, target->code_high);
	if (named < NAMED_MIN)
		fprintf(stderr, "probe: %s is stripped: only %.0f%% of its "
			"code has names\n" HINT_SYMBOLS, target->object, named * 100);
}

static int load_user(struct target *target, const struct target_request *request,
		     const struct object_file *file, struct text_error *error_ret)
{
	int fd, error;

	if (!request->symbols) {
		if (file->fd >= 0)
			load_own(target, file, request->is_plain);
		return 0;
	}
	error = load_file(target, request->symbols, error_ret);
	if (error || file->fd < 0)
		return error;
	fd = open(request->symbols, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		check_symbols(target, request->symbols, fd, file->fd);
		close(fd);
	}
	return 0;
}

/* Choose the executable or the object of -map, with its image, and the file for its symbols. */
static int choose_user(struct target *target, const struct target_request *request,
		       struct object_file *file, struct text_error *error_ret)
{
	struct places *places = &target->places;
	int error;

	target->is_exe = !request->map || !strcmp(request->map, target->task.name) ||
		!strcmp(request->map, target->task.path);
	if (target->is_exe) {
		*file = (struct object_file){ dup(target->task.exe_fd), target->task.path,
					      places->nr_processes ? places->processes[0].pid : 0 };
		target->image = target->task.image;
		snprintf(target->object, sizeof(target->object), "%s", target->task.name);
	} else {
		error = places_select(places, request->map, &file->fd, &file->pid, error_ret);
		if (error)
			return error;
		file->path = places->objects[places->selected].path;
		target->image = places->image;
		snprintf(target->object, sizeof(target->object), "%s",
			 places->objects[places->selected].name);
	}
	target->object_start = target->image.load_start;
	target->code_low = target->image.code_start;
	target->code_high = target->image.code_end;
	if (!target->is_exe && places->objects[places->selected].kind == PLACE_ANON)
		places_range(places, &target->code_low, &target->code_high);
	return 0;
}

/* A file such as System.map has link-time addresses; with KASLR the kernel runs at others. */
static void move_to_kernel(struct target *target, const struct sym_index *kallsyms)
{
	u64 linked, running;

	if (sym_index_by_name(target->symbols, "_stext", &linked) &&
	    sym_index_by_name(kallsyms, "_stext", &running))
		sym_index_move(target->symbols, running - linked);
}

static int load_kernel(struct target *target, const struct target_request *request,
		       struct text_error *error_ret)
{
	struct sym_index *kallsyms = NULL;
	struct sym_error reason;
	int hidden = sym_index_create_kallsyms("/proc/kallsyms", &kallsyms, &reason), error;

	if (request->symbols) {
		error = load_file(target, request->symbols, error_ret);
		if (!error && !hidden)
			move_to_kernel(target, kallsyms);
		sym_index_destroy(kallsyms);
		return error;
	}
	target->symbols = kallsyms;
	if (!hidden || (request->low && request->high))
		return 0;
	text_fail(error_ret, 0, "read /proc/kallsyms: %s", reason.text);
	text_hint(error_ret, hidden == -EACCES ?
		  "run as root with kernel.kptr_restrict below 2, or give -low and -high" :
		  "give -low and -high");
	return hidden;
}

static int choose_module(struct target *target, const char *name, struct text_error *error_ret)
{
	struct sym_maps modules;
	size_t i;

	snprintf(target->object, sizeof(target->object), "%s (module)", name);
	text_clean(target->object);
	if (target->symbols && sym_index_module_range(target->symbols, name, &target->code_low,
						      &target->code_high))
		return 0;
	if (!sym_modules_read("/proc/modules", &modules)) {
		for (i = 0; i < modules.nr && strcmp(modules.maps[i].path, name); i++)
			;
		if (i < modules.nr) {
			target->code_low = modules.maps[i].start;
			target->code_high = modules.maps[i].end;
			sym_maps_deinit(&modules);
			return 0;
		}
		sym_maps_deinit(&modules);
	}
	text_fail(error_ret, 0, "find '%s': no kernel module of that name is loaded", name);
	text_hint(error_ret, "lsmod lists the modules; 'kernel' is the core kernel");
	return -ENOENT;
}

static int choose_kernel(struct target *target, const struct target_request *request,
			 struct text_error *error_ret)
{
	int error = 0;

	target->is_exe = !request->map || !strcmp(request->map, "kernel") ||
		!strcmp(request->map, "vmlinux");
	snprintf(target->object, sizeof(target->object), "kernel");
	target->code_low = 0;
	target->code_high = UINT64_MAX;
	if (!target->is_exe) {
		error = choose_module(target, request->map, error_ret);
	} else if (!target->symbols ||
		   !sym_index_by_name(target->symbols, "_stext", &target->code_low) ||
		   !sym_index_by_name(target->symbols, "_etext", &target->code_high)) {
		if (request->low && request->high)
			return 0;
		text_fail(error_ret, 0, "find the kernel's code: the symbols have no _stext and "
			  "_etext");
		text_hint(error_ret, "give -low and -high");
		return -ENODATA;
	}
	target->object_start = target->code_low;
	return error;
}

static int init_object(struct target *target, const struct target_request *request,
		       struct text_error *error_ret)
{
	struct object_file file = { .fd = -1, .path = "" };
	int error;

	if (request->is_kernel) {
		error = load_kernel(target, request, error_ret);
		return error ? error : choose_kernel(target, request, error_ret);
	}
	explain_loader(target);
	error = choose_user(target, request, &file, error_ret);
	target->object_fd = file.fd;
	target->object_pid = file.pid;
	target->object_path = file.path;
	return error ? error : load_user(target, request, &file, error_ret);
}

int target_init(struct target *target, const struct target_request *request,
		struct text_error *error_ret)
{
	int error;

	memset(target, 0, sizeof(*target));
	target->task.exe_fd = target->object_fd = -1;
	target->object_path = "";
	error = find_task(target, request, error_ret);
	if (error)
		return error;
	error = places_init(&target->places, &target->task, error_ret);
	if (!error) {
		places_add_all(&target->places);
		error = init_object(target, request, error_ret);
	}
	if (!error)
		error = target_choose_range(target, request, error_ret);
	if (error)
		target_deinit(target);
	return error;
}

void target_deinit(struct target *target)
{
	sym_index_destroy(target->symbols);
	target->symbols = NULL;
	if (target->object_fd >= 0)
		close(target->object_fd);
	target->object_fd = -1;
	places_deinit(&target->places);
	task_deinit(&target->task);
}
