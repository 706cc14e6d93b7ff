// SPDX-License-Identifier: GPL-2.0-only
/* Samples the user's own processes: see own_sampler.h. A lock protects everything. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_limit.h"
#include "base/worker.h"
#include "rings/own_sampler.h"
#include "rings/own_scan.h"
#include "rings/perf_access.h"

#define FILES_MAX	1000000	/* more descriptors than any hard limit gives a user */
#define LOOK_NS		10000000u	/* mean time between two looks at the rings */
#define HURRY_NS	1000000u	/* the same while threads are being started ... */
#define HURRIES		100		/* ... and for so many looks after the last one */
#define SCAN_NS		1000000000ULL	/* between two looks into /proc */

struct own_sampler {
	struct own_threads threads;
	struct own_scan scan;
	struct tallied_keys keys;
	u64 nr_lost_keys;
	int wake_fd;
	unsigned int nr_hurries;
	u64 scan_ns;		/* when to look into /proc */
	struct worker worker;	/* looks at the rings */
};

/* Empties the rings and follows the threads; returns when to do so again. */
static u64 look(void *context)
{
	struct own_sampler *sampler = context;
	const u64 one = 1;
	u64 wait;

	if (own_threads_drain(&sampler->threads))
		sampler->nr_hurries = HURRIES;
	else if (sampler->nr_hurries)
		sampler->nr_hurries--;
	if (clock_ns() >= sampler->scan_ns) {
		own_scan_look(&sampler->scan, &sampler->threads);
		sampler->scan_ns = clock_ns() + SCAN_NS;
	}
	if (tallied_keys_are_due(&sampler->keys))
		(void)!write(sampler->wake_fd, &one, sizeof(one));
	/* Random, because draws of periods are made then: up to twice the mean. */
	wait = sampler->nr_hurries ? HURRY_NS : LOOK_NS;
	return clock_ns() + comb_draw_wait(&sampler->threads.comb, 2 * wait);
}

static int start_thread(struct own_sampler *sampler, struct text_error *error_ret)
{
	int error = worker_start(&sampler->worker, look, sampler);

	return error ? text_fail(error_ret, error, "start a thread for the rings: %s", strerror(-error)) : 0;
}

/* Opens the events of all threads that there are. */
static int start_events(struct own_sampler *sampler, struct text_error *error_ret)
{
	int error;

	error = own_scan_look(&sampler->scan, &sampler->threads);
	if (error)
		return text_fail(error_ret, error, "read /proc: %s", strerror(-error));
	if (sampler->threads.nr)
		return 0;
	error = sampler->scan.error ?: -ESRCH;
	if (error == -EMFILE || error == -ENOBUFS)
		return perf_access_explain(-error, 0, error_ret);
	text_fail(error_ret, 0, "sample own processes: %s",
		  error == -EPERM || error == -EACCES ? "the process belongs to another user" :
		  strerror(-error));
	if (error == -EPERM || error == -EACCES)
		text_hint(error_ret, "run as root");
	return error;
}

struct own_sampler *own_sampler_start(const struct own_threads_spec *spec, u32 nr_keys, int wake_fd,
				      struct text_error *error_ret)
{
	struct own_sampler *sampler = calloc(1, sizeof(*sampler));
	struct own_threads_spec own = *spec;

	if (!sampler) {
		text_fail(error_ret, 0, "start sampling: out of memory");
		return NULL;
	}
	worker_init(&sampler->worker);
	sampler->wake_fd = wake_fd;
	/* All but those that /proc is read with. */
	own.nr_max = file_limit_raise(FILES_MAX);
	if (tallied_keys_init(&sampler->keys, nr_keys) ||
	    own_threads_init(&sampler->threads, &own, &sampler->keys) ||
	    own_scan_init(&sampler->scan)) {
		text_fail(error_ret, 0, "start sampling: out of memory");
	} else if (!perf_access_try(error_ret) && !start_events(sampler, error_ret)) {
		sampler->scan_ns = clock_ns() + SCAN_NS;
		if (!start_thread(sampler, error_ret))
			return sampler;
	}
	own_sampler_destroy(sampler);
	return NULL;
}

bool own_sampler_is_due(struct own_sampler *sampler)
{
	bool is_due;

	worker_lock(&sampler->worker);
	is_due = tallied_keys_are_due(&sampler->keys);
	worker_unlock(&sampler->worker);
	return is_due;
}

void own_sampler_take(struct own_sampler *sampler, struct counts *counts_ret,
		      struct own_sums *sums_ret)
{
	worker_lock(&sampler->worker);
	/* Before the rings are emptied, so that no sample is expected that is still in one. */
	*sums_ret = (struct own_sums){ .expected = own_threads_expected(&sampler->threads) };
	own_threads_drain(&sampler->threads);
	sampler->nr_lost_keys += tallied_keys_take(&sampler->keys, counts_ret);
	sums_ret->lost = sampler->nr_lost_keys + sampler->threads.nr_lost;
	sums_ret->coverage = sampler->threads.coverage;
	worker_unlock(&sampler->worker);
}

void own_sampler_restart_coverage(struct own_sampler *sampler, struct own_coverage *coverage_ret)
{
	worker_lock(&sampler->worker);
	own_threads_restart_coverage(&sampler->threads);
	*coverage_ret = sampler->threads.coverage;
	worker_unlock(&sampler->worker);
}

void own_sampler_stop(struct own_sampler *sampler)
{
	worker_end(&sampler->worker);
	own_threads_stop(&sampler->threads);
}

void own_sampler_destroy(struct own_sampler *sampler)
{
	if (!sampler)
		return;
	worker_end(&sampler->worker);
	own_threads_deinit(&sampler->threads);
	own_scan_deinit(&sampler->scan);
	tallied_keys_deinit(&sampler->keys);
	worker_deinit(&sampler->worker);
	free(sampler);
}
