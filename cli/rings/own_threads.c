// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampled threads: see own_threads.h. Records tell of new threads, names and ends; /proc tells of threads
 * whose parent was not sampled. A period ends at the draw that replaces it, so that the time of a
 * stretch is the running time between two readings of the event.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sysfile.h"
#include "bpf/proc_task.h"
#include "rings/own_tasks.h"
#include "rings/own_threads.h"

#define GAP_NS		100000000ULL	/* longest running time between two draws ... */
#define GAP_PERIODS	100		/* ... or so many periods, if that is longer */

int own_threads_init(struct own_threads *threads, const struct own_threads_spec *spec,
		     struct tallied_keys *keys)
{
	const u64 gap_ns = spec->period_ns * GAP_PERIODS;
	char line[32];

	*threads = (struct own_threads){ .spec = *spec, .keys = keys, .began = own_tasks_clock() };
	comb_init_single(&threads->comb, spec->seed, spec->period_ns, gap_ns < GAP_NS ? GAP_NS : gap_ns);
	threads->nr_tids = (sysfile_line("/proc/sys/kernel/pid_max", line, sizeof(line)) ? 1 << 22 :
			    strtoul(line, NULL, 10)) + 1;
	/* Only the pages that are used take memory. */
	threads->at_tid = calloc(threads->nr_tids, sizeof(*threads->at_tid));
	return threads->at_tid ? 0 : -ENOMEM;
}

static struct own_thread *find_thread(const struct own_threads *threads, u32 tid)
{
	return tid < threads->nr_tids && threads->at_tid[tid] ?
		&threads->thread[threads->at_tid[tid] - 1] : NULL;
}

static void count_shut_out(struct own_threads *threads, int error)
{
	struct own_coverage *coverage = &threads->coverage;
	u32 *const most[OWN_SHUT_OUT] = {
		[OWN_NO_FILE] = &coverage->nr_no_file, [OWN_NO_MEMORY] = &coverage->nr_no_memory,
		[OWN_REFUSED] = &coverage->nr_refused,
	};
	const enum own_shut_out why = error == -EMFILE || error == -ENFILE ? OWN_NO_FILE :
		error == -ENOBUFS || error == -ENOMEM ? OWN_NO_MEMORY : OWN_REFUSED;

	/* The next scan tries these threads again. */
	if (++threads->shut_out[why] > *most[why])
		*most[why] = threads->shut_out[why];
}

static void begin_stretch(struct own_threads *threads, struct own_thread *thread, u64 running_ns,
			  u64 period_ns)
{
	thread->stretch = (struct comb_stretch){ running_ns, period_ns };
	thread->gap_ns = threads->spec.is_fixed ? UINT64_MAX : comb_draw_gap(&threads->comb);
	thread->nr_drawn = 0;
}

/* Opens the event of a thread that has none. @is_gone_ret: the thread has ended. */
static void add_thread(struct own_threads *threads, u32 pid, u32 tid, bool *is_gone_ret)
{
	const u64 period_ns = threads->spec.is_fixed ? threads->spec.period_ns :
		comb_draw_period(&threads->comb, 0);
	struct own_thread thread = { .tid = tid, .is_seen = true };
	struct proc_task task;
	int error;

	*is_gone_ret = false;
	if (tid >= threads->nr_tids || find_thread(threads, tid) ||
	    !array_has_room(&threads->thread, threads->nr, sizeof(thread)))
		return;
	error = thread_ring_open(&thread.ring, tid, period_ns, thread_ring_pages(period_ns));
	if (error) {
		*is_gone_ret = error == -ESRCH;
		if (error != -ESRCH)
			count_shut_out(threads, error);
		return;
	}
	begin_stretch(threads, &thread, 0, period_ns);
	if (!proc_task_read(tid, &task)) {
		memcpy(thread.comm, task.comm, sizeof(thread.comm));
		/* An older thread's time before the start does not count. */
		if (task.start > threads->began)
			threads->coverage.late_ns += own_tasks_runtime(pid, tid);
	}
	threads->thread[threads->nr] = thread;
	threads->at_tid[tid] = ++threads->nr;
	threads->coverage.nr_threads++;
}

static void note_newborn(void *context, u32 pid, u32 tid)
{
	struct own_threads *threads = context;

	if (threads->spec.only_pid && pid != threads->spec.only_pid)
		return;
	if (array_has_room(&threads->newborns, threads->nr_newborns, sizeof(*threads->newborns)))
		threads->newborns[threads->nr_newborns++] = (struct own_newborn){ pid, tid };
}

/* Opens the threads that records told of, and those that they have started themselves since. */
static bool add_newborns(struct own_threads *threads)
{
	const u32 nr_before = threads->nr;
	bool is_gone;
	u32 i, nr;

	for (i = 0; i < threads->nr_newborns; i++) {
		const struct own_newborn newborn = threads->newborns[i];

		nr = threads->nr;
		add_thread(threads, newborn.pid, newborn.tid, &is_gone);
		threads->coverage.nr_gone += is_gone;
		if (threads->nr > nr)
			own_tasks_children(newborn.pid, newborn.tid, note_newborn, threads);
	}
	threads->nr_newborns = 0;
	return threads->nr > nr_before;
}

/* A thread that executes a program becomes the main thread of its process and gets that one's number. */
static void renumber(struct own_threads *threads, struct own_thread *thread, u32 tid)
{
	struct own_thread *old = find_thread(threads, tid);

	if (tid >= threads->nr_tids)
		return;
	if (old)
		old->is_over = true;
	threads->at_tid[thread->tid] = 0;
	thread->tid = tid;
	threads->at_tid[tid] = thread - threads->thread + 1;
}

static void count_sample(struct own_threads *threads, struct own_thread *thread,
			 const struct ring_record *record)
{
	const enum counts_by by = threads->spec.by;
	struct counts_key key = {
		.id = by == COUNTS_BY_THREAD ? record->tid : record->pid, .is_user = 1,
		.pc = by == COUNTS_BY_ADDRESS ? record->pc : 0,
	};

	/* By address of one process its name does not matter. */
	if (by != COUNTS_BY_ADDRESS || !threads->spec.only_pid)
		memcpy(key.comm, thread->comm, sizeof(key.comm));
	thread->nr_drawn++;
	tallied_keys_add(threads->keys, &key);
}

static void follow_record(struct own_threads *threads, struct own_thread *thread,
			  const struct ring_record *record)
{
	if ((record->kind == RING_SAMPLE || record->kind == RING_COMM) && record->tid != thread->tid)
		renumber(threads, thread, record->tid);
	switch (record->kind) {
	case RING_SAMPLE:
		count_sample(threads, thread, record);
		break;
	case RING_FORK:
		note_newborn(threads, record->pid, record->tid);
		break;
	case RING_COMM:
		memcpy(thread->comm, record->comm, sizeof(thread->comm));
		break;
	case RING_EXIT:
		thread->is_over |= record->tid == thread->tid;
		break;
	case RING_LOST:
		threads->nr_lost += record->nr_lost;
		break;
	case RING_THROTTLE:
		threads->coverage.nr_throttled++;
		break;
	case RING_OTHER:
		break;
	}
}

static void drain_thread(struct own_threads *threads, struct own_thread *thread)
{
	struct ring_record record;

	while (thread_ring_next(&thread->ring, &record))
		follow_record(threads, thread, &record);
}

/* Replaces the period; both readings of the time keep a sample from being expected that cannot come. */
static void draw(struct own_threads *threads, struct own_thread *thread)
{
	const u64 period_ns = comb_draw_period(&threads->comb, 0);
	u64 before, after;

	if (thread_ring_running(&thread->ring, &before) ||
	    thread_ring_set_period(&thread->ring, period_ns))
		return;
	threads->whole += comb_whole(&thread->stretch, before);
	if (thread_ring_running(&thread->ring, &after))
		after = before;
	begin_stretch(threads, thread, after, period_ns);
}

/* Counts the last samples of a thread and forgets it; the last thread takes its place. */
static void end_thread(struct own_threads *threads, u32 at)
{
	struct own_thread *thread = &threads->thread[at];
	const u32 last = threads->nr - 1;
	u64 running;

	thread_ring_stop(&thread->ring);
	drain_thread(threads, thread);
	if (!thread_ring_running(&thread->ring, &running))
		threads->whole += comb_whole(&thread->stretch, running);
	thread_ring_close(&thread->ring);
	if (threads->at_tid[thread->tid] == at + 1)
		threads->at_tid[thread->tid] = 0;
	if (at != last) {
		*thread = threads->thread[last];
		if (threads->at_tid[thread->tid] == last + 1)
			threads->at_tid[thread->tid] = at + 1;
	}
	threads->nr--;
}

static void end_threads_that_are_over(struct own_threads *threads)
{
	u32 i;

	for (i = threads->nr; i--;)
		if (threads->thread[i].is_over)
			end_thread(threads, i);
}

bool own_threads_drain(struct own_threads *threads)
{
	u32 i;

	for (i = 0; i < threads->nr; i++) {
		struct own_thread *thread = &threads->thread[i];

		drain_thread(threads, thread);
		if (thread->nr_drawn && !thread->is_over &&
		    thread->nr_drawn * thread->stretch.period_ns >= thread->gap_ns)
			draw(threads, thread);
	}
	end_threads_that_are_over(threads);
	return add_newborns(threads);
}

static void see_thread(void *context, u32 pid, u32 tid)
{
	struct own_threads *threads = context;
	struct own_thread *thread = find_thread(threads, tid);
	bool is_gone;

	/* A process that nobody has waited for is gone, and remains in /proc. */
	if (thread)
		thread->is_seen = true;
	else
		add_thread(threads, pid, tid, &is_gone);
}

int own_threads_scan(struct own_threads *threads)
{
	u64 running;
	int error;
	u32 i;

	for (i = 0; i < threads->nr; i++)
		threads->thread[i].is_seen = false;
	memset(threads->shut_out, 0, sizeof(threads->shut_out));
	error = own_tasks_scan(threads->spec.only_pid, see_thread, threads);
	for (i = 0; i < threads->nr; i++) {
		struct own_thread *thread = &threads->thread[i];

		thread->is_over |= !error && !thread->is_seen;
		/* Without samples only the time tells that a draw is due. */
		if (!thread->is_over && !thread_ring_running(&thread->ring, &running) &&
		    running - thread->stretch.began_ns >= thread->gap_ns)
			draw(threads, thread);
	}
	end_threads_that_are_over(threads);
	return error;
}

u64 own_threads_expected(const struct own_threads *threads)
{
	u64 sum = threads->whole, running;
	u32 i;

	for (i = 0; i < threads->nr; i++)
		if (!thread_ring_running(&threads->thread[i].ring, &running))
			sum += comb_whole(&threads->thread[i].stretch, running);
	return sum;
}

void own_threads_stop(struct own_threads *threads)
{
	u32 i;

	for (i = 0; i < threads->nr; i++)
		thread_ring_stop(&threads->thread[i].ring);
	while (threads->nr)
		end_thread(threads, threads->nr - 1);
}

void own_threads_deinit(struct own_threads *threads)
{
	u32 i;

	for (i = 0; i < threads->nr; i++)
		thread_ring_close(&threads->thread[i].ring);
	free(threads->thread);
	free(threads->at_tid);
	free(threads->newborns);
	memset(threads, 0, sizeof(*threads));
}
