/* SPDX-License-Identifier: GPL-2.0-only */
/* Sections of a saved run of the whole machine: see docs/format.md. */
#ifndef SYS_SAVE_H
#define SYS_SAVE_H

#include "run/host.h"
#include "run/run_save.h"
#include "sys/fold.h"

/** sys_save() - add the folded counts to a saved run. */
void sys_save(struct record_writer *writer, const struct fold *fold, const struct run *run);

/** sys_save_merged() - write a merged run, which comes from @nr runs of @hosts. */
void sys_save_merged(struct record_writer *writer, const struct fold *fold, const struct run *run,
		     const struct run_host *hosts, size_t nr);

/** sys_load() - load a run of sys_save(). NULL: malformed or out of memory; @error_ret says why. */
struct fold *sys_load(const struct record *record, struct run_result *result_ret,
		      struct text_error *error_ret);

#endif
