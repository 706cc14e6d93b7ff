// SPDX-License-Identifier: GPL-2.0-only
/* Histograms of the times of calls: see time_view.h. */
#include <string.h>

#include "base/text.h"
#include "times/time_view.h"

#define BEFORE_BAR	43	/* columns of the range and the number */
#define BAR_MAX		60

/* The least time of a bin, as text. */
static const char *bound_text(u32 bin, char text[16])
{
	return bin ? text_ns((double)(1ULL << (bin - 1)), text) : "0";
}

static void print_bin(FILE *out, const struct time_sums *sums, u32 bin, u64 most, int bar_cols)
{
	char from[16], to[16];
	int cols = (double)sums->bins[bin] * bar_cols / most + 0.5;

	if (sums->bins[bin] && !cols)
		cols = 1;
	fprintf(out, "%11s to %11s %14llu  ", bound_text(bin, from),
		bin == CPUPROBE_TIME_BINS - 1 ? "" : bound_text(bin + 1, to), sums->bins[bin]);
	while (cols-- > 0)
		fputc('#', out);
	fputc('\n', out);
}

void time_hist_print(FILE *out, const struct time_counts *counts, const struct time_node *node,
		     int cols)
{
	const struct time_sums *sums = &node->sums;
	u32 first = CPUPROBE_TIME_BINS, last = 0, bin;
	int bar_cols = cols - BEFORE_BAR < BAR_MAX ? cols - BEFORE_BAR : BAR_MAX;
	u64 most = 1;

	for (bin = 0; bin < CPUPROBE_TIME_BINS; bin++) {
		if (!sums->bins[bin])
			continue;
		if (first == CPUPROBE_TIME_BINS)
			first = bin;
		last = bin;
		if (sums->bins[bin] > most)
			most = sums->bins[bin];
	}
	fputc('\n', out);
	text_put_cut(out, time_counts_name(counts, node), cols);
	fprintf(out, "\n%26s %14s\n", "Time of a call", "Calls");
	for (bin = first; bin <= last; bin++)
		print_bin(out, sums, bin, most, bar_cols > 0 ? bar_cols : 1);
}
