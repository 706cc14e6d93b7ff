// SPDX-License-Identifier: GPL-2.0-only
/* Statistics: cli/stat.c against the paper's own figures and independent values. */
#include <math.h>

#include "unit.h"
#include "stat.h"

/* All 35 rows of the paper's Figure 3: Total and +-, as printed, of 7200 samples. */
static const struct { const char *name; double total, error; } figure3[] = {
	{ "...LDR", 0.1, 0.05 }, { "AM", 0.1, 0.06 }, { "AMXM", 0.1, 0.07 }, { "AU", 0.4, 0.15 },
	{ "CAE", 0.9, 0.22 }, { "CAN", 0.9, 0.22 }, { "CN", 1.0, 0.23 }, { "CP", 7.5, 0.61 },
	{ "CRT", 0.4, 0.15 }, { "CSIT1", 3.1, 0.40 }, { "CS2T1", 1.4, 0.27 },
	{ "CS3T1", 6.5, 0.57 }, { "CS4T1", 2.9, 0.39 }, { "CS5T1", 3.2, 0.40 },
	{ "CS6T1", 3.7, 0.44 }, { "ROGUE", 43.2, 1.14 }, { "DS", 3.9, 0.45 }, { "DT", 1.2, 0.25 },
	{ "F11ACP", 0.0, 0.05 }, { "FTSIDE", 0.1, 0.07 }, { "IDLE", 2.8, 0.38 },
	{ "IN", 0.4, 0.14 }, { "INSV1", 0.2, 0.11 }, { "JTCHK", 0.1, 0.07 },
	{ "JTRCV", 1.9, 0.31 }, { "JTSEND", 7.5, 0.61 }, { "LKM", 2.0, 0.32 },
	{ "MCR...", 0.0, 0.04 }, { "OUTT1", 0.4, 0.14 }, { "PATV1", 0.0, 0.04 },
	{ "RUNV1", 0.1, 0.06 }, { "SM", 3.1, 0.40 }, { "TCDLM", 0.2, 0.09 }, { "TM", 0.4, 0.15 },
	{ "XM", 0.4, 0.14 },
};

/* Some whole number of hits must print as both numbers of the row. */
static void paper_figure3(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(figure3) / sizeof(figure3[0]); i++) {
		int fits = 0;

		for (uint64_t hits = 1; hits < 7200; hits++) {
			char total[16], error[16], want_total[16], want_error[16];

			snprintf(total, sizeof(total), "%.1f", 100.0 * hits / 7200);
			snprintf(error, sizeof(error), "%.2f", 100 * stat_paper_halfwidth(hits, 7200));
			snprintf(want_total, sizeof(want_total), "%.1f", figure3[i].total);
			snprintf(want_error, sizeof(want_error), "%.2f", figure3[i].error);
			fits += !strcmp(total, want_total) && !strcmp(error, want_error);
		}
		if (!fits)
			fail_msg("no number of hits gives the row of %s", figure3[i].name);
	}
}

/* The defining equation: at each bound the estimate is z standard errors away. */
static void wilson_solves_its_equation(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 5, 10, 50, 100, 7200, 1000000, 1000000000000 };

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		uint64_t n = sizes[s], step = n / 50 ? n / 50 : 1;

		for (uint64_t hits = 0; hits <= n; hits += step) {
			struct stat_interval interval = stat_wilson(hits, n);
			double share = (double)hits / n, bound[2] = { interval.lo, interval.hi };

			assert_true(interval.lo <= share && share <= interval.hi);
			assert_true(interval.lo < interval.hi);
			for (int b = 0; b < 2; b++) {
				double error = sqrt(bound[b] * (1 - bound[b]) / n);

				if (bound[b] > 0 && bound[b] < 1)
					assert_true(fabs(fabs(share - bound[b]) - STAT_Z95 * error) <
						    1e-9 * (error + 1e-6) + 1e-12);
			}
		}
	}
}

/* Published: Newcombe, Statistics in Medicine 17 (1998), Table I, method 3, z = 1.96. */
static void wilson_published(void **state)
{
	static const struct { uint64_t hits, n; double lo, hi; } known[] = {
		{ 81, 263, 0.2553, 0.3662 }, { 15, 148, 0.0624, 0.1605 },
		{ 0, 20, 0.0000, 0.1611 }, { 1, 29, 0.0061, 0.1718 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct stat_interval interval = stat_wilson(known[i].hits, known[i].n);

		assert_true(fabs(interval.lo - known[i].lo) < 0.00005001);
		assert_true(fabs(interval.hi - known[i].hi) < 0.00005001);
	}
}

static void edges(void **state)
{
	(void)state;
	assert_true(stat_wilson(0, 0).lo == 0 && stat_wilson(0, 0).hi == 1);
	assert_true(stat_wilson(0, 100).lo == 0 && stat_wilson(0, 100).hi > 0);
	assert_true(stat_wilson(100, 100).hi == 1 && stat_wilson(100, 100).lo < 1);
	assert_true(stat_wilson_share(1.0000001, 10).hi == 1);
	assert_true(isnan(stat_paper_halfwidth(0, 1)));
	assert_true(stat_paper_halfwidth(0, 100) == 0);
}

/* Published two-sided points of the normal distribution: 95%, 99%, 99.9%. */
static void several_comparisons(void **state)
{
	struct stat_interval one = stat_wilson(30, 100), many = stat_wilson_at(0.3, 100, stat_z(50));

	(void)state;
	assert_true(fabs(stat_z(1) - 1.959964) < 1e-6);
	assert_true(fabs(stat_z(5) - 2.575829) < 1e-6);
	assert_true(fabs(stat_z(50) - 3.290527) < 1e-6);
	assert_true(many.lo < one.lo && many.hi > one.hi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paper_figure3), cmocka_unit_test(wilson_solves_its_equation),
		cmocka_unit_test(wilson_published), cmocka_unit_test(edges),
		cmocka_unit_test(several_comparisons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
