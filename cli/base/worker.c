// SPDX-License-Identifier: GPL-2.0-only
/* A thread that does a piece of work again and again: see worker.h. */
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/worker.h"

#define WORKER_NICE	-10

void worker_init(struct worker *worker)
{
	pthread_condattr_t attr;

	*worker = (struct worker){ .has_thread = false };
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&worker->wake, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&worker->lock, NULL);
}

static void *work_until_end(void *context)
{
	struct worker *worker = context;
	struct timespec until;
	u64 next;

	/* Without the right, at normal priority. */
	if (!worker->is_background)
		setpriority(PRIO_PROCESS, gettid(), WORKER_NICE);
	worker_lock(worker);
	while (!worker->is_ending) {
		next = worker->work(worker->context);
		until = (struct timespec){ next / 1000000000, next % 1000000000 };
		pthread_cond_timedwait(&worker->wake, &worker->lock, &until);
	}
	worker_unlock(worker);
	return NULL;
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

void worker_end(struct worker *worker)
{
	if (!worker->has_thread)
		return;
	worker_lock(worker);
	worker->is_ending = true;
	pthread_cond_signal(&worker->wake);
	worker_unlock(worker);
	pthread_join(worker->thread, NULL);
	worker->has_thread = false;
}

void worker_deinit(struct worker *worker)
{
	pthread_cond_destroy(&worker->wake);
	pthread_mutex_destroy(&worker->lock);
}
