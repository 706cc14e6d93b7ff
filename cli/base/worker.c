// SPDX-License-Identifier: GPL-2.0-only
/* A thread that does a piece of work again and again: see worker.h. */
#include <linux/futex.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/worker.h"

#define WORKER_NICE	-10

void worker_init(struct worker *worker)
{
	*worker = (struct worker){ .has_thread = false };
	pthread_mutex_init(&worker->lock, NULL);
}

/*
 * Waits until a nanosecond of CLOCK_MONOTONIC, or a call after @nr_calls were seen. A condition variable needs two
 * system calls.
 */
static void wait_until(struct worker *worker, u64 at, u32 nr_calls)
{
	const struct timespec until = { at / 1000000000, at % 1000000000 };

	syscall(SYS_futex, &worker->nr_calls, FUTEX_WAIT_BITSET_PRIVATE, nr_calls, &until, NULL,
		FUTEX_BITSET_MATCH_ANY);
}

static bool is_ending(const struct worker *worker)
{
	return __atomic_load_n(&worker->is_ending, __ATOMIC_ACQUIRE);
}

static void *work_until_end(void *context)
{
	struct worker *worker = context;
	u32 nr_calls;
	u64 next;

	/* Without the right, at normal priority. */
	if (!worker->is_background)
		setpriority(PRIO_PROCESS, gettid(), WORKER_NICE);
	for (;;) {
		nr_calls = __atomic_load_n(&worker->nr_calls, __ATOMIC_ACQUIRE);
		if (is_ending(worker))
			return NULL;
		worker_lock(worker);
		next = worker->work(worker->context);
		worker_unlock(worker);
		wait_until(worker, next, nr_calls);
	}
}

int worker_create_thread(pthread_t *thread_ret, void *(*run)(void *context), void *context)
{
	sigset_t all, old;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(thread_ret, NULL, run, context);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -error;
}

int worker_start(struct worker *worker, u64 (*work)(void *context), void *context)
{
	int error;

	worker->work = work;
	worker->context = context;
	error = worker_create_thread(&worker->thread, work_until_end, worker);
	worker->has_thread = !error;
	return error;
}

void worker_wake(struct worker *worker)
{
	__atomic_add_fetch(&worker->nr_calls, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &worker->nr_calls, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void worker_end(struct worker *worker)
{
	if (!worker->has_thread)
		return;
	__atomic_store_n(&worker->is_ending, true, __ATOMIC_RELEASE);
	worker_wake(worker);
	pthread_join(worker->thread, NULL);
	worker->has_thread = false;
}

void worker_deinit(struct worker *worker)
{
	pthread_mutex_destroy(&worker->lock);
}
