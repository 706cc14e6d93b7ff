// SPDX-License-Identifier: GPL-2.0-only
/* Measuring the cost of hooks: see rounds.h. */
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sort.h>

#include "rounds.h"

static DEFINE_MUTEX(rounds_lock);

noinline void cpuprobe_resting(void);

noinline void cpuprobe_resting(void)
{
	barrier();
}

unsigned long rounds_resting(void)
{
	return (unsigned long)cpuprobe_resting;
}

int rounds_begin(void)
{
	return mutex_lock_killable(&rounds_lock);
}

void rounds_end(void)
{
	mutex_unlock(&rounds_lock);
}

int rounds_measure(int (*measure)(void *context), void *context)
{
	u32 attempts = 0;
	int error;

	lockdep_assert_held(&rounds_lock);
	for (;;) {
		error = measure(context);
		if (error != -ERANGE || ++attempts == ROUNDS_ATTEMPTS || fatal_signal_pending(current))
			return error;
		schedule_timeout_killable(1);
	}
}

static int compare(const void *a, const void *b)
{
	s64 x = *(const s64 *)a, y = *(const s64 *)b;

	return (x > y) - (x < y);
}

s64 rounds_quartile(s64 *value)
{
	sort(value, ROUNDS, sizeof(*value), compare, NULL);
	return value[ROUNDS / 4];
}
