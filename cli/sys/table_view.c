// SPDX-License-Identifier: GPL-2.0-only
/* System table, the paper's Figure 3: see table_view.h. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/option_values.h"
#include "base/text.h"
#include "run/run.h"
#include "sys/table_columns.h"
#include "sys/table_view.h"

static const char *const sorts[] = { "total", "name", "user", "kernel", NULL };

#define TABLE(field)	offsetof(struct table_options, field)

const struct option_spec table_specs[] = {
	{ "sort", "KEY", "column to sort by: total, name, user or kernel (default total)",
	  option_choice, TABLE(sort), sorts },
	{ "n", "ROWS", "show the ROWS largest and sum up the others in one row", option_count,
	  TABLE(nr_rows) },
	{ "percpu", NULL, "add a column per CPU: the share of that CPU", option_flag,
	  TABLE(has_cpus) },
	{ NULL }
};

/** State while writing a table. */
struct shown_table {
	const struct table_options *options;
	const struct run_result *result;
	const struct receipt *receipt;	/* for the whole run, in its last table; else NULL */
	const struct table_events *others;	/* NULL: there is one event, or time */
	struct rates rates;
	struct rows rows;
	struct table_columns view;
	struct columns columns;
};

static struct row_array get_rows(const struct shown_table *table)
{
	return (struct row_array){ table->rows.row, sizeof(*table->rows.row), table->rows.nr };
}

/* "instructions per cycle: 1.25 in all", a line for each rate. */
static void render_rates(FILE *out, const struct rates *rates)
{
	char name[2 * EVENT_NAME_LEN + 32];
	unsigned int i;

	for (i = 0; i < rates->nr; i++) {
		const double total = rates_total(rates, &rates->rate[i]);

		fprintf(out, "%s%s: ", rates->rate[i].is_ipc ? "IPC, " : "",
			rates_name(rates, &rates->rate[i], name, sizeof(name)));
		fprintf(out, isnan(total) ? "unknown\n" : "%.4g in all\n", total);
	}
}

/* All events, and the rates that the columns are about. */
static void render_rates_json(FILE *out, const struct shown_table *table)
{
	const struct rates *rates = &table->rates;
	char name[2 * EVENT_NAME_LEN + 32], key[8];
	unsigned int i;

	for (i = 0; i < rates->nr_events; i++) {
		fprintf(out, "%s\n    { \"event\": ", i ? "," : "  \"events\": [");
		text_json(out, rates->event[i].event.name);
		fprintf(out, ", \"period\": %llu, \"samples\": %llu, \"events\": %.0f }",
			rates->event[i].event.period, rates->event[i].taken, rates->event[i].counted);
	}
	fputs("\n  ],\n  \"rates\": [", out);
	for (i = 0; i < rates->nr; i++) {
		const double total = rates_total(rates, &rates->rate[i]);

		fprintf(out, "%s\n    { \"key\": \"%s\", \"of\": %u, \"per\": %u, \"name\": ", i ? "," : "",
			rates_key(&rates->rate[i], key, sizeof(key)), rates->rate[i].of + 1, rates->rate[i].per + 1);
		text_json(out, rates_name(rates, &rates->rate[i], name, sizeof(name)));
		fprintf(out, isnan(total) ? ", \"total\": null }" : ", \"total\": %.6g }", total);
	}
	fputs("\n  ],\n", out);
}

/* The heading says of which events, or of which time, shares are. */
static void render_heading(FILE *out, const struct shown_table *table)
{
	const struct event *event = &table->result->event;
	char text[EVENT_NAME_LEN + 64];
	unsigned int i;

	if (event_is_sampled(event))
		fprintf(out, "Percentage of Events\n%s\n", event_heading(event, text, sizeof(text)));
	else
		fprintf(out, "Percentage CPU Utilization%s\n",
			table->receipt && table->receipt->flags & RECEIPT_PERF ?
			" (own processes, user mode only)" : "");
	for (i = 1; i < table->rates.nr_events; i++)
		fprintf(out, "%s\n", event_heading(&table->rates.event[i].event, text, sizeof(text)));
	render_rates(out, &table->rates);
}

static void render_table_text(FILE *out, struct shown_table *table)
{
	const struct run_account *account = &table->result->account;
	int cols = output_cols(&table->options->output);
	unsigned int i;

	if (table->view.time[0])
		fprintf(out, "%s, %.1f s\n", table->view.time, table->result->elapsed_seconds);
	render_heading(out, table);
	fprintf(out, "(%llu samples, %llu lost, %llu missed)\n\n", account->taken, account->lost,
		account->missed);
	columns_print_rows(out, &table->columns, get_rows(table), cols);
	columns_print_rule(out, &table->columns, '-');
	columns_print_sums(out, &table->columns, "Total");
	if (table->view.time[0])
		fputc('\n', out);
	if (!table->receipt)
		return;
	if (!table->view.time[0])
		fputc('\n', out);
	receipt_print(out, table->receipt, cols);
	for (i = 0; table->others && i < table->others->nr; i++)
		receipt_print_beside(out, table->others->receipt[i], cols);
}

static void render_table_tsv(FILE *out, struct shown_table *table)
{
	static bool has_titles;	/* a stream of tables has its titles already */

	if (!table->view.time[0] || !has_titles)
		columns_print_keys(out, &table->columns);
	has_titles = true;
	columns_print_tsv_rows(out, &table->columns, get_rows(table));
}

/* The receipt of the session of each other event. */
static void render_receipts_beside(FILE *out, const struct table_events *others)
{
	unsigned int i;

	fputs("  \"receipts_beside\": [", out);
	for (i = 0; i < others->nr; i++) {
		fprintf(out, "%s\n  { ", i ? "," : "");
		receipt_json_members(out, others->receipt[i]);
		fputs(" }", out);
	}
	fputs("\n  ],\n", out);
}

static void render_table_json(FILE *out, struct shown_table *table)
{
	const struct run_result *result = table->result;

	fputs("{\n  \"report\": \"sys\",\n", out);
	if (table->view.time[0])
		fprintf(out, "  \"time\": \"%s\",\n", table->view.time);
	fprintf(out, "  \"seconds\": %.3f,\n", result->elapsed_seconds);
	event_json(out, &result->event);
	fprintf(out, "  \"%s\": %llu,\n  \"seed\": %llu,\n  \"cpus\": %zu,\n  \"expected\": %llu,\n  \"samples\": %llu,\n"
		"  \"missed\": %llu,\n  \"lost\": %llu,\n",
		event_is_sampled(&result->event) ? "period" : "period_ns", result->period_ns, result->seed, result->nr_cpus,
		result->account.expected, result->account.taken, result->account.missed,
		result->account.lost);
	if (table->view.lacks_deferred)
		fputs("  \"deferred\": null,\n", out);
	else
		fprintf(out, "  \"deferred\": %llu,\n", result->account.deferred);
	if (table->others)
		render_rates_json(out, table);
	fputs("  \"rows\": [", out);
	columns_print_json_rows(out, &table->columns, get_rows(table));
	fputs(table->receipt ? "\n  ],\n" : "\n  ]\n", out);
	if (table->others && table->receipt)
		render_receipts_beside(out, table->others);
	if (table->receipt)
		receipt_json(out, table->receipt);
	fputs(table->receipt ? "\n}\n" : "}\n", out);
}

static int choose_columns(struct shown_table *table)
{
	const struct output_options *output = &table->options->output;
	int error = columns_choose(&table->columns, &table_column_list, output->format,
				   output->columns, &table->view, NULL);

	if (!error)
		table_columns_title(&table->columns);
	if (!error && table->options->has_cpus)
		error = columns_add(&table->columns, &table_column_list, "cpus");
	/* In a stream of tables, TSV rows have the time of their table, unless -o names columns. */
	if (!error && table->view.time[0] && output->format == FORMAT_TSV &&
	    !columns_are_named(output->columns))
		error = columns_add(&table->columns, &table_column_list, "time");
	return error;
}

static struct rate_event get_rate_event(const struct run_result *result, double counted)
{
	return (struct rate_event){
		.event = result->event, .taken = result->account.taken, .counted = counted,
		.excess = result->account.excess,
	};
}

static void prepare_rates(struct shown_table *table)
{
	const struct table_events *others = table->others;
	struct rates *rates = &table->rates;
	unsigned int i;

	if (!others)
		return;
	rates->event[0] = get_rate_event(table->result, others->counted[0]);
	for (i = 0; i < others->nr; i++)
		rates->event[i + 1] = get_rate_event(others->result[i], others->counted[i + 1]);
	rates->nr_events = others->nr + 1;
	rates_choose(rates);
}

static int prepare_table(struct shown_table *table, const struct fold *fold, bool is_repeated)
{
	const struct table_options *options = table->options;
	const struct table_events *others = table->others;
	int error = rows_init_beside(&table->rows, fold, table->result->account.excess,
				     others ? others->fold : NULL, others ? others->nr : 0);

	if (error)
		return error;
	rows_limit(&table->rows, options->sort, options->nr_rows);
	error = table_columns_init(&table->view, &table->rows, fold, &options->output,
				   table->result->nr_cpus);
	table->view.lumped = receipt_lumped_modes(table->result->flags);
	table->view.lacks_missed = table->result->flags & RECEIPT_NO_MODULE;
	table->view.lacks_deferred = table->view.lacks_missed || event_is_sampled(&table->result->event);
	if (is_repeated)
		text_time(table->result->began, table->view.time, sizeof(table->view.time));
	prepare_rates(table);
	table->view.rates = others ? &table->rates : NULL;
	return error ? error : choose_columns(table);
}

const char *table_option_of_cpus(const struct table_options *options)
{
	return options->has_cpus ? "-percpu" : columns_want(options->output.columns, "cpus") ? "-o cpus" : NULL;
}

/* Perf events of threads do not tell the CPU. Live runs refuse the option before they measure. */
static bool lacks_cpus(const struct receipt *receipt, const struct table_options *options)
{
	const char *option = table_option_of_cpus(options);

	if (!option || !receipt || !(receipt->flags & RECEIPT_PERF))
		return false;
	fprintf(stderr, "probe: show %s: the run was measured with -engine perf, which does not tell CPUs\n"
		"hint: leave %s out\n", option, option);
	return true;
}

static int show_table(FILE *out, const struct fold *fold, struct shown_table *table, bool is_repeated)
{
	static void (*const render[])(FILE *, struct shown_table *) = {
		[FORMAT_TEXT] = render_table_text, [FORMAT_TSV] = render_table_tsv,
		[FORMAT_JSON] = render_table_json,
	};
	int error;

	if (!fold_taken(fold))
		return run_no_samples(table->result);
	if (lacks_cpus(table->receipt, table->options))
		return -EOPNOTSUPP;
	error = prepare_table(table, fold, is_repeated);
	if (error)
		fprintf(stderr, "probe: show the table: out of memory\n");
	else
		render[table->options->output.format](out, table);
	columns_deinit(&table->columns);
	table_columns_deinit(&table->view);
	rows_deinit(&table->rows);
	return error;
}

int table_show(FILE *out, const struct fold *fold, const struct run_result *result,
	       const struct receipt *receipt, const struct table_options *options,
	       const struct table_events *others, bool is_repeated)
{
	struct shown_table table = {
		.options = options, .result = result, .receipt = receipt,
		.others = others && others->nr ? others : NULL,
	};

	return show_table(out, fold, &table, is_repeated);
}
