// SPDX-License-Identifier: GPL-2.0-only
/* Operations that are calls of the device, and their results as words. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "whomay.h"

#define KERNEL_LOW	0xffffffff81000000ULL
#define KERNEL_HIGH	0xffffffff82000000ULL
#define MEMBER_KIB 16384		/* limit on the memory of a member's sessions, per CPU */

const char *word_of_error(unsigned int reason)
{
	static char word[32];

	if (errno == EPERM && reason == CPUPROBE_REASON_OWNER)
		return "owner";
	if (errno == EPERM && reason == CPUPROBE_REASON_KERNEL)
		return "kernel";
	if (errno == EPERM && reason == CPUPROBE_REASON_LOCKDOWN)
		return "lockdown";
	snprintf(word, sizeof(word), "%s", strerrorname_np(errno));
	return word;
}

const char *try_start(const struct operation *operation, int fd)
{
	struct cpuprobe_start request = START(.what = operation->what, .by = operation->by,
		.mode = operation->mode, .period_ns = 1000000);

	if (operation->exe >= 0)
		request.exe_fd = running[operation->exe].exe_fd;
	if (operation->pid >= 0)
		request.pid = running[operation->pid].pid;
	if (request.what == CPUPROBE_WHAT_STACKS) {
		request.frames = operation->by;
		request.by = 0;
		request.stack_kib = STACK_KIB;
	}
	if (request.what == CPUPROBE_WHAT_PROCESS) {
		int is_kernel = request.mode == CPUPROBE_MODE_KERNEL;

		request.low = is_kernel ? KERNEL_LOW : 0x1000;
		request.high = is_kernel ? KERNEL_HIGH : 0x100000;
		request.code_start = is_kernel ? 0 : 0x1000;
	}
	return ioctl(fd, CPUPROBE_IOC_START, &request) ? word_of_error(request.reason) : "yes";
}

/* Page faults: each one a sample. */
const char *try_start_event(const struct operation *operation, int fd)
{
	struct cpuprobe_start request = START(.what = operation->what, .period_ns = 1000000,
		.event_type = PERF_TYPE_SOFTWARE + 1, .event_config = PERF_COUNT_SW_PAGE_FAULTS, .event_period = 1);

	return ioctl(fd, CPUPROBE_IOC_START, &request) ? word_of_error(request.reason) : "yes";
}

/* If the machine lacks another CPU, or NMIs, only a user who may sample by them is told so. */
const char *try_start_nmi(const struct operation *operation, int fd)
{
	struct cpuprobe_start request = START(.what = operation->what, .period_ns = 1000000,
		.flags = CPUPROBE_START_NMI);

	if (!ioctl(fd, CPUPROBE_IOC_START, &request) || request.reason == CPUPROBE_REASON_NEIGHBOUR ||
	    request.reason == CPUPROBE_REASON_NMI)
		return "yes";
	return word_of_error(request.reason);
}

/* No function begins at that address: those who may count calls are told so. */
const char *try_calls(const struct operation *operation, int fd)
{
	struct cpuprobe_function function = { .address = ~0ULL };
	struct cpuprobe_calls request = REQUEST(calls, .exe_fd = -1, .cgroup_fd = -1,
		.functions = (unsigned long)&function, .nr_functions = 1);

	need(ioctl(fd, CPUPROBE_IOC_CALLS, &request), "a hook at no function");
	return request.reason == CPUPROBE_REASON_FUNCTIONS ? "yes" : word_of_error(request.reason);
}

const char *try_trace(const struct operation *operation, int fd)
{
	struct cpuprobe_function function = { .address = ~0ULL };
	struct cpuprobe_trace request = REQUEST(trace, .exe_fd = -1, .cgroup_fd = -1, .nr_functions = 1,
		.functions = (unsigned long)&function, .start_function = CPUPROBE_NO_FUNCTION,
		.stop_function = CPUPROBE_NO_FUNCTION);

	need(ioctl(fd, CPUPROBE_IOC_TRACE, &request), "a trace of no function");
	return request.reason == CPUPROBE_REASON_FUNCTIONS ? "yes" : word_of_error(request.reason);
}

const char *try_mark(const struct operation *operation, int fd)
{
	return write(fd, "mark", 4) == 4 ? "yes" : word_of_error(0);
}

const char *try_open(const struct operation *operation, int fd)
{
	return "yes";	/* the caller has an open descriptor */
}

const char *try_info(const struct operation *operation, int fd)
{
	struct cpuprobe_info reply = { .size = sizeof(reply) };

	if (ioctl(fd, CPUPROBE_IOC_INFO, &reply))
		return word_of_error(0);
	return reply.access == 2 ? "2" : reply.access == 1 ? "1" : "?";
}

const char *try_areas(const struct operation *operation, int fd)
{
	int is_kernel = operation->pid < 0;
	struct cpuprobe_area area = { .start = is_kernel ? KERNEL_LOW : 0x1000,
		.end = is_kernel ? KERNEL_HIGH : 0x2000, .object = CPUPROBE_OBJECT_FIRST,
		.pid = is_kernel ? 0 : running[operation->pid].pid };
	struct cpuprobe_areas request = REQUEST(areas, .nr_areas = 1, .areas = (unsigned long)&area);

	return ioctl(fd, CPUPROBE_IOC_AREAS, &request) ? word_of_error(0) : "yes";
}

/* Harvests one CPU and adds the counts by object to *targets. Returns 0, or -1 with errno. */
static int harvest_cpu(int fd, unsigned int cpu, unsigned long long *seq,
		       unsigned long long *targets)
{
	static __u64 counts[CPUPROBE_RECORDS * sizeof(struct cpuprobe_record) / 8];
	struct cpuprobe_harvest request = REQUEST(harvest, .cpu = cpu,
		.buffer = (unsigned long)counts, .buffer_len = sizeof(counts), .ack = *seq);

	if (ioctl(fd, CPUPROBE_IOC_HARVEST, &request))
		return -1;
	if (request.account.seq != *seq)
		for (unsigned int i = 0; i < request.account.objects; i++)
			*targets += counts[i];
	*seq = request.account.seq;
	return 0;
}

const char *try_harvest_and_stop(const struct operation *operation, int fd)
{
	unsigned long long seq = 0, targets = 0;

	if (strcmp(try_start(operation, fd), "yes"))
		return "not started";
	if (harvest_cpu(fd, 0, &seq, &targets) || ioctl(fd, CPUPROBE_IOC_STOP) ||
	    harvest_cpu(fd, 0, &seq, &targets))
		return word_of_error(0);
	return "yes";
}

static unsigned long long harvest_all(int fd, unsigned long long *seq)
{
	unsigned long long targets = 0;

	for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
		need(!harvest_cpu(fd, cpu, &seq[cpu], &targets), "harvest");
	return targets;
}

/* Checks whether samples of the target, which computes all the time, show an address. */
const char *try_samples(const struct operation *operation, int fd)
{
	static unsigned long long seq[64];

	if (strcmp(try_start(operation, fd), "yes"))
		return "not started";
	memset(seq, 0, sizeof(seq));
	harvest_all(fd, seq);
	for (int i = 0; i < 3; i++) {
		process_let_run(running[operation->exe].pid, LONG_ENOUGH_NS);
		if (harvest_all(fd, seq))
			return "yes";
	}
	return "none";
}

const char *try_samples_of_hidden(const struct operation *operation, int fd)
{
	static unsigned long long seq[64];
	const char *word;

	program_set_dumpable(1);
	word = try_start(operation, fd);
	program_set_dumpable(0);
	memset(seq, 0, sizeof(seq));
	if (!strcmp(word, "yes")) {
		harvest_all(fd, seq);
		process_let_run(running[operation->exe].pid, 2 * LONG_ENOUGH_NS);
		word = harvest_all(fd, seq) ? "yes" : "none";
	}
	program_set_dumpable(1);
	return word;
}

static int cgroup_fd;	/* control group of all processes */

/* The mount is needed for this open only. */
void cgroup_open(void)
{
	need(!mkdir("cgroup", 0755) || errno == EEXIST, "mkdir");
	need(!mount("none", "cgroup", "cgroup2", 0, NULL), "mount cgroup2");
	cgroup_fd = open("cgroup", O_RDONLY | O_CLOEXEC);
	need(cgroup_fd >= 0 && !umount2("cgroup", MNT_DETACH), "cgroup");
}

const char *try_start_cgroup(const struct operation *operation, int fd)
{
	struct cpuprobe_start request = START(.what = operation->what, .period_ns = 1000000,
		.frames = operation->by);

	request.cgroup_fd = cgroup_fd;
	return ioctl(fd, CPUPROBE_IOC_START, &request) ? word_of_error(request.reason) : "yes";
}

/* After the refusal the descriptor may start a smaller session: nothing stays claimed. */
const char *try_start_large(const struct operation *operation, int fd)
{
	struct cpuprobe_start request = START(.what = operation->what, .period_ns = 1000000,
		.frames = operation->by, .stack_kib = MEMBER_KIB);

	if (!ioctl(fd, CPUPROBE_IOC_START, &request))
		return "yes";
	if (errno != ENOMEM || request.reason != CPUPROBE_REASON_MEMORY)
		return word_of_error(request.reason);
	/* The session's other tables take part of the limit. */
	request.stack_kib = MEMBER_KIB - 256;
	return ioctl(fd, CPUPROBE_IOC_START, &request) ? "more than that" : "memory";
}
