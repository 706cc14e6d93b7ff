/* SPDX-License-Identifier: GPL-2.0-only */
/* The sums of a function over all paths that lead to it. Pure. */
#ifndef TIME_MERGE_H
#define TIME_MERGE_H

#include "times/time_counts.h"

/**
 * time_merge() - replace the nodes of paths by one for each function, and for each process if they are
 * told apart. A call that a call of the same function contains, also through others, counts as
 * recursive: its time is part of the outer one's. -ENOMEM: nothing changed.
 */
int time_merge(struct time_counts *counts);

#endif
