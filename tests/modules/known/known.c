// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: functions whose calls and instructions are known. Writing N to the parameter rounds calls
 * known_a() N times. It calls known_b() and known_c(), and known_b() calls known_d(): the program of
 * Meurs, Building Performance Measurement Tools for the MINIX 3 Operating System, 2006. Each function
 * executes 20,000 instructions of its own, and a dozen to be entered and left. known_idle() is never
 * called.
 */
#include <linux/module.h>
#include <linux/sched.h>

/* The end of a loop: two instructions. */
#ifdef CONFIG_ARM64
#define NEXT_TURN "subs %0, %0, #1\nb.ne 1b"
#else
#define NEXT_TURN "dec %0\njnz 1b"
#endif

/* The name keeps the compiler from making one function of several equal ones. */
#define WORK(name) do { \
	unsigned long turns = 1000; \
	asm volatile("# " name "\n1:\n.rept 18\nnop\n.endr\n" NEXT_TURN : "+r"(turns) : : "cc"); \
} while (0)

static noinline void known_d(void)
{
	WORK("d");
	barrier();
}

static noinline void known_c(void)
{
	WORK("c");
	barrier();
}

static noinline void known_b(void)
{
	WORK("b");
	known_d();
	/* Code after the call keeps the compiler from turning it into a jump. */
	barrier();
}

static noinline void known_a(void)
{
	WORK("a");
	known_b();
	known_c();
	barrier();
}

static noinline void known_idle(void)
{
	WORK("idle");
	barrier();
}

static int run_rounds(const char *text, const struct kernel_param *param)
{
	unsigned long rounds;
	int error = kstrtoul(text, 0, &rounds);

	if (!error && rounds == ULONG_MAX)
		known_idle();
	for (; !error && rounds; rounds--) {
		known_a();
		cond_resched();
	}
	return error;
}

static const struct kernel_param_ops operations = { .set = run_rounds };

module_param_cb(rounds, &operations, NULL, 0200);

static int __init known_init(void)
{
	return 0;
}

static void __exit known_exit(void)
{
}

module_init(known_init);
module_exit(known_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Functions of known calls and times");
