/* SPDX-License-Identifier: GPL-2.0-only */
/* What the programs that test the interface share: arguments that are right, and verdicts. */
#ifndef TESTS_ABI_H
#define TESTS_ABI_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device.h"

static int nr_wrong;

static inline void check(int is_right, const char *what, int line)
{
	if (is_right)
		return;
	printf("line %d: %s (errno %d, %s)\n", line, what, errno, strerror(errno));
	nr_wrong++;
}

#define CHECK(condition) check(condition, #condition, __LINE__)

/* A call that must fail so. */
#define FAILS(call, error) CHECK((call) == -1 && errno == (error))

static inline int device(void)
{
	int fd = open("/dev/cpuprobe", O_RDWR);

	if (fd < 0) {
		perror("open");
		exit(1);
	}
	return fd;
}

static inline struct cpuprobe_start good_start(void)
{
	return START(.what = CPUPROBE_WHAT_SYSTEM, .period_ns = 1000000);
}

static inline struct cpuprobe_start good_process(int exe)
{
	struct cpuprobe_start start = good_start();

	start.what = CPUPROBE_WHAT_PROCESS;
	start.exe_fd = exe;
	start.mode = CPUPROBE_MODE_USER;
	start.low = 0x1000;
	start.high = 0x2000;
	start.code_start = 0x1000;
	return start;
}

/* With room for the counts of every kind of session. */
static inline struct cpuprobe_harvest good_harvest(void *buffer)
{
	return REQUEST(harvest, .buffer = (unsigned long)buffer,
		.buffer_len = CPUPROBE_RECORDS * sizeof(struct cpuprobe_record));
}

static inline struct cpuprobe_areas good_areas(const struct cpuprobe_area *area, unsigned int nr)
{
	return REQUEST(areas, .nr_areas = nr, .areas = (unsigned long)area);
}

/* Whether the answer differs from the question only where the module answers. */
static inline int is_only_answered(const struct cpuprobe_start *asked, struct cpuprobe_start answer)
{
	answer.seed = asked->seed;
	answer.reason = asked->reason;
	answer.holder_pid = asked->holder_pid;
	answer.holder_rate_hz = asked->holder_rate_hz;
	answer.used_rate_hz = asked->used_rate_hz;
	answer.used_overhead_ppm = asked->used_overhead_ppm;
	memcpy(answer.holder_comm, asked->holder_comm, sizeof(answer.holder_comm));
	return !memcmp(&answer, asked, sizeof(answer));
}

#endif
