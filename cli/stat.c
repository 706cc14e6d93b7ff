// SPDX-License-Identifier: GPL-2.0-only
/* Statistics of sampled shares: see stat.h. */
#include <math.h>

#include "stat.h"

struct stat_interval stat_wilson_at(double share, uint64_t n, double z)
{
	double z2n = z * z / n;
	double centre, half;

	if (!n)
		return (struct stat_interval){ 0, 1 };
	share = fmin(fmax(share, 0), 1);
	centre = (share + z2n / 2) / (1 + z2n);
	half = z / (1 + z2n) * sqrt((share * (1 - share) + z2n / 4) / n);
	/* At the ends the bound is exact; rounding would leave a trace of the square root. */
	return (struct stat_interval){
		.lo = share > 0 ? fmax(centre - half, 0) : 0,
		.hi = share < 1 ? fmin(centre + half, 1) : 1,
	};
}

struct stat_interval stat_wilson_share(double share, uint64_t n)
{
	return stat_wilson_at(share, n, STAT_Z95);
}

double stat_z(double nr)
{
	double low = 0, high = 40, tail = 0.05 / nr;
	int i;

	/* erfc(z / sqrt(2)) is the probability beyond +-z, and falls. */
	for (i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (erfc(middle / M_SQRT2) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct stat_interval stat_wilson(uint64_t hits, uint64_t n)
{
	return stat_wilson_share(n ? (double)hits / n : 0, n);
}

double stat_paper_halfwidth(uint64_t hits, uint64_t n)
{
	double share;

	if (n < 2)
		return NAN;
	share = (double)hits / n;
	return 1.96 * sqrt(share * (1 - share) / (n - 1));
}
