// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: contains, on purpose, a defect that a sampling module could have, chosen by defect=. A
 * kernel with its debug checks on must report it; see tests/guest/net_*.sh.
 */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/version.h>

static char *defect = "";
module_param(defect, charp, 0444);
MODULE_PARM_DESC(defect, "use-after-free, armed, overflow, inversion, irq-lock, sleep, leak, race");

struct victim {
	struct hrtimer timer;
	u64 count;
	u64 table[4];
};

static struct victim *victim;
static DEFINE_SPINLOCK(plain_lock);
static unsigned int nr_slots = 4;
static u64 shared;

static enum hrtimer_restart fire(struct hrtimer *timer)
{
	if (!strcmp(defect, "use-after-free"))
		WRITE_ONCE(victim->count, READ_ONCE(victim->count) + 1);
	if (!strcmp(defect, "irq-lock")) {
		spin_lock(&plain_lock);
		spin_unlock(&plain_lock);
	}
	if (!strcmp(defect, "sleep"))
		kfree(kmalloc(64, GFP_KERNEL));
	if (!strcmp(defect, "overflow"))
		victim->table[READ_ONCE(nr_slots)]++;
	return HRTIMER_NORESTART;
}

static void setup(struct hrtimer *timer)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, fire, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = fire;
#endif
}

static struct hrtimer own;

/* The timer's handler meets a freed session or a held lock, or sleeps where it must not. */
static void fire_once(void)
{
	if (!strcmp(defect, "use-after-free"))
		kfree(victim);
	spin_lock(&plain_lock);
	spin_unlock(&plain_lock);
	setup(&own);
	hrtimer_start(&own, ms_to_ktime(5), HRTIMER_MODE_REL_PINNED_HARD);
	msleep(50);
}

static void free_armed(void)
{
	setup(&victim->timer);
	hrtimer_start(&victim->timer, ms_to_ktime(5000), HRTIMER_MODE_REL_PINNED_HARD);
	kfree(victim);
}

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);

static void invert(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);
	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
}

static int race(void *unused)
{
	while (!kthread_should_stop()) {
		int i;

		for (i = 0; i < 1000; i++)
			shared++;
		cond_resched();
	}
	return 0;
}

static void race_twice(void)
{
	struct task_struct *one = kthread_run(race, NULL, "planted/1");
	struct task_struct *other = kthread_run(race, NULL, "planted/2");

	msleep(5000);
	kthread_stop(one);
	kthread_stop(other);
}

static int __init planted_init(void)
{
	victim = kzalloc(sizeof(*victim), GFP_KERNEL);
	if (!victim)
		return -ENOMEM;
	if (!strcmp(defect, "inversion"))
		invert();
	else if (!strcmp(defect, "armed"))
		free_armed();
	else if (!strcmp(defect, "race"))
		race_twice();
	else if (!strcmp(defect, "leak"))
		victim = NULL;
	else
		fire_once();
	return 0;
}

static void __exit planted_exit(void)
{
}

module_init(planted_init);
module_exit(planted_exit);
MODULE_DESCRIPTION("deliberate defects, for tests");
MODULE_LICENSE("GPL");
