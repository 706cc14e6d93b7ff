// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: whoever calls the kernel's function @function with interrupts on stays for @stay_ms at its beginning,
 * without giving the CPU away. Interrupts come in that time.
 */
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/module.h>

static char *function = "";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "function whose callers stay");

static unsigned int stay_ms = 50;
module_param(stay_ms, uint, 0444);
MODULE_PARM_DESC(stay_ms, "how long they stay");

static void notrace on_call(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	if (!irqs_disabled())
		mdelay(stay_ms);
}

static struct ftrace_ops hook = { .func = on_call };

static int __init tarry_init(void)
{
	int error = ftrace_set_filter(&hook, function, strlen(function), 1);

	if (error)
		return error;
	error = register_ftrace_function(&hook);
	if (error)
		ftrace_free_filter(&hook);
	return error;
}

static void __exit tarry_exit(void)
{
	unregister_ftrace_function(&hook);
	ftrace_free_filter(&hook);
}

module_init(tarry_init);
module_exit(tarry_exit);
MODULE_DESCRIPTION("makes callers of a function stay in it, for tests");
MODULE_LICENSE("GPL");
