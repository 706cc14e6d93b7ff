/* SPDX-License-Identifier: GPL-2.0-only */
/* From what is to be shown to a screen of cells. Pure. */
#ifndef TOP_DRAW_H
#define TOP_DRAW_H

#include "top/cells.h"
#include "top/model.h"

#define DRAW_COLS_MIN 20
#define DRAW_ROWS_MIN 5

/** draw() - all of the screen. Sets model->page_rows. */
void draw(struct cells *cells, struct model *model);

/* What draw() is made of. */

/** draw_cpus() - bars of the CPUs in at most @rows lines from @row on; returns how many. */
int draw_cpus(struct cells *cells, int row, int rows, const struct model *model);

/** draw_rows() - titles and rows in @rows lines from @row on. Sets model->page_rows. */
void draw_rows(struct cells *cells, int row, int rows, struct model *model);

/** draw_help() - the keys, in @rows lines from @row on. */
void draw_help(struct cells *cells, int row, int rows, struct model *model);

/** draw_choice() - the list of columns to choose from, in @rows lines from @row on. */
void draw_choice(struct cells *cells, int row, int rows, const struct model *model);

/** A share of time, as a bar. */
struct bar {
	double share;
	struct stat_interval interval;
	double kernel;			/* how much of it is drawn as the kernel's */
	double softirq;	/* how much as softirq work, behind that; the rest is the user's */
};

/**
 * draw_bar() - filled up to where the interval begins, a line through the interval, a mark at the
 * share. @full: the share that takes all of @cols
 */
void draw_bar(struct cells *cells, int row, int col, int cols, const struct bar *bar, double full);

#endif
