/* SPDX-License-Identifier: GPL-2.0-only */
/* What of a run is kept, in which sections: docs/format.md. */
#ifndef SAVE_H
#define SAVE_H

#include "fold.h"
#include "proc_report.h"
#include "record.h"
#include "symbolizer.h"

/** save_sys() - keep what was folded; after table_show(), which finishes the fold. */
void save_sys(struct record_writer *writer, const struct fold *fold,
	      const struct run_result *result);

/**
 * save_proc() - keep a report and the symbols of the slots that were hit, so that it can
 * be shown without the object. @all_slots: of all slots.
 */
void save_proc(struct record_writer *writer, const struct proc_report *report,
	       const struct sym_index *symbols, bool all_slots);

/** load_fold() - what save_sys() kept, with its result. NULL and a reason: damaged, no memory. */
struct fold *load_fold(const struct record *record, struct run_result *result_ret,
		       struct text_error *error_ret);

/** load_proc() - what save_proc() kept; *symbols_ret is NULL where none were kept. */
int load_proc(const struct record *record, struct proc_report *report_ret,
	      struct sym_index **symbols_ret, struct text_error *error_ret);

#endif
