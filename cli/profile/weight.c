// SPDX-License-Identifier: GPL-2.0-only
/* What stacks come to: see weight.h. */
#include <math.h>
#include <string.h>

#include "profile/weight.h"

#define FEW_HITS	5	/* below this a share is known by its upper bound only */

static double share_of(double ns, const struct weight *base)
{
	double share = ns / base->ns;

	/* A kept run may hold times that overflow when added up. */
	return share > 1 ? 1 : share > 0 ? share : 0;
}

double weight_share(const struct weight *weight, const struct weight *base)
{
	return share_of(weight->ns, base);
}

/* 95%, by Wilson, from the samples of the base. */
static struct stat_interval interval_of(const struct weight *weight, const struct weight *base)
{
	return stat_wilson_share(weight_share(weight, base), base->hits);
}

struct weight_text weight_percent(const struct weight *weight, const struct weight *base)
{
	struct weight_text text;

	if (weight->hits < FEW_HITS)
		snprintf(text.text, sizeof(text.text), "<%.1f",
			 ceil(interval_of(weight, base).hi * 1000) / 10);
	else
		snprintf(text.text, sizeof(text.text), "%.1f", weight_share(weight, base) * 100);
	return text;
}

struct weight_text weight_error(const struct weight *weight, const struct weight *base)
{
	struct stat_interval interval = interval_of(weight, base);
	double share = weight_share(weight, base);
	struct weight_text text = { "" };

	if (weight->hits >= FEW_HITS)
		snprintf(text.text, sizeof(text.text), "%.2f",
			 fmax(interval.hi - share, share - interval.lo) * 100);
	return text;
}

struct weight_text weight_self_percent(const struct weight *weight, const struct weight *base)
{
	struct weight_text text;

	snprintf(text.text, sizeof(text.text), "%.1f", share_of(weight->self_ns, base) * 100);
	return text;
}

/** The numbers of a line. Counts are whole; all that fits a double exactly is written exactly. */
struct numbers {
	double percent, lo, hi;
	double self_percent, self_lo, self_hi;
	double self_s, descendants_s;
	double samples, self_samples;
};

static const struct column {
	const char *key;
	size_t offset;
	int digits;
} columns[] = {
	{ "percent", offsetof(struct numbers, percent), 4 },
	{ "lo", offsetof(struct numbers, lo), 4 },
	{ "hi", offsetof(struct numbers, hi), 4 },
	{ "self_percent", offsetof(struct numbers, self_percent), 4 },
	{ "self_lo", offsetof(struct numbers, self_lo), 4 },
	{ "self_hi", offsetof(struct numbers, self_hi), 4 },
	{ "self_s", offsetof(struct numbers, self_s), 6 },
	{ "descendants_s", offsetof(struct numbers, descendants_s), 6 },
	{ "samples", offsetof(struct numbers, samples), 0 },
	{ "self_samples", offsetof(struct numbers, self_samples), 0 },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static struct numbers numbers_of(const struct weight *weight, const struct weight *base)
{
	struct stat_interval all = interval_of(weight, base);
	double self = share_of(weight->self_ns, base);
	struct stat_interval own = stat_wilson_share(self, base->hits);

	return (struct numbers){
		.percent = weight_share(weight, base) * 100, .lo = all.lo * 100, .hi = all.hi * 100,
		.self_percent = self * 100, .self_lo = own.lo * 100, .self_hi = own.hi * 100,
		.self_s = weight->self_ns / 1e9,
		.descendants_s = (weight->ns - weight->self_ns) / 1e9,
		.samples = weight->hits, .self_samples = weight->self_hits,
	};
}

static void print_number(FILE *out, const struct column *column, const struct numbers *numbers)
{
	double value;

	memcpy(&value, (const char *)numbers + column->offset, sizeof(value));
	if (isfinite(value))
		fprintf(out, "%.*f", column->digits, value);
	else
		fputs("null", out);
}

void weight_tsv_titles(FILE *out)
{
	size_t c;

	for (c = 0; c < NR_COLUMNS; c++)
		fprintf(out, "\t%s", columns[c].key);
}

void weight_tsv(FILE *out, const struct weight *weight, const struct weight *base)
{
	struct numbers numbers = numbers_of(weight, base);
	size_t c;

	for (c = 0; c < NR_COLUMNS; c++) {
		fputc('\t', out);
		print_number(out, &columns[c], &numbers);
	}
}

void weight_json(FILE *out, const struct weight *weight, const struct weight *base)
{
	struct numbers numbers = numbers_of(weight, base);
	size_t c;

	for (c = 0; c < NR_COLUMNS; c++) {
		fprintf(out, ", \"%s\": ", columns[c].key);
		print_number(out, &columns[c], &numbers);
	}
}
