/* SPDX-License-Identifier: GPL-2.0-only */
/* The sections of a saved run of one task: docs/format.md. */
#ifndef PROC_SAVE_H
#define PROC_SAVE_H

#include "proc/funcs.h"
#include "proc/proc_report.h"
#include "run/record.h"
#include "run/run.h"
#include "symbolizer.h"

/**
 * proc_save() - save a report and the symbols of the slots that were hit, so that the report can be
 * shown without the object.
 * @symbols: NULL: none
 * @all_slots: save the symbols of all slots
 */
void proc_save(struct record_writer *writer, const struct proc_report *report,
	       const struct run *run, const struct funcs *funcs, const struct sym_index *symbols,
	       bool all_slots);

/**
 * proc_load() - load a report saved by proc_save().
 * @symbols_ret: freed by the caller; NULL if none were saved
 * -EBADMSG with a reason: malformed sections.
 */
int proc_load(const struct record *record, struct proc_report *report_ret,
	      struct sym_index **symbols_ret, struct text_error *error_ret);

/** proc_load_funcs() - load the functions of the run. -ENOENT: saved by a version without them. */
int proc_load_funcs(const struct record *record, struct funcs *funcs_ret);

#endif
