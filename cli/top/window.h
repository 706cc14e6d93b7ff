/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts over time: of the whole measurement and, if asked for, of a moving window. A moving window
 * consists of parts; when a new part starts, the oldest is dropped. The window is therefore as long
 * as asked for, and at most one part longer. No side effects.
 */
#ifndef TOP_WINDOW_H
#define TOP_WINDOW_H

#include "proc/proc_report.h"
#include "sys/fold.h"

#define WINDOW_PARTS 12

/** Counts of a target. */
struct tally {
	u64 objects[CPUPROBE_OBJECTS];
	u64 slots[CPUPROBE_SLOTS];
	struct proc_elsewhere elsewhere;
	u64 missed;
};

/** Counts of a period of time. */
struct bucket {
	struct run_account account;
	double seconds;
	struct fold *fold;		/* counts of the machine; NULL: tally has a target's */
	struct tally tally;
};

struct window {
	double seconds;			/* length of the moving window; 0: none */
	struct fold *(*create)(void);	/* NULL: counts of a target */
	struct bucket all;		/* counts of the whole measurement */
	struct bucket part[WINDOW_PARTS + 1];
	size_t at;			/* index of the part being filled */
	struct bucket sum;		/* sum of the parts */
};

/**
 * window_init() - set up an empty window.
 * @create: makes a fold, for counts of the machine; NULL: for counts of a target
 * @seconds: length of the moving window; 0: none
 * -ENOMEM: needs window_deinit() all the same.
 */
int window_init(struct window *window, struct fold *(*create)(void), double seconds);

void window_deinit(struct window *window);

/** window_clear() - clear all counts. */
void window_clear(struct window *window);

/** window_set() - change the length of the moving window (0: none), and clear its parts. */
void window_set(struct window *window, double seconds);

/** window_add() - add one account of one CPU, as passed to a device_sink. */
void window_add(struct window *window, u32 cpu, const struct cpuprobe_account *account,
		const void *entries);

/** window_end() - end an interval, after window_add() of all its accounts. */
void window_end(struct window *window, const struct run_account *account, double seconds);

/** window_sum() - counts to show. They belong to the window, and are valid until it changes. */
const struct bucket *window_sum(struct window *window);

/** tally_hits() - samples of the target in all objects. */
u64 tally_hits(const struct tally *tally);

#endif
