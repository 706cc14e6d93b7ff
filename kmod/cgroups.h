/* SPDX-License-Identifier: GPL-2.0-only */
/* Control groups, version 2. On a kernel without them no task is in a group. */
#ifndef CPUPROBE_CGROUPS_H
#define CPUPROBE_CGROUPS_H

#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/sched.h>

#ifdef CONFIG_CGROUPS

/** cgroups_get() - get the group of a descriptor; cgroups_put() releases it. May sleep. ERR_PTR. */
static inline struct cgroup *cgroups_get(int fd)
{
	return cgroup_get_from_fd(fd);
}

/** cgroups_put() - release a group. NULL is allowed. Any context. */
static inline void cgroups_put(struct cgroup *group)
{
	if (group)
		cgroup_put(group);
}

/* A running task keeps its css_set alive, and the css_set keeps its groups alive. */
static inline struct cgroup *cgroups_of(const struct task_struct *task)
{
	return rcu_dereference_raw(task->cgroups)->dfl_cgrp;
}

/** cgroups_node() - the kernfs node of the current task's group; NULL: none. Hard irq. */
static inline const struct kernfs_node *cgroups_node(const struct task_struct *task)
{
	return cgroups_of(task)->kn;
}

/** cgroups_contain() - whether a task is in the group or in one below. Caller is an RCU reader or in a hard irq. */
static inline bool cgroups_contain(struct cgroup *group, const struct task_struct *task)
{
	return !is_idle_task(task) && cgroup_is_descendant(cgroups_of(task), group);
}

#else

static inline struct cgroup *cgroups_get(int fd)
{
	return ERR_PTR(-EBADF);
}

static inline void cgroups_put(struct cgroup *group)
{
}

static inline const struct kernfs_node *cgroups_node(const struct task_struct *task)
{
	return NULL;
}

static inline bool cgroups_contain(struct cgroup *group, const struct task_struct *task)
{
	return false;
}

#endif

#endif
