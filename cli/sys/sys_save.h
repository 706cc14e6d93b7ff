/* SPDX-License-Identifier: GPL-2.0-only */
/* The sections of a saved run of the whole machine: docs/format.md. */
#ifndef SYS_SAVE_H
#define SYS_SAVE_H

#include "run/run_save.h"
#include "sys/fold.h"

/** sys_save() - keep what was folded. */
void sys_save(struct record_writer *writer, const struct fold *fold, const struct run *run);

/** sys_load() - what sys_save() kept, with its result. NULL and a reason: damaged, no memory. */
struct fold *sys_load(const struct record *record, struct run_result *result_ret,
		      struct text_error *error_ret);

#endif
