// SPDX-License-Identifier: GPL-2.0-only
/* Several events in one file: see sys_events.h. */
#include <errno.h>

#include "run/run_events.h"
#include "run/run_save.h"
#include "sys/sys_events.h"
#include "sys/sys_save.h"

/* Another event's samples and run. */
struct sys_event {
	const struct fold *fold;
	const struct run *run;
};

static void fill_run(struct record_writer *writer, const void *context)
{
	const struct sys_event *event = context;

	sys_save(writer, event->fold, event->run);
}

int sys_events_save(struct record_writer *writer, unsigned int at, const struct fold *fold, const struct run *run)
{
	const struct sys_event event = { fold, run };

	return run_events_add(writer, at, fill_run, &event);
}

int sys_events_load(const struct record *record, struct sys_events *events_ret, struct text_error *error_ret)
{
	struct record run;
	int error = 0;

	*events_ret = (struct sys_events){ .nr = 0 };
	while (!error && !(error = run_events_find(record, events_ret->nr, &run, error_ret))) {
		const unsigned int at = events_ret->nr;

		if (run_load_receipt(&run, &events_ret->receipt[at]))
			return text_fail(error_ret, -EBADMSG, "its section '%s' has no receipt", run_events_section(at));
		events_ret->fold[at] = sys_load(&run, &events_ret->result[at], error_ret);
		if (!events_ret->fold[at])
			return -EBADMSG;
		events_ret->nr++;
	}
	return error == -ENOENT ? 0 : error;
}

void sys_events_deinit(struct sys_events *events)
{
	unsigned int i;

	for (i = 0; i < events->nr; i++)
		fold_destroy(events->fold[i]);
	events->nr = 0;
}

struct table_events sys_events_table(const struct sys_events *events, const struct receipt *first)
{
	struct table_events table = { .nr = events->nr };
	unsigned int i;

	table.counted[0] = first ? receipt_events(&first->event) : 0;
	for (i = 0; i < events->nr; i++) {
		table.fold[i] = events->fold[i];
		table.result[i] = &events->result[i];
		table.receipt[i] = &events->receipt[i];
		table.counted[i + 1] = receipt_events(&events->receipt[i].event);
	}
	return table;
}

/* False: the run has no receipt. */
static bool add_event(const struct record *run, struct rates *rates)
{
	struct run_result result;
	struct receipt receipt;

	if (record_get_result(run, &result, NULL) || run_load_receipt(run, &receipt))
		return false;
	rates->event[rates->nr_events++] = (struct rate_event){
		.event = result.event, .taken = result.account.taken, .counted = receipt_events(&receipt.event),
		.excess = result.account.excess,
	};
	return true;
}

bool sys_events_rates(const struct record *record, struct rates *rates_ret)
{
	struct text_error ignored;
	struct record run = *record;
	unsigned int at = 0;

	*rates_ret = (struct rates){ .nr = 0 };
	do {
		if (!add_event(&run, rates_ret))
			return false;
	} while (!run_events_find(record, at++, &run, &ignored));
	rates_choose(rates_ret);
	return rates_ret->nr_events > 1;
}
