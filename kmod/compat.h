/* SPDX-License-Identifier: GPL-2.0-only */
/* All differences between kernel versions, each with its change and version. */
#ifndef CPUPROBE_COMPAT_H
#define CPUPROBE_COMPAT_H

#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/isolation.h>
#include <linux/uprobes.h>
#include <linux/version.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#include <linux/objpool.h>
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
#include <linux/sched/exec_state.h>
#endif

/*
 * 6.13 added hrtimer_setup(), 6.15 removed hrtimer_init() (commits "hrtimers:
 * Introduce hrtimer_setup() to replace hrtimer_init()" and its follow-ups).
 */
static inline void compat_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*function)(struct hrtimer *),
					clockid_t clock, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

/*
 * Get a reference to the executable of @mm, or NULL. Caller is an RCU reader. Since 6.7
 * get_file_rcu() takes the address of the pointer, and retries if the file is replaced during the
 * call (commit "file: convert to SLAB_TYPESAFE_BY_RCU"). Before, it tries one file once.
 */
static inline struct file *compat_get_exe(struct mm_struct *mm)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	return get_file_rcu(&mm->exe_file);
#else
	struct file *file = rcu_dereference_raw(mm->exe_file);

	return file && get_file_rcu(file) ? file : NULL;
#endif
}

/*
 * Whether the kernel was told to keep a CPU quiet: by isolcpus=, nohz_full= or an isolated
 * partition of control groups. 6.4 added cpu_is_isolated() (commit "sched/isolation: Add
 * cpu_is_isolated() API"). Later kernels extended that function to partitions; in the newest ones
 * it no longer includes nohz_full.
 */
static inline bool compat_is_isolated(unsigned int cpu)
{
	bool is_isolated;

	/* Newer kernels replace the masks when partitions change, and free the old ones. */
	rcu_read_lock();
	is_isolated = !cpumask_test_cpu(cpu, housekeeping_cpumask(HK_TYPE_DOMAIN)) ||
		!cpumask_test_cpu(cpu, housekeeping_cpumask(HK_TYPE_TICK));
	rcu_read_unlock();
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	is_isolated = is_isolated || cpu_is_isolated(cpu);
#endif
	return is_isolated;
}

/*
 * Whether a task with memory is dumpable by its owner. The answer may be out of date at once.
 * Caller is an RCU reader. 7.2 moved the state from the flags of @mm to task->exec_state and does
 * not export its getter (commit 6b1c66c9cca9 "exec_state: relocate dumpable information").
 */
static inline bool compat_is_dumpable(const struct task_struct *task, struct mm_struct *mm)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
	const struct task_exec_state *state = rcu_dereference(task->exec_state);

	return state && READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
#else
	return data_race(get_dumpable(mm)) == SUID_DUMP_USER;
#endif
}

/*
 * When the content of a file was changed. 6.7 added inode_get_mtime() and 6.11 split the field (commits
 * "fs: new accessor methods for atime and mtime" and "fs: switch timespec64 fields in inode to
 * discrete integers").
 */
static inline struct timespec64 compat_mtime(const struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	return inode_get_mtime(inode);
#else
	return inode->i_mtime;
#endif
}

/*
 * Handlers of uprobes. Since 6.13 they have a place for their own data (commit "uprobe: Add data pointer
 * to consumer handlers"). Until 6.11 filters were told why they are asked (commit "uprobes: kill enum
 * uprobe_filter_ctx").
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define COMPAT_UPROBE_DATA	, __u64 *data
#else
#define COMPAT_UPROBE_DATA
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define COMPAT_UPROBE_CONTEXT
#else
#define COMPAT_UPROBE_CONTEXT	, enum uprobe_filter_ctx context
#endif

/*
 * Bytes of a kretprobe's memory for @nr calls of @bytes each, at most. Since 6.7 every possible CPU has a ring with
 * room for all of them and with its part of the calls (commit "kprobes: kretprobe scalability improvement"), since 6.13
 * and in 6.12's stable releases in pages of its own ("objpool: fix choosing allocation for percpu slots").
 */
static inline u64 compat_kretprobe_bytes(u32 nr, u32 bytes)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	u32 nr_cpus = num_possible_cpus();
	u64 ring = sizeof(struct objpool_slot) + roundup_pow_of_two(nr) * sizeof(void *);

	return nr_cpus * (u64)PAGE_ALIGN(ring + DIV_ROUND_UP(nr, nr_cpus) * ALIGN(bytes, sizeof(long)));
#else
	return nr * (u64)roundup_pow_of_two(bytes);
#endif
}

/** A registered uprobe. */
struct compat_uprobe {
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	struct uprobe *uprobe;
#else
	struct inode *inode;
	loff_t offset;
#endif
};

/*
 * Since 6.12 uprobe_register() returns what has been registered, and unregistering many waits once for
 * handlers that run (commits "uprobes: make uprobe_register() return struct uprobe *" and "perf/uprobe:
 * split uprobe_unregister()").
 */
static inline int compat_uprobe_register(struct compat_uprobe *place, struct inode *inode, loff_t offset,
					 struct uprobe_consumer *consumer)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	place->uprobe = uprobe_register(inode, offset, 0, consumer);
	return PTR_ERR_OR_ZERO(place->uprobe);
#else
	place->inode = inode;
	place->offset = offset;
	return uprobe_register(inode, offset, consumer);
#endif
}

static inline void compat_uprobe_unregister(struct compat_uprobe *place, struct uprobe_consumer *consumer)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe_unregister_nosync(place->uprobe, consumer);
#else
	uprobe_unregister(place->inode, place->offset, consumer);
#endif
}

static inline void compat_uprobe_wait(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe_unregister_sync();
#endif
}

#endif
