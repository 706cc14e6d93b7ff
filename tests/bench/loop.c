// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop user|call|idle N: a fixed amount of work that takes as long as the machine and whatever
 * interrupts it take: N thousand instructions in user mode, or N cheap system calls. Or nothing
 * for N microseconds: then the time that idle.ko saw the CPU not halted is reported.
 */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "meter.h"

/* A kilo-instruction is 50 turns of 20: few jumps, which emulation is slow at. */
static __attribute__((noinline)) void spin(uint64_t kilo_instructions)
{
	uint64_t turns = kilo_instructions * 50;

	__asm__ volatile("1:\n.rept 18\nnop\n.endr\ndec %0\njnz 1b" : "+r"(turns));
}

static __attribute__((noinline)) void call(uint64_t calls)
{
	while (calls--)
		syscall(SYS_getppid);
}

static uint64_t halted_ns(void)
{
	FILE *file = fopen("/sys/module/idle/parameters/halted_ns", "r");
	unsigned long ns = 0;

	if (!file || fscanf(file, "%lu", &ns) != 1)
		exit(1);
	fclose(file);
	return ns;
}

int main(int argc, char **argv)
{
	struct meter meter;
	uint64_t amount;

	if (argc != 3)
		return 2;
	amount = strtoull(argv[2], NULL, 0);
	meter_start(&meter);
	if (!strcmp(argv[1], "idle")) {
		meter.started_ns -= halted_ns();
		usleep(amount);
		meter.started_ns += halted_ns();
	} else if (!strcmp(argv[1], "call"))
		call(amount);
	else
		spin(amount);
	meter_stop(&meter);
	return 0;
}
