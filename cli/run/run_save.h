/* SPDX-License-Identifier: GPL-2.0-only */
/* The sections that every saved run has: docs/format.md. */
#ifndef RUN_SAVE_H
#define RUN_SAVE_H

#include "run/record.h"
#include "run/run.h"

/** run_save() - write the sections of every run: its result, receipt, accounts of CPUs and host. */
void run_save(struct record_writer *writer, const struct run *run);

/** run_save_totals() - write what run_save() writes, without the host: of a merged run. */
void run_save_totals(struct record_writer *writer, const struct run *run);

/** run_load_receipt() - read the receipt. -ENOENT: the run was saved without one. */
int run_load_receipt(const struct record *record, struct receipt *receipt_ret);

/** run_load_cpus() - what became of each CPU's samples; owned by the record. NULL: not saved. */
const struct receipt_cpu *run_load_cpus(const struct record *record, size_t *nr_ret);

/** run_add_up() - add counts to @sum. False: the sum would exceed @limit. */
bool run_add_up(u64 *sum, const u64 *counts, size_t nr, u64 limit);

#endif
