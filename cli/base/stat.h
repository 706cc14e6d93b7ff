/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of sampled shares. Pure functions. All intervals have 95% confidence. The interval of
 * a single share is about this run: how far the sampled share may be from the true share of the
 * time during the run. The intervals of stat_welch() include the variation of the workload itself.
 * docs/statistics.md has the formulas and the reasons.
 */
#ifndef STAT_H
#define STAT_H

#include <stddef.h>

#include "types.h"

/** Two-sided 95% point of the normal distribution. */
#define STAT_Z95	1.959963984540054

/*
 * The excess of samples: by how much the variance of their counts may exceed that of independent
 * samples, as a fraction of the latter. With an excess e, n samples tell as much as n / (1 + e)
 * independent ones, so that their intervals are sqrt(1 + e) times as wide.
 */
#define STAT_INDEPENDENT	0.0

/** Bounds of a share, as fractions 0..1. */
struct stat_interval {
	double lo;
	double hi;
};

/**
 * stat_wilson_share() - Wilson's score interval for a share.
 * @share: estimated share, 0..1 (values outside are taken as the nearer end)
 * @n: samples; 0 gives [0, 1]
 * @excess: of these samples
 *
 * E. B. Wilson, "Probable inference, the law of succession, and statistical
 * inference", JASA 22 (1927): the shares p whose distance from the estimate is
 * at most z standard errors, the error taken at p.
 */
struct stat_interval stat_wilson_share(double share, u64 n, double excess);

/** stat_wilson_at() - Wilson's interval for another confidence: @z standard errors. */
struct stat_interval stat_wilson_at(double share, u64 n, double excess, double z);

/**
 * stat_z() - the two-sided point of the normal distribution for @nr comparisons with a joint
 * confidence of 95%.
 * Bonferroni: each gets 1/nr of the 5%; O. J. Dunn, JASA 56 (1961).
 */
double stat_z(double nr);

/** stat_wilson() - Wilson's 95% interval for @hits of @n samples. */
struct stat_interval stat_wilson(u64 hits, u64 n, double excess);

/** stat_margin() - margin of error: distance of @share to the farther end of its interval. */
double stat_margin(struct stat_interval interval, double share);

/**
 * stat_centre() - the centre of Wilson's 95% interval, between the share and one half: a share for formulas that fail
 * at 0 and 1. As if 1.92 hits and 1.92 other samples had been taken besides (A. Agresti and B. A. Coull, The American
 * Statistician 52 (1998) 119). @share: from 0 to 1, of @n samples
 */
double stat_centre(double share, u64 n, double excess);

/**
 * stat_least_share() - the smallest share that leaves at least one hit in @n samples with 95%
 * probability: 1 - 0.05^(1/n), about 3/n. The "rule of three" of J. A. Hanley and
 * A. Lippman-Hand, JAMA 249 (1983), in its exact form. 1 for n = 0. @n: as independent samples
 */
double stat_least_share(u64 n, double excess);

/**
 * stat_samples_for() - samples after which the farther end of Wilson's interval is at most @half
 * away from @share. The result may be off by half a sample.
 */
double stat_samples_for(double share, double excess, double half);

/**
 * stat_seconds_left() - how much longer to sample until a share, estimated from @n samples in
 * @seconds, is known to +- @half. 0: already known.
 */
double stat_seconds_left(double share, u64 n, double excess, double half, double seconds);

/** One side of a comparison: a mean of @nr values, and their variance with divisor @nr - 1. */
struct stat_mean {
	double mean;
	double variance;
	double nr;
};

/** stat_mean_of() - from the sum of @nr values and the sum of squares. nr < 2: variance 0. */
struct stat_mean stat_mean_of(double sum, double sum2, u64 nr);

/** stat_mean_interval() - 95% interval of a mean, by Student's t. nr < 2: infinite. */
struct stat_interval stat_mean_interval(const struct stat_mean *mean);

/** Result of a comparison. */
struct stat_difference {
	double difference;		/* b - a */
	struct stat_interval interval;	/* 95% */
	double p;	/* probability of a difference as large as this by chance alone */
};

/**
 * stat_welch() - difference of two means whose variances may differ: B. L. Welch, Biometrika
 * 34 (1947), with Satterthwaite's degrees of freedom. Needs nr >= 2 on both sides.
 */
struct stat_difference stat_welch(const struct stat_mean *a, const struct stat_mean *b);

/**
 * stat_one_mean() - whether the mean of values differs from 0: those of pairs, each of which is a
 * difference. Student's t with nr - 1 degrees of freedom; nr < 2: any difference is possible.
 */
struct stat_difference stat_one_mean(const struct stat_mean *mean);

/** Hits of n samples. */
struct stat_count {
	u64 hits;
	u64 n;
	double excess;
};

/**
 * stat_two_shares() - difference of two shares known from hits of n samples: interval by
 * R. G. Newcombe, Statistics in Medicine 17 (1998) 873, method 10 (two Wilson intervals), p
 * by Fisher's exact test, two-sided by probability. Samples with an excess are tested as the
 * number of independent ones that tell as much.
 */
struct stat_difference stat_two_shares(const struct stat_count *a, const struct stat_count *b);

/** A time measured by sampling: a share of @n samples, which together stand for @scale. */
struct stat_time {
	double share;
	u64 n;
	double scale;
	double excess;
};

/**
 * stat_two_times() - difference of two times, such as those of one execution: interval from two
 * Wilson intervals as in stat_two_shares(), which holds for any scales (G. Y. Zou and A. Donner,
 * Statistics in Medicine 27 (2008) 1693); p by the score test, whose standard error is that of a
 * common time. Needs samples and a scale above 0 on both sides.
 */
struct stat_difference stat_two_times(const struct stat_time *a, const struct stat_time *b);

/** A ratio of two estimates, b / a. */
struct stat_ratio {
	double ratio;			/* INFINITY: a is 0; NAN: both are */
	struct stat_interval interval;	/* 95%; .hi is INFINITY if a may be 0 */
};

/**
 * stat_ratio_of_times() - ratio of two times as in stat_two_times(), from their Wilson intervals.
 * R. G. Newcombe, Statistical Methods in Medical Research 25 (2016) 1774 (MOVER-R): the ratios r for
 * which the interval of b - r a by Zou and Donner includes 0.
 */
struct stat_ratio stat_ratio_of_times(const struct stat_time *a, const struct stat_time *b);

/**
 * stat_ratio_of_means() - ratio of two means that cannot be negative: E. C. Fieller, Journal of the
 * Royal Statistical Society B 16 (1954) 175, with Satterthwaite's degrees of freedom at the
 * estimated ratio. Needs nr >= 2 on both sides.
 */
struct stat_ratio stat_ratio_of_means(const struct stat_mean *a, const struct stat_mean *b);

/** One side of a comparison over blocks of time. */
struct stat_side {
	struct stat_time time;		/* by all samples */
	struct stat_mean blocks;	/* of the share, over the blocks */
};

/**
 * stat_two_sides() - difference of two times by stat_welch(), from their variances over blocks. These contain the
 * sampling error, but a few blocks may agree by luck, as they do in a side without hits. They are therefore never
 * taken below the variance of sampling: that of a common time for p, as in stat_two_times(), and for the interval
 * that of the side's own share at stat_centre(). Needs samples, a scale above 0, and 2 blocks on both sides.
 */
struct stat_difference stat_two_sides(const struct stat_side *a, const struct stat_side *b);

/** stat_ratio_of_sides() - their ratio by stat_ratio_of_means(), with the variances of the interval. */
struct stat_ratio stat_ratio_of_sides(const struct stat_side *a, const struct stat_side *b);

/**
 * stat_holm() - correct @nr p-values in place for multiple comparisons: S. Holm, Scandinavian
 * Journal of Statistics 6 (1979). Keeps their order. -ENOMEM.
 */
int stat_holm(double *p, size_t nr);

/** stat_t_tail() - probability that Student's t with @df degrees of freedom is beyond +-|t|. */
double stat_t_tail(double t, double df);

/**
 * stat_paper_halfwidth() - k = 1.96 sqrt(m(1-m)/(n-1)), m = hits/n, as a fraction.
 * Crowe (1992), Appendix; good for n > 50 and shares away from 0 and 1. NAN for n < 2.
 * Times sqrt(1 + @excess).
 */
double stat_paper_halfwidth(u64 hits, u64 n, double excess);

#endif
