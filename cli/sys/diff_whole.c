// SPDX-License-Identifier: GPL-2.0-only
/*
 * One execution of all that was measured, in both runs of a comparison: see diff_view.h. L4oprof's Figures 16 (speed
 * relative to another system), 17 and 18 (events relative to it).
 */
#include <math.h>

#include "base/execution.h"
#include "base/text.h"
#include "sys/diff_view.h"

/* Less time is more speed, and fewer cycles are; fewer of another event need not be. */
static bool tells_speed(const struct diff *diff)
{
	return !diff->counts_events || event_role(&diff->event) == EVENT_CYCLES;
}

static bool is_known(const struct diff *diff)
{
	return diff->whole.each[0] > 0 && diff->whole.each[1] > 0;
}

void diff_view_whole(FILE *out, const struct diff *diff, int cols)
{
	const struct stat_ratio *ratio = &diff->whole.ratio;
	const double *each = diff->whole.each;
	const struct execution_unit *unit = diff->counts_events ? execution_events() :
		execution_unit(fmax(each[0], each[1]));
	const char *name = diff->counts_events && diff->event.name[0] ? diff->event.name : unit->name;
	char line[640];
	int used;

	if (!is_known(diff))
		return;
	used = snprintf(line, sizeof(line), "One execution: %.4g %s in A, %.4g in B. B / A: %.4g, 95%% interval %.4g to ",
			each[0] / unit->ns, name, each[1] / unit->ns, ratio->ratio, ratio->interval.lo);
	used += snprintf(line + used, sizeof(line) - used, isfinite(ratio->interval.hi) ? "%.4g." : "unknown.",
			 ratio->interval.hi);
	if (tells_speed(diff) && ratio->interval.lo > 0)
		snprintf(line + used, sizeof(line) - used, " Speed of B relative to A: %.4g, 95%% interval %.4g to %.4g.",
			 1 / ratio->ratio, 1 / ratio->interval.hi, 1 / ratio->interval.lo);
	text_wrap(out, line, cols);
}

void diff_view_rates(FILE *out, const struct diff *diff, int cols)
{
	char name[2 * EVENT_NAME_LEN + 32], line[2 * EVENT_NAME_LEN + 160];
	unsigned int i;

	for (i = 0; i < diff->rates[0].nr; i++) {
		const struct rate *rate = &diff->rates[0].rate[i];
		const double a = rates_total(&diff->rates[0], rate), b = rates_total(&diff->rates[1], rate);
		int used;

		used = snprintf(line, sizeof(line), "%s%s: %.4g in A, %.4g in B.", rate->is_ipc ? "IPC, " : "",
				rates_name(&diff->rates[0], rate, name, sizeof(name)), a, b);
		if (a > 0 && isfinite(b / a))
			snprintf(line + used, sizeof(line) - used, " B / A: %.4g.", b / a);
		text_wrap(out, line, cols);
	}
}

static void print_number(FILE *out, const char *key, double value)
{
	if (isfinite(value))
		fprintf(out, "  \"%s\": %.6g,\n", key, value);
	else
		fprintf(out, "  \"%s\": null,\n", key);
}

static void print_total(FILE *out, double value)
{
	fprintf(out, isfinite(value) ? "%.6g" : "null", value);
}

/* The rates of both runs, if these have several events. */
static void print_rates(FILE *out, const struct rates rates[2])
{
	char name[2 * EVENT_NAME_LEN + 32], key[8];
	unsigned int i;

	for (i = 0; i < rates[0].nr; i++) {
		const struct rate *rate = &rates[0].rate[i];

		fprintf(out, "%s\n    { \"key\": \"%s\", \"name\": ", i ? "," : "  \"rates\": [",
			rates_key(rate, key, sizeof(key)));
		text_json(out, rates_name(&rates[0], rate, name, sizeof(name)));
		fputs(", \"a\": ", out);
		print_total(out, rates_total(&rates[0], rate));
		fputs(", \"b\": ", out);
		print_total(out, rates_total(&rates[1], rate));
		fputs(" }", out);
	}
	if (rates[0].nr)
		fputs("\n  ],\n", out);
}

void diff_view_json_whole(FILE *out, const struct diff *diff)
{
	const struct stat_ratio *ratio = &diff->whole.ratio;

	event_json(out, &diff->event);
	print_rates(out, diff->rates);
	if (!is_known(diff))
		return;
	print_number(out, diff->counts_events ? "a_execution_events" : "a_execution_ns", diff->whole.each[0]);
	print_number(out, diff->counts_events ? "b_execution_events" : "b_execution_ns", diff->whole.each[1]);
	print_number(out, "ratio", ratio->ratio);
	print_number(out, "ratio_lo", ratio->interval.lo);
	print_number(out, "ratio_hi", ratio->interval.hi);
	if (!tells_speed(diff))
		return;
	print_number(out, "speed", 1 / ratio->ratio);
	print_number(out, "speed_lo", 1 / ratio->interval.hi);
	print_number(out, "speed_hi", 1 / ratio->interval.lo);
}
