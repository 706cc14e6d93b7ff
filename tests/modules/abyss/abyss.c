// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work in the kernel below more calls than a stack has frames: writing N to
 * /sys/module/abyss/parameters/loops runs N loops there.
 */
#include <linux/kernel.h>
#include <linux/module.h>

#define DEPTH 70

static noinline void work(unsigned long loops)
{
	while (loops--)
		barrier();
}

static noinline void descend(unsigned int depth, unsigned long loops)
{
	if (depth)
		descend(depth - 1, loops);
	else
		work(loops);
	barrier();	/* code after this keeps the call from becoming a jump */
}

static int set_loops(const char *text, const struct kernel_param *param)
{
	unsigned long loops;
	int error = kstrtoul(text, 0, &loops);

	if (!error)
		descend(DEPTH, loops);
	return error;
}

static const struct kernel_param_ops loops_ops = { .set = set_loops };

module_param_cb(loops, &loops_ops, NULL, 0200);
MODULE_DESCRIPTION("A test: work below many calls");
MODULE_LICENSE("GPL");
