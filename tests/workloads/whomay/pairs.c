// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callers who are members try to see processes of many kinds: each by START, among the stacks of
 * the whole machine, and by its /proc/PID/maps, which no policy of a security module restricts
 * here. The module may never show more than the kernel does.
 */
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "whomay.h"

enum { TARGETS_MAX = 32, TARGET_RUN_NS = 60000000 };

static pid_t target_pid[TARGETS_MAX];

static void member(void) { identity_become(MEMBER, MEMBER, MEMBER, GROUP); }
static void member_setgid(void) { identity_become(MEMBER, MEMBER, GROUP, 0); }

/* Another user, except for the ids that open files. */
static void member_by_fsids(void)
{
	gid_t more = GROUP;

	need(!setgroups(1, &more) && !setresgid(OTHER, OTHER, MEMBER) &&
	     !setresuid(OTHER, OTHER, MEMBER), "ids");
	setfsgid(MEMBER);
	setfsuid(MEMBER);
}

static void member_in_ns(void)
{
	member();
	identity_enter_ns(MEMBER, MEMBER, MEMBER);
}

/* Enters the user namespace of the target TARGET_OWN_NS. */
static void member_in_their_ns(void)
{
	char path[64];
	int fd;

	member();
	snprintf(path, sizeof(path), "/proc/%d/ns/user", target_pid[TARGET_OWN_NS]);
	fd = open(path, O_RDONLY);
	need(fd >= 0 && !setns(fd, CLONE_NEWUSER), path);
	close(fd);
}

static void member_with(int capability, unsigned long long effective)
{
	identity_become_with(MEMBER, MEMBER, GROUP, 1ULL << capability, effective);
}

static void member_net_raw(void) { member_with(CAP_NET_RAW, -1); }
static void member_net_raw_unused(void) { member_with(CAP_NET_RAW, 0); }
static void member_ptrace(void) { member_with(CAP_SYS_PTRACE, -1); }

/* Callers, in the order of the table's columns. */
static const struct caller {
	const char *name;
	void (*become)(void);
} callers[PAIR_CELLS - 1] = {
	{ "member", member },
	{ "setgid", member_setgid },
	{ "fsids", member_by_fsids },
	{ "ns", member_in_ns },
	{ "that ns", member_in_their_ns },
	{ "net_raw", member_net_raw },
	{ "net_raw, not effective", member_net_raw_unused },
	{ "sys_ptrace", member_ptrace },
};

/* The kernel's answer for any thread of the process. Only a read of the file counts. */
static int maps_can_be_read(pid_t pid)
{
	char pattern[64], byte;
	int can = 0;
	glob_t maps;

	snprintf(pattern, sizeof(pattern), "/proc/%d/task/*/maps", pid);
	if (glob(pattern, 0, NULL, &maps))
		return 0;
	for (size_t i = 0; i < maps.gl_pathc; i++) {
		int fd = open(maps.gl_pathv[i], O_RDONLY);

		can |= fd >= 0 && read(fd, &byte, 1) == 1;
		close(fd);
	}
	globfree(&maps);
	return can;
}

static int open_device(void)
{
	int fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);

	need(fd >= 0, "/dev/cpuprobe");
	return fd;
}

static int may_start(pid_t pid)
{
	struct cpuprobe_start request = START(.what = CPUPROBE_WHAT_PROCESS, .pid = pid,
		.mode = CPUPROBE_MODE_USER, .period_ns = 1000000, .low = 0x1000, .high = 0x100000,
		.code_start = 0x1000);
	int fd = open_device(), may;

	request.exe_fd = open("/proc/self/exe", O_RDONLY);
	may = !ioctl(fd, CPUPROBE_IOC_START, &request);
	close(request.exe_fd);
	close(fd);
	return may;
}

static void note_stacks(const struct cpuprobe_harvest *harvest, int *is_seen)
{
	const struct cpuprobe_stack *stack;

	for_each_stack(stack, (unsigned long)harvest->buffer, &harvest->account)
		for (size_t i = 0; i < nr_targets; i++)
			is_seen[i] |= (pid_t)stack->pid == target_pid[i];
}

static void harvest_all(int fd, int *is_seen)
{
	static __u64 counts[STACK_KIB * 512 / 8], seq[64];
	struct cpuprobe_harvest request = REQUEST(harvest, .buffer = (unsigned long)counts,
		.buffer_len = sizeof(counts));

	for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		request.cpu = cpu;
		request.ack = seq[cpu];
		need(!ioctl(fd, CPUPROBE_IOC_HARVEST, &request), "harvest");
		if (request.account.seq != seq[cpu])
			note_stacks(&request, is_seen);
		seq[cpu] = request.account.seq;
	}
}

/* Sets is_seen[] of the targets that are among the machine's stacks after TARGET_RUN_NS each. */
static void see_targets(int *is_seen)
{
	struct cpuprobe_start request = START(.what = CPUPROBE_WHAT_STACKS, .period_ns = 1000000,
		.frames = CPUPROBE_FRAMES_USER, .stack_kib = STACK_KIB);
	unsigned long long until[TARGETS_MAX];
	int fd = open_device();
	size_t i;

	if (ioctl(fd, CPUPROBE_IOC_START, &request)) {
		printf("reason %u: ", request.reason);
		need(0, "start stacks");
	}
	for (i = 0; i < nr_targets; i++)
		until[i] = process_run_ns(target_pid[i]) + TARGET_RUN_NS;
	for (i = 0; i < nr_targets; i++)
		while (!targets[i].is_still && process_run_ns(target_pid[i]) < until[i]) {
			usleep(50000);
			harvest_all(fd, is_seen);
		}
	harvest_all(fd, is_seen);
	close(fd);
}

/* Returns the number of cells that differ. */
static int caller_try(size_t which)
{
	int is_seen[TARGETS_MAX] = { 0 }, nr_wrong = 0;

	callers[which].become();
	see_targets(is_seen);
	for (size_t i = 0; i < nr_targets; i++) {
		const char *wanted = rule_cell(targets[i].name, PAIR_CELLS, 1 + which), *word;
		int kernel = maps_can_be_read(target_pid[i]);
		int start = may_start(target_pid[i]);

		word = (start || is_seen[i]) && !kernel ? "WIDER" : is_seen[i] ? "yes" :
			kernel ? "maps" : start ? "not seen" : "no";
		printf("%s ", word);
		if (!strcmp(word, wanted))
			continue;
		printf("(instead of %s: %s; START %s, seen %s, kernel %s) ", wanted,
		       targets[i].name, start ? "yes" : "no", is_seen[i] ? "yes" : "no",
		       kernel ? "yes" : "no");
		nr_wrong++;
	}
	printf("| %s\n", callers[which].name);
	fflush(stdout);
	return nr_wrong;
}

int pairs_try(void)
{
	int nr_wrong = 0, status;
	pid_t pid;

	need(nr_targets <= TARGETS_MAX, "raise TARGETS_MAX");
	targets_start(target_pid);
	for (size_t i = 0; i < nr_targets; i++)
		rule_cell(targets[i].name, PAIR_CELLS, 0);
	for (size_t i = 0; i < PAIR_CELLS - 1; i++) {
		fflush(stdout);
		pid = fork();
		if (!pid)
			_exit(caller_try(i));
		waitpid(pid, &status, 0);
		nr_wrong += WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	}
	targets_stop(target_pid);
	printf("%zu pairs, %d wrong\n", nr_targets * (PAIR_CELLS - 1), nr_wrong);
	return nr_wrong;
}
