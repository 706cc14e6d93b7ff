// SPDX-License-Identifier: GPL-2.0-only
/* Several events in one file: see sys_events.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/run_save.h"
#include "sys/sys_events.h"
#include "sys/sys_save.h"

/* Sections of the second event, the third... */
static const char *const tags[ROWS_OTHERS] = { "EVT2", "EVT3", "EVT4" };

int sys_events_save(struct record_writer *writer, unsigned int at, const struct fold *fold, const struct run *run)
{
	struct record_writer inner = { 0 };
	struct text_error ignored;
	char *bytes = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&bytes, &len);
	int error = -ENOMEM;

	if (memory) {
		record_begin(&inner, memory);
		sys_save(&inner, fold, run);
		error = record_commit(&inner, &ignored) ? -ENOMEM : 0;
	}
	if (!error)
		record_add(writer, tags[at], bytes, len);
	free(bytes);
	return error;
}

int sys_events_find(const struct record *record, unsigned int at, struct record *run_ret,
		    struct text_error *error_ret)
{
	struct text_error why;
	struct run_result result;
	struct record run;

	run.bytes = at < ROWS_OTHERS ? (char *)record_find(record, tags[at], &run.len) : NULL;
	if (!run.bytes)
		return -ENOENT;
	if (record_check(&run, tags[at], &why) || record_get_result(&run, &result, &why) ||
	    !event_is_sampled(&result.event))
		return text_fail(error_ret, -EBADMSG, "its section '%s' is no run of an event", tags[at]);
	*run_ret = run;
	return 0;
}

/* Adds the name of the event of a run to a list. */
static void add_name(const struct record *run, char *names, size_t len)
{
	struct run_result result;
	size_t used = strlen(names);

	if (!record_get_result(run, &result, NULL))
		snprintf(names + used, len - used, "%s%s", used ? ", " : "",
			 event_is_sampled(&result.event) ? result.event.name : "time");
}

static bool has_name(const struct record *run, const char *name)
{
	struct run_result result;

	return !record_get_result(run, &result, NULL) && event_is_sampled(&result.event) &&
		!strcmp(result.event.name, name);
}

int sys_events_choose(const struct record *record, const char *name, struct record *run_ret,
		      struct text_error *error_ret)
{
	struct record run = *record;
	char names[ROWS_OTHERS * (EVENT_NAME_LEN + 2) + EVENT_NAME_LEN] = "";
	unsigned int at = 0;
	int error = 0;

	for (; name && !error && !has_name(&run, name); error = sys_events_find(record, at++, &run, error_ret))
		add_name(&run, names, sizeof(names));
	if (!error)
		*run_ret = run;
	return error != -ENOENT ? error :
		text_fail(error_ret, -ENOENT, "it has no event '%s', but %.300s", name, names);
}

int sys_events_load(const struct record *record, struct sys_events *events_ret, struct text_error *error_ret)
{
	struct record run;
	int error = 0;

	*events_ret = (struct sys_events){ .nr = 0 };
	while (!error && !(error = sys_events_find(record, events_ret->nr, &run, error_ret))) {
		const unsigned int at = events_ret->nr;

		if (run_load_receipt(&run, &events_ret->receipt[at]))
			return text_fail(error_ret, -EBADMSG, "its section '%s' has no receipt", tags[at]);
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
	} while (!sys_events_find(record, at++, &run, &ignored));
	rates_choose(rates_ret);
	return rates_ret->nr_events > 1;
}
