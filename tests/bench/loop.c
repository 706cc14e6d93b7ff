// SPDX-License-Identifier: GPL-2.0-only
/*
 * loop user|frames|deep|call|switch|idle N: a fixed amount of work; the time it takes depends on the
 * machine and the interrupts alone. N thousand instructions in user mode (user), 10 frames deep in
 * user mode (frames), or 20 frames deep in the kernel (deep, by deep.ko); or N cheap system calls
 * (call), or N switches to another task and back (switch). idle: nothing for N microseconds; reports the
 * time during which idle.ko saw the CPU not halted. Built with FRAMELESS, functions have no frame pointers.
 */
#ifdef FRAMELESS
#pragma GCC optimize("omit-frame-pointer", "no-optimize-sibling-calls")
#else
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")
#endif
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "meter.h"

/* A kilo-instruction is 50 turns of 20 instructions: jumps are slow under emulation. */
static __attribute__((noinline)) void spin(uint64_t kilo_instructions)
{
	uint64_t turns = kilo_instructions * 50;

	__asm__ volatile("1:\n.rept 18\nnop\n.endr\n" NEXT_TURN : "+r"(turns) : : "cc");
}

/* The frames include main() and its two callers, which have frame pointers if this program has. */
static __attribute__((noinline, noclone)) void spin_below(unsigned int frames,
							  uint64_t kilo_instructions)
{
	if (frames)
		spin_below(frames - 1, kilo_instructions);
	else
		spin(kilo_instructions);
	__asm__ volatile("" : : : "memory");
}

static void spin_in_kernel(uint64_t kilo_instructions)
{
	FILE *file = fopen("/sys/module/deep/parameters/kilo_instructions", "w");

	if (!file || fprintf(file, "%llu", (unsigned long long)kilo_instructions) < 0 ||
	    fclose(file))
		exit(1);
}

static __attribute__((noinline)) void call(uint64_t calls)
{
	while (calls--)
		syscall(SYS_getppid);
}

/* Another task answers each byte. */
static void switch_tasks(uint64_t rounds)
{
	int there[2], back[2];
	char byte = 0;

	if (pipe(there) || pipe(back))
		exit(1);
	if (!fork()) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	while (rounds--)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			exit(1);
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
	/* Profilers read files when they first meet code, and harvest a second after their start. */
	if (!strcmp(argv[1], "frames")) {
		spin_below(6, 50000);
		usleep(1000000);
	}
	meter_start(&meter);
	if (!strcmp(argv[1], "idle")) {
		meter.started_ns -= halted_ns();
		usleep(amount);
		meter.started_ns += halted_ns();
	} else if (!strcmp(argv[1], "call"))
		call(amount);
	else if (!strcmp(argv[1], "switch"))
		switch_tasks(amount);
	else if (!strcmp(argv[1], "frames"))
		spin_below(6, amount);
	else if (!strcmp(argv[1], "deep"))
		spin_in_kernel(amount);
	else
		spin(amount);
	meter_stop(&meter);
	return 0;
}
