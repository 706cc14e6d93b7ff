/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which stacks a report about callers and called is made of, which part of each, and what is
 * its 100%. A path is such a part as nodes: functions by their position in the profile, or
 * nr_functions + the position of a process. Pure.
 */
#ifndef PATHS_H
#define PATHS_H

#include "base/text.h"
#include "profile/labels.h"
#include "profile/weight.h"

enum paths_base {
	PATHS_TARGET,	/* all stacks: what was asked for */
	PATHS_MACHINE,	/* every sample taken */
	PATHS_KERNEL,	/* stacks of the kernel at work; the others are left out */
};

struct paths_options {
	unsigned int base;	/* enum paths_base */
	/* A function by name or label; one of these at most, or NULL. */
	const char *focus;	/* from its first call in a stack down to the leaf */
	const char *callers;	/* from its last call in a stack up to the root */
	bool by_process;	/* the program stands before the root */
};

struct path {
	uint32_t stack;
	uint32_t first;		/* position in the profile's frame_lists */
	uint32_t nr;		/* frames; 1 or more */
};

struct paths {
	const struct profile *profile;
	bool is_inverted;	/* callers: the first node is the function itself */
	/* by process: a node for all that bear its name; NULL: not asked for */
	uint32_t *programs;
	struct path *path;
	uint32_t nr;
	struct weight base;	/* what is 100% */
};

/**
 * paths_init() - choose. @labels: of @profile; both must outlive it.
 * -ENOENT, with a hint where there is one: the function is in no stack. -ENODATA: no stacks at
 * all. -ENOMEM.
 */
int paths_init(struct paths *paths, const struct profile *profile, const struct labels *labels,
	       const struct paths_options *options, struct text_error *error_ret);

/** paths_len() - nodes of a path. */
static inline uint32_t paths_len(const struct paths *paths, const struct path *path)
{
	return path->nr + (paths->programs != NULL);
}

/** paths_node() - one of them, the root first; of inverted ones the root last. */
static inline uint32_t paths_node(const struct paths *paths, const struct path *path, uint32_t at)
{
	const struct profile *profile = paths->profile;
	uint32_t program_at = paths->is_inverted ? path->nr : 0, frame;

	if (paths->programs && at == program_at)
		return paths->programs[profile->stacks[path->stack].process];
	at -= paths->programs && !paths->is_inverted;
	frame = path->first + (paths->is_inverted ? at : path->nr - 1 - at);
	return profile->frames[profile->frame_lists[frame]].function;
}

/** paths_is_self() - whether the function that is asked about itself ran: the node at @at. */
static inline bool paths_is_self(const struct paths *paths, const struct path *path, uint32_t at)
{
	/* Who calls a function shares its time, whichever caller it is. */
	if (paths->is_inverted)
		return path->first == paths->profile->stacks[path->stack].first_frame;
	return at + 1 == paths_len(paths, path);
}

void paths_deinit(struct paths *paths);

#endif
