// SPDX-License-Identifier: GPL-2.0-only
/*
 * What one timer interrupt costs. A loop reads the clock without pause while a
 * timer interrupts it; the two steps of the loop around the interrupt are longer than
 * two undisturbed ones by its cost. Two, since it may fall between the reading of the
 * clock and the look at what it did. Lower quartiles of both, since a virtual machine
 * may lose the processor in any step.
 */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sort.h>

#include "calibrate.h"
#include "clock.h"
#include "compat.h"

#define ROUNDS		65
#define DELAY_NS	30000		/* from arming to firing: room for a few dozen steps */
#define GIVE_UP_NS	5000000

/* Static: a timer on the stack would want other set-up, and only module load comes here. */
static struct round_timer {
	struct hrtimer timer;
	bool has_fired;
} round;

/* Before it is measured, and where no timer fires in time: much, so that limits limit. */
static u32 cost_ns = 50000;

static enum hrtimer_restart round_fire(struct hrtimer *timer)
{
	WRITE_ONCE(container_of(timer, struct round_timer, timer)->has_fired, true);
	return HRTIMER_NORESTART;
}

/* One interrupt: the two steps around it, and the two after them. False if it never came. */
static bool measure_round(u64 *disturbed_ns, u64 *plain_ns)
{
	u64 started, before = 0, now, after, later;
	bool has_fired = false;

	preempt_disable();
	round.has_fired = false;
	started = now = clock_now_ns();
	hrtimer_start(&round.timer, ns_to_ktime(started + DELAY_NS),
		      HRTIMER_MODE_ABS_PINNED_HARD);
	while (!has_fired && now - started < GIVE_UP_NS) {
		before = now;
		now = clock_now_ns();
		has_fired = READ_ONCE(round.has_fired);
	}
	after = clock_now_ns();
	clock_now_ns();
	later = clock_now_ns();
	preempt_enable();
	*disturbed_ns = after - before;
	*plain_ns = later - after;
	hrtimer_cancel(&round.timer);
	return has_fired;
}

static int compare_u64(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

static u64 lower_quartile(u64 *values, u32 nr)
{
	sort(values, nr, sizeof(*values), compare_u64, NULL);
	return values[nr / 4];
}

void calibrate(void)
{
	u64 disturbed[ROUNDS], plain[ROUNDS], with, without;
	u32 i, nr = 0;

	compat_hrtimer_setup(&round.timer, round_fire, CLOCK_MONOTONIC,
			     HRTIMER_MODE_ABS_PINNED_HARD);
	for (i = 0; i < ROUNDS; i++) {
		if (measure_round(&disturbed[nr], &plain[nr]))
			nr++;
		cond_resched();
	}
	if (!nr)
		return;
	with = lower_quartile(disturbed, nr);
	without = lower_quartile(plain, nr);
	cost_ns = with > without ? min_t(u64, with - without, U32_MAX) : 1;
}

u32 calibrate_cost_ns(void)
{
	return cost_ns;
}
