// SPDX-License-Identifier: GPL-2.0-only
/* Selects parts of stacks: see paths.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "profile/paths.h"

/* Whether a stack is part of the base. The idle loop is not work of the kernel. */
static bool is_in_paths_base(const struct profile *profile, const struct profile_stack *stack,
			     unsigned int base)
{
	if (base != PATHS_KERNEL)
		return true;
	return (stack->mode == CPUPROBE_MODE_KERNEL || stack->mode == CPUPROBE_MODE_SOFTIRQ) &&
		profile_frames_of(profile, stack)[0] != profile_mark(MARK_IDLE);
}

/* Finds the wanted part of a stack. False: none. @wanted NULL: the whole stack. */
static bool cut_path(const struct paths *paths, const struct profile_stack *stack,
		     const bool *wanted, struct path *path)
{
	const struct profile *profile = paths->profile;
	const u32 *frames = profile_frames_of(profile, stack);
	u32 at = paths->is_inverted ? 0 : stack->nr_frames - 1;

	path->stack = stack - profile->stacks;
	path->first = stack->first_frame;
	path->nr = stack->nr_frames;
	if (!wanted)
		return true;
	/* The first call of a function is the farthest from the leaf, the last call the nearest. */
	for (; at < stack->nr_frames && !wanted[profile->frames[frames[at]].function];
	     at += paths->is_inverted ? 1 : -1)
		;
	if (at >= stack->nr_frames)
		return false;
	path->first += paths->is_inverted ? at : 0;
	path->nr = paths->is_inverted ? stack->nr_frames - at : at + 1;
	return true;
}

static void find_wanted_functions(const struct labels *labels, const char *name, bool *wanted)
{
	size_t len = strlen(name);
	u32 i;

	for (i = 0; i < labels->profile->nr_functions; i++)
		wanted[i] = labels_match(labels, i, name, len);
}

/* Suggests the name of a sampled function for an unknown name. NULL: none is similar. */
static const char *suggest_function(const struct profile *profile, const char *name)
{
	const char **names = calloc(profile->nr_functions, sizeof(*names)), *near;
	bool *is_seen = calloc(profile->nr_functions, sizeof(*is_seen));
	u32 i, nr = 0;

	for (i = 0; is_seen && i < profile->frame_lists_len; i++)
		is_seen[profile->frames[profile->frame_lists[i]].function] = true;
	for (i = 0; names && is_seen && i < profile->nr_functions; i++)
		if (is_seen[i])
			names[nr++] = profile->functions[i].name;
	near = nr ? options_suggest(name, names, nr) : NULL;
	/* C++ names are long: users type a part of one. */
	for (i = 0; !near && name[0] && i < nr; i++)
		if (strstr(names[i], name))
			near = names[i];
	free(names);
	free(is_seen);
	return near;
}

static int fail_unknown_function(const struct paths *paths, const struct paths_options *options,
				 struct text_error *error_ret)
{
	const char *name = options->callers ? options->callers : options->focus;
	const char *near = suggest_function(paths->profile, name);

	text_fail(error_ret, 0, "no stack%s goes through '%s'",
		  options->base == PATHS_KERNEL ? " of the kernel" : "", name);
	if (near && strcmp(near, name))
		text_hint(error_ret, "did you mean -%s '%.*s'?",
			  options->callers ? "callers" : "focus", 200, near);
	return -ENOENT;
}

static int choose_paths(struct paths *paths, const struct paths_options *options,
			const bool *wanted, struct text_error *error_ret)
{
	const struct profile *profile = paths->profile;
	u32 i;

	for (i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];

		if (!is_in_paths_base(profile, stack, options->base))
			continue;
		weight_add(&paths->base, stack, false);
		paths->nr += cut_path(paths, stack, wanted, &paths->path[paths->nr]);
	}
	if (!paths->base.hits)
		return text_fail(error_ret, -ENODATA, options->base == PATHS_KERNEL ?
				 "no kernel stacks except idle ones" : "no stacks");
	if (!paths->nr)
		return fail_unknown_function(paths, options, error_ret);
	if (options->base == PATHS_MACHINE)
		paths->base = (struct weight){ .hits = profile->taken, .ns = profile->taken_ns };
	return 0;
}

static int compare_process_names(const void *a_at, const void *b_at, void *context)
{
	const struct profile *profile = context;
	u32 a = *(const u32 *)a_at, b = *(const u32 *)b_at;
	int order = strcmp(profile->processes[a].name, profile->processes[b].name);

	return order ? order : (a > b) - (a < b);
}

/* Gives all processes of a program the node of the first one. */
static int find_program_nodes(struct paths *paths)
{
	const struct profile *profile = paths->profile;
	u32 nr = profile->nr_processes, *sorted = calloc(nr + 1, sizeof(*sorted)), i, first = 0;

	paths->programs = calloc(nr + 1, sizeof(*paths->programs));
	if (!sorted || !paths->programs) {
		free(sorted);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++)
		sorted[i] = i;
	qsort_r(sorted, nr, sizeof(*sorted), compare_process_names, (void *)profile);
	for (i = 0; i < nr; i++) {
		if (strcmp(profile->processes[sorted[first]].name,
			   profile->processes[sorted[i]].name))
			first = i;
		paths->programs[sorted[i]] = profile->nr_functions + sorted[first];
	}
	free(sorted);
	return 0;
}

int paths_init(struct paths *paths, const struct profile *profile, const struct labels *labels,
	       const struct paths_options *options, struct text_error *error_ret)
{
	const char *name = options->callers ? options->callers : options->focus;
	bool *wanted = name ? calloc(profile->nr_functions + 1, sizeof(*wanted)) : NULL;
	int error = name && !wanted ? -ENOMEM : 0;

	*paths = (struct paths){ .profile = profile, .is_inverted = options->callers };
	paths->path = calloc(profile->nr_stacks + 1, sizeof(*paths->path));
	if (!paths->path || (options->by_process && find_program_nodes(paths)))
		error = -ENOMEM;
	if (error)
		text_fail(error_ret, error, "out of memory");
	if (!error && name)
		find_wanted_functions(labels, name, wanted);
	if (!error)
		error = choose_paths(paths, options, wanted, error_ret);
	free(wanted);
	if (error)
		paths_deinit(paths);
	return error;
}

void paths_deinit(struct paths *paths)
{
	free(paths->programs);
	free(paths->path);
	*paths = (struct paths){ .profile = NULL };
}
