/* SPDX-License-Identifier: GPL-2.0-only */
/* What of a run is kept, in which sections: docs/format.md. */
#ifndef SAVE_H
#define SAVE_H

#include "fold.h"
#include "funcs.h"
#include "proc_report.h"
#include "record.h"
#include "symbolizer.h"

/** save_run() - keep what every run has: its result, its receipt, what became of each CPU. */
void save_run(struct record_writer *writer, const struct run *run);

/** save_sys() - keep what was folded. */
void save_sys(struct record_writer *writer, const struct fold *fold, const struct run *run);

/**
 * save_proc() - keep a report and the symbols of the slots that were hit, so that it can
 * be shown without the object. @all_slots: of all slots.
 */
void save_proc(struct record_writer *writer, const struct proc_report *report,
	       const struct run *run, const struct funcs *funcs, const struct sym_index *symbols,
	       bool all_slots);

/** load_fold() - what save_sys() kept, with its result. NULL and a reason: damaged, no memory. */
struct fold *load_fold(const struct record *record, struct run_result *result_ret,
		       struct text_error *error_ret);

/** load_proc() - what save_proc() kept; *symbols_ret is NULL where none were kept. */
int load_proc(const struct record *record, struct proc_report *report_ret,
	      struct sym_index **symbols_ret, struct text_error *error_ret);

/** load_receipt() - the receipt of the run. -ENOENT: kept before there were any. */
int load_receipt(const struct record *record, struct receipt *receipt_ret);

/** load_cpus() - what became of each CPU's samples; belongs to the record. NULL likewise. */
const struct receipt_cpu *load_cpus(const struct record *record, size_t *nr_ret);

/** load_funcs() - the functions of a run of `probe proc`. -ENOENT likewise. */
int load_funcs(const struct record *record, struct funcs *funcs_ret);

#endif
