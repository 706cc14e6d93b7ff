/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths as a tree, cut where it gets thin. Each stack is in one row of a level at most, so the
 * rows right below another, with what that one itself took, add up to it. Pure.
 */
#ifndef TREE_H
#define TREE_H

#include "profile/paths.h"

#define TREE_OTHERS	UINT32_MAX

struct tree_options {
	/* of the base: what is below is folded with its like into one row */
	double min_share;
	uint32_t max_levels;	/* 0: all */
	uint32_t max_rows;	/* right below a row, likewise; 0: all */
};

struct tree_row {
	uint32_t node;		/* as in paths.h, or TREE_OTHERS */
	uint32_t level;		/* 0: a root */
	uint32_t nr_others;	/* nodes that were folded */
	struct weight weight;
};

/** tree_visit - called for each row before those below it, the most time first, others last. */
typedef void (*tree_visit)(void *context, const struct tree_row *row);

/** tree_walk() - over the tree of @paths, which is not kept. -ENOMEM. */
int tree_walk(const struct paths *paths, const struct tree_options *options, tree_visit visit,
	      void *context);

#endif
