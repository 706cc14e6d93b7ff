/* SPDX-License-Identifier: GPL-2.0-only */
/* The other events of `probe sys -event A,B`: a run and a fold for each, beside those of the first event. */
#ifndef SYS_OTHERS_H
#define SYS_OTHERS_H

#include "run/record.h"
#include "run/run.h"
#include "sys/table_view.h"
#include "sys_rows_by.h"

/** One of the other events. */
struct sys_other {
	const struct sys_rows_by *by;
	struct sampling_options sampling;
	struct fold *fold;
};

struct sys_others {
	struct sys_other other[RUN_BESIDE];
	struct run run[RUN_BESIDE];
	struct receipt_event shown[1 + RUN_BESIDE];	/* counted before this interval, with -repeat */
};

/** sys_others_begin() - let the other events of a run, which is complete, be sampled beside it. -ENOMEM. */
int sys_others_begin(struct sys_others *others, struct run *run, const struct sys_rows_by *by);

/**
 * sys_others_table() - what a table shows of the other events. Without other events: nothing.
 * @fold: of the first event; gets the processes of the others
 * -ENOMEM: it was reported. -ENODATA: so was that the first event has no sample, although there are others.
 */
int sys_others_table(const struct sys_others *others, struct fold *fold, const struct run *run,
		     struct table_events *table_ret);

/** sys_others_end_block() - end the block of the other events. */
void sys_others_end_block(struct sys_others *others);

/** sys_others_restart() - begin again with empty folds, after a table of -repeat or a reset. -ENOMEM: as before. */
int sys_others_restart(struct sys_others *others, const struct run *run);

/** sys_others_save() - add the runs of the other events to a saved run. -ENOMEM. */
int sys_others_save(const struct sys_others *others, const struct run *run, struct record_writer *writer);

/** sys_others_finish() - print the receipts of the run and of its other events that no table has printed. */
void sys_others_finish(const struct run *run, const struct table_options *options);

/** sys_others_warn() - print the warnings of all receipts. */
void sys_others_warn(const struct run *run);

/** sys_others_deinit() - free everything. Allowed without sys_others_begin() if all is 0. */
void sys_others_deinit(struct sys_others *others);

#endif
