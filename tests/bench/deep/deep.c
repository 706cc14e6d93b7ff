// SPDX-License-Identifier: GPL-2.0-only
/*
 * deep.ko: work in the kernel, 20 frames deep. Writing N to the parameter kilo_instructions
 * executes N thousand instructions at that depth, with interrupts on, yielding the CPU now and
 * then.
 */
#include <linux/module.h>
#include <linux/sched.h>

/* In addition to those of the system call, which are about ten. */
#define OWN_FRAMES 10

/* The end of a loop: two instructions. */
#ifdef CONFIG_ARM64
#define NEXT_TURN "subs %0, %0, #1\nb.ne 1b"
#else
#define NEXT_TURN "dec %0\njnz 1b"
#endif

static noinline void spin(void)
{
	unsigned long turns = 50000;

	asm volatile("1:\n.rept 18\nnop\n.endr\n" NEXT_TURN : "+r"(turns) : : "cc");
}

static noinline void below(unsigned int frames, unsigned long kilo_instructions)
{
	if (frames) {
		below(frames - 1, kilo_instructions);
	} else {
		for (; kilo_instructions >= 1000; kilo_instructions -= 1000) {
			spin();
			cond_resched();
		}
	}
	/* Code after the call keeps the compiler from turning it into a jump. */
	barrier();
}

static int work(const char *text, const struct kernel_param *param)
{
	unsigned long kilo_instructions;
	int error = kstrtoul(text, 0, &kilo_instructions);

	if (!error)
		below(OWN_FRAMES - 2, kilo_instructions);
	return error;
}

static const struct kernel_param_ops operations = { .set = work };

module_param_cb(kilo_instructions, &operations, NULL, 0200);

static int __init deep_init(void)
{
	return 0;
}

static void __exit deep_exit(void)
{
}

module_init(deep_init);
module_exit(deep_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Work in the kernel, 20 frames deep");
