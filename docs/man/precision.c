// SPDX-License-Identifier: GPL-2.0-only
/*
 * precision hits, precision time: the tables of docs/reading.md, from cli/base/stat.c: what hits say of
 * a share, and how long to run for a wanted precision.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stat.h"

#define RATE_HZ	1000.0

/* Rounded up to two digits: whoever runs that long has enough. */
static double round_up(double value)
{
	double unit = pow(10, floor(log10(value)) - 1);

	return ceil(value / unit - 1e-9) * unit;
}

static void put_time(double seconds)
{
	if (seconds < 100)
		printf(" %.2g s |", round_up(seconds));
	else if (seconds < 6000)
		printf(" %.2g min |", round_up(seconds / 60));
	else
		printf(" %.2g h |", round_up(seconds / 3600));
}

static void put_hits(void)
{
	static const struct { unsigned int hits, n; } seen[] = {
		{ 286, 2325 }, { 1144, 9300 }, { 5, 1000 }, { 4, 1000 }, { 1, 1000 }, { 0, 1000 },
		{ 0, 10000 },
	};
	size_t i;

	puts("| hits of samples | share | printed | 95% interval |\n| ---: | ---: | ---: | ---: |");
	for (i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		double share = 100.0 * seen[i].hits / seen[i].n;
		struct stat_interval interval = stat_wilson(seen[i].hits, seen[i].n, 0);
		double lo = interval.lo * 100, hi = interval.hi * 100;

		printf("| %u of %u | %.1f%% | ", seen[i].hits, seen[i].n, share);
		if (seen[i].hits < 5)
			printf("`<%.1f`", ceil(hi * 10) / 10);
		else
			printf("`%.1f +- %.2f`", share, fmax(hi - share, share - lo));
		printf(" | %.2f to %.2f |\n", lo, hi);
	}
}

static void put_times(void)
{
	static const double points[] = { 2, 1, 0.5, 0.2, 0.1 };
	static const double shares[] = { 1, 5, 10, 25, 50 };
	const size_t nr_points = sizeof(points) / sizeof(points[0]);
	size_t i, j;

	printf("| a share of about |");
	for (i = 0; i < nr_points; i++)
		printf(" +- %g |", points[i]);
	printf("\n| ---: |");
	for (i = 0; i < nr_points; i++)
		printf(" ---: |");
	putchar('\n');
	for (i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		printf("| %g%% |", shares[i]);
		for (j = 0; j < nr_points; j++)
			put_time(stat_samples_for(shares[i] / 100, 0, points[j] / 100) / RATE_HZ);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	if (argc != 2 || (strcmp(argv[1], "hits") && strcmp(argv[1], "time"))) {
		fputs("usage: precision hits | time\n", stderr);
		return 2;
	}
	if (argv[1][0] == 'h')
		put_hits();
	else
		put_times();
	return 0;
}
