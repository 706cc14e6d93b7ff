/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The histogram of one task's addresses: bars and headings of the paper's
 * Figures 4 and 5. Pure but for the writing.
 */
#ifndef HIST_H
#define HIST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "slots.h"
#include "symbolizer.h"

#define HIST_BAR_COLS	60	/* columns of a bar, unless the line has fewer */

/** A histogram, as it is to be drawn. Everything belongs to the caller. */
struct hist {
	const struct slots_layout *layout;
	const uint64_t *hits;		/* layout->nr_slots of them */
	uint64_t taken;			/* all samples of the run: n of the intervals */
	const struct sym_index *symbols;	/* NULL: plain, no headings */
	const char *object;		/* names what has no symbol: object+0xoffset */
	uint64_t object_start;		/* address of that object's offset 0 */
	int line_cols;			/* width to keep within */
	bool shows_all;			/* every slot, also those too small to draw */
};

/**
 * hist_bar() - draw one bar.
 * @bar: receives it, at most @cols columns and the final NUL
 * @scale: hits per column, from hist_scale()
 *
 * With k = 1.96 sqrt(x(1-x/n)n/(n-1)) hits: '|' in column c = round(x/scale),
 * floor(k/scale) dashes on each side of it, stars before (read off the bars of
 * Crowe's Figures 4 and 5). Returns c; 0: too small to draw, the bar is empty.
 */
int hist_bar(char *bar, int cols, uint64_t hits, uint64_t taken, double scale);

/** hist_scale() - hits per column that make the longest of all bars @cols long. */
double hist_scale(const uint64_t *hits, uint32_t nr, uint64_t taken, int cols);

/** hist_render() - write column titles, headings, rows and the closing line. */
void hist_render(FILE *out, const struct hist *hist);

#define HIST_NO_SLOT UINT32_MAX

/**
 * hist_has_heading() - whether functions are named above a slot: if they are not those of
 * slot @before, which is shown before it. HIST_NO_SLOT: there is none.
 */
bool hist_has_heading(const struct hist *hist, uint32_t slot, uint32_t before);

/** hist_heading() - name the functions in slot @slot, on lines of hist->line_cols. */
void hist_heading(FILE *out, const struct hist *hist, uint32_t slot);

/** hist_name() - name of the first thing in slot @slot: function or object+0xoffset. */
void hist_name(const struct hist *hist, uint32_t slot, char *name, size_t len);

#endif
