// SPDX-License-Identifier: GPL-2.0-only
/* The time of one execution: see execution.h. */
#include <string.h>

#include "base/execution.h"
#include "base/text.h"

const struct execution_unit *execution_events(void)
{
	static const struct execution_unit events = { "events", 1 };

	return &events;
}

const struct execution_unit *execution_unit(double ns)
{
	static const struct execution_unit units[] = {
		{ "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 },
	};
	size_t i = 0;

	while (i < 3 && !(ns >= units[i].ns))
		i++;
	return &units[i];
}

void execution_print(FILE *out, const struct share *time, bool counts_events, u64 executions, int cols)
{
	const struct execution_unit *unit = counts_events ? execution_events() :
		execution_unit(time->value > 0 ? time->value : time->hi);
	char line[160];

	snprintf(line, sizeof(line), "One execution: %.4g %s, 95%% interval %.4g to %.4g %s "
		 "(%llu execution%s)", time->value / unit->ns, unit->name, time->lo / unit->ns,
		 time->hi / unit->ns, unit->name, executions, executions == 1 ? "" : "s");
	text_wrap(out, line, cols);
}

void execution_json(FILE *out, const struct share *time, bool counts_events, u64 executions)
{
	const char *unit = counts_events ? "events" : "ns";

	fprintf(out, "  \"executions\": %llu,\n  \"execution_%s\": %.3f,\n"
		"  \"execution_lo_%s\": %.3f,\n  \"execution_hi_%s\": %.3f,\n",
		executions, unit, time->value, unit, time->lo, unit, time->hi);
}

/* "execution_ns" to "execution_events". */
static void name_events(struct shown_column *shown)
{
	size_t len = strlen(shown->key);

	if (len > 3 && !strcmp(shown->key + len - 3, "_ns"))
		snprintf(shown->key + len - 2, sizeof(shown->key) - len + 2, "events");
}

void execution_titles(struct columns *columns, const struct execution_unit *unit)
{
	size_t c;

	for (c = 0; c < columns->nr; c++) {
		struct shown_column *shown = &columns->column[c];
		size_t len = strlen(shown->title);

		/* The margin of error follows the time that it is about. */
		if (shown->column->unit == COLUMN_EACH_NS && shown->column->end != COLUMN_ERROR)
			snprintf(shown->title + len, sizeof(shown->title) - len, " %s",
				 unit->name);
		if (shown->column->unit == COLUMN_EACH_NS && unit == execution_events())
			name_events(shown);
	}
}
