/* SPDX-License-Identifier: GPL-2.0-only */
/* The live view: measures and shows one level at a time, controlled by keys and signals. */
#ifndef TOP_LIVE_H
#define TOP_LIVE_H

#include "top/level.h"

#define LIVE_INTERVAL_MIN 0.1
#define LIVE_INTERVAL_MAX 60

#define LIVE_RATE_MIN 1		/* samples per second and CPU that keys can choose */
#define LIVE_RATE_MAX 20000

struct live_options {
	struct level_options level;
	bool only_ascii;
	const char *task;		/* start with this task; NULL: the machine */
};

/** live_show() - run the live view until it is quit. -errno with a reason: nothing was shown. */
int live_show(struct live_options *options, struct text_error *error_ret);

#endif
