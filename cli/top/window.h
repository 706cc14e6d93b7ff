/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts over time: all since the beginning, and, where asked for, of the last seconds. A moving
 * window consists of parts, the oldest of which is dropped when a new one begins: it is as long as
 * asked for, and at most a part longer. Pure.
 */
#ifndef TOP_WINDOW_H
#define TOP_WINDOW_H

#include "proc/proc_report.h"
#include "sys/fold.h"

#define WINDOW_PARTS 12

/** Counts of a target. */
struct tally {
	uint64_t objects[CPUPROBE_OBJECTS];
	uint64_t slots[CPUPROBE_SLOTS];
	struct proc_elsewhere elsewhere;
	uint64_t missed;
};

/** What was counted in some time. */
struct bucket {
	struct run_account account;
	double seconds;
	struct fold *fold;		/* of the machine; NULL: of a target */
	struct tally tally;
};

struct window {
	double seconds;			/* of a moving window; 0: all */
	struct fold *(*create)(void);	/* NULL: of a target */
	struct bucket all;
	struct bucket part[WINDOW_PARTS + 1];
	size_t at;			/* the part that is being filled */
	struct bucket sum;		/* of the parts */
};

/** window_init() - @create: makes a fold, for counts of the machine; NULL: of a target. -ENOMEM. */
int window_init(struct window *window, struct fold *(*create)(void), double seconds);

void window_deinit(struct window *window);

/** window_clear() - begin anew. */
void window_clear(struct window *window);

/** window_set() - another length: 0 for all. The parts begin anew. */
void window_set(struct window *window, double seconds);

/** window_add() - one account of one CPU, as a device_sink gets it. */
void window_add(struct window *window, uint32_t cpu, const struct cpuprobe_account *account,
		const void *entries);

/** window_end() - an interval has ended, all accounts of which were added. */
void window_end(struct window *window, const struct run_account *account, double seconds);

/** window_sum() - what is to be shown; belongs to the window, valid until it changes. */
const struct bucket *window_sum(struct window *window);

/** tally_hits() - samples of the target, wherever they fell. */
uint64_t tally_hits(const struct tally *tally);

#endif
