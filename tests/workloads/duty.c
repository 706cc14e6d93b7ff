// SPDX-License-Identifier: GPL-2.0-only
/*
 * duty CPU SECONDS CYCLE_US:BUSY_US...: on one CPU, a process for each pair that computes for BUSY of
 * every CYCLE microseconds. They are called duty0, duty1, ...; a process called filler, of the policy
 * SCHED_IDLE, leaves nothing of the CPU idle. At the end it prints each one's CPU time in seconds, from
 * the kernel's exact accounting.
 *
 * duty -programs: print the ids of the BPF programs called "probe" that the kernel has.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NR_MAX	16

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void compute_in_cycles(int64_t begin, int64_t end, int64_t cycle, int64_t busy)
{
	int64_t at = begin;

	prctl(PR_SET_TIMERSLACK, 1);
	while (at < end) {
		const struct timespec until = { at / 1000000000, at % 1000000000 };

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		while (now_ns() < at + busy && now_ns() < end)
			;
		at += cycle;
	}
}

static pid_t begin_child(const char *name, int64_t begin, int64_t end, int64_t cycle, int64_t busy)
{
	const struct sched_param none = { 0 };
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_NAME, name);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (busy == cycle && sched_setscheduler(0, SCHED_IDLE, &none))
		_exit(1);
	compute_in_cycles(begin, end, cycle, busy);
	_exit(0);
}

static void print_time(const char *name, pid_t child)
{
	struct rusage used;
	int status;

	if (wait4(child, &status, 0, &used) != child || status)
		exit(1);
	printf("%s %.6f\n", name, used.ru_utime.tv_sec + used.ru_stime.tv_sec +
	       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
}

static int list_programs(void)
{
	uint32_t id = 0;
	int fd;

	for (;;) {
		union bpf_attr attr = { .start_id = id };
		struct bpf_prog_info info = { .type = 0 };

		if (syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr)))
			break;
		id = attr.next_id;
		attr = (union bpf_attr){ .prog_id = id };
		fd = syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attr, sizeof(attr));
		if (fd < 0)
			continue;
		memset(&attr, 0, sizeof(attr));
		attr.info.bpf_fd = fd;
		attr.info.info_len = sizeof(info);
		attr.info.info = (uintptr_t)&info;
		if (!syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) && !strcmp(info.name, "probe"))
			printf("%u\n", id);
		close(fd);
	}
	return errno == ENOENT ? 0 : 1;
}

int main(int argc, char **argv)
{
	int64_t begin = now_ns(), end;
	char name[NR_MAX][16];
	pid_t child[NR_MAX];
	int i, nr = argc - 3;
	cpu_set_t cpus;

	if (argc == 2 && !strcmp(argv[1], "-programs"))
		return list_programs();
	if (argc < 4 || nr >= NR_MAX)
		return 2;
	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[1]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		return 1;
	end = begin + atof(argv[2]) * 1e9;
	for (i = 0; i < nr; i++) {
		char *busy = strchr(argv[i + 3], ':');

		if (!busy)
			return 2;
		snprintf(name[i], sizeof(name[i]), "duty%d", i);
		child[i] = begin_child(name[i], begin, end, atof(argv[i + 3]) * 1e3,
				       atof(busy + 1) * 1e3);
	}
	strcpy(name[nr], "filler");
	child[nr] = begin_child(name[nr], begin, end, 1000000, 1000000);
	for (i = 0; i <= nr; i++)
		print_time(name[i], child[i]);
	return 0;
}
