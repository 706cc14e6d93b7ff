/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stacks of a profile merged into a tree, callers above callees. The root has all samples. Its
 * children are programs (processes of one name and kind together) and samples without stacks;
 * functions follow below.
 */
#ifndef FLAME_H
#define FLAME_H

#include "profile/sums.h"

/** Kind of a child of the root. */
enum flame_kind {
	FLAME_PROGRAM,
	FLAME_KTHREAD,
	FLAME_SOFTIRQ,
	FLAME_EXITING,
	FLAME_IDLE,
	FLAME_OTHER,	/* samples of processes outside the run's target */
	FLAME_LOST,	/* samples that found no room in the module */
};

struct flame_program {
	const char *name;	/* belongs to the profile */
	u32 kind;		/* enum flame_kind */
};

struct flame_node {
	u32 name;		/* function; in a child of the root: program; in the root: 0 */
	u32 parent;		/* PROFILE_NONE: this is the root */
	u32 first_child;	/* PROFILE_NONE: none */
	u32 next;		/* sibling; PROFILE_NONE: none */
	struct sum self;
	struct sum total;
};

/**
 * Nodes follow their parents; [0] is the root. Children are sorted by time, the longest first;
 * idle, other and lost samples follow the programs.
 */
struct flame {
	struct flame_node *nodes;
	u32 nr;
	struct flame_program *programs;
	u32 nr_programs;
};

/** flame_init() - build the tree. -ENOMEM: there is nothing to deinit. */
int flame_init(struct flame *tree, const struct profile *profile);

void flame_deinit(struct flame *tree);

#endif
