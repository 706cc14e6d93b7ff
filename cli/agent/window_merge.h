/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Windows put together into one saved run: the counts of all of them, a receipt of all CPUs, and the
 * windows themselves, which tell where the gaps are.
 */
#ifndef WINDOW_MERGE_H
#define WINDOW_MERGE_H

#include <stdio.h>

#include "agent/agent_window.h"
#include "profile/profile.h"
#include "run/receipt.h"
#include "run/record.h"

struct window_merge {
	struct profile *profile;
	struct run_result result;
	struct receipt receipt;		/* of the newest run, and the sums of all */
	struct receipt_rates rates;	/* of all: another configuration may change them */
	u64 last_ns;			/* period that the newest window with samples was to have; 0: none */
	struct receipt_cpu *cpus;
	size_t nr_cpus;
	struct window *windows;
	size_t nr_windows;
	double steal_ns;		/* stolen share times sampled time, of receipts that know it */
	double steal_of_ns;
	u64 nr_left_out;		/* windows that could not be read */
};

/** window_merge_init() - no windows. -ENOMEM. */
int window_merge_init(struct window_merge *merge);

/** window_merge_add() - add a saved run of one window, which is younger than all before. -errno: it is left out. */
int window_merge_add(struct window_merge *merge, const struct record *record);

/** window_merge_save() - write all as the sections of one run. */
void window_merge_save(struct window_merge *merge, struct record_writer *writer);

void window_merge_deinit(struct window_merge *merge);

/**
 * window_merge_tell() - say which windows a run of several windows has, and where nothing was measured:
 * lines for people. Nothing for other runs.
 */
void window_merge_tell(const struct record *record, FILE *out);

#endif
