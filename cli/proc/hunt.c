// SPDX-License-Identifier: GPL-2.0-only
/* The steps of a search: see hunt.h. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "proc/hunt.h"

static void reset_step(struct hunt *hunt)
{
	hunt->step_began = 0;
	hunt->nr_looks = 0;
	hunt->next_look = SEARCH_FIRST_LOOK;
	hunt->is_trim = false;
	hunt->why[0] = '\0';
}

void hunt_init(struct hunt *hunt, bool is_hot)
{
	memset(hunt, 0, sizeof(*hunt));
	hunt->is_hot = is_hot;
	reset_step(hunt);
}

void hunt_deinit(struct hunt *hunt)
{
	free(hunt->last);
	hunt->last = NULL;
}

static bool is_smaller_range(const struct proc_report *report, const struct search_range *range)
{
	return range->high - range->low < report->layout.high - report->layout.low &&
	       range->high > range->low;
}

/* The name of an address for messages: function, function+offset or object+offset. */
static void name_range(const struct sym_index *symbols, const struct proc_report *report, u64 addr,
		       char *name, size_t len)
{
	const struct sym *sym = symbols ? sym_index_find(symbols, addr) : NULL;
	char function[128];

	if (!sym) {
		snprintf(name, len, "%.64s+0x%llx", report->object, addr - report->object_start);
		return;
	}
	sym_name(sym, function, sizeof(function));
	text_clean(function);
	text_cut(function, 60);
	if (addr == sym->entry)
		snprintf(name, len, "%s", function);
	else
		snprintf(name, len, "%s+0x%llx", function, addr - sym->entry);
}

/* Extend a part to the size that one-byte slots cover, within its function and the range. */
static struct search_range widen_hot_range(const struct search_range *range,
					   const struct proc_report *report,
					   const struct sym_index *symbols)
{
	const struct sym *sym = symbols ? sym_index_find(symbols, range->low) : NULL;
	struct search_range limits = { report->layout.low, report->layout.high };
	struct search_range wide = *range;
	u64 more;

	if (sym && sym->start > limits.low)
		limits.low = sym->start;
	if (sym && sym->end < limits.high && sym->end >= range->high)
		limits.high = sym->end;
	if (range->high - range->low >= CPUPROBE_SLOTS)
		return wide;
	more = (CPUPROBE_SLOTS - (range->high - range->low)) / 2;
	wide.low = range->low - limits.low > more ? range->low - more : limits.low;
	wide.high = limits.high - wide.low > CPUPROBE_SLOTS ?
		wide.low + CPUPROBE_SLOTS : limits.high;
	return wide;
}

static bool find_hottest(const struct proc_report *report, const struct sym_index *symbols,
			 struct search_hot *hot_ret)
{
	return search_hottest(&report->layout, report->hits, report->result.account.excess,
			      symbols, hot_ret);
}

/* Test whether a part stands out. The number of tests is limited: see search_hottest(). */
static bool look_for_hot(struct hunt *hunt, const struct proc_report *report,
			 const struct sym_index *symbols, u64 hits)
{
	struct search_hot hot;
	char name[128];

	if (!hunt->is_hot || !report->layout.shift || hits < hunt->next_look ||
	    hunt->nr_looks == SEARCH_LOOKS)
		return false;
	hunt->nr_looks++;
	while (hunt->next_look <= hits)
		hunt->next_look *= 2;
	if (!find_hottest(report, symbols, &hot) || !hot.stands_out ||
	    !is_smaller_range(report, &hot.range))
		return false;
	hunt->next = hunt->wants_bytes ? widen_hot_range(&hot.range, report, symbols) : hot.range;
	if (!is_smaller_range(report, &hunt->next))
		return false;
	name_range(symbols, report, hot.range.low, name, sizeof(name));
	text_cut(name, 30);
	snprintf(hunt->why, sizeof(hunt->why), "hot %s %s: %.1f%% of the hits, next %.1f%%",
		 hot.function ? "function" : "from", name, 100.0 * hot.hits / hits,
		 100.0 * hot.next_hits / hits);
	return true;
}

static bool look_for_trim(struct hunt *hunt, const struct proc_report *report, u64 hits)
{
	double unseen = search_unseen(hits + report->elsewhere.outside,
				      report->result.account.excess);
	bool is_late = hunt->step_seconds > 0 &&
		clock_seconds() >= hunt->step_began + hunt->step_seconds;
	struct search_range range;

	if ((unseen > HUNT_UNSEEN_MAX && !is_late) || (hunt->wants_bytes && !report->layout.shift))
		return false;
	if (!search_trim(&report->layout, report->hits, &range) ||
	    !is_smaller_range(report, &range))
		return false;
	hunt->is_trim = true;
	hunt->next = range;
	snprintf(hunt->why, sizeof(hunt->why),
		 "dropped the ends without hits: below %.1f%% with 95%% confidence", unseen * 100);
	return true;
}

bool hunt_is_step_done(struct hunt *hunt, const struct proc_report *report,
		       const struct sym_index *symbols, double seconds_left)
{
	u64 hits = proc_report_hits(report);

	if (!hunt->step_began) {
		hunt->step_began = clock_seconds();
		hunt->step_seconds = seconds_left > 0 ? seconds_left / 2 : 2;
	}
	/* The last entry of the table is reserved for the last step. */
	if (!hits || report->nr_steps + 1 >= PROC_STEPS_MAX)
		return false;
	return look_for_hot(hunt, report, symbols, hits) || look_for_trim(hunt, report, hits);
}

static void add_report_step(const struct hunt *hunt, struct proc_report *report)
{
	struct proc_step *step = &report->steps[report->nr_steps++];

	memset(step, 0, sizeof(*step));
	step->low = report->layout.low;
	step->high = report->layout.high;
	step->slot_bytes = 1ULL << report->layout.shift;
	step->hits = proc_report_hits(report);
	step->outside = report->elsewhere.outside;
	step->seconds = report->result.elapsed_seconds;
	memcpy(step->why, hunt->why, sizeof(step->why));
}

void hunt_next_step(struct hunt *hunt, struct proc_report *report)
{
	struct search_range range = hunt->next;

	/* The final harvest may have added hits outside the range decided on. */
	if (hunt->is_trim && search_trim(&report->layout, report->hits, &range))
		hunt->next = range;
	add_report_step(hunt, report);
	free(hunt->last);
	hunt->last = malloc(sizeof(*hunt->last));
	if (hunt->last)
		*hunt->last = *report;
	slots_layout_init(&report->layout, hunt->next.low, hunt->next.high);
	reset_step(hunt);
}

/* An interval as "58.1-64.5%". */
static const char *interval_text(struct stat_interval interval, char *text, size_t len)
{
	snprintf(text, len, "%.1f-%.1f%%", interval.lo * 100, interval.hi * 100);
	return text;
}

/* Name a part: a function or instruction by its name, a piece of the range as "from" its start. */
static void name_hot_part(const struct sym_index *symbols, const struct proc_report *report,
			  const struct search_hot *hot, u64 addr, char *name, size_t len)
{
	bool is_whole = hot->function || !report->layout.shift;
	int used = snprintf(name, len, "%s", is_whole ? "" : "from ");

	name_range(symbols, report, addr, name + used, len - used);
}

static void write_hot_verdict(const struct proc_report *report, const struct sym_index *symbols,
			      char *verdict, size_t len)
{
	bool is_byte = !report->layout.shift;
	char name[128], next[128], best_text[32], next_text[32];
	struct search_hot hot;

	find_hottest(report, symbols, &hot);
	name_hot_part(symbols, report, &hot, hot.range.low, name, sizeof(name));
	name_hot_part(symbols, report, &hot, hot.next.low, next, sizeof(next));
	interval_text(hot.interval, best_text, sizeof(best_text));
	interval_text(hot.next_interval, next_text, sizeof(next_text));
	if (hot.stands_out && is_byte)
		snprintf(verdict, len, "Hottest instruction: %s at 0x%llx, with %s of the %llu "
			 "hits of the last step", name, hot.range.low,
			 best_text, proc_report_hits(report));
	else if (hot.stands_out)
		snprintf(verdict, len,
			 "Hottest: 0x%llx-0x%llx, %s, with %s of the %llu hits of "
			 "the last step",
			 hot.range.low, hot.range.high, name, best_text, proc_report_hits(report));
	else
		snprintf(verdict, len, "Flat: no %s of this range stands out. The busiest, %s, has "
			 "%s of %llu hits", is_byte ? "instruction" : "sixteenth or function", name,
			 best_text, proc_report_hits(report));
	if (hot.next_hits)
		snprintf(verdict + strlen(verdict), len - strlen(verdict),
			 "; the next, %s, has %s.", next, next_text);
	else
		snprintf(verdict + strlen(verdict), len - strlen(verdict), "; no other has hits.");
}

bool hunt_end(struct hunt *hunt, struct proc_report *report, const struct sym_index *symbols)
{
	struct search_range range;
	u64 hits = proc_report_hits(report);
	bool is_before = !report->result.account.taken && hunt->last;

	/* The task ended right after a step: report the last step that has samples. */
	if (is_before) {
		memcpy(hunt->last->objects, report->objects, sizeof(report->objects));
		hunt->last->nr_objects = report->nr_objects;
		*report = *hunt->last;
		report->nr_steps--;
		hits = proc_report_hits(report);
	}
	reset_step(hunt);
	add_report_step(hunt, report);
	if (!hits)
		snprintf(report->verdict, sizeof(report->verdict), "No sample fell into %s.",
			 report->object);
	else if (hunt->is_hot)
		write_hot_verdict(report, symbols, report->verdict, sizeof(report->verdict));
	else if (search_trim(&report->layout, report->hits, &range) &&
		 is_smaller_range(report, &range))
		snprintf(report->verdict, sizeof(report->verdict), "Ended before the range was "
			 "narrow: all hits are in 0x%llx-0x%llx.", range.low, range.high);
	else
		snprintf(report->verdict, sizeof(report->verdict),
			 "Narrowed: both ends of this range have hits.");
	return is_before;
}
