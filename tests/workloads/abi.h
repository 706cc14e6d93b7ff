/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the programs that test the interface: valid arguments, and checks of the answers. */
#ifndef TESTS_ABI_H
#define TESTS_ABI_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "abi_rules.h"

static int nr_wrong;

static inline void check(int is_right, const char *what, int line)
{
	if (is_right)
		return;
	printf("line %d: %s (errno %d, %s)\n", line, what, errno, strerror(errno));
	nr_wrong++;
}

#define CHECK(condition) check(condition, #condition, __LINE__)

/* The call must fail with this errno. */
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

static inline struct cpuprobe_start good_kernel(int exe)
{
	struct cpuprobe_start start = good_process(exe);

	start.mode = CPUPROBE_MODE_KERNEL;
	start.code_start = 0;
	return start;
}

static inline struct cpuprobe_start good_late(void)
{
	return START(.what = CPUPROBE_WHAT_LATE, .period_ns = 1000000);
}

static inline struct cpuprobe_start good_stacks(void)
{
	return START(.what = CPUPROBE_WHAT_STACKS, .period_ns = 1000000,
		     .frames = CPUPROBE_FRAMES_USER | CPUPROBE_FRAMES_KERNEL);
}

/* A request with room for the counts of every kind of session except stacks. */
static inline struct cpuprobe_harvest good_harvest(void *buffer)
{
	return REQUEST(harvest, .buffer = (unsigned long)buffer,
		.buffer_len = CPUPROBE_RECORDS * sizeof(struct cpuprobe_record));
}

static inline struct cpuprobe_areas good_areas(const struct cpuprobe_area *area, unsigned int nr)
{
	return REQUEST(areas, .nr_areas = nr, .areas = (unsigned long)area);
}

/* The call must fail with @error and leave its argument unchanged. */
static inline void fails(int fd, const struct command *command, const void *argument, int error,
			 int line)
{
	unsigned char bytes[320];

	memcpy(bytes, argument, _IOC_SIZE(command->number));
	check(ioctl(fd, command->number, bytes) == -1 && errno == error, "refused", line);
	check(!memcmp(bytes, argument, _IOC_SIZE(command->number)), "argument unchanged", line);
}

/* The call must fail with every other size or version, all other fields being valid. */
static inline void wrong_heads(int fd, const struct command *command, const void *right, int line)
{
	const __u32 size = _IOC_SIZE(command->number), version = CPUPROBE_ABI_VERSION;
	const __u32 versions[] = { 0, version - 1, version + 1, ~0u };
	__u32 argument[80], i;

	memcpy(argument, right, size);
	for (i = 0; i <= sizeof(argument); i++) {
		argument[0] = i < sizeof(argument) ? i : ~0u;
		if (argument[0] != size)
			fails(fd, command, argument, EPROTO, line);
	}
	argument[0] = size;
	for (i = 0; i < NR(versions); i++) {
		argument[1] = versions[i];
		fails(fd, command, argument, EPROTO, line);
	}
}

/* Values to try in a field: no bit, all bits, just outside the limits, and each bit alone. */
#define ODD_VALUES 69

static inline __u64 odd_value(const struct rule *rule, unsigned int i)
{
	const __u64 edges[] = { 0, -1, -2, rule->least - 1, rule->most + 1 };

	return i < NR(edges) ? edges[i] : 1ULL << (i - NR(edges));
}

/* The call must fail with each invalid value in each field, all other fields being valid. */
static inline void wrong_values(int fd, const struct command *command, const void *right, int line)
{
	unsigned char argument[320];
	const struct rule *rule;
	unsigned int i;

	for (rule = command->rules; rule < command->rules + command->nr_rules; rule++) {
		for (i = 0; i < ODD_VALUES; i++) {
			__u64 value = odd_value(rule, i);

			memcpy(argument, right, _IOC_SIZE(command->number));
			memcpy(argument + rule->at, &value, rule->len);
			if (wrong_fields(command, argument, IN_ALL))
				fails(fd, command, argument, EINVAL, line);
		}
	}
}

/* AREAS must succeed if the rules accept the areas, else fail. */
static inline void try_areas(int fd, const struct cpuprobe_area *area, __u32 nr, int line)
{
	struct cpuprobe_areas request = good_areas(area, nr);

	if (are_areas_right(area, nr))
		check(!ioctl(fd, CPUPROBE_IOC_AREAS, &request), "areas taken", line);
	else
		fails(fd, COMMAND(AREAS), &request, EINVAL, line);
}

/* START must fail with one of @reasons, and clear the fields that name a holder. */
static inline void refuses(int fd, struct cpuprobe_start start, int error, unsigned int reasons,
			   int line)
{
	struct cpuprobe_start asked;

	start.reason = 77;
	start.holder_pid = 77;
	memset(start.holder_comm, 77, sizeof(start.holder_comm));
	asked = start;
	check(ioctl(fd, CPUPROBE_IOC_START, &start) == -1 && errno == error, "refused", line);
	check(is_only_answered(&asked, start) && start.seed == asked.seed, "question unchanged",
	      line);
	check(is_reason(reasons, start.reason) && !start.holder_pid && !start.holder_comm[0],
	      "the right reason", line);
}

static inline void still_starts(int fd, int line)
{
	struct cpuprobe_start start = good_start();

	check(!ioctl(fd, CPUPROBE_IOC_START, &start), "startable afterwards", line);
	close(fd);
}

static inline void refused(struct cpuprobe_start start, int error, int line)
{
	int fd = device();

	refuses(fd, start, error, start_reasons(&start, error), line);
	still_starts(fd, line);
}

/* START must succeed, or fail only because this machine lacks the memory or the CPU time. */
static inline void takes(struct cpuprobe_start start, int line)
{
	struct cpuprobe_start asked = start;
	int fd = device();

	if (!ioctl(fd, CPUPROBE_IOC_START, &start))
		check(!start.reason && start.seed && (!asked.seed || start.seed == asked.seed),
		      "the seed answered", line);
	else if (start.stack_kib == CPUPROBE_STACK_KIB_MAX && errno == ENOMEM)
		check(!start.reason, "no memory", line);
	else
		check(errno == EBUSY && start.reason == CPUPROBE_REASON_OVERHEAD, "taken", line);
	check(is_only_answered(&asked, start), "question unchanged", line);
	close(fd);
}

/* START with one field of a valid request replaced. */
#define WITH(base, field, value) ({ struct cpuprobe_start s = base; s.field = value; s; })
#define TAKES(base, field, value) takes(WITH(base, field, value), __LINE__)
#define REFUSES(base, field, value, error) refused(WITH(base, field, value), error, __LINE__)

#endif
