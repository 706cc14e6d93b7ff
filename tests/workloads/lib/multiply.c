// SPDX-License-Identifier: GPL-2.0-only
/*
 * multiply ROUNDS: two functions that take 70% and 30% of the time, since each turn of either takes
 * the same number of instructions; compiled with -pg. A round takes 30 to 90 ms at a nanosecond per
 * instruction, a different time in each round, so that no clock is in lockstep with it.
 */
#include <stdlib.h>

#ifdef __aarch64__
#define ADD "add %0, %0, %2"
#define MULTIPLY "mul %0, %0, %2"
#define NEXT_TURN "subs %1, %1, #1\n\tb.ne 1b\n"
#else
#define ADD "add %2, %0"
#define MULTIPLY "imul %2, %0"
#define NEXT_TURN "dec %1\n\tjnz 1b\n"
#endif

/* Long turns make the emulation faster. */
#define LOOP(instruction) \
	__asm__ volatile("1:\t.rept 18\n\t" instruction "\n\t.endr\n\t" NEXT_TURN \
			 : "+r"(product), "+r"(turns) : "r"(number) : "cc")

unsigned long slow_multiply(unsigned long number, unsigned long turns);
unsigned long fast_multiply(unsigned long number, unsigned long turns);

/** slow_multiply() - multiply by repeated addition. */
__attribute__((noinline)) unsigned long slow_multiply(unsigned long number, unsigned long turns)
{
	unsigned long product = 0;

	LOOP(ADD);
	return product;
}

/** fast_multiply() - multiply with the processor's instruction. */
__attribute__((noinline)) unsigned long fast_multiply(unsigned long number, unsigned long turns)
{
	unsigned long product = number;

	LOOP(MULTIPLY);
	return product;
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? atoi(argv[1]) : 1, random = 1;
	unsigned long sum = 0, turns;

	while (rounds--) {
		random = random * 1103515245 + 12345;
		turns = 150000 + random / 65536 * 300000UL / 65536;
		sum += slow_multiply(3, 7 * turns);
		sum += fast_multiply(3, 3 * turns);
	}
	return sum == 1;
}
