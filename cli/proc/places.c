// SPDX-License-Identifier: GPL-2.0-only
/* Objects and areas of the target and the kernel: see places.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/array.h"
#include "proc/places.h"
#include "run/procstat.h"

#define LAST_OBJECT (CPUPROBE_OBJECTS - 1)	/* "(other objects)": all that have no number */

struct place_object *places_add_object(struct places *places, enum place_kind kind,
				       const char *name, const char *path)
{
	struct place_object *object = &places->objects[places->nr_objects++];

	object->kind = kind;
	snprintf(object->name, sizeof(object->name), "%s", name);
	snprintf(object->path, sizeof(object->path), "%s", path);
	text_clean(object->name);
	return object;
}

static int add_area(struct places *places, const struct cpuprobe_area *area)
{
	if (places->nr_areas == CPUPROBE_AREAS_MAX)
		return -ENOSPC;
	places->areas[places->nr_areas++] = *area;
	places->is_changed = true;
	return 0;
}

static void add_modules(struct places *places)
{
	struct sym_maps modules;
	char name[160];
	size_t i;

	/* If kernel addresses are hidden, the whole kernel is one object. */
	if (sym_modules_read("/proc/modules", &modules))
		return;
	for (i = 0; i < modules.nr && places->nr_objects < LAST_OBJECT; i++) {
		const struct sym_map *module = &modules.maps[i];

		snprintf(name, sizeof(name), "%s (module)", module->path);
		places_add_object(places, PLACE_MODULE, name, module->path);
		add_area(places, &(struct cpuprobe_area){
			.start = module->start, .end = module->end,
			.object = places->nr_objects - 1 });
	}
	sym_maps_deinit(&modules);
}

int places_init(struct places *places, const struct task *task, struct text_error *error_ret)
{
	static const char *const fixed[CPUPROBE_OBJECT_FIRST] = {
		[CPUPROBE_OBJECT_SOFTIRQ] = "(softirq)", [CPUPROBE_OBJECT_GUEST] = "(guest)",
		[CPUPROBE_OBJECT_KERNEL] = "kernel",
		[CPUPROBE_OBJECT_UNPLACED] = "(place not known)",
	};
	size_t i;

	memset(places, 0, sizeof(*places));
	places->task = task;
	places->objects = calloc(CPUPROBE_OBJECTS, sizeof(*places->objects));
	places->areas = calloc(CPUPROBE_AREAS_MAX, sizeof(*places->areas));
	if (!places->objects || !places->areas)
		return text_fail(error_ret, -ENOMEM, "read the mappings: out of memory");
	places_add_object(places, PLACE_EXE, task->name, task->path);
	for (i = 1; i < CPUPROBE_OBJECT_FIRST; i++)
		places_add_object(places, PLACE_SPECIAL, fixed[i], "");
	snprintf(places->objects[LAST_OBJECT].name, sizeof(places->objects[0].name),
		 "(other objects)");
	places->objects[LAST_OBJECT].kind = PLACE_OTHERS;
	add_modules(places);
	places->is_changed = true;
	return 0;
}

void places_deinit(struct places *places)
{
	free(places->objects);
	free(places->areas);
	free(places->processes);
	memset(places, 0, sizeof(*places));
}

static bool is_exe_file(const struct places *places, const struct sym_map *map)
{
	struct stat info;

	if (places->task->exe_fd < 0 || fstat(places->task->exe_fd, &info))
		return false;
	/* Some file systems report different devices in /proc/PID/maps and in stat(). */
	return map->inode == info.st_ino &&
	       ((map->dev_major == major(info.st_dev) && map->dev_minor == minor(info.st_dev)) ||
		!strcmp(map->path, places->task->path));
}

static bool is_map_of_object(const struct place_object *object, const struct sym_map *map)
{
	switch (object->kind) {
	case PLACE_FILE:
		return map->inode && map->inode == object->inode &&
		       map->dev_major == object->dev_major && map->dev_minor == object->dev_minor;
	case PLACE_ANON:
		return !map->inode && !map->path[0];
	case PLACE_VDSO:
		return !strcmp(map->path, "[vdso]");
	case PLACE_SPECIAL:
		return !map->inode && map->path[0] == '[' && !strcmp(map->path, object->path);
	default:
		return false;
	}
}

/* The number of the object that a mapping belongs to; adds the object if it is new. */
static u32 get_map_object(struct places *places, const struct sym_map *map)
{
	struct place_object *object;
	size_t i;

	if (is_exe_file(places, map))
		return CPUPROBE_OBJECT_EXE;
	for (i = CPUPROBE_OBJECT_FIRST; i < places->nr_objects; i++)
		if (is_map_of_object(&places->objects[i], map))
			return i;
	if (places->nr_objects == LAST_OBJECT)
		return LAST_OBJECT;
	object = places_add_object(places, map->inode ? PLACE_FILE : !map->path[0] ? PLACE_ANON :
			    !strcmp(map->path, "[vdso]") ? PLACE_VDSO : PLACE_SPECIAL,
			    map->path[0] ? text_base_name(map->path) : "[anon]", map->path);
	object->inode = map->inode;
	object->dev_major = map->dev_major;
	object->dev_minor = map->dev_minor;
	return i;
}

/* Run-time minus link-time address; 0 for objects whose addresses are never shown. */
static u64 map_bias(const struct places *places, u32 object, const struct sym_map *map)
{
	const struct sym_image *image = NULL;
	u64 addr;

	if (object == CPUPROBE_OBJECT_EXE)
		image = &places->task->image;
	else if (object == places->selected && places->objects[object].kind != PLACE_ANON)
		image = &places->image;
	return image && sym_image_addr(image, map->offset, &addr) ? map->start - addr : 0;
}

static bool is_of_task(const struct places *places, int pid)
{
	struct stat exe, own;
	char path[64];

	if (places->task->pid && pid != places->task->pid)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return places->task->exe_fd >= 0 && !stat(path, &exe) &&
	       !fstat(places->task->exe_fd, &own) && exe.st_dev == own.st_dev &&
	       exe.st_ino == own.st_ino;
}

/* The entry of a process; adds one if it is new. NULL: out of memory. */
static struct place_process *get_place_process(struct places *places, int pid)
{
	size_t i;

	for (i = 0; i < places->nr_processes; i++)
		if (places->processes[i].pid == pid)
			return &places->processes[i];
	if (!array_has_room(&places->processes, i, sizeof(*places->processes)))
		return NULL;
	places->processes[i] = (struct place_process){ .pid = pid };
	return &places->processes[places->nr_processes++];
}

static void forget_areas(struct places *places, int pid)
{
	size_t i, kept = 0;

	for (i = 0; i < places->nr_areas; i++)
		if (places->areas[i].pid != (u32)pid)
			places->areas[kept++] = places->areas[i];
	places->is_changed |= kept < places->nr_areas;
	places->nr_areas = kept;
}

/* Whether a process is certain to run another program. */
static bool runs_another(const struct places *places, int pid)
{
	struct stat exe, own;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return !stat(path, &exe) && !fstat(places->task->exe_fd, &own) &&
	       (exe.st_dev != own.st_dev || exe.st_ino != own.st_ino);
}

/*
 * Forget the processes that had ended two reviews ago. There is a review before each harvest and one after it, or only
 * the second: at least one harvest since then has placed their last samples.
 */
static void forget_ended(struct places *places)
{
	size_t i, kept = 0;

	for (i = 0; i < places->nr_processes; i++) {
		struct place_process *process = &places->processes[i];

		if (process->nr_reviews_ended == 2) {
			forget_areas(places, process->pid);
			continue;
		}
		if (process->nr_reviews_ended || (kill(process->pid, 0) && errno == ESRCH))
			process->nr_reviews_ended++;
		places->processes[kept++] = *process;
	}
	places->nr_processes = kept;
}

/* Note what proc_report_warn() reports about the executable and the selected object in a process. */
static void note_changes(struct places *places, unsigned int nr_selected, u64 exe_bytes,
			 bool is_known)
{
	const struct sym_image *image = &places->task->image;
	u64 code_bytes = 0;
	size_t i;

	for (i = 0; i < image->nr_segments; i++)
		code_bytes += image->segment[i].len;
	if (exe_bytes < code_bytes)
		places->mappings.is_code_replaced = 1;
	if (nr_selected > places->mappings.nr_mapped_max)
		places->mappings.nr_mapped_max = nr_selected;
	if (places->selected && !nr_selected && is_known)
		places->mappings.is_unmapped = 1;
}

static void add_maps(struct places *places, struct place_process *process,
		     const struct sym_maps *maps, bool is_known)
{
	u64 biases[2] = { 0 };
	unsigned int nr_selected = 0;
	u64 exe_bytes = 0;
	size_t i;

	forget_areas(places, process->pid);
	if (places->nr_areas + maps->nr > CPUPROBE_AREAS_MAX) {
		places->mappings.nr_left_out += !process->is_left_out;
		process->is_left_out = true;
		process->crc = 0;	/* so that the next read tries again */
		return;
	}
	for (i = 0; i < maps->nr; i++) {
		const struct sym_map *map = &maps->maps[i];
		u32 object = get_map_object(places, map);
		struct cpuprobe_area area = {
			.start = map->start, .end = map->end, .space = process->space,
			.pid = process->pid, .object = object,
			.bias = map_bias(places, object, map),
		};

		if (object == CPUPROBE_OBJECT_EXE)
			exe_bytes += map->end - map->start;
		if (places->selected && object == places->selected &&
		    (!nr_selected || area.bias != biases[0]))
			biases[nr_selected++ ? 1 : 0] = area.bias;
		add_area(places, &area);
	}
	note_changes(places, nr_selected, exe_bytes, is_known);
}

static u32 crc_of_maps(const struct sym_maps *maps)
{
	u32 crc = maps->nr;
	size_t i;

	for (i = 0; i < maps->nr; i++) {
		const struct sym_map *map = &maps->maps[i];
		const u64 facts[] = { crc, map->start, map->end, map->offset, map->inode };

		crc = sym_crc32(0, facts, sizeof(facts));
	}
	return crc;
}

void places_read(struct places *places, int pid)
{
	struct place_process *process;
	u64 before, after;
	struct sym_maps maps;
	bool is_known;
	u32 crc;

	if (!pid || !is_of_task(places, pid) || procstat_space(pid, &before))
		return;
	if (sym_maps_read(pid, &maps))
		return;
	/* A process that is exiting has no mappings. */
	if (!maps.nr) {
		sym_maps_deinit(&maps);
		return;
	}
	crc = crc_of_maps(&maps);
	/* Ignore the maps if the process has called exec() during the read. */
	process = !procstat_space(pid, &after) && before == after ?
		get_place_process(places, pid) : NULL;
	is_known = process && process->space == before;
	if (process)
		process->nr_reviews_ended = 0;
	if (process && !(is_known && process->crc == crc)) {
		process->space = before;
		process->crc = crc;
		add_maps(places, process, &maps, is_known);
	}
	sym_maps_deinit(&maps);
}

void places_review(struct places *places)
{
	struct place_process *process;

	forget_ended(places);
	if (!places->nr_processes)
		return;
	process = &places->processes[places->next_review++ % places->nr_processes];
	if (!runs_another(places, process->pid))
		places_read(places, process->pid);
	else if (!process->nr_reviews_ended)
		process->nr_reviews_ended = 1;
}

void places_add_all(struct places *places)
{
	struct dirent *entry;
	DIR *proc;

	if (places->task->pid) {
		places_read(places, places->task->pid);
		return;
	}
	proc = opendir("/proc");
	while (proc && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]))
			places_read(places, atoi(entry->d_name));
	if (proc)
		closedir(proc);
}

static int known_live_pid(const struct places *places)
{
	size_t i;

	for (i = places->nr_processes; i > 0; i--)
		if (is_of_task(places, places->processes[i - 1].pid))
			return places->processes[i - 1].pid;
	return 0;
}

int places_live_pid(struct places *places)
{
	int pid = known_live_pid(places);

	if (pid)
		return pid;
	places_add_all(places);
	return known_live_pid(places);
}

void places_reread(struct places *places)
{
	size_t i;

	for (i = 0; i < places->nr_processes; i++) {
		places->processes[i].crc = 0;
		places->processes[i].space = 0;
		places_read(places, places->processes[i].pid);
	}
}

static int compare_areas(const void *a, const void *b)
{
	const struct cpuprobe_area *x = a, *y = b;

	if (x->pid != y->pid)
		return (x->pid > y->pid) - (x->pid < y->pid);
	return (x->start > y->start) - (x->start < y->start);
}

int places_tell(struct places *places, struct device *device, struct text_error *error_ret)
{
	size_t nr_kernel = 0;
	int error;

	qsort(places->areas, places->nr_areas, sizeof(*places->areas), compare_areas);
	places->is_changed = false;
	error = device_set_areas(device, places->areas, places->nr_areas,
				 places->mappings.is_code_replaced, error_ret);
	if (error != -EPERM)
		return error;
	/* Without permission for the kernel's areas, the kernel is one object. */
	while (nr_kernel < places->nr_areas && !places->areas[nr_kernel].pid)
		nr_kernel++;
	return device_set_areas(device, places->areas + nr_kernel, places->nr_areas - nr_kernel,
				places->mappings.is_code_replaced, error_ret);
}
