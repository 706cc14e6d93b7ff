// SPDX-License-Identifier: GPL-2.0-only
/*
 * hider [PERIOD_US [START_US [BURST_US]]]: computes in step with the scheduler tick, but never
 * when it strikes: START us after a tick it begins, BURST us later it sleeps, and so on every
 * PERIOD us. Whoever looks at ticks sees an idle machine. With a START shortly before the next
 * tick it is the reverse, with other periods it is in step with other clocks; fractions are
 * allowed, since 300 Hz has no period of whole microseconds.
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

/*
 * The coarse clock moves when the tick strikes (what it then shows is a little older). It counts
 * when we were there: the tick is also when somebody else is given the CPU for a while.
 */
static int64_t find_tick(void)
{
	int64_t last, now = 0;
	int tries = 50;

	do {
		int64_t before = now_ns(CLOCK_MONOTONIC_COARSE);

		do {
			last = now;
			now = now_ns(CLOCK_MONOTONIC);
		} while (now_ns(CLOCK_MONOTONIC_COARSE) == before);
		now = now_ns(CLOCK_MONOTONIC);
	} while (now - last > 50000 && --tries);
	return now;
}

static int64_t parse_us(const char *text)
{
	return atof(text) * 1000 + 0.5;
}

int main(int argc, char **argv)
{
	int64_t period = argc > 1 ? parse_us(argv[1]) : 4000000;
	int64_t start = argc > 2 ? parse_us(argv[2]) : 200000;
	int64_t burst = argc > 3 ? parse_us(argv[3]) : 3000000;
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
