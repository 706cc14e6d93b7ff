/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of sampled shares. Pure functions. All intervals are of 95%
 * confidence and speak of this run's share: how far the sampled fraction may be
 * from the fraction of time truly spent while sampling went on.
 */
#ifndef STAT_H
#define STAT_H

#include <stdint.h>

/** Two-sided 95% point of the normal distribution. */
#define STAT_Z95	1.959963984540054

/** Bounds of a share, as fractions 0..1. */
struct stat_interval {
	double lo;
	double hi;
};

/**
 * stat_wilson_share() - Wilson's score interval for a share.
 * @share: estimated share, 0..1 (values outside are taken as the nearer end)
 * @n: samples it rests on; 0 gives [0, 1]
 *
 * E. B. Wilson, "Probable inference, the law of succession, and statistical
 * inference", JASA 22 (1927): the shares p whose distance from the estimate is
 * at most z standard errors, the error taken at p.
 */
struct stat_interval stat_wilson_share(double share, uint64_t n);

/** stat_wilson_at() - the same for another confidence: @z standard errors. */
struct stat_interval stat_wilson_at(double share, uint64_t n, double z);

/**
 * stat_z() - the two-sided point of the normal distribution for @nr comparisons that
 * shall all hold together with 95% confidence.
 * Bonferroni: each gets 1/nr of the 5%; O. J. Dunn, JASA 56 (1961).
 */
double stat_z(double nr);

/** stat_wilson() - the same for @hits of @n samples. */
struct stat_interval stat_wilson(uint64_t hits, uint64_t n);

/**
 * stat_paper_halfwidth() - k = 1.96 sqrt(m(1-m)/(n-1)), m = hits/n, as a fraction.
 * Crowe (1992), Appendix; good for n > 50 and shares away from 0 and 1. NAN for n < 2.
 */
double stat_paper_halfwidth(uint64_t hits, uint64_t n);

#endif
