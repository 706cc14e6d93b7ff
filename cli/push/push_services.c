// SPDX-License-Identifier: GPL-2.0-only
/* A profile divided by service: see push_services.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "push/push_services.h"

static void name_exe(void *context, const struct profile_process *process,
		     char text_ret[PUSH_LABEL_VALUE_LEN])
{
	snprintf(text_ret, PUSH_LABEL_VALUE_LEN, "%s", process->name);
}

static void label_container(void *context, const struct profile_process *process, struct push_labels *labels)
{
	push_container_label("", process, labels);
}

const struct push_naming push_by_exe = {
	.name = name_exe, .group = push_container_group, .label = label_container, .is_program = true,
};

/* Samples and time of a process, while services are made. */
struct process_sum {
	u64 hits;
	double ns;
	u32 service;
};

static struct process_sum *add_up_processes(const struct profile *profile)
{
	struct process_sum *sums = calloc(profile->nr_processes + 1UL, sizeof(*sums));
	u32 i;

	for (i = 0; sums && i < profile->nr_stacks; i++) {
		sums[profile->stacks[i].process].hits += profile->stacks[i].hits;
		sums[profile->stacks[i].process].ns += profile->stacks[i].ns;
	}
	return sums;
}

static void name_service(const struct push_naming *naming, const struct profile_process *process,
			 char name_ret[PUSH_LABEL_VALUE_LEN])
{
	name_ret[0] = '\0';
	naming->name(naming->context, process, name_ret);
	if (!name_ret[0])
		snprintf(name_ret, PUSH_LABEL_VALUE_LEN, "%s",
			 process->name[0] ? process->name : "(unknown)");
}

static bool is_service(const void *owner, u32 position, const void *key)
{
	const struct push_service *a = &((const struct push_services *)owner)->list[position], *b = key;

	return !strcmp(a->name, b->name) && !strcmp(a->group, b->group);
}

/* Find or add the service of a name and a group. PROFILE_NONE: out of memory. */
static u32 get_service(struct push_services *services, struct intern *index, const struct push_service *key)
{
	u64 hash = intern_hash(intern_hash(0, key->name, strlen(key->name)), key->group, strlen(key->group));
	u32 at = intern_find(index, hash, is_service, services, key);

	if (at != INTERN_NONE)
		return at;
	/* The list has room for a service of each process. */
	at = services->nr;
	if (intern_add(index, hash, at))
		return PROFILE_NONE;
	services->list[at] = *key;
	services->nr++;
	return at;
}

static bool add_services(struct push_services *services, const struct push_naming *naming,
			 struct process_sum *sums)
{
	const struct profile *profile = services->profile;
	struct push_service key = { .process = PROFILE_NONE };
	struct intern index = { 0 };
	struct push_service *service;
	u32 i;

	for (i = 0; i < profile->nr_processes; i++) {
		if (!sums[i].hits)
			continue;
		name_service(naming, &profile->processes[i], key.name);
		if (naming->group)
			naming->group(&profile->processes[i], key.group);
		sums[i].service = get_service(services, &index, &key);
		if (sums[i].service == PROFILE_NONE)
			break;
		service = &services->list[sums[i].service];
		service->hits += sums[i].hits;
		service->ns += sums[i].ns;
		if (service->process == PROFILE_NONE || sums[service->process].ns < sums[i].ns)
			service->process = i;
	}
	intern_deinit(&index);
	return i == profile->nr_processes;
}

/* Order for qsort_r(): positions of services, the longest time first. */
static int compare_services(const void *a, const void *b, void *context)
{
	const struct push_service *list = context, *x = &list[*(const u32 *)a], *y = &list[*(const u32 *)b];

	return x->ns != y->ns ? (x->ns < y->ns) - (x->ns > y->ns) :
		strcmp(x->name, y->name) ?: strcmp(x->group, y->group);
}

/* Add a service's counts to those of PUSH_OTHER, which is the last in the list. */
static void add_to_other(struct push_services *services, u64 hits, double ns)
{
	struct push_service *other;

	if (!services->nr || strcmp(services->list[services->nr - 1].name, PUSH_OTHER)) {
		services->list[services->nr] =
			(struct push_service){ .name = PUSH_OTHER, .process = PROFILE_NONE };
		services->nr++;
	}
	other = &services->list[services->nr - 1];
	other->process = PROFILE_NONE;
	other->hits += hits;
	other->ns += ns;
}

/* Sort the services and join the smallest ones. @order and @place have room for all of them. */
static void sort_services(struct push_services *services, struct push_service *unsorted, u32 *order,
			  u32 *place, u32 max)
{
	u32 i, nr = services->nr;

	for (i = 0; i < nr; i++)
		order[i] = i;
	memcpy(unsorted, services->list, nr * sizeof(*unsorted));
	qsort_r(order, nr, sizeof(*order), compare_services, unsorted);
	services->nr = 0;
	for (i = 0; i < nr; i++) {
		if (i < max)
			services->list[services->nr++] = unsorted[order[i]];
		else
			add_to_other(services, unsorted[order[i]].hits, unsorted[order[i]].ns);
		place[order[i]] = services->nr - 1;
	}
	if (services->profile->lost)
		add_to_other(services, services->profile->lost, services->profile->lost_ns);
}

int push_services_init(struct push_services *services, const struct profile *profile,
		       const struct push_naming *naming, u32 max)
{
	size_t nr = profile->nr_processes;
	struct push_service *unsorted = calloc(nr + 1, sizeof(*unsorted));
	struct process_sum *sums = add_up_processes(profile);
	u32 *order = calloc(2 * nr + 1, sizeof(*order)), i;
	int error = -ENOMEM;

	*services = (struct push_services){ .profile = profile,
					    .list = calloc(nr + 2, sizeof(*services->list)),
					    .of_process = calloc(nr + 1, sizeof(u32)) };
	if (unsorted && sums && order && services->list && services->of_process &&
	    add_services(services, naming, sums)) {
		sort_services(services, unsorted, order, order + nr, max);
		for (i = 0; i < nr; i++)
			services->of_process[i] = sums[i].hits ? order[nr + sums[i].service] : PROFILE_NONE;
		error = 0;
	}
	free(unsorted);
	free(sums);
	free(order);
	if (error)
		push_services_deinit(services);
	return error;
}

void push_services_deinit(struct push_services *services)
{
	free(services->list);
	free(services->of_process);
	memset(services, 0, sizeof(*services));
}

/** A copy while it is made. */
struct extract {
	struct profile *copy;
	const struct profile *profile;
	const char **source;	/* source file of each function; NULL: with detail */
	const char *service;	/* name of the service */
	bool has_roots;		/* several processes are in the service: each stack begins with its own */
	u32 *map;		/* for each frame its position in the copy, plus one; 0: not copied yet */
	u32 *frames;		/* room for those of a stack */
};

/* Copy a frame with its function and object. Returns its position in the copy, or PROFILE_NONE. */
static u32 copy_frame(struct extract *extract, u32 at)
{
	const struct profile *profile = extract->profile;
	struct profile *copy = extract->copy;
	struct profile_frame frame = profile->frames[at];
	struct profile_function function = profile->functions[frame.function];

	if (at < PROFILE_MARK_COUNT)
		return at;
	if (extract->source) {
		frame.file = extract->source[frame.function];
		frame.addr = frame.line = 0;
	}
	function.object = profile_add_object(copy, &profile->objects[function.object]);
	frame.function = function.object == PROFILE_NONE ?
		PROFILE_NONE :
		profile_add_function(copy, &function);
	return frame.function == PROFILE_NONE ? PROFILE_NONE : profile_add_frame(copy, &frame);
}

/*
 * Add a frame with the name of a process. Stores make a series of each value of a sample's label, so that the label of
 * the process is the service's name unless @source is NULL.
 */
static u32 add_root(struct profile *copy, const char *name)
{
	const struct profile_frame frame = {
		.function = profile_add_function(copy, &(struct profile_function){ .name = export_name(name) }),
		.file = "",
	};

	return frame.function == PROFILE_NONE ? PROFILE_NONE : profile_add_frame(copy, &frame);
}

static bool copy_stack(struct extract *extract, const struct profile_stack *stack)
{
	struct profile_process process = extract->profile->processes[stack->process];
	const u32 *from = profile_frames_of(extract->profile, stack);
	struct profile *copy = extract->copy;
	u32 *map = extract->map;
	u32 i, nr = stack->nr_frames, at;

	if (extract->has_roots) {
		extract->frames[nr] = add_root(copy, process.name);
		if (extract->frames[nr++] == PROFILE_NONE)
			return false;
	}
	if (extract->source) {
		process.pid = 0;
		process.cgroup = "";
		process.name = extract->service;
	}
	at = profile_add_process(copy, &process);
	for (i = 0; i < stack->nr_frames; i++) {
		if (!map[from[i]])
			map[from[i]] = copy_frame(extract, from[i]) + 1;
		if (!map[from[i]])
			return false;
		extract->frames[i] = map[from[i]] - 1;
	}
	copy->taken += stack->hits;
	copy->taken_ns += stack->ns;
	return at != PROFILE_NONE &&
		!profile_add_stack(copy, at, stack->mode, extract->frames, nr, stack->hits,
				   stack->ns);
}

/* Whether processes of several names belong to service @at. */
static bool has_several(const struct push_services *services, u32 at)
{
	const struct profile *profile = services->profile;
	const char *name = NULL;
	u32 i;

	for (i = 0; i < profile->nr_processes; i++) {
		if (services->of_process[i] != at)
			continue;
		if (name && strcmp(name, profile->processes[i].name))
			return true;
		name = profile->processes[i].name;
	}
	return false;
}

struct profile *push_services_extract(const struct push_services *services, u32 at, bool has_detail)
{
	const struct profile *profile = services->profile;
	struct extract extract = {
		.copy = profile_create(), .profile = profile,
		.source = has_detail ? NULL : export_source(profile),
		.map = calloc(profile->nr_frames + 1UL, sizeof(u32)),
		.frames = calloc(profile->frame_lists_len + 2UL, sizeof(u32)),
		.service = services->list[at].name,
		.has_roots = !has_detail && has_several(services, at),
	};
	struct profile *copy = extract.copy;
	bool is_whole = copy && extract.map && extract.frames && (has_detail || extract.source);
	u32 i;

	for (i = 0; is_whole && i < profile->nr_stacks; i++)
		if (services->of_process[profile->stacks[i].process] == at)
			is_whole = copy_stack(&extract, &profile->stacks[i]);
	free(extract.source);
	free(extract.map);
	free(extract.frames);
	if (!is_whole) {
		profile_destroy(copy);
		return NULL;
	}
	copy->excess = profile->excess;
	if (services->list[at].process == PROFILE_NONE) {
		copy->lost = profile->lost;
		copy->lost_ns = profile->lost_ns;
		copy->taken += profile->lost;
		copy->taken_ns += profile->lost_ns;
	}
	return copy;
}

const struct profile_object *push_services_object(const struct push_services *services, u32 at)
{
	const struct profile *profile = services->profile;
	u32 process = services->list[at].process, i;

	if (process == PROFILE_NONE || profile->processes[process].kind != CPUPROBE_KIND_PROCESS)
		return NULL;
	for (i = 0; i < profile->nr_objects; i++)
		if (profile->objects[i].kind == PROFILE_FILE &&
		    !strcmp(profile->objects[i].name, profile->processes[process].name))
			return &profile->objects[i];
	return NULL;
}
