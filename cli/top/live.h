/* SPDX-License-Identifier: GPL-2.0-only */
/* The live view: measures one level after the other, as keys and signals say, and shows it. */
#ifndef TOP_LIVE_H
#define TOP_LIVE_H

#include "top/level.h"

#define LIVE_INTERVAL_MIN 0.1
#define LIVE_INTERVAL_MAX 60

struct live_options {
	struct level_options level;
	bool only_ascii;
	const char *task;		/* to begin with; NULL: the machine */
};

/** live_show() - until somebody ends it. 0, or -errno with a reason: nothing was shown. */
int live_show(struct live_options *options, struct text_error *error_ret);

#endif
