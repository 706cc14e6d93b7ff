/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects the stacks of a call graph or tree, the part of each stack that is used, and the base
 * (100%). A path is the used part of a stack as a list of nodes: functions by their position in the
 * profile, or nr_functions + the position of a process. Pure.
 */
#ifndef PATHS_H
#define PATHS_H

#include "base/text.h"
#include "profile/labels.h"
#include "profile/weight.h"

enum paths_base {
	PATHS_TARGET,	/* all stacks of the target */
	PATHS_MACHINE,	/* every sample taken */
	PATHS_KERNEL,	/* kernel stacks except idle ones; other stacks are left out */
};

struct paths_options {
	unsigned int base;	/* enum paths_base */
	/* A function by name or label. At most one of both is given; the other is NULL. */
	const char *focus;	/* from its first call in a stack down to the leaf */
	const char *callers;	/* from its last call in a stack up to the root */
	bool by_process;	/* put the program before the root */
};

struct path {
	u32 stack;
	u32 first;		/* position in the profile's frame_lists */
	u32 nr;			/* frames, at least 1 */
};

struct paths {
	const struct profile *profile;
	bool is_inverted;	/* callers: the first node is the function itself */
	/* by process: the node for all processes of this name; else NULL */
	u32 *programs;
	struct path *path;
	u32 nr;
	struct weight base;	/* the 100% */
};

/**
 * paths_init() - select the paths. @profile and its @labels must outlive them. -ENOENT, if possible
 * with a hint: no stack contains the function. -ENODATA: there are no stacks. -ENOMEM.
 */
int paths_init(struct paths *paths, const struct profile *profile, const struct labels *labels,
	       const struct paths_options *options, struct text_error *error_ret);

/** paths_len() - number of nodes of a path. */
static inline u32 paths_len(const struct paths *paths, const struct path *path)
{
	return path->nr + (paths->programs != NULL);
}

/** paths_node() - get a node of a path. The root is first; in an inverted path, last. */
static inline u32 paths_node(const struct paths *paths, const struct path *path, u32 at)
{
	const struct profile *profile = paths->profile;
	u32 program_at = paths->is_inverted ? path->nr : 0, frame;

	if (paths->programs && at == program_at)
		return paths->programs[profile->stacks[path->stack].process];
	at -= paths->programs && !paths->is_inverted;
	frame = path->first + (paths->is_inverted ? at : path->nr - 1 - at);
	return profile->frames[profile->frame_lists[frame]].function;
}

/** paths_is_self() - whether the function in question itself ran: in a path, the node at @at. */
static inline bool paths_is_self(const struct paths *paths, const struct path *path, u32 at)
{
	/* Callers share the function's time, however far they are from it. */
	if (paths->is_inverted)
		return path->first == paths->profile->stacks[path->stack].first_frame;
	return at + 1 == paths_len(paths, path);
}

void paths_deinit(struct paths *paths);

#endif
