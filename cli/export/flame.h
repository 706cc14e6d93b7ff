/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stacks of a profile merged into a tree, callers above: all samples at the root, below it
 * programs (processes of one name and kind together) and what was not looked at, then functions.
 */
#ifndef FLAME_H
#define FLAME_H

#include "profile/sums.h"

/** What the root's children are. */
enum flame_kind {
	FLAME_PROGRAM,
	FLAME_KTHREAD,
	FLAME_SOFTIRQ,
	FLAME_EXITING,
	FLAME_IDLE,
	FLAME_OTHER,	/* of processes that were not asked for */
	FLAME_LOST,	/* found no room in the module */
};

struct flame_program {
	const char *name;	/* the profile's */
	uint32_t kind;		/* enum flame_kind */
};

struct flame_node {
	uint32_t name;		/* function; of the root's children: program; of the root: 0 */
	uint32_t parent;	/* PROFILE_NONE: of the root */
	uint32_t first_child;	/* the others follow it by next; PROFILE_NONE: none */
	uint32_t next;
	struct sum self;
	struct sum total;
};

/**
 * Nodes stand behind their parents; [0] is the root. Children are in the order of their time,
 * the longest first; idle, other and lost behind the programs.
 */
struct flame {
	struct flame_node *nodes;
	uint32_t nr;
	struct flame_program *programs;
	uint32_t nr_programs;
};

/** flame_init() - -ENOMEM: nothing to deinit. */
int flame_init(struct flame *tree, const struct profile *profile);

void flame_deinit(struct flame *tree);

#endif
