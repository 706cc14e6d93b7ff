// SPDX-License-Identifier: GPL-2.0-only
/* Statistics: cli/base/stat.c against the paper's own figures and independent values. */
#include <math.h>

#include "unit.h"
#include "base/stat.h"

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

/* Some integer number of hits must print as both numbers of the row. */
static struct stat_difference two_shares(u64 hits_a, u64 n_a, u64 hits_b, u64 n_b)
{
	const struct stat_count a = { hits_a, n_a, 0 }, b = { hits_b, n_b, 0 };

	return stat_two_shares(&a, &b);
}

static void paper_figure3(void **state)
{
	for (size_t i = 0; i < sizeof(figure3) / sizeof(figure3[0]); i++) {
		int fits = 0;

		for (u64 hits = 1; hits < 7200; hits++) {
			char total[16], error[16], want_total[16], want_error[16];

			snprintf(total, sizeof(total), "%.1f", 100.0 * hits / 7200);
			snprintf(error, sizeof(error), "%.2f",
				 100 * stat_paper_halfwidth(hits, 7200, 0));
			snprintf(want_total, sizeof(want_total), "%.1f", figure3[i].total);
			snprintf(want_error, sizeof(want_error), "%.2f", figure3[i].error);
			fits += !strcmp(total, want_total) && !strcmp(error, want_error);
		}
		if (!fits)
			fail_msg("no number of hits gives the row of %s", figure3[i].name);
	}
}

/* The defining equation: at each bound, the estimate is z standard errors away. */
static void wilson_solves_its_equation(void **state)
{
	static const u64 sizes[] = { 1, 2, 5, 10, 50, 100, 7200, 1000000, 1000000000000 };

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		u64 n = sizes[s], step = n / 50 ? n / 50 : 1;

		for (u64 hits = 0; hits <= n; hits += step) {
			struct stat_interval interval = stat_wilson(hits, n, 0);
			double share = (double)hits / n, bound[2] = { interval.lo, interval.hi };

			assert_true(interval.lo <= share && share <= interval.hi);
			assert_true(interval.lo < interval.hi);
			for (int b = 0; b < 2; b++) {
				double error = sqrt(bound[b] * (1 - bound[b]) / n);

				if (bound[b] > 0 && bound[b] < 1)
					assert_true(fabs(fabs(share - bound[b]) -
							 STAT_Z95 * error) <
						    1e-9 * (error + 1e-6) + 1e-12);
			}
		}
	}
}

/* Published: Newcombe, Statistics in Medicine 17 (1998), Table I, method 3, z = 1.96. */
static void wilson_published(void **state)
{
	static const struct { u64 hits, n; double lo, hi; } known[] = {
		{ 81, 263, 0.2553, 0.3662 }, { 15, 148, 0.0624, 0.1605 },
		{ 0, 20, 0.0000, 0.1611 }, { 1, 29, 0.0061, 0.1718 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct stat_interval interval = stat_wilson(known[i].hits, known[i].n, 0);

		assert_true(fabs(interval.lo - known[i].lo) < 0.00005001);
		assert_true(fabs(interval.hi - known[i].hi) < 0.00005001);
	}
}

/* How often the interval contains @share, summed over the binomial distribution of the hits. */
static double coverage(double share, u64 n)
{
	double covered = 0;

	for (u64 hits = 0; hits <= n; hits++) {
		struct stat_interval interval = stat_wilson(hits, n, 0);

		if (interval.lo <= share && share <= interval.hi)
			covered += exp(lgamma(n + 1.0) - lgamma(hits + 1.0) -
				       lgamma(n - hits + 1.0) + hits * log(share) +
				       (n - hits) * log1p(-share));
	}
	return covered;
}

/*
 * The mean coverage over all shares is 95%, a little more for few samples. For rare shares,
 * coverage is lowest just below the lower bound of one hit, 1 + z^2/2 - z sqrt(1 + z^2/4) = 0.17651
 * over n, where only a run without hits has an interval that contains the share: exp(-0.17651) =
 * 0.838. Just above, a run with one hit has such an interval as well.
 */
static void coverage_of_independent_samples(void **state)
{
	double sum = 0, n = 1000;

	for (int i = 0; i < 1000; i++)
		sum += coverage((i + 0.5) / 1000, 50);
	assert_true(fabs(sum / 1000 - 0.9518) < 0.0005);
	assert_true(fabs(coverage(0.1764 / n, n) - exp(-0.1764)) < 0.0005);
	assert_true(fabs(coverage(0.1768 / n, n) - 1.1768 * exp(-0.1768)) < 0.0005);
}

static void edges(void **state)
{
	assert_true(stat_wilson(0, 0, 0).lo == 0 && stat_wilson(0, 0, 0).hi == 1);
	assert_true(stat_wilson(0, 100, 0).lo == 0 && stat_wilson(0, 100, 0).hi > 0);
	assert_true(stat_wilson(100, 100, 0).hi == 1 && stat_wilson(100, 100, 0).lo < 1);
	assert_true(stat_wilson_share(1.0000001, 10, 0).hi == 1);
	/* half of 1.96 squared more hits, and as many samples without a hit */
	assert_true(fabs(stat_centre(0, 1000, 0) - 1.920729 / 1003.841459) < 1e-9);
	assert_true(fabs(stat_centre(0.1, 1000, 1) - (50 + 1.920729) / 503.841459) < 1e-9);
	assert_true(stat_centre(0.5, 10, 0) == 0.5 && stat_centre(0.2, 0, 0) == 0.5);
	assert_true(isnan(stat_paper_halfwidth(0, 1, 0)));
	assert_true(stat_paper_halfwidth(0, 100, 0) == 0);
	assert_true(fabs(stat_paper_halfwidth(1, 2, 0) - 1.96 * 0.5) < 1e-12);
	assert_true(fabs(stat_paper_halfwidth(5, 10, 0) - 1.96 * 0.5 / 3) < 1e-12);
}

/* Published two-sided points of the normal distribution: 95%, 99%, 99.9%. */
static void several_comparisons(void **state)
{
	struct stat_interval one = stat_wilson(30, 100, 0),
		many = stat_wilson_at(0.3, 100, 0, stat_z(50));

	assert_true(fabs(stat_z(1) - 1.959964) < 1e-6);
	assert_true(fabs(stat_z(5) - 2.575829) < 1e-6);
	assert_true(fabs(stat_z(50) - 3.290527) < 1e-6);
	assert_true(many.lo < one.lo && many.hi > one.hi);
}

/* Published two-sided 5% points of Student's t, and a tail that has a closed form. */
static void student(void **state)
{
	static const struct { double df, t; } table[] = {
		{ 1, 12.706 }, { 2, 4.303 }, { 5, 2.571 }, { 10, 2.228 }, { 30, 2.042 },
		{ 120, 1.980 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_true(fabs(stat_t_tail(table[i].t, table[i].df) - 0.05) < 0.0001);
	/* One degree of freedom is Cauchy's distribution. */
	for (double t = 0.1; t < 100; t *= 3)
		assert_true(fabs(stat_t_tail(t, 1) - (1 - 2 / M_PI * atan(t))) < 1e-12);
	assert_true(fabs(stat_t_tail(1.959964, 1e9) - 0.05) < 1e-6);
	assert_true(stat_t_tail(0, 3) == 1);
}

/*
 * Welch: in the standard textbook case of equal sizes and variances, the test equals the ordinary
 * t-test. And R's t.test(extra ~ group, data = sleep): t = -1.8608, df = 17.776, p = 0.07939,
 * -3.3655 to 0.2055.
 */
static void welch_published(void **state)
{
	static const double a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	static const double b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	double sum[2] = { 0, 0 }, sum2[2] = { 0, 0 };
	struct stat_mean mean[2];
	struct stat_difference found;

	for (int i = 0; i < 10; i++) {
		sum[0] += a[i], sum2[0] += a[i] * a[i];
		sum[1] += b[i], sum2[1] += b[i] * b[i];
	}
	for (int i = 0; i < 2; i++)
		mean[i] = stat_mean_of(sum[i], sum2[i], 10);
	found = stat_welch(&mean[0], &mean[1]);
	assert_true(fabs(found.difference - 1.58) < 1e-9);
	assert_true(fabs(found.p - 0.07939) < 0.00001);
	assert_true(fabs(found.interval.lo + 0.2054832) < 0.000001);
	assert_true(fabs(found.interval.hi - 3.3654832) < 0.000001);
	mean[0].variance = mean[1].variance = 0;
	assert_true(stat_welch(&mean[0], &mean[0]).p == 1 && stat_welch(&mean[0], &mean[1]).p == 0);
}

/*
 * Samples of different sizes, by hand: 9 / 10 and 0.9 / 20 give a standard error of
 * sqrt(0.945), t = 1.5 / 0.97211 = 1.54303 and 0.945^2 / (0.9^2 / 9 + 0.045^2 / 19) = 9.91052
 * degrees of freedom.
 */
static void welch_by_hand(void **state)
{
	struct stat_mean a = { .mean = 20.6, .variance = 9, .nr = 10 };
	struct stat_mean b = { .mean = 22.1, .variance = 0.9, .nr = 20 };
	struct stat_difference found = stat_welch(&a, &b), back = stat_welch(&b, &a);

	assert_true(fabs(found.p - stat_t_tail(1.5430335, 9.910523)) < 1e-6);
	assert_true(fabs(found.p - back.p) < 1e-12);
	assert_true(fabs(found.interval.lo + back.interval.hi) < 1e-9);
}

/* Newcombe 1998 (II), Table II (a): 56/70 - 48/80, method 10. Fisher's tea: 3 of 4 recognized. */
static void two_shares_published(void **state)
{
	struct stat_difference found = two_shares(48, 80, 56, 70);

	assert_true(fabs(found.difference - 0.2) < 1e-12);
	assert_true(fabs(found.interval.lo - 0.0524) < 0.00005001);
	assert_true(fabs(found.interval.hi - 0.3339) < 0.00005001);
	assert_true(fabs(two_shares(3, 4, 1, 4).p - 34.0 / 70) < 1e-9);
	assert_true(fabs(two_shares(5, 10, 5, 10).p - 1) < 1e-9);
	assert_true(two_shares(0, 1000, 40, 1000).p < 1e-9);
}

/*
 * The time of 48 of 80 samples of one scale, 56 of 70 of another. Equal scales give the interval of
 * shares; p by hand: (48 + 56) / 150 of either, z = 0.2 / sqrt(0.6933 0.3067 (1/80 + 1/70)) = 2.650.
 */
static void two_times(void **state)
{
	struct stat_time a = { 48.0 / 80, 80, 10 }, b = { 56.0 / 70, 70, 10 };
	struct stat_difference shares = two_shares(48, 80, 56, 70), found;

	found = stat_two_times(&a, &b);
	assert_true(fabs(found.difference - 2) < 1e-12);
	assert_true(fabs(found.interval.lo - 10 * shares.interval.lo) < 1e-12);
	assert_true(fabs(found.interval.hi - 10 * shares.interval.hi) < 1e-12);
	assert_true(fabs(found.p - erfc(2.650 / M_SQRT2)) < 0.0001);
	/* Half the scale with twice the samples per unit: the times are 6 and 4. */
	b.scale = 5;
	found = stat_two_times(&a, &b);
	assert_true(fabs(found.difference + 2) < 1e-12);
	assert_true(found.interval.hi < 0 && found.p < 0.05);
	/* Equal times of different shares do not differ. */
	b = (struct stat_time){ 0.3, 70, 20 };
	found = stat_two_times(&a, &b);
	assert_true(fabs(found.difference) < 1e-12 && found.p > 0.999);
	/* A common time that would be more than everything leaves no variance. */
	a = (struct stat_time){ 1, 100, 1 };
	b = (struct stat_time){ 1, 100, 2 };
	assert_true(stat_two_times(&a, &b).p < 1e-9);
	assert_true(stat_two_times(&a, &a).p == 1);
}

/* A ratio is inside its interval if the difference of the times, one taken that often, may be 0. */
static void ratio_of_times(void **state)
{
	static const struct stat_time times[][2] = {
		{ { 0.242, 10000, 1e3 }, { 0.156, 10000, 1e3 } },
		{ { 48.0 / 80, 80, 10 }, { 56.0 / 70, 70, 3 } },
		{ { 0.02, 100, 7 }, { 0.01, 100, 8 } },		/* twice the value is below its end */
	};
	struct stat_ratio found;

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		const struct stat_time *b = &times[i][1];
		struct stat_time a = times[i][0];

		found = stat_ratio_of_times(&a, b);
		assert_true(fabs(found.ratio - b->share * b->scale / a.share / a.scale) < 1e-12);
		a.scale = times[i][0].scale * found.interval.lo;
		assert_true(fabs(stat_two_times(&a, b).interval.lo) < 1e-9 * b->scale);
		a.scale = times[i][0].scale * found.interval.hi;
		assert_true(fabs(stat_two_times(&a, b).interval.hi) < 1e-9 * b->scale);
	}
	/* No hits in b, in a, in both. */
	found = stat_ratio_of_times(&(struct stat_time){ 0.5, 100, 1 },
				    &(struct stat_time){ 0, 100, 1 });
	assert_true(found.ratio == 0 && found.interval.lo == 0);
	assert_true(found.interval.hi > 0.03 && found.interval.hi < 0.2);
	found = stat_ratio_of_times(&(struct stat_time){ 0, 100, 1 },
				    &(struct stat_time){ 0.5, 100, 1 });
	assert_true(isinf(found.ratio) && isinf(found.interval.hi));
	assert_true(found.interval.lo > 5 && found.interval.lo < 30);
	found = stat_ratio_of_times(&(struct stat_time){ 0, 100, 1 },
				    &(struct stat_time){ 0, 100, 1 });
	assert_true(isnan(found.ratio) && found.interval.lo == 0 && isinf(found.interval.hi));
}

/* Fieller's ends r solve (b - r a)^2 = t^2 (vb + r^2 va). */
static void ratio_of_means(void **state)
{
	struct stat_mean a = { .mean = 20, .variance = 10, .nr = 10 };
	struct stat_mean b = { .mean = 30, .variance = 22.5, .nr = 10 };
	struct stat_ratio found = stat_ratio_of_means(&a, &b);
	/* At the ratio 1.5 both terms are equal: 18 degrees of freedom, t = 2.1009. */
	double end[] = { found.interval.lo, found.interval.hi };

	assert_true(fabs(found.ratio - 1.5) < 1e-12);
	for (int i = 0; i < 2; i++)
		assert_true(fabs(fabs(30 - end[i] * 20) -
				 2.100922 * sqrt(2.25 + end[i] * end[i])) < 1e-5);
	assert_true(end[0] < 1.5 && end[1] > 1.5);
	/* A mean that may be 0. */
	a.variance = 10000;
	found = stat_ratio_of_means(&a, &b);
	assert_true(found.interval.lo >= 0 && isinf(found.interval.hi));
	/* Means that do not vary. */
	a.variance = b.variance = 0;
	found = stat_ratio_of_means(&a, &b);
	assert_true(fabs(found.interval.lo - 1.5) < 1e-9 && fabs(found.interval.hi - 1.5) < 1e-9);
}

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* The exact test by its definition: the sum of all probabilities that are no larger. */
static double fisher_defined(int hits_a, int n_a, int hits_b, int n_b)
{
	int hits = hits_a + hits_b;
	double all = log_choose(n_a + n_b, hits), sum = 0, p;
	double seen = log_choose(n_a, hits_a) + log_choose(n_b, hits_b) - all;

	for (int x = hits > n_b ? hits - n_b : 0; x <= hits && x <= n_a; x++) {
		p = log_choose(n_a, x) + log_choose(n_b, hits - x) - all;
		sum += p <= seen + 1e-7 ? exp(p) : 0;
	}
	return fmin(sum, 1);
}

/*
 * Times over blocks: 10 us per unit on side b, 5 on side a. By hand: the common share of all hits is (0 + 40) / (1000 /
 * 5 + 2000 / 10) / 5 = 0.02 on side a and 0.01 on side b. Blocks that vary more keep their variance.
 */
static void sides_by_blocks(void **state)
{
	struct stat_side a = { { 0, 1000, 5, 0 }, { 0, 0, 10 } };
	struct stat_side b = { { 0.02, 2000, 10, 0 }, { 0.02, 0.001, 20 } };
	const double centre = 1.920729 / 1003.841459;
	struct stat_mean own_a = { 0, 25 * centre * (1 - centre) / 1000 * 10, 10 };
	struct stat_mean common_a = { 0, 25 * 0.02 * 0.98 / 1000 * 10, 10 };
	struct stat_mean of_b = { 0.2, 100 * 0.001, 20 };
	struct stat_difference found = stat_two_sides(&a, &b), own = stat_welch(&own_a, &of_b);

	assert_true(fabs(found.p - stat_welch(&common_a, &of_b).p) < 1e-9 && fabs(found.difference - 0.2) < 1e-12);
	assert_true(fabs(found.interval.lo - own.interval.lo) < 1e-9);
	assert_true(fabs(found.interval.hi - own.interval.hi) < 1e-9);
	assert_true(isinf(stat_ratio_of_sides(&a, &b).ratio));
	assert_true(fabs(stat_ratio_of_sides(&b, &b).interval.lo - stat_ratio_of_means(&of_b, &of_b).interval.lo) < 1e-12);
}

static void exact_test_by_definition(void **state)
{
	u64 x = 88172645463325252ULL;

	for (int i = 0; i < 3000; i++) {
		int n_a, n_b, a, b;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		n_a = 1 + x % 300, n_b = 1 + (x >> 16) % 300;
		a = (x >> 32) % (n_a + 1), b = (x >> 48) % (n_b + 1);
		assert_true(fabs(two_shares(a, n_a, b, n_b).p -
				 fisher_defined(a, n_a, b, n_b)) <
			    1e-9);
	}
}

/* More samples than any run has: the normal distribution, instantly. And impossible counts. */
static void exact_test_of_large_counts(void **state)
{
	u64 large = 1ULL << 62;

	/* near the largest that is summed up, compared with its normal approximation */
	assert_true(fabs(two_shares(40008000, 80000000, 39992000, 80000000).p -
			 erfc(7999.5 / sqrt(1e7) / M_SQRT2)) < 1e-6);
	assert_true(fabs(two_shares(large / 2 + (1 << 30), large, large / 2 - (1 << 30),
					 large).p -
			 erfc(1)) < 1e-6);
	assert_true(two_shares(1, 1ULL << 40, 300, 1ULL << 40).p < 1e-9);
	assert_true(two_shares(5, 4, 1, 4).p == 1);
	assert_true(two_shares(large + 1, large, ~0ULL, large).p == 1);
}

/* Holm's rule, by hand: 0.01 x 4, 0.02 x 3, 0.03 x 2, 0.4. */
static void holm_by_hand(void **state)
{
	double p[] = { 0.03, 0.01, 0.4, 0.02 }, ones[] = { 0.9, 0.8 };

	assert_int_equal(stat_holm(p, 4), 0);
	assert_true(fabs(p[0] - 0.06) < 1e-12 && fabs(p[1] - 0.04) < 1e-12);
	assert_true(fabs(p[2] - 0.4) < 1e-12 && fabs(p[3] - 0.06) < 1e-12);
	assert_int_equal(stat_holm(ones, 2), 0);
	assert_true(ones[0] == 1 && ones[1] == 1);
	assert_int_equal(stat_holm(NULL, 0), 0);
}

/* The least share that 95 of 100 runs have seen, and the samples that a precision takes. */
static void least_share_and_samples_needed(void **state)
{
	for (u64 n = 1; n < 1000000; n *= 10)
		assert_true(fabs(pow(1 - stat_least_share(n, 0), n) - 0.05) < 1e-9);
	assert_true(stat_least_share(0, 0) == 1);
	for (double share = 0; share <= 1; share += 0.125) {
		double n = ceil(stat_samples_for(share, 0, 0.005));
		struct stat_interval enough = stat_wilson_share(share, n + 1, 0);
		struct stat_interval fewer = stat_wilson_share(share, n * 0.98, 0);

		assert_true(fmax(enough.hi - share, share - enough.lo) <= 0.005);
		assert_true(fmax(fewer.hi - share, share - fewer.lo) > 0.005);
	}
	assert_true(stat_seconds_left(0.5, 100000, 0, 0.005, 10) == 0);
	assert_true(fabs(stat_seconds_left(0.5, 10000, 0, 0.005, 10) - 28.4) < 0.2);
}

/* Student's t from a table: 12.7062, 2.0930 and 1.9842 with 1, 19 and 99 degrees of freedom. */
static void means_have_intervals(void **state)
{
	static const struct { double nr, t95; } cases[] = {
		{ 2, 12.7062 }, { 20, 2.0930 }, { 100, 1.9842 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stat_mean mean = { .mean = 5, .variance = 4, .nr = cases[i].nr };
		struct stat_interval found = stat_mean_interval(&mean);

		assert_true(fabs(found.hi - 5 - cases[i].t95 * 2 / sqrt(cases[i].nr)) < 1e-3);
		assert_true(fabs(found.hi + found.lo - 10) < 1e-9);
	}
	assert_true(isinf(stat_mean_interval(&(struct stat_mean){ .nr = 1 }).hi));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paper_figure3), cmocka_unit_test(wilson_solves_its_equation),
		cmocka_unit_test(wilson_published), cmocka_unit_test(edges), cmocka_unit_test(sides_by_blocks),
		cmocka_unit_test(several_comparisons), cmocka_unit_test(student),
		cmocka_unit_test(welch_published), cmocka_unit_test(welch_by_hand),
		cmocka_unit_test(two_shares_published),
		cmocka_unit_test(two_times),
		cmocka_unit_test(ratio_of_times),
		cmocka_unit_test(ratio_of_means),
		cmocka_unit_test(exact_test_by_definition),
		cmocka_unit_test(exact_test_of_large_counts), cmocka_unit_test(holm_by_hand),
		cmocka_unit_test(least_share_and_samples_needed),
		cmocka_unit_test(coverage_of_independent_samples),
		cmocka_unit_test(means_have_intervals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
