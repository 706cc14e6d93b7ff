// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow FUNCTION COMMAND...: follow calls of a kernel function, or of none ("-"), while a command runs.
 * Prints the number of events in all CPUs' memory: entries, or with "-" switches. Fails if some were lost.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../kmod/uapi/cpuprobe.h"

#define KIB	8192

static void __attribute__((noreturn)) die(const char *what)
{
	perror(what);
	exit(1);
}

static __u64 address_of(const char *wanted)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address, found = 0;
	char line[512], name[256];

	while (!found && file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %255s", &address, name) == 2 && !strcmp(name, wanted))
			found = address;
	return found;
}

static void run(char **argv)
{
	pid_t pid = vfork();

	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

/* Events of a type on one CPU; text is not mistaken for them, because there is little of it. */
static unsigned long count_events(int fd, int cpu, __u32 type)
{
	static struct cpuprobe_event slot[KIB * 64];
	struct cpuprobe_events events = { .size = sizeof(events), .version = CPUPROBE_ABI_VERSION,
		.cpu = cpu, .buffer = (unsigned long)slot, .buffer_len = sizeof(slot) };
	unsigned long nr = 0;
	__u32 i;

	if (ioctl(fd, CPUPROBE_IOC_EVENTS, &events))
		die("EVENTS");
	if (events.lost || events.flags != CPUPROBE_EVENTS_ENDED)
		fprintf(stderr, "follow: %llu events lost, flags %u\n", events.lost, events.flags), exit(1);
	for (i = 0; i < events.nr_slots; i++)
		nr += (slot[i].head >> CPUPROBE_EVENT_TYPE_SHIFT & 0xff) == type;
	return nr;
}

int main(int argc, char **argv)
{
	struct cpuprobe_function function = { .address = 0 };
	struct cpuprobe_trace trace = { .size = sizeof(trace), .version = CPUPROBE_ABI_VERSION,
		.functions = (unsigned long)&function, .buffer_kib = KIB, .exe_fd = -1, .cgroup_fd = -1,
		.start_function = CPUPROBE_NO_FUNCTION, .stop_function = CPUPROBE_NO_FUNCTION };
	int fd = open("/dev/" CPUPROBE_DEVICE, O_RDWR | O_CLOEXEC), cpu;
	unsigned long nr = 0;

	if (argc < 3 || fd < 0)
		return 2;
	trace.nr_functions = strcmp(argv[1], "-") != 0;
	function.address = address_of(argv[1]);
	if (ioctl(fd, CPUPROBE_IOC_TRACE, &trace))
		die("TRACE");
	run(argv + 2);
	if (ioctl(fd, CPUPROBE_IOC_STOP))
		die("STOP");
	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
		nr += count_events(fd, cpu, trace.nr_functions ? CPUPROBE_EVENT_ENTRY : CPUPROBE_EVENT_SWITCH);
	printf("events %lu\n", nr);
	return 0;
}
