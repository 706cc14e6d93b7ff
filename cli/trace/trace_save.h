/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces in saved runs: docs/format.md, "Sections of traces". */
#ifndef TRACE_SAVE_H
#define TRACE_SAVE_H

#include "run/record.h"
#include "trace/trace_data.h"

/** trace_save() - write the sections of a trace. record_commit() reports errors. */
void trace_save(struct record_writer *writer, const struct trace *trace);

/** trace_is_kept() - whether a saved run contains a trace. */
bool trace_is_kept(const struct record *record);

/**
 * trace_load() - load a saved trace. NULL and a reason: damaged, or out of memory.
 * @record: must live as long as the trace, which has no copy of the events
 */
struct trace *trace_load(const struct record *record, struct text_error *error_ret);

#endif
