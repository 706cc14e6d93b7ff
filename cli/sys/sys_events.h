/* SPDX-License-Identifier: GPL-2.0-only */
/* The other events of a run of the whole machine, in its file: see run_events.h. */
#ifndef SYS_EVENTS_H
#define SYS_EVENTS_H

#include "run/record.h"
#include "run/run.h"
#include "sys/rates.h"
#include "sys/table_view.h"

/** The other events of a saved run. All zero: there are none. */
struct sys_events {
	struct fold *fold[ROWS_OTHERS];
	struct run_result result[ROWS_OTHERS];
	struct receipt receipt[ROWS_OTHERS];
	unsigned int nr;
};

/** sys_events_save() - add the run of the @at-th other event, from 0 on. -ENOMEM. */
int sys_events_save(struct record_writer *writer, unsigned int at, const struct fold *fold, const struct run *run);

/**
 * sys_events_load() - load all other events. -EBADMSG or -ENOMEM with a reason. sys_events_deinit() frees them, also
 * after an error.
 */
int sys_events_load(const struct record *record, struct sys_events *events_ret, struct text_error *error_ret);
void sys_events_deinit(struct sys_events *events);

/** sys_events_rates() - the rates of all events of a saved run. False: it has one event, or no receipt of one. */
bool sys_events_rates(const struct record *record, struct rates *rates_ret);

/**
 * sys_events_table() - what a table shows of these events.
 * @first: receipt of the first event; NULL: not known, and there are no rates
 */
struct table_events sys_events_table(const struct sys_events *events, const struct receipt *first);

#endif
