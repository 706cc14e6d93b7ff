// SPDX-License-Identifier: GPL-2.0-only
/* The summary of a trace: see trace_view.h. */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "base/option_values.h"
#include "calls/call_view.h"
#include "times/time_view.h"
#include "trace/trace_view.h"

#define NAMED_MAX	3	/* functions named in a warning */

static const char *const sorts[] = { "net", "elapsed", "calls", "max", "name", NULL };

#define VIEW(field)	offsetof(struct trace_view, field)

const struct option_spec trace_view_specs[] = {
	{ "hist", "GLOB", "a histogram of the times of calls, of each function with such a name", option_text,
	  VIEW(hist) },
	{ "group", "FILE", "a row per group of functions; FILE has the name patterns of each", option_text,
	  VIEW(group_path) },
	{ "sort", "KEY", "column to sort by: net, elapsed, calls, max or name (default net)", option_choice,
	  VIEW(sort), sorts },
	{ "n", "ROWS", "show the first ROWS only", option_count, VIEW(nr_rows) },
	{ NULL }
};

static u64 sum_of_calls(const struct trace_account *account)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < account->sums.nr_more; i++)
		sum += account->sums.counts->nodes[i].sums.calls;
	return sum;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static u32 nr_chosen_cpus(const struct trace_account *account)
{
	u32 i, nr = 0;

	for (i = 0; i < account->sums.trace->nr_cpus; i++)
		nr += account->cpus[i].covered_ns > 0;
	return nr;
}

static const char *reason_of_end(u32 end)
{
	return end & CPUPROBE_EVENTS_OVER ? ", until the budget was used up" :
		end & CPUPROBE_EVENTS_TRIGGERED ? ", until the call that was to end it" :
		end & CPUPROBE_EVENTS_FULL ? ", until a buffer was full" : "";
}

static const char *describe_losses(const struct trace *trace, char *text, size_t len)
{
	u64 lost = trace_lost(trace), overwritten = trace_overwritten(trace);
	int used = lost ? snprintf(text, len, "%llu lost", lost) : snprintf(text, len, "none lost");

	if (overwritten)
		snprintf(text + used, len - used, ", %llu slots overwritten", overwritten);
	return text;
}

static void print_head(FILE *out, const struct trace_rows *rows, u32 nr_shown)
{
	const struct trace_account *account = rows->account;
	const struct trace *trace = account->sums.trace;
	u32 nr_cpus = nr_chosen_cpus(account);
	double idle_ns = rows->run_ns - rows->busy_ns;
	char losses[80];

	fprintf(out, "Trace of Calls\nElapsed time  %12.6f s on %u CPU%s%s\n", account->end_ns / 1e9, nr_cpus,
		nr_cpus == 1 ? "" : "s", reason_of_end(trace->totals.end));
	if (trace_is_unstable(trace))
		fputs("Clock         unstable: CPUs may differ by some milliseconds\n", out);
	fprintf(out, "Events        %12llu (%s), %llu calls, %llu switches\n", account->tally.events,
		describe_losses(trace, losses, sizeof(losses)), sum_of_calls(account),
		account->tally.switches);
	fprintf(out, "Run time      %12.6f s (%6.2f%%)\nIdle time     %12.6f s (%6.2f%%)\n",
		rows->busy_ns / 1e9,
		percent(rows->busy_ns, rows->run_ns), idle_ns / 1e9, percent(idle_ns, rows->run_ns));
	fprintf(out, "(times in microseconds");
	if (nr_shown < rows->nr)
		fprintf(out, "; the first %u of %u rows", nr_shown, rows->nr);
	fprintf(out, ")\n\n");
}

/* The net times as measured, and all other time, are the time of the CPUs. */
static void print_check(FILE *out, const struct trace_account *account, int cols)
{
	struct trace_cpu_time total = trace_account_total(account);
	char line[400], unknown[64] = "";

	if (total.unknown_ns)
		snprintf(unknown, sizeof(unknown), " + unknown %llu", total.unknown_ns);
	snprintf(line, sizeof(line),
		 "Net %llu + outside of traced calls %llu + interrupts %llu + idle %llu%s = %llu "
		 "ns: %s", total.net_ns, total.outside_ns, total.interrupts_ns, total.idle_ns, unknown,
		 total.covered_ns, trace_account_holds(account) ? "all time of the CPUs" :
		 "not all time of the CPUs. This is a bug");
	fputc('\n', out);
	text_wrap(out, line, cols);
}

static void print_cost(FILE *out, const struct trace_rows *rows, int cols)
{
	const struct trace_totals *totals = &rows->account->sums.trace->totals;
	u32 budget_ppm = rows->account->sums.trace->names->totals.budget_ppm;
	u64 calls = sum_of_calls(rows->account), others = rows->account->sums.trace->names->totals.others;
	char line[400], left_out[64] = "";

	if (others)
		snprintf(left_out, sizeof(left_out), "; %llu calls by other tasks not recorded", others);
	snprintf(line, sizeof(line),
		 "Tracing cost %.0f ns a call, which the times above do not contain (the sums in "
		 "the line before do), %.2f%% of all CPUs (budget %.2f%% of each)%s", totals->cost_ps / 1e3,
		 percent((calls + others) * (totals->cost_ps / 1e3), rows->run_ns), budget_ppm / 1e4,
		 left_out);
	text_wrap(out, line, cols);
}

static struct row_array get_rows(const struct trace_rows *rows, u32 nr)
{
	return (struct row_array){ rows->row, sizeof(*rows->row), nr };
}

static bool has_hist(const struct trace_view *view, const struct trace_row *row)
{
	return view->hist && !row->is_group && time_outermost(&row->node) &&
		!fnmatch(view->hist, row->name, 0);
}

static void print_text(FILE *out, const struct trace_rows *rows, u32 nr_shown, const struct trace_view *view,
		       struct columns *columns)
{
	int cols = output_cols(&view->output);
	u32 i;

	print_head(out, rows, nr_shown);
	columns_print_rows(out, columns, get_rows(rows, nr_shown), cols);
	for (i = 0; i < rows->nr; i++)
		if (has_hist(view, &rows->row[i]))
			time_hist_print(out, rows->account->sums.counts, &rows->row[i].node, cols);
	print_check(out, rows->account, cols);
	print_cost(out, rows, cols);
}

static void print_tsv(FILE *out, const struct trace_rows *rows, u32 nr_shown, struct columns *columns)
{
	columns_print_keys(out, columns);
	columns_print_tsv_rows(out, columns, get_rows(rows, nr_shown));
}

static void print_json(FILE *out, const struct trace_rows *rows, u32 nr_shown, struct columns *columns)
{
	const struct trace_account *account = rows->account;
	const struct trace *trace = account->sums.trace;
	const struct trace_totals *totals = &trace->totals;
	struct trace_cpu_time total = trace_account_total(account);
	u32 i;

	fprintf(out, "{ \"events\": %llu, \"lost\": %llu, \"overwritten\": %llu,\n"
		"  \"switches\": %llu, \"gaps\": %llu,\n"
		"  \"elapsed_ns\": %llu, \"cpu_ns\": %llu, \"net_ns\": %llu, \"outside_ns\": %llu,\n"
		"  \"interrupts_ns\": %llu, \"idle_ns\": %llu, \"unknown_ns\": %llu, \"holds\": %s,\n"
		"  \"is_clock_stable\": %s, \"is_switched_off\": %s,\n"
		"  \"cost_ps\": %u, \"own_ps\": %u, \"seen_ps\": %u,\n  \"rows\": [", account->tally.events,
		trace_lost(trace), trace_overwritten(trace), account->tally.switches, account->tally.gaps,
		account->end_ns, total.covered_ns, total.net_ns, total.outside_ns, total.interrupts_ns,
		total.idle_ns, total.unknown_ns, trace_account_holds(account) ? "true" : "false",
		trace_is_unstable(trace) ? "false" : "true",
		trace->names->totals.is_switched_off ? "true" : "false",
		totals->cost_ps, totals->own_ps, totals->seen_ps);
	columns_print_json_rows(out, columns, get_rows(rows, nr_shown));
	fprintf(out, "\n  ],\n  \"bins\": [");
	for (i = 0; i < nr_shown; i++) {
		fprintf(out, i ? ",\n    " : "\n    ");
		time_bins_json(out, &rows->row[i].node.sums);
	}
	fprintf(out, "\n  ] }\n");
}

static int show_rows(FILE *out, const struct trace_rows *rows, const struct trace_view *view,
		     struct text_error *error_ret)
{
	u32 nr_shown = view->nr_rows && view->nr_rows < rows->nr ? view->nr_rows : rows->nr;
	struct columns columns;
	int error = columns_choose(&columns, &trace_column_list, view->output.format,
				   view->output.columns, rows,
				   error_ret);

	if (!error && view->output.format == FORMAT_JSON)
		print_json(out, rows, nr_shown, &columns);
	else if (!error && view->output.format == FORMAT_TSV)
		print_tsv(out, rows, nr_shown, &columns);
	else if (!error)
		print_text(out, rows, nr_shown, view, &columns);
	columns_deinit(&columns);
	return error;
}

int trace_view_show(FILE *out, const struct trace_account *account, const struct trace_view *view,
		    struct text_error *error_ret)
{
	struct trace_rows rows;
	int error = trace_rows_init(&rows, account, view->sort, view->groups);

	if (error) {
		text_fail(error_ret, error, "out of memory");
	} else {
		error = show_rows(out, &rows, view, error_ret);
		trace_rows_deinit(&rows);
	}
	return error;
}

/* Names the first functions whose calls were missed. */
static void warn_of_missed(const struct trace_account *account)
{
	const struct trace *trace = account->sums.trace;
	char names[300] = "";
	size_t used = 0;
	u32 i, nr = 0;
	u64 missed = 0;

	for (i = 0; i < trace->nr_functions; i++) {
		if (!trace->functions[i].missed)
			continue;
		missed += trace->functions[i].missed;
		if (nr++ < NAMED_MAX && used < sizeof(names))
			used += snprintf(names + used, sizeof(names) - used, "%s%s", nr > 1 ? ", " : "",
					 call_counts_name(trace->names, trace->functions[i].function));
	}
	if (missed)
		fprintf(stderr,
			"probe: %llu calls of %u function%s were not recorded (%s%s): too many at a time, or "
			"one inside another's hook\n", missed, nr, nr == 1 ? "" : "s", names,
			nr > NAMED_MAX ? ", ..." : "");
}

void trace_view_warn_clock(const struct trace *trace)
{
	if (trace_is_unstable(trace))
		fprintf(stderr,
			"probe: the kernel does not trust this machine's clock: times of different CPUs may differ "
			"by some milliseconds, and so may their order\n"
			"hint: 'probe doctor' tells about the clock; tasks that stay on one CPU are not affected\n");
}

void trace_view_warn(const struct trace_account *account)
{
	const struct trace *trace = account->sums.trace;
	u64 lost = trace_lost(trace);

	if (trace->totals.end & CPUPROBE_EVENTS_OVER)
		fprintf(stderr,
			"probe: tracing ended after %.3f s, because it took more than %.2f%% of a CPU\n"
			"hint: leave out functions with -fn '!NAME', or allow more with -budget\n",
			trace->totals.traced_ns / 1e9, trace->names->totals.budget_ppm / 1e4);
	call_view_warn_switched_off(&trace->names->totals);
	if (lost)
		fprintf(stderr,
			"probe: %llu events are missing: the calls that were open then have no duration\n",
			lost);
	trace_view_warn_clock(trace);
	if (account->tally.backward || account->tally.strange)
		fprintf(stderr,
			"probe: %llu times went backwards, and %llu events contradict others%s\n",
			account->tally.backward, account->tally.strange,
			trace_is_unstable(trace) ? "" : ": is the clock stable?");
	warn_of_missed(account);
	if (account->tally.endless)
		fprintf(stderr,
			"probe: %llu calls of programs have no duration: the kernel hooks the returns of %u nested "
			"calls\n", account->tally.endless, TRACE_USER_RETURNS_MAX);
}
