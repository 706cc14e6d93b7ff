// SPDX-License-Identifier: GPL-2.0-only
/* The cost of sampling as text, tab-separated values and JSON: see costs.h. */
#include <math.h>

#include "base/share.h"
#include "base/text.h"
#include "sys/costs.h"

static const struct cost *get_cost(const struct column_cell *cell)
{
	return cell->row;
}

static const char *get_cost_kind(const struct column_cell *cell, char *text, size_t len)
{
	return get_cost(cell)->kind;
}

static double get_cost_cpu(const struct column_cell *cell)
{
	return get_cost(cell)->cpu;
}

static double get_cost_rate(const struct column_cell *cell)
{
	return 1e9 / get_cost(cell)->period_ns;
}

static double get_cost_rounds(const struct column_cell *cell)
{
	return get_cost(cell)->nr_rounds;
}

static double get_cost_work(const struct column_cell *cell)
{
	return get_cost(cell)->work_seconds;
}

static double get_cost_samples(const struct column_cell *cell)
{
	return get_cost(cell)->taken;
}

static double get_cost_missed(const struct column_cell *cell)
{
	return get_cost(cell)->missed;
}

static struct share get_cost_slowdown(const struct column_cell *cell)
{
	return share_of(get_cost(cell)->slowdown, get_cost(cell)->slowdown_interval, 100);
}

static double get_cost_claim(const struct column_cell *cell)
{
	return get_cost(cell)->claim_ns ? get_cost(cell)->claim * 100 : NAN;
}

static struct share get_cost_sample(const struct column_cell *cell)
{
	return share_of(get_cost(cell)->sample_ns, get_cost(cell)->sample_interval, 1);
}

static double get_cost_claim_ns(const struct column_cell *cell)
{
	return get_cost(cell)->claim_ns ? get_cost(cell)->claim_ns : NAN;
}

static double get_cost_shown(const struct column_cell *cell)
{
	return cost_is_shown(get_cost(cell));
}

static const char *get_cost_time_text(const struct column_cell *cell, char *text, size_t len)
{
	double ns = cell->column->value(cell);

	/* Noise can make a difference negative. */
	if (ns >= 0)
		return text_ns(ns, text);
	text[0] = '-';
	text_ns(-ns, text + 1);
	return text;
}

#define SAMPLE_NS	.unit = COLUMN_NS, .share = get_cost_sample, .value = share_column_value, \
			.text = get_cost_time_text

static const struct column columns[] = {
	{ .key = "kind", .title = "Kind", .help = "kind of samples: see -kind", .cols = 6,
	  .text = get_cost_kind },
	{ .key = "cpu", .title = "CPU", .help = "CPU of the work", .unit = COLUMN_COUNT,
	  .cols = 4, .value = get_cost_cpu },
	{ .key = "rate", .title = "Rate", .help = "samples per second requested",
	  .unit = COLUMN_COUNT, .cols = 6, .value = get_cost_rate },
	{ .key = "rounds", .title = "Rounds", .help = "rounds: work with and without sampling",
	  .unit = COLUMN_COUNT, .cols = 6, .value = get_cost_rounds },
	{ .key = "work", .title = "Work", .help = "mean time of the work without sampling",
	  .unit = COLUMN_SECONDS, .cols = 6, .digits = 3, .value = get_cost_work },
	{ .key = "samples", .title = "Samples", .help = "samples taken in all rounds",
	  .unit = COLUMN_COUNT, .cols = 7, .value = get_cost_samples },
	{ .key = "missed", .title = "Missed", .help = "periods without a sample in all rounds",
	  .unit = COLUMN_COUNT, .cols = 6, .value = get_cost_missed },
	{ .key = "slowdown", .title = "Slower",
	  .help = "additional time of the work with sampling", .cols = 7, .digits = 3,
	  SHARE_COLUMN(get_cost_slowdown) },
	{ .key = "lo", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of the slowdown's 95% interval", .cols = 7, .digits = 3,
	  .end = COLUMN_LO, SHARE_NUMBER(get_cost_slowdown) },
	{ .key = "hi", .title = "High", .help = "upper end of the slowdown's 95% interval",
	  .cols = 7, .digits = 3, .end = COLUMN_HI, SHARE_NUMBER(get_cost_slowdown) },
	{ .key = "claim", .title = "Claim",
	  .help = "slowdown that the module's measurement of a sample claims",
	  .unit = COLUMN_PERCENT, .cols = 7, .digits = 3, .value = get_cost_claim },
	{ .key = "sample_ns", .title = "Sample", .help = "additional time per sample",
	  .cols = 8, SAMPLE_NS },
	{ .key = "sample_lo_ns", .title = "Low", .pair_title = "95% interval",
	  .help = "lower end of its 95% interval", .cols = 8, .end = COLUMN_LO, SAMPLE_NS },
	{ .key = "sample_hi_ns", .title = "High", .help = "upper end of its 95% interval",
	  .cols = 8, .end = COLUMN_HI, SAMPLE_NS },
	{ .key = "claim_ns", .title = "Claim",
	  .help = "cost of a sample as the module measured it when it was loaded",
	  .unit = COLUMN_NS, .cols = 8, .value = get_cost_claim_ns, .text = get_cost_time_text },
	{ .key = "shown", .title = "Shown", .help = "whether the interval leaves out 0",
	  .unit = COLUMN_YES_NO, .cols = 5, .value = get_cost_shown },
};

const struct column_list cost_column_list = {
	.name = "cost",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "slowdown,lo,hi,claim,sample_ns,sample_lo_ns,sample_hi_ns,claim_ns",
	},
};

static void render_cost_text(FILE *out, const struct cost *cost, struct columns *table, int cols)
{
	char line[512];

	snprintf(line, sizeof(line), "Work of %.3g s, %llu times with and %llu times without "
		 "sampling by 'probe %s' at %.6g Hz on CPU %u (%llu samples, %llu missed)",
		 cost->work_seconds, cost->nr_rounds, cost->nr_rounds, cost->kind,
		 1e9 / cost->period_ns, cost->cpu, cost->taken, cost->missed);
	text_wrap(out, line, cols);
	fputc('\n', out);
	columns_measure(table, cost);
	columns_fit(table, cols);
	columns_print_titles(out, table);
	columns_print_row(out, table, cost);
	fputc('\n', out);
	if (!cost_is_shown(cost))
		snprintf(line, sizeof(line), "No slowdown is shown: the interval contains 0. The "
			 "speed of this CPU varies more than sampling changes it. A longer -sec, "
			 "a quiet -cpu or a higher -rate narrows the interval.");
	else if (cost->claim_ns)
		snprintf(line, sizeof(line), "A sample costs %.2f of what the module claims (%.2f "
			 "to %.2f).", cost->sample_ns / cost->claim_ns,
			 cost->sample_interval.lo / cost->claim_ns,
			 cost->sample_interval.hi / cost->claim_ns);
	else
		snprintf(line, sizeof(line), "The module has no measurement of its own.");
	text_wrap(out, line, cols);
}

int cost_show(FILE *out, const struct cost *cost, const struct output_options *options)
{
	struct columns table;
	int error = columns_choose(&table, &cost_column_list, options->format, options->columns,
				   NULL, NULL);

	if (error) {
		fprintf(stderr, "probe: show the cost: out of memory\n");
	} else if (options->format == FORMAT_JSON) {
		fputs("{\n  \"report\": \"cost\",\n  \"rows\": [\n    ", out);
		columns_print_json(out, &table, cost);
		fputs("\n  ]\n}\n", out);
	} else if (options->format == FORMAT_TSV) {
		columns_print_keys(out, &table);
		columns_print_tsv(out, &table, cost);
	} else {
		render_cost_text(out, cost, &table, output_cols(options));
	}
	columns_deinit(&table);
	return error;
}

void cost_warn(FILE *out, const struct cost *cost)
{
	char least[16], claim[16];

	if (!cost->claim_ns || cost->sample_interval.lo <= cost->claim_ns)
		return;
	fprintf(out, "probe: warning: a sample costs more than the module claims: at least %s, not "
		"%s\nhint: the limits rely on the claim; load the module again while the machine "
		"is idle\n", text_ns(cost->sample_interval.lo, least),
		text_ns(cost->claim_ns, claim));
}
