// SPDX-License-Identifier: GPL-2.0-only
/* Rates of events: see event_rate.h. */
#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "cpuprobe.h"
#include "events/event_rate.h"

#define COUNT_NS	2000000ULL

static int open_count(const struct event *event)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = event->type, .config = event->config, .config1 = event->config1,
		.disabled = 1, .exclude_user = !!(event->flags & CPUPROBE_EVENT_NO_USER),
		.exclude_kernel = !!(event->flags & CPUPROBE_EVENT_NO_KERNEL),
		.exclude_hv = !!(event->flags & CPUPROBE_EVENT_NO_KERNEL),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void compute(void)
{
	const u64 until = clock_ns() + COUNT_NS;
	volatile unsigned int turns;

	while (clock_ns() < until)
		for (turns = 0; turns < 1000; turns++)
			;
}

double event_rate(const struct event *event)
{
	struct { u64 events, enabled_ns, running_ns; } seen = { 0 };
	const int fd = open_count(event);

	if (fd < 0)
		return 0;
	/* The time is that of this thread: what interrupts it does not count. */
	if (!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		compute();
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		if (read(fd, &seen, sizeof(seen)) != sizeof(seen))
			seen.running_ns = 0;
	}
	close(fd);
	return seen.running_ns ? 1e9 * seen.events / seen.running_ns : 0;
}

/* A number with two significant digits, rounded up. */
static double round_up(double value)
{
	const double unit = value >= 10 ? pow(10, floor(log10(value)) - 1) : 1;

	return ceil(value / unit) * unit;
}

int event_check_rate(const struct event *event, double rate, double wanted_hz, struct text_error *error_ret)
{
	const double hz = rate / event->period;

	if (hz <= EVENT_RATE_MOST)
		return 0;
	text_fail(error_ret, 0, "sample %s with a period of %llu: a busy CPU would take %.2g samples a second, "
		  "more than %d", event->name, event->period, hz, EVENT_RATE_MOST);
	text_hint(error_ret, "-period %.0f takes about %g", round_up(rate / wanted_hz), wanted_hz);
	return -EINVAL;
}
