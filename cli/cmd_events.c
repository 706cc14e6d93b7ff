// SPDX-License-Identifier: GPL-2.0-only
/* probe events: the events that this machine can sample, and what they mean. */
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "command.h"
#include "events/event_list.h"
#include "events/pmu.h"

struct events_command {
	struct output_options output;
	bool shows_all;
};

static const struct option_spec events_specs[] = {
	{ "all", NULL, "also list events that this machine cannot sample", option_flag,
	  offsetof(struct events_command, shows_all) },
	{ NULL }
};

static const struct event_entry *get_entry(const struct column_cell *cell)
{
	return cell->row;
}

static const char *get_event_name(const struct column_cell *cell, char *text, size_t len)
{
	return get_entry(cell)->event.name;
}

static const char *get_event_kind(const struct column_cell *cell, char *text, size_t len)
{
	return get_entry(cell)->kind;
}

static const char *get_event_state(const struct column_cell *cell, char *text, size_t len)
{
	return event_state_name(get_entry(cell)->state);
}

static double get_event_period(const struct column_cell *cell)
{
	return get_entry(cell)->event.period;
}

static const char *get_event_meaning(const struct column_cell *cell, char *text, size_t len)
{
	return get_entry(cell)->help;
}

/* Without -all it is "yes" in every row. */
static bool has_all(const struct column *column, const void *view)
{
	return ((const struct events_command *)view)->shows_all;
}

static const struct column columns[] = {
	{ .key = "event", .title = "Event", .help = "name for -event", .cols = 25, .text = get_event_name },
	{ .key = "kind", .title = "Kind", .help = "hardware, software, cache or pmu (named in sysfs)", .cols = 8,
	  .text = get_event_kind },
	{ .key = "sampled", .title = "Sampled",
	  .help = "whether this machine samples it: yes, no, counts only, not allowed or busy", .cols = 11,
	  .text = get_event_state, .is_wanted = has_all },
	{ .key = "period", .title = "Period", .help = "default of -period", .unit = COLUMN_COUNT, .cols = 8,
	  .value = get_event_period },
	{ .key = "meaning", .title = "Meaning", .help = "what the kernel counts", .text = get_event_meaning },
};

static const struct column_list event_column_list = {
	.name = "the list of events", .column = columns, .nr = sizeof(columns) / sizeof(columns[0]),
};

/* Leaves out what cannot be sampled, unless all are wanted; returns how many remain. */
static size_t keep_shown(const struct events_command *events, struct event_entry *list, size_t nr)
{
	size_t i, kept = 0;

	for (i = 0; i < nr; i++)
		if (events->shows_all || list[i].state == EVENT_SAMPLES)
			list[kept++] = list[i];
	return kept;
}

static bool has_state(const struct event_entry *list, size_t nr, enum event_state state)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (list[i].state == state)
			return true;
	return false;
}

static void tell_left_out(const struct event_entry *list, size_t nr, size_t nr_left_out, bool is_forbidden)
{
	size_t i;

	for (i = 0; i < nr && list[i].kind[0] != 'h'; i++)
		;
	if (is_forbidden)
		fprintf(stderr, "probe: this user may not sample events of the whole machine\n");
	else if (i == nr)
		fprintf(stderr, "probe: no event of the processor can be sampled: there is no PMU, or the host "
			"hides it\n");
	if (nr_left_out)
		fprintf(stderr, "probe: %zu event%s that cannot be sampled left out; -all lists them\n",
			nr_left_out, nr_left_out == 1 ? "" : "s");
	if (is_forbidden)
		fprintf(stderr, "hint: run as root, or with CAP_PERFMON\n");
}

static int show_events(const struct events_command *events, const struct event_entry *list, size_t nr)
{
	const struct output_options *output = &events->output;
	const struct row_array rows = { list, sizeof(*list), nr };
	struct columns shown;
	int error = columns_choose(&shown, &event_column_list, output->format, output->columns, events,
				   NULL);

	if (error) {
		fputs("probe: list events: out of memory\n", stderr);
	} else if (output->format == FORMAT_JSON) {
		fputs("{\n  \"report\": \"events\",\n  \"rows\": [", stdout);
		columns_print_json_rows(stdout, &shown, rows);
		fputs("\n  ]\n}\n", stdout);
	} else if (output->format == FORMAT_TSV) {
		columns_print_keys(stdout, &shown);
		columns_print_tsv_rows(stdout, &shown, rows);
	} else {
		columns_print_rows(stdout, &shown, rows, output_cols(output));
	}
	columns_deinit(&shown);
	return error ? EXIT_FAILED : 0;
}

static int events_run(void *self, const struct options_rest *rest)
{
	const struct events_command *events = self;
	struct event_entry *list;
	size_t nr, kept;
	bool is_forbidden;
	int status;

	if (event_list(PMU_ROOT, &list, &nr)) {
		fputs("probe: list events: out of memory\n", stderr);
		return EXIT_FAILED;
	}
	is_forbidden = has_state(list, nr, EVENT_FORBIDDEN);
	kept = keep_shown(events, list, nr);
	status = show_events(events, list, kept);
	tell_left_out(list, kept, nr - kept, is_forbidden);
	free(list);
	return status;
}

static int events_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct events_command *events = self;

	return columns_check(&event_column_list, events->output.columns, error_ret);
}

static const struct option_list events_options[] = {
	{ events_specs, 0 },
	{ columns_specs, offsetof(struct events_command, output) },
	{ form_specs, offsetof(struct events_command, output) },
	{ NULL }
};

static const struct column_list *const events_columns[] = { &event_column_list, NULL };

const struct command command_events = {
	.name = "events",
	.arguments = "",
	.help = "list the events that this machine can sample, for -event",
	.options = events_options,
	.columns = events_columns,
	.self_len = sizeof(struct events_command),
	.check = events_check,
	.run = events_run,
};
