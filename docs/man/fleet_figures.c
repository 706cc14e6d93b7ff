// SPDX-License-Identifier: GPL-2.0-only
/*
 * fleet_figures TABLE FILE: the tables of docs/fleet.md about 10,000 hosts. TABLE is rates, knows, hosts,
 * series or bytes. FILE is docs/fleet.tsv, with the sizes that tests/fleet/sizes.sh measured.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stat.h"
#include "bpf/comb.h"
#include "metrics/metrics_rows.h"

#define DAY_SECONDS	86400.0
#define HOSTS		10000
#define RATE_HZ		19.7	/* of the agent */
#define SERVICES	100	/* of a host, all known at once */
#define STORE_BYTES	2	/* of a sample on Prometheus' disk: its manual says 1 to 2 */
#define SERIES_KIB	2	/* of an active series in Prometheus' memory: robustperception.io, 2.x */
#define MAX_SIZES	64

/** A line of docs/fleet.tsv. */
struct size {
	char name[32];
	double value;
};

static struct size sizes[MAX_SIZES];
static size_t nr_sizes;

static void read_sizes(const char *path)
{
	FILE *file = fopen(path, "re");

	while (file && nr_sizes < MAX_SIZES &&
	       fscanf(file, "%31s %lf", sizes[nr_sizes].name, &sizes[nr_sizes].value) == 2)
		nr_sizes++;
	if (file)
		fclose(file);
}

static double get_size(const char *name)
{
	size_t i;

	for (i = 0; i < nr_sizes; i++)
		if (!strcmp(sizes[i].name, name))
			return sizes[i].value;
	fprintf(stderr, "fleet_figures: %s was not measured\n", name);
	exit(1);
}

/* Samples for 0.1 points at a confidence of @z standard errors: Wilson's interval grows with z squared. */
static double count_samples(double share, double excess, double z)
{
	double half = 0.001 * STAT_Z95 / z;

	return stat_samples_for(share, excess, half);
}

/* Rates that know every service to +-0.1 points a day. */
static void put_rates(void)
{
	static const unsigned int cpus[] = { 1, 2, 8, 32, 128 };
	static const struct { double share, excess; int nr; } columns[] = {
		{ 0.5, 0, 1 }, { 0.5, COMB_EXCESS, 1 }, { 0.1, COMB_EXCESS, 1 }, { 0.01, COMB_EXCESS, 1 },
		{ 0.5, COMB_EXCESS, SERVICES },
	};
	size_t i, j;

	puts("| CPUs | share 50%, module | share 50%, BPF | share 10%, BPF | share 1%, BPF | 100 services at once, BPF |\n"
	     "| ---: | ---: | ---: | ---: | ---: | ---: |");
	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		printf("| %u |", cpus[i]);
		for (j = 0; j < sizeof(columns) / sizeof(columns[0]); j++)
			printf(" %.3g Hz |", count_samples(columns[j].share, columns[j].excess,
							   stat_z(columns[j].nr)) / DAY_SECONDS / cpus[i]);
		putchar('\n');
	}
}

/* Half of the interval that the agent's rate gives on a host of 8 CPUs. */
static void put_knows(void)
{
	static const struct { const char *name; double seconds; } spans[] = {
		{ "15 s", 15 }, { "60 s", 60 }, { "1 h", 3600 }, { "1 day", DAY_SECONDS },
	};
	static const double shares[] = { 0.5, 0.1, 0.01 };
	size_t i, j;

	puts("| time | samples | share 50% | share 10% | share 1% | least share seen |\n"
	     "| ---: | ---: | ---: | ---: | ---: | ---: |");
	for (i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		u64 n = RATE_HZ * 8 * spans[i].seconds;

		printf("| %s | %llu |", spans[i].name, n);
		for (j = 0; j < sizeof(shares) / sizeof(shares[0]); j++)
			printf(" ±%.2g |", 100 * stat_margin(stat_wilson_share(shares[j], n, COMB_EXCESS),
							     shares[j]));
		printf(" %.2g%% |\n", 100 * stat_least_share(n, COMB_EXCESS));
	}
}

/* Hosts that know the mean share of a fleet to +-0.1 points, by how much hosts differ. */
static void put_hosts(void)
{
	static const double sds[] = { 0.5, 1, 2, 5, 10 };
	size_t i;

	puts("| hosts differ by (standard deviation) | hosts for ±0.1 points | interval of 10 hosts | of 10,000 |\n"
	     "| ---: | ---: | ---: | ---: |");
	for (i = 0; i < sizeof(sds) / sizeof(sds[0]); i++) {
		const struct stat_mean ten = { .nr = 10, .variance = sds[i] * sds[i] };
		const struct stat_mean all = { .nr = HOSTS, .variance = sds[i] * sds[i] };

		printf("| %.3g points | %.0f | ±%.2g | ±%.2g |\n", sds[i],
		       ceil(pow(STAT_Z95 * sds[i] / 0.1, 2)), stat_mean_interval(&ten).hi,
		       stat_mean_interval(&all).hi);
	}
}

static const unsigned int row_counts[] = { 10, 20, 50, 100, 500 };

/* The K largest rows, "other", and those that need none of the places. */
static unsigned int count_rows(unsigned int rows)
{
	return rows + 1 + METRICS_FIXED;
}

static double count_series(unsigned int rows)
{
	return get_size("fixed_series") + count_rows(rows) * get_size("row_series");
}

static void put_series(void)
{
	size_t i;

	puts("| K | series of a host | bytes of a scrape | series of 10,000 hosts | memory of the store |\n"
	     "| ---: | ---: | ---: | ---: | ---: |");
	for (i = 0; i < sizeof(row_counts) / sizeof(row_counts[0]); i++) {
		double series = count_series(row_counts[i]);
		double bytes = get_size("fixed_bytes") + count_rows(row_counts[i]) * get_size("row_bytes");

		printf("| %u | %.0f | %.0f KB | %.1f million | %.0f GiB |\n", row_counts[i], series, bytes / 1000,
		       series * HOSTS / 1e6, series * HOSTS * SERIES_KIB / 1024 / 1024);
	}
}

static void put_metric_bytes(unsigned int rows, double seconds)
{
	double stored = count_series(rows) * STORE_BYTES * DAY_SECONDS / seconds;

	printf("| metrics, K = %u, every %.0f s | %.1f MB | %.0f GB | %.1f TB |\n", rows, seconds, stored / 1e6,
	       stored * HOSTS / 1e9, stored * HOSTS * 30 / 1e12);
}

static void put_profile_bytes(const char *rate, int seconds)
{
	char name[32];
	double day;

	snprintf(name, sizeof(name), "pprof_%s_%d", rate, seconds);
	day = get_size(name) * DAY_SECONDS / seconds;
	printf("| pprof of %d s at %s Hz, %.0f KB each | %.1f MB | %.0f GB | %.1f TB |\n", seconds, rate,
	       get_size(name) / 1000, day / 1e6, day * HOSTS / 1e9, day * HOSTS * 30 / 1e12);
}

static void put_bytes(void)
{
	puts("| stored | a host and day | 10,000 hosts and a day | 30 days |\n| --- | ---: | ---: | ---: |");
	put_metric_bytes(20, 15);
	put_metric_bytes(20, 60);
	put_metric_bytes(50, 15);
	put_metric_bytes(50, 60);
	put_profile_bytes("19.7", 15);
	put_profile_bytes("19.7", 60);
	put_profile_bytes("99", 15);
	put_profile_bytes("99", 60);
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*put)(void); } tables[] = {
		{ "rates", put_rates }, { "knows", put_knows }, { "hosts", put_hosts },
		{ "series", put_series }, { "bytes", put_bytes },
	};
	size_t i;

	if (argc != 3)
		return 2;
	read_sizes(argv[2]);
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(argv[1], tables[i].name)) {
			tables[i].put();
			return 0;
		}
	return 2;
}
