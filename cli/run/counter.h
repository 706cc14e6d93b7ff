/* SPDX-License-Identifier: GPL-2.0-only */
/* A growing number in a file: how often something was done during the run. */
#ifndef COUNTER_H
#define COUNTER_H

#include <stdbool.h>

#include "base/text.h"
#include "types.h"

struct counter {
	const char *path;
	u64 before;
	u64 after;
	bool has_before;
	bool has_after;
};

/** counter_init() - check that the file holds a number. @path must outlive @counter. */
int counter_init(struct counter *counter, const char *path, struct text_error *error_ret);

/** counter_begin(), counter_end() - read the number. counter_get() reports errors. */
void counter_begin(struct counter *counter);
void counter_end(struct counter *counter);

/** counter_get() - growth of the number. -EINVAL: it did not grow, or could not be read. */
int counter_get(const struct counter *counter, u64 *count_ret, struct text_error *error_ret);

#endif
