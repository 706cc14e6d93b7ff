/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths as a tree, with small rows folded. Each stack is in at most one row of a level: a row's
 * time is the sum of its child rows' and its own. Pure.
 */
#ifndef TREE_H
#define TREE_H

#include "profile/paths.h"

#define TREE_OTHERS	UINT32_MAX

struct tree_options {
	/* part of the base; smaller siblings are folded into one row */
	double min_share;
	u32 max_levels;		/* 0: all */
	u32 max_rows;		/* children per row; others are folded; 0: all */
};

struct tree_row {
	u32 node;		/* as in paths.h, or TREE_OTHERS */
	u32 level;		/* 0: a root */
	u32 nr_others;		/* number of folded nodes */
	struct weight weight;
};

/** tree_visit - called for each row before its children, most time first, others last. */
typedef void (*tree_visit)(void *context, const struct tree_row *row);

/** tree_walk() - visit the rows of the tree of @paths. The tree is not stored. -ENOMEM. */
int tree_walk(const struct paths *paths, const struct tree_options *options, tree_visit visit,
	      void *context);

#endif
