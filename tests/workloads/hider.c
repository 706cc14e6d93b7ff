// SPDX-License-Identifier: GPL-2.0-only
/*
 * hider [PERIOD_US [START_US [BURST_US]]]: computes in step with the scheduler tick, but never
 * when it strikes: START us after each tick it begins, and BURST us later it sleeps.
 * Whoever looks at ticks sees an idle machine.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* The coarse clock moves when the tick strikes (what it then shows is a little older). */
static int64_t find_tick(void)
{
	int64_t before = now_ns(CLOCK_MONOTONIC_COARSE);

	while (now_ns(CLOCK_MONOTONIC_COARSE) == before)
		;
	return now_ns(CLOCK_MONOTONIC);
}

int main(int argc, char **argv)
{
	int64_t period = (argc > 1 ? atoi(argv[1]) : 4000) * 1000LL;
	int64_t start = (argc > 2 ? atoi(argv[2]) : 200) * 1000LL;
	int64_t burst = (argc > 3 ? atoi(argv[3]) : 3000) * 1000LL;
	int64_t at = find_tick() + start;

	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		struct timespec until;

		while (at < now_ns(CLOCK_MONOTONIC))
			at += period;
		until.tv_sec = at / 1000000000;
		until.tv_nsec = at % 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		while (now_ns(CLOCK_MONOTONIC) < at + burst)
			;
	}
}
