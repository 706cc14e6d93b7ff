// SPDX-License-Identifier: GPL-2.0-only
/* The steps of a search, each printed as soon as it ends: see proc_view.h. */
#include "base/share.h"
#include "proc/proc_view_parts.h"

#define STEP_COLS	45	/* columns of a table row without the addresses */
#define STEP_INDENT	6

static int range_text(const struct proc_step *step, char *text, size_t len)
{
	return snprintf(text, len, "0x%06llx-0x%06llx", step->low, step->high);
}

static struct share outside_share(const struct proc_step *step, double excess)
{
	u64 all = step->hits + step->outside;

	return share_of(all ? (double)step->outside / all : 0,
			stat_wilson(step->outside, all, excess), 100);
}

/* Write a step as wrapped text, if a table row does not fit into a line. */
static void render_step_narrow(FILE *out, const struct proc_report *report, u32 number, int cols)
{
	const struct proc_step *step = &report->steps[number];
	struct share outside = outside_share(step, report->result.account.excess);
	char line[256], range[64];

	range_text(step, range, sizeof(range));
	snprintf(line, sizeof(line),
		 "Step %u: %s, slots of %#llx, %llu hits, %.1f%% +- %.2f outside", number + 1,
		 range, step->slot_bytes, step->hits, outside.value, outside.error);
	text_wrap(out, line, cols);
}

static void render_step(FILE *out, const struct proc_report *report, u32 number, int cols)
{
	static const char rule[] = "=====================================";
	const struct proc_step *step = &report->steps[number];
	struct share outside = outside_share(step, report->result.account.excess);
	char range[64];

	if (!number)
		fprintf(out, "Step  %-*s  %9s  %8s  %7s  %5s\n====  %.*s  =========  ========  "
			"=======  =====\n", cols, "Addresses", "Slot", "Hits", "Outside", "+-",
			cols, rule);
	range_text(step, range, sizeof(range));
	fprintf(out, "%4u  %-*s  %#9llx  %8llu  %6.1f%%  %5.2f\n", number + 1, cols, range,
		step->slot_bytes, step->hits, outside.value, outside.error);
}

void proc_view_step(FILE *out, const struct proc_report *report, u32 number, int line_cols)
{
	const struct proc_step *step = &report->steps[number];
	char range[64];
	int cols = range_text(&report->steps[0], range, sizeof(range));	/* the widest of all */

	if (cols + STEP_COLS > line_cols)
		render_step_narrow(out, report, number, line_cols);
	else
		render_step(out, report, number, cols);
	if (step->why[0]) {
		fprintf(out, "%*s", STEP_INDENT, "");
		text_wrap_at(out, step->why, STEP_INDENT, line_cols);
	}
	fflush(out);
}
