// SPDX-License-Identifier: GPL-2.0-only
/* Measuring the cost of hooks: see rounds.h. */
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sort.h>

#include "rounds.h"

static DEFINE_MUTEX(rounds_lock);

void rounds_begin(void)
{
	mutex_lock(&rounds_lock);
}

void rounds_end(void)
{
	mutex_unlock(&rounds_lock);
}

bool rounds_again(u32 attempts)
{
	if (attempts >= ROUNDS_ATTEMPTS || fatal_signal_pending(current))
		return false;
	schedule_timeout_uninterruptible(1);
	return true;
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
