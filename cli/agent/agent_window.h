/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows of time that an agent has measured, and which of them are recent. Ages are of the clock that
 * counts since the machine started, which nobody can set; only windows of an earlier start are dated by
 * the time of day. Pure.
 */
#ifndef AGENT_WINDOW_H
#define AGENT_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

#define WINDOW_GAP_SECONDS	1.0	/* less between two windows is no gap */

/** A window. The layout is fixed: files have it, as the section WNDW of docs/format.md. */
struct window {
	u64 number;	/* one more with each window of a ring, whatever the clocks say */
	u64 boot;	/* start of the machine: fnv_hash() of its boot id */
	double began;	/* seconds since 1970 */
	double seconds;	/* length */
	double ended;	/* seconds since the machine started, time asleep included */
};

/** The moment at which somebody looks. */
struct window_now {
	u64 boot;
	double since_boot;	/* seconds */
	double since_1970;	/* seconds */
};

/** window_now() - read the clocks. */
void window_now(struct window_now *now_ret);

/**
 * window_first_since() - the oldest window that reaches into the last @seconds; @nr: none does.
 * @windows: oldest first. A window is never younger than the one after it, even if the clock was set
 */
size_t window_first_since(const struct window *windows, size_t nr, double seconds,
			  const struct window_now *now);

/** window_gap() - seconds between two windows that nothing was measured in; 0: none. */
double window_gap(const struct window *before, const struct window *after);

/** window_is_valid() - whether the numbers of a window from a file can be believed. */
bool window_is_valid(const struct window *window);

#endif
