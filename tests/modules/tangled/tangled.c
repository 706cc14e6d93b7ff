// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: calls that are hard to time. Writing N to a parameter does it N times:
 * - recurse: tangled_recurse() calls itself, N deep below the first call;
 * - jump: tangled_jump() ends with a jump to tangled_target();
 * - die: a thread ends inside tangled_die();
 * - interrupt: an interrupt calls tangled_irq() while tangled_interrupted() runs, and a softirq
 *   tangled_softirq();
 * - nest: an interrupt calls tangled_raise() while tangled_outer() runs, the softirq at its end
 *   tangled_raised(), and an interrupt of that tangled_inner().
 * Each function executes 20,000 instructions of its own, and a few to be entered and left.
 */
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
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

static bool was_interrupted, was_softirq;
static int jumped;

static noinline void tangled_recurse(unsigned long depth)
{
	WORK("recurse");
	if (depth)
		tangled_recurse(depth - 1);
	barrier();
}

static noinline int tangled_target(int value)
{
	WORK("target");
	return value + 1;
}

/* Kernels of arm64 are compiled without jumps at the end of functions. */
static noinline __attribute__((optimize("optimize-sibling-calls"))) int tangled_jump(int value)
{
	WORK("jump");
	return tangled_target(value);
}

static noinline void tangled_die(struct completion *done)
{
	WORK("die");
	kthread_complete_and_exit(done, 0);
}

static int run_thread(void *done)
{
	tangled_die(done);
	return 0;
}

static noinline void tangled_irq(struct irq_work *work)
{
	WORK("irq");
	WRITE_ONCE(was_interrupted, true);
}

/* A hard interrupt on RT too. */
static struct irq_work work = IRQ_WORK_INIT_HARD(tangled_irq);

static noinline void tangled_softirq(struct tasklet_struct *tasklet)
{
	WORK("softirq");
	WRITE_ONCE(was_softirq, true);
}

static DECLARE_TASKLET(tasklet, tangled_softirq);

static noinline void tangled_interrupted(void)
{
	WORK("interrupted");
	was_interrupted = was_softirq = false;
	irq_work_queue(&work);
	local_bh_disable();
	tasklet_schedule(&tasklet);
	local_bh_enable();
	while (!READ_ONCE(was_interrupted) || !READ_ONCE(was_softirq))
		cpu_relax();
}

static bool was_raised, was_inner;

static noinline void tangled_inner(struct irq_work *work)
{
	WORK("inner");
	WRITE_ONCE(was_inner, true);
}

static struct irq_work inner = IRQ_WORK_INIT_HARD(tangled_inner);

static noinline void tangled_raised(struct tasklet_struct *tasklet)
{
	WORK("raised");
	irq_work_queue(&inner);
	while (!READ_ONCE(was_inner))
		cpu_relax();
	WRITE_ONCE(was_raised, true);
}

static DECLARE_TASKLET(raised, tangled_raised);

static noinline void tangled_raise(struct irq_work *work)
{
	WORK("raise");
	tasklet_schedule(&raised);
}

static struct irq_work raise_work = IRQ_WORK_INIT_HARD(tangled_raise);

static noinline void tangled_outer(void)
{
	WORK("outer");
	was_raised = was_inner = false;
	irq_work_queue(&raise_work);
	while (!READ_ONCE(was_raised))
		cpu_relax();
}

static int recurse(const char *text, const struct kernel_param *param)
{
	unsigned long nr;
	int error = kstrtoul(text, 0, &nr);

	if (!error)
		tangled_recurse(min(nr, 30UL));
	return error;
}

static int jump(const char *text, const struct kernel_param *param)
{
	unsigned long nr;
	int error = kstrtoul(text, 0, &nr);

	for (; !error && nr; nr--)
		WRITE_ONCE(jumped, tangled_jump(nr));
	return error;
}

static int die(const char *text, const struct kernel_param *param)
{
	DECLARE_COMPLETION_ONSTACK(done);
	unsigned long nr;
	int error = kstrtoul(text, 0, &nr);

	for (; !error && nr; nr--) {
		reinit_completion(&done);
		if (IS_ERR(kthread_run(run_thread, &done, "tangled")))
			return -ENOMEM;
		wait_for_completion(&done);
	}
	return error;
}

static int interrupt(const char *text, const struct kernel_param *param)
{
	unsigned long nr;
	int error = kstrtoul(text, 0, &nr);

	for (; !error && nr; nr--)
		tangled_interrupted();
	return error;
}

static int nest(const char *text, const struct kernel_param *param)
{
	unsigned long nr;
	int error = kstrtoul(text, 0, &nr);

	for (; !error && nr; nr--)
		tangled_outer();
	return error;
}

static const struct kernel_param_ops recurse_operations = { .set = recurse };
static const struct kernel_param_ops jump_operations = { .set = jump };
static const struct kernel_param_ops die_operations = { .set = die };
static const struct kernel_param_ops interrupt_operations = { .set = interrupt };
static const struct kernel_param_ops nest_operations = { .set = nest };

module_param_cb(recurse, &recurse_operations, NULL, 0200);
module_param_cb(jump, &jump_operations, NULL, 0200);
module_param_cb(die, &die_operations, NULL, 0200);
module_param_cb(interrupt, &interrupt_operations, NULL, 0200);
module_param_cb(nest, &nest_operations, NULL, 0200);

static int __init tangled_init(void)
{
	return 0;
}

static void __exit tangled_exit(void)
{
	irq_work_sync(&work);
	tasklet_kill(&tasklet);
	irq_work_sync(&raise_work);
	tasklet_kill(&raised);
	irq_work_sync(&inner);
}

module_init(tangled_init);
module_exit(tangled_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Calls that are hard to time");
