// SPDX-License-Identifier: GPL-2.0-only
/*
 * hider [PERIOD_US [START_US [BURST_US]]]: computes in lockstep with the scheduler tick, but never
 * during a tick: begins START us after one, sleeps BURST us later, and repeats this every PERIOD
 * us. A profiler that samples at ticks sees an idle machine; with a START shortly before the next
 * tick it sees a busy one. Other periods are in lockstep with other clocks. Fractions are allowed,
 * since the period of 300 Hz is not a whole number of microseconds.
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
 * The coarse clock advances at each tick (to a time shortly before it). A tick counts only if this
 * process was running: the scheduler may give the CPU to another task at a tick.
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
