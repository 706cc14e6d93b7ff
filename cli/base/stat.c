// SPDX-License-Identifier: GPL-2.0-only
/* Statistics of sampled shares: see stat.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/stat.h"

#define DF_MAX		1e6	/* degrees of freedom; above, Student's t is normal to 6 digits */
#define SD_MAX		5000	/* standard deviation in hits; above, the count is normal */
#define COUNTS_MAX	1e15	/* samples; above, a double cannot count one more */
#define PROBABILITY_MIN	1e-290	/* least summand, relative to the largest */

/* The centre of Wilson's interval. @z2n: z squared over the number of independent samples */
static double wilson_centre(double share, double z2n)
{
	return (share + z2n / 2) / (1 + z2n);
}

double stat_centre(double share, u64 n, double excess)
{
	return n ? wilson_centre(share, STAT_Z95 * STAT_Z95 * (1 + excess) / n) : 0.5;
}

struct stat_interval stat_wilson_at(double share, u64 n, double excess, double z)
{
	double independent = n / (1 + excess), z2n = z * z / independent;
	double centre, half;

	if (!n)
		return (struct stat_interval){ 0, 1 };
	share = fmin(fmax(share, 0), 1);
	centre = wilson_centre(share, z2n);
	half = z / (1 + z2n) * sqrt((share * (1 - share) + z2n / 4) / independent);
	/* At 0 and 1 the bound is exact; rounding would leave a residue of the square root. */
	return (struct stat_interval){
		.lo = share > 0 ? fmax(centre - half, 0) : 0,
		.hi = share < 1 ? fmin(centre + half, 1) : 1,
	};
}

struct stat_interval stat_wilson_share(double share, u64 n, double excess)
{
	return stat_wilson_at(share, n, excess, STAT_Z95);
}

double stat_z(double nr)
{
	double low = 0, high = 40, tail = 0.05 / nr;
	int i;

	/* erfc(z / sqrt(2)), the probability beyond +-z, decreases with z. */
	for (i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (erfc(middle / M_SQRT2) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct stat_interval stat_wilson(u64 hits, u64 n, double excess)
{
	return stat_wilson_share(n ? (double)hits / n : 0, n, excess);
}

double stat_paper_halfwidth(u64 hits, u64 n, double excess)
{
	double share;

	if (n < 2)
		return NAN;
	share = (double)hits / n;
	return 1.96 * sqrt(share * (1 - share) * (1 + excess) / (n - 1));
}

double stat_margin(struct stat_interval interval, double share)
{
	return fmax(interval.hi - share, share - interval.lo);
}

double stat_least_share(u64 n, double excess)
{
	return n ? -expm1(log(0.05) * (1 + excess) / n) : 1;
}

static double get_farther_halfwidth(double share, double n, double excess)
{
	return stat_margin(stat_wilson_share(share, n < 1 ? 1 : llround(n), excess), share);
}

double stat_samples_for(double share, double excess, double half)
{
	double low = 0, high = 1;

	while (get_farther_halfwidth(share, high, excess) > half && high < 1e15)
		high *= 2;
	while (high - low > 0.5) {
		double middle = (low + high) / 2;

		if (get_farther_halfwidth(share, middle, excess) > half)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double stat_seconds_left(double share, u64 n, double excess, double half, double seconds)
{
	if (!n || get_farther_halfwidth(share, n, excess) <= half)
		return n ? 0 : seconds;
	return seconds * (stat_samples_for(share, excess, half) / n - 1);
}

struct stat_mean stat_mean_of(double sum, double sum2, u64 nr)
{
	double mean = nr ? sum / nr : 0;

	return (struct stat_mean){
		.mean = mean, .nr = nr,
		.variance = nr > 1 ? fmax(sum2 - sum * mean, 0) / (nr - 1) : 0,
	};
}

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated by the
 * modified method of Lentz. Converges fast for x < (a + 1) / (a + b + 2).
 */
static double compute_beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;
	int m, half;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (m = 1; m < 10000; m++) {
		double step = 1;

		for (half = 0; half < 2; half++) {
			double term = half ?
				-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)) :
				m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));

			d = 1 + term * d;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = 1 + term / c;
			c = fabs(c) < tiny ? tiny : c;
			step *= d * c;
		}
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

/* The regularized incomplete beta function I_x(a, b). */
static double compute_beta_share(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * compute_beta_fraction(a, b, x) / a :
		1 - front * compute_beta_fraction(b, a, 1 - x) / b;
}

double stat_t_tail(double t, double df)
{
	if (df > DF_MAX)
		return erfc(fabs(t) / M_SQRT2);
	return compute_beta_share(df / 2, 0.5, df / (df + t * t));
}

/* The two-sided 95% point of Student's t. */
static double find_t95(double df)
{
	double low = 0, high = 1e6;
	int i;

	for (i = 0; i < 200 && high - low > 1e-13 * high; i++) {
		double middle = (low + high) / 2;

		if (stat_t_tail(middle, df) > 0.05)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct stat_interval stat_mean_interval(const struct stat_mean *mean)
{
	double half = mean->nr < 2 ? INFINITY :
		find_t95(mean->nr - 1) * sqrt(mean->variance / mean->nr);

	return (struct stat_interval){ mean->mean - half, mean->mean + half };
}

/* Satterthwaite's degrees of freedom of a sum of two variances of means. */
static double find_df(const struct stat_mean *a, double va, const struct stat_mean *b, double vb)
{
	return (va + vb) * (va + vb) / (va * va / (a->nr - 1) + vb * vb / (b->nr - 1));
}

struct stat_difference stat_welch(const struct stat_mean *a, const struct stat_mean *b)
{
	double va = a->variance / a->nr, vb = b->variance / b->nr, error = sqrt(va + vb), df, half;
	struct stat_difference found = { .difference = b->mean - a->mean, .p = 1 };

	found.interval = (struct stat_interval){ found.difference, found.difference };
	if (!(error > 0)) {
		found.p = found.difference != 0 ? 0 : 1;
		return found;
	}
	df = find_df(a, va, b, vb);
	/* Impossible sums, from a forged file. */
	if (!isfinite(df))
		return found;
	half = find_t95(df) * error;
	found.interval.lo -= half;
	found.interval.hi += half;
	found.p = stat_t_tail(found.difference / error, df);
	return found;
}

struct stat_difference stat_one_mean(const struct stat_mean *mean)
{
	double error = sqrt(mean->variance / mean->nr);
	struct stat_difference found = {
		.difference = mean->mean, .interval = stat_mean_interval(mean), .p = 1,
	};

	if (mean->nr < 2)
		return found;
	if (!(error > 0))
		found.p = mean->mean != 0 ? 0 : 1;
	else
		found.p = stat_t_tail(mean->mean / error, mean->nr - 1);
	return found;
}

/** A table of two rows and two columns with fixed sums. */
struct fourfold {
	double n_a;
	double hits;		/* hits of both rows */
	double rest;		/* samples of both without a hit, less n_a */
};

/* P(x + 1 hits in a) / P(x hits in a). */
static double probability_ratio(const struct fourfold *sums, double x)
{
	return (sums->hits - x) * (sums->n_a - x) / ((x + 1) * (sums->rest + x + 1));
}

/* Sum of the probabilities up to @limit, relative to P(@mode), the largest. */
static double sum_tails(const struct fourfold *sums, double first, double last, double mode,
			double limit)
{
	double p, x, all = 1, tails = limit >= 1 ? 1 : 0;

	for (p = 1, x = mode; x < last && p > PROBABILITY_MIN; x++) {
		p *= probability_ratio(sums, x);
		all += p;
		tails += p <= limit ? p : 0;
	}
	for (p = 1, x = mode; x > first && p > PROBABILITY_MIN; x--) {
		p /= probability_ratio(sums, x - 1);
		all += p;
		tails += p <= limit ? p : 0;
	}
	return tails / all;
}

/*
 * Sums the hypergeometric probabilities that are at most the probability of the observed table.
 * The number of steps grows with the standard deviation; if that is large, the normal distribution
 * is used instead.
 */
static double test_fisher(u64 hits_a, u64 n_a, u64 hits_b, u64 n_b)
{
	double hits = (double)hits_a + hits_b, n = (double)n_a + n_b, share = hits / n;
	struct fourfold sums = { n_a, hits, n_b - hits };
	double first = fmax(hits - n_b, 0), last = fmin(hits, n_a), mode, seen = 1, x;
	double sd = sqrt(share * (1 - share) * n_a * n_b / fmax(n - 1, 1));

	/* Impossible counts, or no samples. */
	if (hits_a > n_a || hits_b > n_b || !n_a || !n_b)
		return 1;
	if (sd > SD_MAX || n > COUNTS_MAX)
		return erfc(fmax(fabs(hits_a - share * n_a) - 0.5, 0) / sd / M_SQRT2);
	mode = fmin(fmax(floor((hits + 1) * (n_a + 1.0) / (n + 2)), first), last);
	for (x = mode; x < hits_a && seen > PROBABILITY_MIN; x++)
		seen *= probability_ratio(&sums, x);
	for (x = mode; x > hits_a && seen > PROBABILITY_MIN; x--)
		seen /= probability_ratio(&sums, x - 1);
	/* The margin includes equal probabilities in spite of rounding. */
	return fmin(sum_tails(&sums, first, last, mode, seen * (1 + 1e-7)), 1);
}

/* The independent samples that tell as much, and their hits. */
static struct stat_count make_independent(const struct stat_count *count)
{
	if (!(count->excess > 0))
		return *count;
	return (struct stat_count){
		.hits = llround(count->hits / (1 + count->excess)),
		.n = llround(count->n / (1 + count->excess)),
	};
}

struct stat_difference stat_two_shares(const struct stat_count *a, const struct stat_count *b)
{
	struct stat_interval in_a = stat_wilson(a->hits, a->n, a->excess);
	struct stat_interval in_b = stat_wilson(b->hits, b->n, b->excess);
	double share_a = a->n ? (double)a->hits / a->n : 0;
	double share_b = b->n ? (double)b->hits / b->n : 0;
	const struct stat_count test_a = make_independent(a), test_b = make_independent(b);
	struct stat_difference found = { .difference = share_b - share_a };

	found.interval.lo = found.difference - hypot(share_b - in_b.lo, in_a.hi - share_a);
	found.interval.hi = found.difference + hypot(in_b.hi - share_b, share_a - in_a.lo);
	found.p = test_fisher(test_a.hits, test_a.n, test_b.hits, test_b.n);
	return found;
}

/* Variance of a measured time if the true time is @time. */
static double time_variance(const struct stat_time *at, double time)
{
	double share = fmin(time / at->scale, 1);

	return at->scale * at->scale * share * (1 - share) * (1 + at->excess) / at->n;
}

/* Samples per unit of time weigh: the common time is that of all hits together. */
static double common_time(const struct stat_time *a, const struct stat_time *b)
{
	double per_a = a->n / a->scale, per_b = b->n / b->scale;

	return (a->share * a->scale * per_a + b->share * b->scale * per_b) / (per_a + per_b);
}

struct stat_difference stat_two_times(const struct stat_time *a, const struct stat_time *b)
{
	double time_a = a->share * a->scale, time_b = b->share * b->scale;
	double common = common_time(a, b);
	double error = sqrt(time_variance(a, common) + time_variance(b, common));
	struct stat_interval in_a = stat_wilson_share(a->share, a->n, a->excess);
	struct stat_interval in_b = stat_wilson_share(b->share, b->n, b->excess);
	struct stat_difference found = { .difference = time_b - time_a, .p = 1 };

	found.interval.lo = found.difference - hypot(time_b - in_b.lo * b->scale,
						     in_a.hi * a->scale - time_a);
	found.interval.hi = found.difference + hypot(in_b.hi * b->scale - time_b,
						     time_a - in_a.lo * a->scale);
	if (found.difference != 0)
		found.p = error > 0 ? erfc(fabs(found.difference) / error / M_SQRT2) : 0;
	return found;
}

/** An estimate that cannot be negative, and its interval. */
struct bounded {
	double value;
	struct stat_interval in;
};

/*
 * The ratio r = b / a is inside if b - r a, whose interval is built from those of both, may be 0.
 * That is a quadratic equation in r. With intervals that are symmetric it is Fieller's.
 */
static struct stat_ratio find_ratio(const struct bounded *a, const struct bounded *b)
{
	double both = a->value * b->value, a_lo = a->in.lo, a_hi = a->in.hi;
	double low = b->in.lo * (2 * b->value - b->in.lo);
	double high = b->in.hi * (2 * b->value - b->in.hi);
	double root_low = sqrt(fmax(both * both - low * a_hi * (2 * a->value - a_hi), 0));
	double root_high = sqrt(fmax(both * both - high * a_lo * (2 * a->value - a_lo), 0));

	return (struct stat_ratio){
		.ratio = b->value / a->value,
		.interval.lo = low > 0 ? low / (both + root_low) : 0,
		.interval.hi = a_lo > 0 ? (both + root_high) / (a_lo * (2 * a->value - a_lo)) :
			INFINITY,
	};
}

static struct bounded find_time_bounds(const struct stat_time *time)
{
	struct stat_interval in = stat_wilson_share(time->share, time->n, time->excess);

	return (struct bounded){
		time->share * time->scale, { in.lo * time->scale, in.hi * time->scale }
	};
}

struct stat_ratio stat_ratio_of_times(const struct stat_time *a, const struct stat_time *b)
{
	const struct bounded in_a = find_time_bounds(a), in_b = find_time_bounds(b);

	return find_ratio(&in_a, &in_b);
}

static struct bounded find_mean_bounds(const struct stat_mean *mean, double t)
{
	double half = t * sqrt(mean->variance / mean->nr);

	return (struct bounded){ mean->mean, { fmax(mean->mean - half, 0), mean->mean + half } };
}

struct stat_ratio stat_ratio_of_means(const struct stat_mean *a, const struct stat_mean *b)
{
	/* Variances of b and of (b / a) a, both times the square of a. */
	double vb = b->variance / b->nr * a->mean * a->mean;
	double va = a->variance / a->nr * b->mean * b->mean;
	double df = find_df(a, va, b, vb);
	double t = find_t95(isfinite(df) ? df : DF_MAX);
	const struct bounded in_a = find_mean_bounds(a, t), in_b = find_mean_bounds(b, t);

	return find_ratio(&in_a, &in_b);
}

/* The mean time over blocks, whose variance is at least that of sampling if the true time is @time. */
static struct stat_mean find_side_mean(const struct stat_side *side, double time)
{
	const struct stat_time *at = &side->time;

	return (struct stat_mean){
		.mean = at->share * at->scale, .nr = side->blocks.nr,
		.variance = fmax(side->blocks.variance * at->scale * at->scale,
				 time_variance(at, time) * side->blocks.nr),
	};
}

/* With a true time near the measured one. */
static struct stat_mean find_own_mean(const struct stat_side *side)
{
	const struct stat_time *at = &side->time;

	return find_side_mean(side, stat_centre(at->share, at->n, at->excess) * at->scale);
}

struct stat_difference stat_two_sides(const struct stat_side *a, const struct stat_side *b)
{
	double common = common_time(&a->time, &b->time);
	const struct stat_mean own_a = find_own_mean(a), own_b = find_own_mean(b);
	const struct stat_mean common_a = find_side_mean(a, common), common_b = find_side_mean(b, common);
	struct stat_difference found = stat_welch(&own_a, &own_b);

	found.p = stat_welch(&common_a, &common_b).p;
	return found;
}

struct stat_ratio stat_ratio_of_sides(const struct stat_side *a, const struct stat_side *b)
{
	const struct stat_mean own_a = find_own_mean(a), own_b = find_own_mean(b);

	return stat_ratio_of_means(&own_a, &own_b);
}

static int compare_p_values(const void *a, const void *b)
{
	double x = **(double *const *)a, y = **(double *const *)b;

	return (x > y) - (x < y);
}

int stat_holm(double *p, size_t nr)
{
	double **order = calloc(nr + 1, sizeof(double *)), least = 0;
	size_t i;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		order[i] = &p[i];
	qsort(order, nr, sizeof(double *), compare_p_values);
	/* Keep the corrected values ascending and at most 1. */
	for (i = 0; i < nr; i++)
		least = *order[i] = fmin(fmax(*order[i] * (nr - i), least), 1);
	free(order);
	return 0;
}
