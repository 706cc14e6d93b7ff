// SPDX-License-Identifier: GPL-2.0-only
/*
 * ticks HZ PROGRAM [ARGUMENT...]: runs a program while each CPU is interrupted HZ times a second for nothing: by an
 * event of the CPU's clock that overflows and has neither a program nor a ring. It is the least that any sampling by
 * such events costs on this machine.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const unsigned long rate = argc > 2 ? strtoul(argv[1], NULL, 0) : 0;
	const long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
	};
	long cpu;

	if (!rate)
		errx(2, "usage: ticks HZ PROGRAM [ARGUMENT...]");
	attr.sample_period = 1000000000 / rate;
	/* Descriptors that the program inherits keep the events. */
	for (cpu = 0; cpu < nr_cpus; cpu++)
		if (syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, 0) < 0)
			err(1, "an event on CPU %ld", cpu);
	execvp(argv[2], argv + 2);
	err(127, "%s", argv[2]);
}
