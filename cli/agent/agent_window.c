// SPDX-License-Identifier: GPL-2.0-only
/* Windows of time, and which are recent: see agent_window.h. */
#include <string.h>

#include "agent/agent_window.h"
#include "base/clock.h"
#include "base/fnv.h"
#include "base/intern.h"
#include "base/sysfile.h"
#include "run/record.h"

/* The start of the machine, which windows on disk have: the same in each process. Without an id: this process's own. */
static u64 read_boot(void)
{
	char id[64];

	return sysfile_line("/proc/sys/kernel/random/boot_id", id, sizeof(id)) || !id[0] ?
		intern_hash(0, "", 0) : fnv_hash(id, strlen(id));
}

void window_now(struct window_now *now_ret)
{
	now_ret->boot = read_boot();
	now_ret->since_boot = clock_read(CLOCK_BOOTTIME);
	now_ret->since_1970 = clock_unix();
}

static double get_age(const struct window *window, const struct window_now *now)
{
	if (window->boot == now->boot)
		return now->since_boot - window->ended;
	return now->since_1970 - (window->began + window->seconds);
}

size_t window_first_since(const struct window *windows, size_t nr, double seconds,
			  const struct window_now *now)
{
	while (nr && get_age(&windows[nr - 1], now) < seconds)
		nr--;
	return nr;
}

double window_gap(const struct window *before, const struct window *after)
{
	double gap = before->boot == after->boot ?
		after->ended - after->seconds - before->ended :
		after->began - (before->began + before->seconds);

	return gap >= WINDOW_GAP_SECONDS ? gap : 0;
}

bool window_is_valid(const struct window *window)
{
	return window->number && window->began >= 0 && window->began <= RECORD_SECONDS_MAX &&
	       window->seconds >= 0 && window->seconds <= RECORD_SECONDS_MAX &&
	       window->ended >= 0 && window->ended <= RECORD_SECONDS_MAX;
}
