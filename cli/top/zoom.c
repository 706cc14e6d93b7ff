// SPDX-License-Identifier: GPL-2.0-only
/* Creates the level below a row: see zoom.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "top/zoom.h"

/* Create a level with a target of its own. */
static struct level *enter_target(struct level *from, enum level_kind kind,
				  const struct target_request *request, const char *name,
				  struct text_error *error_ret)
{
	struct target *target = calloc(1, sizeof(*target));
	struct level *level;

	if (!target || target_init(target, request, error_ret)) {
		if (!target)
			text_fail(error_ret, 0, "zoom in: out of memory");
		free(target);
		return NULL;
	}
	level = level_create(from, kind, target, true, name ? name : target->task.name);
	if (!level)
		text_fail(error_ret, 0, "zoom in: out of memory");
	else
		level->is_kernel = request->is_kernel;
	return level;
}

/* Create a level with the target of @from and a smaller range of addresses. */
static struct level *enter_part(struct level *from, enum level_kind kind, u64 low, u64 high,
				const char *name, struct text_error *error_ret)
{
	struct level *level = level_create(from, kind, from->target, false, name);

	if (!level)
		text_fail(error_ret, 0, "zoom in: out of memory");
	else
		slots_layout_init(&level->layout, low, high);
	return level;
}

/* Make a request for the same task, so that the caller can choose another object. */
static int request_same_task(const struct level *level, char word[16],
			     struct target_request *request_ret, struct text_error *error_ret)
{
	struct target *target = level->target;
	int pid = target->task.pid ?: places_live_pid(&target->places);

	*request_ret = (struct target_request){ 0 };
	if (!pid)
		return text_fail(error_ret, -ESRCH, "zoom in: no process of %s is running",
				 target->task.name);
	snprintf(word, 16, "%d", pid);
	if (target->task.pid)
		request_ret->word = word;
	else
		request_ret->all_of = pid;
	return 0;
}

static struct level *enter_object(struct level *from, const struct find *find,
				  struct text_error *error_ret)
{
	const struct place_object *object = &from->target->places.objects[find->object];
	struct target_request request;
	char word[16];

	if (request_same_task(from, word, &request, error_ret))
		return NULL;
	if (find->object == CPUPROBE_OBJECT_KERNEL || object->kind == PLACE_MODULE)
		request.is_kernel = true;
	switch (object->kind) {
	case PLACE_FILE:
	case PLACE_MODULE:
		request.map = object->path;
		break;
	case PLACE_VDSO:
		request.map = "vdso";
		break;
	case PLACE_ANON:
		request.map = "anon";
		break;
	case PLACE_EXE:
		break;
	default:
		if (request.is_kernel)
			break;
		text_fail(error_ret, 0, "zoom into %s: it has no addresses", find->name);
		return NULL;
	}
	return enter_target(from, LEVEL_OBJECT, &request, find->name, error_ret);
}

static struct level *enter_addresses(struct level *from, const struct find *find,
				     struct text_error *error_ret)
{
	u64 low = find->low, high = find->high, middle = low + (high - low) / 2;
	struct level *level;
	char name[64];

	if (from->kind < LEVEL_FUNCTION && find->is_function)
		return enter_part(from, LEVEL_FUNCTION, low, high, find->name, error_ret);
	if (from->kind < LEVEL_FUNCTION && high - low > ZOOM_INSTRUCTION_BYTES) {
		snprintf(name, sizeof(name), "0x%llx-0x%llx", low, high);
		return enter_part(from, LEVEL_RANGE, low, high, name, error_ret);
	}
	/* Centre the largest range in which every byte has a slot of its own. */
	low = middle - from->layout.low > ZOOM_INSTRUCTION_BYTES / 2 ?
		middle - ZOOM_INSTRUCTION_BYTES / 2 : from->layout.low;
	high = from->layout.high - low > ZOOM_INSTRUCTION_BYTES ?
		low + ZOOM_INSTRUCTION_BYTES : from->layout.high;
	level = enter_part(from, LEVEL_INSTRUCTION, low, high, "instructions", error_ret);
	if (level)
		level_open_code(level);
	return level;
}

struct level *zoom_in(struct level *from, const struct roster_row *row,
		      struct text_error *error_ret)
{
	struct target_request request;
	char word[16];

	switch (from->kind) {
	case LEVEL_MACHINE:
		if (who_find(row->data, word, &request, error_ret))
			return NULL;
		return enter_target(from, LEVEL_TASK, &request, NULL, error_ret);
	case LEVEL_TASK:
		if (row->is_open)
			return enter_object(from, row->data, error_ret);
		text_fail(error_ret, 0, "zoom into %s: it has no addresses", row->name);
		return NULL;
	case LEVEL_INSTRUCTION:
		text_fail(error_ret, 0, "an instruction has no parts");
		return NULL;
	default:
		return enter_addresses(from, row->data, error_ret);
	}
}

struct level *zoom_to_task(struct level *machine, const char *word, struct text_error *error_ret)
{
	int pid = strspn(word, "0123456789") == strlen(word) ? atoi(word) : 0;
	const struct target_request request = {
		.word = word, .is_kernel = pid && who_is_kernel_thread(pid),
	};

	return enter_target(machine, LEVEL_TASK, &request, NULL, error_ret);
}
