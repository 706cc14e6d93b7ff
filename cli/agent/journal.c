// SPDX-License-Identifier: GPL-2.0-only
/* Lines of an agent for the journal: see journal.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "agent/journal.h"
#include "base/text.h"

#define PRIORITY_WARNING	"<4>"
#define PRIORITY_INFO		"<6>"

/* The priority, where journald reads it. */
static const char *get_priority(const char *priority)
{
	return getenv("JOURNAL_STREAM") ? priority : "";
}

void journal_note(const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	text_clean(line);
	fprintf(stderr, "%sprobe: agent: %s\n", get_priority(PRIORITY_INFO), line);
}

void journal_fault(struct journal *journal, enum journal_fault fault, double now, const char *format, ...)
{
	u64 silent = journal->nr_silent[fault];
	char line[sizeof(journal->last)];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	text_clean(line);
	snprintf(journal->last, sizeof(journal->last), "%s", line);
	journal->nr[fault]++;
	/* Somebody waits to hear of his configuration. */
	if (fault != JOURNAL_CONFIG && journal->said[fault] && now < journal->said[fault] + JOURNAL_SECONDS) {
		journal->nr_silent[fault]++;
		return;
	}
	journal->said[fault] = now;
	journal->is_open[fault] = true;
	journal->nr_silent[fault] = 0;
	if (silent)
		fprintf(stderr, "%sprobe: agent: %s (%llu more since the last line)\n",
			get_priority(PRIORITY_WARNING), line, silent);
	else
		fprintf(stderr, "%sprobe: agent: %s\n", get_priority(PRIORITY_WARNING), line);
}

void journal_end(struct journal *journal, enum journal_fault fault, const char *format, ...)
{
	char line[sizeof(journal->last)];
	va_list args;

	if (!journal->is_open[fault])
		return;
	journal->is_open[fault] = false;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	journal_note("%s", line);
}

u64 journal_sum(const struct journal *journal)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < JOURNAL_FAULTS; i++)
		sum += journal->nr[i];
	return sum;
}
