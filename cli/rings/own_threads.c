// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampled threads: see own_threads.h. Records tell of new threads, names and ends; /proc tells of threads
 * whose parent was not sampled. A period ends at the draw that replaces it, so that the time of a
 * stretch is the running time between two readings of the event.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "bpf/proc_task.h"
#include "rings/own_tasks.h"
#include "rings/own_threads.h"

int own_threads_init(struct own_threads *threads, const struct own_threads_spec *spec,
		     struct tallied_keys *keys)
{
	*threads = (struct own_threads){
		.spec = *spec, .keys = keys, .nr_tids = OWN_TASKS_NUMBERS
	};
	comb_init_single(&threads->comb, spec->seed, spec->period_ns, comb_single_gap(spec->period_ns));
	/* Only the pages that are used take memory. */
	threads->at_tid = calloc(threads->nr_tids, sizeof(*threads->at_tid));
	return threads->at_tid ? 0 : -ENOMEM;
}

struct own_thread *own_threads_find(const struct own_threads *threads, u32 tid)
{
	return tid < threads->nr_tids && threads->at_tid[tid] ?
		&threads->thread[threads->at_tid[tid] - 1] : NULL;
}

static void begin_stretch(struct own_threads *threads, struct own_thread *thread, u64 running_ns,
			  u64 period_ns)
{
	thread->stretch = (struct comb_stretch){ running_ns, period_ns };
	thread->gap_ns = threads->spec.is_fixed ? UINT64_MAX : comb_draw_gap(&threads->comb);
	thread->nr_drawn = 0;
}

int own_threads_add(struct own_threads *threads, u32 tid)
{
	const u64 period_ns = threads->spec.is_fixed ? threads->spec.period_ns :
		comb_draw_period(&threads->comb, 0);
	struct own_thread thread = { .tid = tid, .is_seen = true };
	struct proc_task task;
	int error;

	if (tid >= threads->nr_tids || own_threads_find(threads, tid))
		return -EEXIST;
	if (threads->nr >= threads->spec.nr_max)
		return -EMFILE;
	if (!array_has_room(&threads->thread, threads->nr, sizeof(thread)))
		return -ENOMEM;
	error = thread_ring_open(&thread.ring, tid, period_ns, thread_ring_pages(period_ns));
	if (error)
		return error;
	begin_stretch(threads, &thread, 0, period_ns);
	/* A later change of the name is in the ring. */
	if (!proc_task_read(tid, &task))
		memcpy(thread.comm, task.comm, sizeof(thread.comm));
	threads->thread[threads->nr] = thread;
	threads->at_tid[tid] = ++threads->nr;
	threads->coverage.nr_threads++;
	return 0;
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
	u32 i;

	for (i = 0; i < threads->nr_newborns; i++) {
		const struct own_newborn newborn = threads->newborns[i];
		int error = own_threads_add(threads, newborn.tid);

		threads->coverage.nr_gone += error == -ESRCH;
		/* The next scan tries to open the others. */
		if (error)
			continue;
		threads->coverage.late_ns += own_tasks_runtime(newborn.tid);
		/* Before the event was there, it may have started others. */
		own_tasks_children(newborn.pid, newborn.tid, note_newborn, threads);
		if (newborn.tid == newborn.pid)
			own_tasks_scan(newborn.pid, note_newborn, threads);
	}
	threads->nr_newborns = 0;
	return threads->nr > nr_before;
}

/* A thread that executes a program becomes the main thread of its process and gets that one's number. */
static void renumber(struct own_threads *threads, struct own_thread *thread, u32 tid)
{
	struct own_thread *old = own_threads_find(threads, tid);

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

void own_threads_draw(struct own_threads *threads, struct own_thread *thread, u64 running_ns)
{
	if (running_ns - thread->stretch.began_ns >= thread->gap_ns)
		draw(threads, thread);
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

void own_threads_end_over(struct own_threads *threads)
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
	own_threads_end_over(threads);
	return add_newborns(threads);
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

void own_threads_restart_coverage(struct own_threads *threads)
{
	threads->coverage = threads->shut_out;
	threads->coverage.nr_threads = threads->nr;
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
