// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: calls that other tasks and interrupts come into, at a known place. Writing N to a parameter
 * does it N times:
 * - preempt: staged_preempted() wakes a thread of higher priority, which runs staged_preemptor() at once;
 * - block: staged_blocked() waits until another thread has run staged_waker();
 * - nest: staged_outer() runs a softirq, staged_softirq(), into which an interrupt comes, staged_irq();
 * - migrate: a thread enters staged_migrating() on one CPU and leaves it on the next one;
 * - pair: a thread on each CPU calls staged_pair(), all at the same time; none is PAIR_LEAD calls ahead.
 * staged_preemptor() and staged_waker() execute 200,000 instructions of their own; each other function
 * 20,000, twice if something comes in between. Each takes a few more to be entered and left.
 */
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/wait.h>

/* The end of a loop: two instructions. */
#ifdef CONFIG_ARM64
#define NEXT_TURN "subs %0, %0, #1\nb.ne 1b"
#else
#define NEXT_TURN "dec %0\njnz 1b"
#endif

/* The name keeps the compiler from making one function of several equal ones. */
#define WORK(name, nr) do { \
	unsigned long turns = (nr) / 20; \
	asm volatile("# " name "\n1:\n.rept 18\nnop\n.endr\n" NEXT_TURN : "+r"(turns) : : "cc"); \
} while (0)

/** A thread that calls a function when it is asked to. */
struct helper {
	wait_queue_head_t asked;
	bool is_asked;
	void (*function)(void);
	struct task_struct *thread;
};

static bool was_preempted, was_interrupted, was_woken;
static struct task_struct *blocked;

static noinline void staged_preemptor(void)
{
	WORK("preemptor", 200000);
	WRITE_ONCE(was_preempted, true);
}

static noinline void staged_waker(void)
{
	WORK("waker", 200000);
	WRITE_ONCE(was_woken, true);
	wake_up_process(blocked);
}

static struct helper preemptor = { .function = staged_preemptor };
static struct helper waker = { .function = staged_waker };

static void ask(struct helper *helper)
{
	WRITE_ONCE(helper->is_asked, true);
	wake_up(&helper->asked);
}

static int run_helper(void *data)
{
	struct helper *helper = data;

	for (;;) {
		wait_event_idle(helper->asked, READ_ONCE(helper->is_asked) || kthread_should_stop());
		if (kthread_should_stop())
			return 0;
		WRITE_ONCE(helper->is_asked, false);
		helper->function();
	}
}

static noinline void staged_preempted(void)
{
	WORK("preempted", 20000);
	WRITE_ONCE(was_preempted, false);
	ask(&preemptor);
	while (!READ_ONCE(was_preempted))
		cond_resched();
	WORK("resumed", 20000);
}

static noinline void staged_blocked(void)
{
	WORK("blocked", 20000);
	was_woken = false;
	blocked = current;
	set_current_state(TASK_UNINTERRUPTIBLE);
	ask(&waker);
	/* Not wait_event(), which lets the thread run before this one is blocked. */
	while (!READ_ONCE(was_woken)) {
		schedule();
		set_current_state(TASK_UNINTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
	WORK("unblocked", 20000);
}

static noinline void staged_irq(struct irq_work *work)
{
	WORK("irq", 20000);
	WRITE_ONCE(was_interrupted, true);
}

/* A hard interrupt on RT too. */
static struct irq_work work = IRQ_WORK_INIT_HARD(staged_irq);

static noinline void staged_softirq(struct tasklet_struct *tasklet)
{
	WORK("softirq", 20000);
	irq_work_queue(&work);
	while (!READ_ONCE(was_interrupted))
		cpu_relax();
	WORK("softirq resumed", 20000);
}

static DECLARE_TASKLET(tasklet, staged_softirq);

static noinline void staged_outer(void)
{
	WORK("outer", 20000);
	WRITE_ONCE(was_interrupted, false);
	local_bh_disable();
	tasklet_schedule(&tasklet);
	local_bh_enable();
	while (!READ_ONCE(was_interrupted))
		cond_resched();
	WORK("outer resumed", 20000);
}

static noinline void staged_migrating(unsigned int cpu)
{
	WORK("migrating", 20000);
	set_cpus_allowed_ptr(current, cpumask_of(cpu));
	WORK("migrated", 20000);
}

static noinline void staged_pair(void)
{
	WORK("pair", 20000);
	barrier();
}

#define PAIR_LEAD 100

/* Threads that a parameter starts: how often they have met, all together, and how many have not ended. */
static unsigned long nr_calls;
static unsigned int nr_threads;
static atomic_t nr_meetings, nr_to_end;
static DECLARE_COMPLETION(finished);

static int finish(void)
{
	if (atomic_dec_and_test(&nr_to_end))
		complete(&finished);
	return 0;
}

/* Waits until each thread has come to its meeting @nr. The pause gives the emulator's turn to another CPU. */
static void wait_for_others(unsigned long nr)
{
	atomic_inc(&nr_meetings);
	while (atomic_read(&nr_meetings) < nr * nr_threads) {
		cpu_relax();
		cond_resched();
	}
}

static unsigned int next_cpu(unsigned int cpu)
{
	cpu = cpumask_next(cpu, cpu_online_mask);
	return cpu < nr_cpu_ids ? cpu : cpumask_first(cpu_online_mask);
}

static int run_migrating(void *unused)
{
	unsigned long i;

	for (i = 0; i < nr_calls; i++)
		staged_migrating(next_cpu(raw_smp_processor_id()));
	return finish();
}

static int run_pair(void *unused)
{
	unsigned long i;

	for (i = 0; i < nr_calls; i++) {
		if (i % PAIR_LEAD == 0)
			wait_for_others(i / PAIR_LEAD + 1);
		staged_pair();
		cond_resched();
	}
	return finish();
}

/* Runs a thread on each of the first @nr CPUs, and waits for all of them. */
static int run_threads(int (*run)(void *unused), unsigned int nr)
{
	struct task_struct *thread;
	unsigned int cpu;

	nr_threads = nr;
	atomic_set(&nr_meetings, 0);
	atomic_set(&nr_to_end, nr);
	for (cpu = 0; cpu < nr; cpu++) {
		thread = kthread_create(run, NULL, "staged/%u", cpu);
		if (IS_ERR(thread))
			return PTR_ERR(thread);
		set_cpus_allowed_ptr(thread, cpumask_of(cpu));
		wake_up_process(thread);
	}
	wait_for_completion(&finished);
	return 0;
}

static int parse(const char *text, unsigned long *nr_ret)
{
	return kstrtoul(text, 0, nr_ret);
}

static int preempt(const char *text, const struct kernel_param *param)
{
	unsigned long nr;
	int error = parse(text, &nr);

	for (; !error && nr; nr--)
		staged_preempted();
	return error;
}

static int block(const char *text, const struct kernel_param *param)
{
	unsigned long nr;
	int error = parse(text, &nr);

	for (; !error && nr; nr--)
		staged_blocked();
	return error;
}

static int nest(const char *text, const struct kernel_param *param)
{
	unsigned long nr;
	int error = parse(text, &nr);

	for (; !error && nr; nr--)
		staged_outer();
	return error;
}

static int migrate(const char *text, const struct kernel_param *param)
{
	return parse(text, &nr_calls) ?: run_threads(run_migrating, 1);
}

static int pair(const char *text, const struct kernel_param *param)
{
	return parse(text, &nr_calls) ?: run_threads(run_pair, num_online_cpus());
}

static const struct kernel_param_ops preempt_operations = { .set = preempt };
static const struct kernel_param_ops block_operations = { .set = block };
static const struct kernel_param_ops nest_operations = { .set = nest };
static const struct kernel_param_ops migrate_operations = { .set = migrate };
static const struct kernel_param_ops pair_operations = { .set = pair };

module_param_cb(preempt, &preempt_operations, NULL, 0200);
module_param_cb(block, &block_operations, NULL, 0200);
module_param_cb(nest, &nest_operations, NULL, 0200);
module_param_cb(migrate, &migrate_operations, NULL, 0200);
module_param_cb(pair, &pair_operations, NULL, 0200);

static int start_helper(struct helper *helper, const char *name)
{
	init_waitqueue_head(&helper->asked);
	helper->thread = kthread_run(run_helper, helper, "%s", name);
	if (IS_ERR(helper->thread))
		return PTR_ERR(helper->thread);
	sched_set_fifo(helper->thread);
	return 0;
}

static int __init staged_init(void)
{
	int error = start_helper(&preemptor, "preemptor");

	if (error)
		return error;
	error = start_helper(&waker, "waker");
	if (error)
		kthread_stop(preemptor.thread);
	return error;
}

static void __exit staged_exit(void)
{
	kthread_stop(preemptor.thread);
	kthread_stop(waker.thread);
	irq_work_sync(&work);
	tasklet_kill(&tasklet);
}

module_init(staged_init);
module_exit(staged_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Calls that other tasks and interrupts come into");
