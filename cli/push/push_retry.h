/* SPDX-License-Identifier: GPL-2.0-only */
/* The consequence of an attempt to deliver: done, final, or another attempt after a while. Pure. */
#ifndef PUSH_RETRY_H
#define PUSH_RETRY_H

#include <stdbool.h>

#include "types.h"

#define PUSH_BACKOFF_FIRST	1.0	/* seconds before the second attempt, less the jitter */
#define PUSH_BACKOFF_CAP	300.0	/* most seconds between two attempts */
#define PUSH_RETRY_AFTER_CAP	3600.0	/* most that a server can ask for */

enum push_verdict {
	PUSH_DELIVERED,
	PUSH_REFUSED,	/* final: the request is dropped, and counted */
	PUSH_REPEAT,	/* surely not delivered: try again */
	PUSH_DOUBTFUL,	/* no answer: perhaps delivered; try again, which may double it */
};

/**
 * push_verdict() - judge an attempt.
 * @status: of HTTP; 0: no answer
 * @was_sent: a part of the request may have reached the server
 *
 * 2xx is delivered. 4xx and 3xx are final except 408 and 429. A gateway that got no answer itself (502,
 * 504) and 408 leave doubt.
 */
enum push_verdict push_verdict(int status, bool was_sent);

/** Failed attempts so far; all zero: none. */
struct push_backoff {
	u32 nr_failed;
	u64 random;	/* state of the jitter; the owner seeds it */
};

/**
 * push_backoff_fail() - count a failed attempt. Returns the seconds to wait: twice as many as before up to
 * the cap, times a random factor from 0.5 to 1, so that many machines do not return together after an
 * outage.
 * @retry_after: seconds that the server asked for; 0: it did not. They are waited at least.
 */
double push_backoff_fail(struct push_backoff *backoff, double retry_after);

/** push_backoff_clear() - an attempt succeeded. */
void push_backoff_clear(struct push_backoff *backoff);

#endif
