// SPDX-License-Identifier: GPL-2.0-only
/* The target of a session: see filter.h. */
#include <linux/file.h>
#include <linux/pid_namespace.h>

#include "cgroups.h"
#include "check.h"
#include "filter.h"
#include "identity.h"

void filter_put(struct filter *filter)
{
	if (filter->exe)
		fput(filter->exe);
	put_pid(filter->pid);
	cgroups_put(filter->cgroup);
	memset(filter, 0, sizeof(*filter));
}

static int get_filter_pid(struct filter *filter, const struct access *access,
			  struct cpuprobe_start *start)
{
	struct task_struct *task;
	int error;

	/* The opener was in this pid namespace; the current holder of the descriptor may not be. */
	rcu_read_lock();
	filter->pid = get_pid(find_pid_ns(start->pid, &init_pid_ns));
	rcu_read_unlock();
	task = get_pid_task(filter->pid, PIDTYPE_TGID);
	if (!task)
		return check_refuse(start, CPUPROBE_REASON_TARGET, -ESRCH);
	error = access_process(access, task);
	put_task_struct(task);
	if (error)
		return check_refuse(start, error == -ESRCH ? CPUPROBE_REASON_TARGET :
			      CPUPROBE_REASON_OWNER, error);
	return 0;
}

static int get_filter_exe(struct filter *filter, const struct access *access,
			  struct cpuprobe_start *start)
{
	filter->exe = fget(start->exe_fd);
	if (!filter->exe || !S_ISREG(file_inode(filter->exe)->i_mode))
		return check_refuse(start, CPUPROBE_REASON_TARGET, -EBADF);
	filter->inode = file_inode(filter->exe);
	/* With @pid the check is on the process, so the executable may belong to anybody. */
	if (!filter->pid && !access_file(access, filter->inode))
		return check_refuse(start, CPUPROBE_REASON_OWNER, -EPERM);
	return 0;
}

/* No check on the group: filter_belongs() checks each process. */
static int get_filter_cgroup(struct filter *filter, struct cpuprobe_start *start)
{
	struct cgroup *cgroup = cgroups_get(start->cgroup_fd);

	if (IS_ERR(cgroup))
		return check_refuse(start, CPUPROBE_REASON_TARGET, -EBADF);
	filter->cgroup = cgroup;
	return 0;
}

int filter_get(struct filter *filter, const struct access *access, bool wants_exe,
	       struct cpuprobe_start *start)
{
	int error = 0;

	filter->mode = start->mode;
	filter->object = start->mode == CPUPROBE_MODE_USER ? start->object : CPUPROBE_OBJECT_KERNEL;
	filter->code_start = start->code_start;
	if (start->pid)
		error = get_filter_pid(filter, access, start);
	if (!error && (wants_exe || start->exe_fd != -1))
		error = get_filter_exe(filter, access, start);
	if (!error && start->cgroup_fd != -1)
		error = get_filter_cgroup(filter, start);
	if (error)
		filter_put(filter);
	return error;
}

enum belonging filter_belongs(const struct filter *filter, const struct access *access,
			      struct task_struct *task)
{
	const struct inode *inode;

	if (filter->pid && task_tgid(task) != filter->pid)
		return OTHER_TASK;
	if (unlikely(!access_current(access)))
		return OTHER_TASK;
	if (filter->cgroup && !cgroups_contain(filter->cgroup, task))
		return OTHER_TASK;
	if (!filter->inode)
		return TARGET;
	inode = identity_any_inode(task);
	if (inode == filter->inode)
		return TARGET;
	if (!filter->pid)
		return OTHER_TASK;
	return inode ? OTHER_EXE : TARGET;
}

/* The kernel asks for each function when a process maps its file: no search for the owner. */
static bool owner_may_match(const struct filter *filter, const struct mm_struct *mm)
{
#ifdef CONFIG_MEMCG
	struct task_struct *owner = rcu_dereference(mm->owner);

	return owner && (!filter->pid || task_tgid(owner) == filter->pid) &&
		(!filter->cgroup || cgroups_contain(filter->cgroup, owner));
#else
	return true;
#endif
}

bool filter_has_memory(const struct filter *filter, struct mm_struct *mm)
{
	const struct file *exe;
	bool may_match;

	rcu_read_lock();
	exe = rcu_dereference(mm->exe_file);
	may_match = (filter->pid || !filter->inode || (exe && READ_ONCE(exe->f_inode) == filter->inode)) &&
		owner_may_match(filter, mm);
	rcu_read_unlock();
	return may_match;
}
