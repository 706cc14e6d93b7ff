/* SPDX-License-Identifier: GPL-2.0-only */
/* Control groups, version 2; on a kernel without them no task is in any. */
#ifndef CPUPROBE_CGROUPS_H
#define CPUPROBE_CGROUPS_H

#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/sched.h>

#ifdef CONFIG_CGROUPS

/** cgroups_get() - the group of a descriptor; cgroups_put() it. May sleep. An ERR_PTR on failure. */
static inline struct cgroup *cgroups_get(int fd)
{
	return cgroup_get_from_fd(fd);
}

/** cgroups_put() - let go of a group. NULL is allowed. Any context. */
static inline void cgroups_put(struct cgroup *group)
{
	if (group)
		cgroup_put(group);
}

/* A task holds its set of groups, and the set its groups, as long as the task runs. */
static inline struct cgroup *cgroups_of(const struct task_struct *task)
{
	return rcu_dereference_raw(task->cgroups)->dfl_cgrp;
}

/** cgroups_node() - the node of the current task's group, NULL: none. Hard irq. */
static inline const struct kernfs_node *cgroups_node(const struct task_struct *task)
{
	return cgroups_of(task)->kn;
}

/** cgroups_contain() - whether the current task is in the group or one below it. Hard irq. */
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
