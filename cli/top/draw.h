/* SPDX-License-Identifier: GPL-2.0-only */
/* Draws the model into the screen's cells. No side effects. */
#ifndef TOP_DRAW_H
#define TOP_DRAW_H

#include "top/cells.h"
#include "top/model.h"

#define DRAW_COLS_MIN 20
#define DRAW_ROWS_MIN 5

/** draw() - draw the whole screen. Sets model->page_rows. */
void draw(struct cells *cells, struct model *model);

/* Parts of draw(). */

/** draw_cpus() - draw the CPUs' bars in at most @rows lines from @row on. Returns lines used. */
int draw_cpus(struct cells *cells, int row, int rows, const struct model *model);

/** draw_rows() - draw titles and rows in @rows lines from @row on. Sets model->page_rows. */
void draw_rows(struct cells *cells, int row, int rows, struct model *model);

/** draw_help() - draw the list of keys in @rows lines from @row on. */
void draw_help(struct cells *cells, int row, int rows, struct model *model);

/** draw_choice() - draw the list of columns to choose from in @rows lines from @row on. */
void draw_choice(struct cells *cells, int row, int rows, const struct model *model);

/** A share of time, as a bar. */
struct bar {
	double share;
	struct stat_interval interval;
	double kernel;			/* part of the share in kernel mode, drawn first */
	double softirq;			/* part in softirqs, drawn second; the rest is user mode */
};

/**
 * draw_bar() - draw a bar: filled up to the start of the interval, a line through the interval, a
 * mark at the share.
 * @full: the share at which a bar takes all of @cols
 */
void draw_bar(struct cells *cells, int row, int col, int cols, const struct bar *bar, double full);

#endif
