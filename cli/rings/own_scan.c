// SPDX-License-Identifier: GPL-2.0-only
/* Scans of /proc for threads to sample: see own_scan.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "rings/own_scan.h"
#include "rings/own_tasks.h"

/** Both sides of a scan that is going on. */
struct look {
	struct own_scan *scan;
	struct own_threads *threads;
};

int own_scan_init(struct own_scan *scan)
{
	*scan = (struct own_scan){ .nr_tids = OWN_TASKS_NUMBERS };
	/* Only the pages that are used take memory. */
	scan->runtime = calloc(scan->nr_tids, sizeof(*scan->runtime));
	return scan->runtime ? 0 : -ENOMEM;
}

static void see_thread(void *context, u32 pid, u32 tid)
{
	const struct look *look = context;
	struct own_scan *scan = look->scan;
	struct own_thread *thread = own_threads_find(look->threads, tid);
	u64 runtime, before;

	if (thread)
		thread->is_seen = true;
	if (thread || tid >= scan->nr_tids ||
	    !array_has_room(&scan->candidates, scan->nr, sizeof(*scan->candidates)))
		return;
	runtime = own_tasks_runtime(tid);
	before = scan->runtime[tid];
	scan->runtime[tid] = runtime;
	/* A thread with less is another one with the number of an earlier one. */
	scan->candidates[scan->nr++] = (struct own_candidate){
		.tid = tid, .ran_ns = runtime < before ? runtime : runtime - before
	};
}

/* Ends threads that are gone, and draws periods of those that ran without a sample. */
static void check_threads(struct own_threads *threads)
{
	u64 running;
	u32 i;

	for (i = 0; i < threads->nr; i++) {
		struct own_thread *thread = &threads->thread[i];

		thread->is_over |= !thread->is_seen;
		if (thread->is_over || thread_ring_running(&thread->ring, &running))
			continue;
		own_threads_draw(threads, thread, running);
		thread->is_idle = running == thread->scanned_ns;
		thread->scanned_ns = running;
	}
	own_threads_end_over(threads);
}

static int compare_ran(const void *left, const void *right)
{
	const struct own_candidate *a = left, *b = right;

	return (a->ran_ns < b->ran_ns) - (a->ran_ns > b->ran_ns);
}

/* Closes the event of a thread that does not run. False: all run. */
static bool give_up_idle(struct own_scan *scan, struct own_threads *threads)
{
	u32 i;

	for (i = 0; i < threads->nr; i++) {
		struct own_thread *thread = &threads->thread[i];

		if (!thread->is_idle)
			continue;
		scan->runtime[thread->tid] = own_tasks_runtime(thread->tid);
		thread->is_over = true;
		own_threads_end_over(threads);
		return true;
	}
	return false;
}

static bool is_limit(int error)
{
	return error == -EMFILE || error == -ENFILE || error == -ENOBUFS || error == -ENOMEM;
}

static void count_shut_out(struct own_coverage *now, int error)
{
	if (error == -EMFILE || error == -ENFILE)
		now->nr_no_file++;
	else if (is_limit(error))
		now->nr_no_memory++;
	else if (error != -ESRCH)
		now->nr_refused++;
}

/* Opens events of candidates, first of those that ran most. At a limit they replace threads that do not run. */
static void open_candidates(struct own_scan *scan, struct own_threads *threads,
			    struct own_coverage *now)
{
	bool is_full = false;
	u32 i;

	for (i = 0; i < scan->nr; i++) {
		const struct own_candidate *candidate = &scan->candidates[i];
		int error = is_full ? scan->error : own_threads_add(threads, candidate->tid);

		if (is_limit(error) && !is_full && scan->has_looked && candidate->ran_ns &&
		    give_up_idle(scan, threads))
			error = own_threads_add(threads, candidate->tid);
		if (scan->has_looked)
			threads->coverage.late_ns += candidate->ran_ns;
		/* A process that nobody has waited for is gone, and remains in /proc. */
		if (!error || error == -ESRCH)
			continue;
		scan->error = error;
		is_full |= is_limit(error);
		if (scan->has_looked && candidate->ran_ns)
			count_shut_out(now, error);
	}
}

static void keep_most(u32 *most, u32 now)
{
	if (now > *most)
		*most = now;
}

int own_scan_look(struct own_scan *scan, struct own_threads *threads)
{
	struct look look = { scan, threads };
	struct own_coverage now = { .nr_no_file = 0 };
	u32 i;
	int error;

	for (i = 0; i < threads->nr; i++)
		threads->thread[i].is_seen = false;
	scan->nr = 0;
	scan->error = 0;
	error = own_tasks_scan(threads->spec.only_pid, see_thread, &look);
	if (error)
		return error;
	check_threads(threads);
	if (scan->nr)
		qsort(scan->candidates, scan->nr, sizeof(*scan->candidates), compare_ran);
	open_candidates(scan, threads, &now);
	keep_most(&threads->coverage.nr_no_file, now.nr_no_file);
	keep_most(&threads->coverage.nr_no_memory, now.nr_no_memory);
	keep_most(&threads->coverage.nr_refused, now.nr_refused);
	threads->shut_out = now;
	scan->has_looked = true;
	return 0;
}

void own_scan_deinit(struct own_scan *scan)
{
	free(scan->runtime);
	free(scan->candidates);
	memset(scan, 0, sizeof(*scan));
}
