/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The histogram of one task's addresses: bars and headings as in the paper's Figures 4 and 5.
 * No side effects except the output.
 */
#ifndef HIST_H
#define HIST_H

#include <stdbool.h>
#include <stdio.h>

#include "slots.h"
#include "symbolizer.h"
#include "types.h"

#define HIST_BAR_COLS	60	/* columns of a bar, unless the line has fewer */

/** A histogram to draw. Everything belongs to the caller. */
struct hist {
	const struct slots_layout *layout;
	const u64 *hits;		/* array of layout->nr_slots */
	u64 taken;			/* all samples of the run: n of the intervals */
	double excess;			/* of these samples, as in stat.h */
	const struct sym_index *symbols;	/* NULL: no headings */
	const char *object;		/* addresses without a symbol are object+0xoffset */
	u64 object_start;		/* address of the object's offset 0 */
	int line_cols;			/* maximum width of a line */
	bool shows_all;			/* include slots too small to draw */
};

/**
 * hist_bar() - draw one bar.
 * @bar: receives at most @cols columns and the final NUL
 * @excess: of the samples: k is sqrt(1 + @excess) times as large as below
 * @scale: hits per column, from hist_scale()
 *
 * With x = @hits, n = @taken and k = 1.96 sqrt(x(1-x/n)n/(n-1)): '|' in column c = round(x/scale),
 * floor(k/scale) dashes on each side of '|', stars before the dashes (derived from the bars of
 * Crowe's Figures 4 and 5). Returns c; 0: too small to draw, and the bar is empty.
 */
int hist_bar(char *bar, int cols, u64 hits, u64 taken, double excess, double scale);

/** hist_scale() - hits per column at which the longest bar is @cols columns long. */
double hist_scale(const u64 *hits, u32 nr, u64 taken, double excess, int cols);

/** hist_render() - write the column titles, headings, rows and the closing line. */
void hist_render(FILE *out, const struct hist *hist);

#define HIST_NO_SLOT UINT32_MAX

/**
 * hist_has_heading() - whether a slot needs a heading: its functions are not those of slot @before.
 * @before: the slot shown before @slot; HIST_NO_SLOT: none
 */
bool hist_has_heading(const struct hist *hist, u32 slot, u32 before);

/** hist_heading() - write the names of the functions in a slot, wrapped at hist->line_cols. */
void hist_heading(FILE *out, const struct hist *hist, u32 slot);

/** hist_name() - name of the first function in a slot; without functions, object+0xoffset. */
void hist_name(const struct hist *hist, u32 slot, char *name, size_t len);

#endif
