/* SPDX-License-Identifier: GPL-2.0-only */
/* Counted calls in saved runs: docs/format.md, "Sections of runs with calls". */
#ifndef CALL_SAVE_H
#define CALL_SAVE_H

#include "calls/call_counts.h"
#include "run/record.h"

/** call_save() - write the sections of counted calls. record_commit() reports errors. */
void call_save(struct record_writer *writer, const struct call_counts *counts);

/** call_is_kept() - whether a saved run contains counted calls. */
bool call_is_kept(const struct record *record);

/** call_load() - load saved calls. NULL and a reason: damaged, or out of memory. */
struct call_counts *call_load(const struct record *record, struct text_error *error_ret);

/**
 * call_load_file() - load the calls of the saved run @path. NULL and an error: unreadable, without
 * calls, damaged, or out of memory. @verb: the calling command, for error texts
 */
struct call_counts *call_load_file(const char *path, const char *verb,
				   struct text_error *error_ret);

#endif
