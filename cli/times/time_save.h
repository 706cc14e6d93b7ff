/* SPDX-License-Identifier: GPL-2.0-only */
/* Timed calls in saved runs: docs/format.md, "Sections of runs with timed calls". */
#ifndef TIME_SAVE_H
#define TIME_SAVE_H

#include "run/record.h"
#include "times/time_counts.h"

/** time_save() - write the sections of timed calls. record_commit() reports errors. */
void time_save(struct record_writer *writer, const struct time_counts *counts);

/** time_is_kept() - whether a saved run contains timed calls. */
bool time_is_kept(const struct record *record);

/** time_load() - load saved times. NULL and a reason: damaged, or out of memory. */
struct time_counts *time_load(const struct record *record, struct text_error *error_ret);

#endif
