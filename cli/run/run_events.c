// SPDX-License-Identifier: GPL-2.0-only
/* Several events in one file: see run_events.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/run_events.h"
#include "run/run_save.h"

/* Sections of the second event, the third... */
static const char *const sections[RUN_BESIDE] = { "EVT2", "EVT3", "EVT4" };

const char *run_events_section(unsigned int at)
{
	return sections[at];
}

int run_events_add(struct record_writer *writer, unsigned int at,
		   void (*fill)(struct record_writer *writer, const void *context), const void *context)
{
	struct record_writer inner = { 0 };
	struct text_error ignored;
	char *bytes = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&bytes, &len);
	int error = -ENOMEM;

	if (memory) {
		record_begin(&inner, memory);
		fill(&inner, context);
		error = record_commit(&inner, &ignored) ? -ENOMEM : 0;
	}
	if (!error)
		record_add(writer, sections[at], bytes, len);
	free(bytes);
	return error;
}

int run_events_find(const struct record *record, unsigned int at, struct record *run_ret,
		    struct text_error *error_ret)
{
	struct text_error why;
	struct run_result result;
	struct record run;

	run.bytes = at < RUN_BESIDE ? (char *)record_find(record, sections[at], &run.len) : NULL;
	if (!run.bytes)
		return -ENOENT;
	if (record_check(&run, sections[at], &why) || record_get_result(&run, &result, &why) ||
	    !event_is_sampled(&result.event))
		return text_fail(error_ret, -EBADMSG, "its section '%s' is no run of an event", sections[at]);
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

int run_events_choose(const struct record *record, const char *name, struct record *run_ret,
		      struct text_error *error_ret)
{
	struct record run = *record;
	char names[RUN_BESIDE * (EVENT_NAME_LEN + 2) + EVENT_NAME_LEN] = "";
	unsigned int at = 0;
	int error = 0;

	for (; name && !error && !has_name(&run, name); error = run_events_find(record, at++, &run, error_ret))
		add_name(&run, names, sizeof(names));
	if (!error)
		*run_ret = run;
	return error != -ENOENT ? error :
		text_fail(error_ret, -ENOENT, "it has no event '%s', but %.300s", name, names);
}

void run_events_tell_others(const struct record *record, const char *done)
{
	struct run_result result;
	struct text_error ignored;
	struct record other;
	unsigned int at;

	for (at = 0; !run_events_find(record, at, &other, &ignored); at++) {
		if (record_get_result(&other, &result, &ignored))
			continue;
		if (!at)
			fprintf(stderr, "probe: %s the first event; -event chooses another:", done);
		fprintf(stderr, "%s %s", at ? "," : "", result.event.name);
	}
	if (at)
		fputc('\n', stderr);
}
