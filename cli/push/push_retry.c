// SPDX-License-Identifier: GPL-2.0-only
/* Consequences of an attempt to deliver: see push_retry.h. */
#include <math.h>

#include "push/push_retry.h"

enum push_verdict push_verdict(int status, bool was_sent)
{
	if (status >= 200 && status < 300)
		return PUSH_DELIVERED;
	if (status == 408 || status == 502 || status == 504 || status < 200)
		return was_sent ? PUSH_DOUBTFUL : PUSH_REPEAT;
	if (status == 429 || status >= 500)
		return PUSH_REPEAT;
	return PUSH_REFUSED;
}

/* A random number from 0 to 1: Marsaglia's xorshift64. */
static double random_share(u64 *state)
{
	u64 x = *state ? *state : 0x9e3779b97f4a7c15;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return (x >> 11) * 0x1p-53;
}

double push_backoff_fail(struct push_backoff *backoff, double retry_after)
{
	double seconds = PUSH_BACKOFF_FIRST * ldexp(1, backoff->nr_failed < 30 ? backoff->nr_failed : 30);

	backoff->nr_failed++;
	seconds = fmin(seconds, PUSH_BACKOFF_CAP) * (0.5 + 0.5 * random_share(&backoff->random));
	return fmax(seconds, fmin(retry_after, PUSH_RETRY_AFTER_CAP));
}

void push_backoff_clear(struct push_backoff *backoff)
{
	backoff->nr_failed = 0;
}
