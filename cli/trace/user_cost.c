// SPDX-License-Identifier: GPL-2.0-only
/* The cost of following a call: see user_cost.h. */
#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/device_trace.h"
#include "symbolizer.h"
#include "trace/user_cost.h"

#define CALLS	64
#define ROUNDS	8

void user_cost_followed(void);

/* Never inlined nor left out. */
__attribute__((noinline)) void user_cost_followed(void)
{
	__asm__ volatile("");
}

/* Finds the function in this program's file. */
static bool find_own(u64 *offset_ret)
{
	u64 addr = (u64)(uintptr_t)user_cost_followed;
	struct sym_maps maps;
	bool is_found = false;
	size_t i;

	if (sym_maps_read(getpid(), &maps))
		return false;
	for (i = 0; i < maps.nr && !is_found; i++) {
		is_found = addr >= maps.maps[i].start && addr < maps.maps[i].end;
		*offset_ret = addr - maps.maps[i].start + maps.maps[i].offset;
	}
	sym_maps_deinit(&maps);
	return is_found;
}

/* Nanoseconds of a call; the least of several rounds, since other tasks may run too. */
static double time_calls(void)
{
	double least = 0;
	u32 round, i;

	for (round = 0; round < ROUNDS; round++) {
		double began = clock_seconds(), ns;

		for (i = 0; i < CALLS; i++)
			user_cost_followed();
		ns = (clock_seconds() - began) * 1e9 / CALLS;
		if (!round || ns < least)
			least = ns;
	}
	return least;
}

static double measure_on(struct device *device, int fd, u64 offset)
{
	struct cpuprobe_user_function function = { .offset = offset, .fd = fd };
	struct cpuprobe_trace request = {
		.user_functions = (uintptr_t)&function, .nr_user_functions = 1, .pid = getpid(),
		.exe_fd = -1, .cgroup_fd = -1, .start_function = CPUPROBE_NO_FUNCTION,
		.stop_function = CPUPROBE_NO_FUNCTION, .flags = CPUPROBE_TRACE_WRAP,
		.buffer_kib = CPUPROBE_TRACE_KIB_MIN,
	};
	struct text_error error;

	return device_trace(device, &request, &error) ? 0 : time_calls();
}

u32 user_cost_measure(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct device device = { .fd = -1 };
	struct text_error error;
	double ns = 0;
	u64 offset;

	if (fd >= 0 && find_own(&offset) && !device_open(&device, &error)) {
		ns = measure_on(&device, fd, offset);
		device_close(&device);
	}
	if (fd >= 0)
		close(fd);
	return ns * 1e3 < CPUPROBE_USER_COST_MAX_PS ? ns * 1e3 : CPUPROBE_USER_COST_MAX_PS;
}
