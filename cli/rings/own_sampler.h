/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples the user's own processes in user mode: a thread of the tool empties the rings (own_threads.h)
 * a hundred times a second, and looks for new threads. The functions may be called by another one.
 */
#ifndef OWN_SAMPLER_H
#define OWN_SAMPLER_H

#include "base/text.h"
#include "rings/own_threads.h"

struct own_sampler;

/** Samples and their fate since the start. */
struct own_sums {
	u64 expected;		/* periods of all threads that ended */
	u64 lost;		/* samples that found a ring full, or no room for their key */
	struct own_coverage coverage;
};

/**
 * own_sampler_start() - open events and start the thread.
 * @spec: nr_max is set here, as high as the limit on descriptors allows
 * @nr_keys: keys that there is room for between two harvests
 * @wake_fd: an eventfd to add to when counts should be taken
 * Returns NULL with a reason: not allowed, or no thread that can be sampled.
 */
struct own_sampler *own_sampler_start(const struct own_threads_spec *spec, u32 nr_keys, int wake_fd,
				      struct text_error *error_ret);

/** own_sampler_is_due() - whether counts should be taken before their table fills up. */
bool own_sampler_is_due(struct own_sampler *sampler);

/** own_sampler_take() - take the counts since the last call; as tallied_keys_take(). */
void own_sampler_take(struct own_sampler *sampler, struct counts *counts_ret,
		      struct own_sums *sums_ret);

/** own_sampler_restart_coverage() - count what is not covered from now on, and get it. */
void own_sampler_restart_coverage(struct own_sampler *sampler, struct own_coverage *coverage_ret);

/** own_sampler_stop() - end sampling; the last counts can still be taken. */
void own_sampler_stop(struct own_sampler *sampler);

/** own_sampler_destroy() - stop and free. NULL is allowed. */
void own_sampler_destroy(struct own_sampler *sampler);

#endif
