/* SPDX-License-Identifier: GPL-2.0-only */
/* Differences between kernel versions, each with what changed and when. Nowhere else. */
#ifndef CPUPROBE_COMPAT_H
#define CPUPROBE_COMPAT_H

#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/version.h>

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
 * A reference to the executable of @mm, or NULL. 6.7 made get_file_rcu() a function of the
 * pointer's place, which looks again when it has been replaced meanwhile (commit "file: convert to
 * SLAB_TYPESAFE_BY_RCU"); before that, it is a try at one file. An RCU reader.
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

#endif
