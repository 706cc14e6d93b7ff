/* SPDX-License-Identifier: GPL-2.0-only */
/* The range of a target: -low and -high, which are addresses, symbols, or symbols with an offset. */
#ifndef TARGET_RANGE_H
#define TARGET_RANGE_H

#include "proc/target.h"

/**
 * target_choose_range() - lay out the slots of @target over the range of @request, by default over
 * all its code. The target's object and symbols must be known.
 * -EINVAL: no such symbol, or no range within the code.
 */
int target_choose_range(struct target *target, const struct target_request *request,
			struct text_error *error_ret);

#endif
