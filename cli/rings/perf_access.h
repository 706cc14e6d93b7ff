/* SPDX-License-Identifier: GPL-2.0-only */
/* The right to sample one's own processes: kernel.perf_event_paranoid and what else may refuse it. */
#ifndef PERF_ACCESS_H
#define PERF_ACCESS_H

#include "base/text.h"

/**
 * perf_access_try() - sample this thread in user mode for a moment. -errno with a reason, which names the
 * sysctl, and a remedy.
 */
int perf_access_try(struct text_error *error_ret);

/**
 * perf_access_explain() - the reason and remedy for an errno of perf_event_open(2) or mmap(2).
 * @level: kernel.perf_event_paranoid; INT_MIN: unknown. Returns -@error.
 */
int perf_access_explain(int error, int level, struct text_error *error_ret);

#endif
