// SPDX-License-Identifier: GPL-2.0-only
/* Whom samples are counted for: see target.h. */
#include <linux/file.h>
#include <linux/pid_namespace.h>

#include "check.h"
#include "cgroups.h"
#include "identity.h"
#include "target.h"

void target_put(struct target *target)
{
	if (target->exe)
		fput(target->exe);
	put_pid(target->pid);
	cgroups_put(target->cgroup);
	memset(target, 0, sizeof(*target));
}

static int get_target_pid(struct target *target, const struct access *access,
			  struct cpuprobe_start *start)
{
	struct task_struct *task;
	int error;

	/* As the device's opener sees numbers, whoever has the descriptor now. */
	rcu_read_lock();
	target->pid = get_pid(find_pid_ns(start->pid, &init_pid_ns));
	rcu_read_unlock();
	task = get_pid_task(target->pid, PIDTYPE_TGID);
	if (!task)
		return check_refuse(start, CPUPROBE_REASON_TARGET, -ESRCH);
	error = access_process(access, task);
	put_task_struct(task);
	if (error)
		return check_refuse(start, error == -ESRCH ? CPUPROBE_REASON_TARGET :
			      CPUPROBE_REASON_OWNER, error);
	return 0;
}

static int get_target_exe(struct target *target, const struct access *access,
			  struct cpuprobe_start *start)
{
	target->exe = fget(start->exe_fd);
	if (!target->exe || !S_ISREG(file_inode(target->exe)->i_mode))
		return check_refuse(start, CPUPROBE_REASON_TARGET, -EBADF);
	target->inode = file_inode(target->exe);
	/* Of one's own process it may be anybody's. */
	if (!target->pid && !access_file(access, target->inode))
		return check_refuse(start, CPUPROBE_REASON_OWNER, -EPERM);
	return 0;
}

/* Its processes are found by group, and told by address only to those who may see them. */
static int get_target_cgroup(struct target *target, struct cpuprobe_start *start)
{
	struct cgroup *cgroup = cgroups_get(start->cgroup_fd);

	if (IS_ERR(cgroup))
		return check_refuse(start, CPUPROBE_REASON_TARGET, -EBADF);
	target->cgroup = cgroup;
	return 0;
}

/* Only in kernel mode, and for stacks, may the executable stay open: kernel threads have none. */
static bool wants_exe(const struct cpuprobe_start *start)
{
	if (start->exe_fd != -1)
		return true;
	return start->what == CPUPROBE_WHAT_PROCESS &&
		(!start->pid || start->mode == CPUPROBE_MODE_USER);
}

int target_get(struct target *target, const struct access *access, struct cpuprobe_start *start)
{
	int error = 0;

	target->mode = start->mode;
	target->object = start->mode == CPUPROBE_MODE_USER ? start->object : CPUPROBE_OBJECT_KERNEL;
	target->code_start = start->code_start;
	if (start->pid)
		error = get_target_pid(target, access, start);
	if (!error && wants_exe(start))
		error = get_target_exe(target, access, start);
	if (!error && start->cgroup_fd != -1)
		error = get_target_cgroup(target, start);
	if (error)
		target_put(target);
	return error;
}

enum belonging target_belongs(const struct target *target, const struct access *access,
			      struct task_struct *task)
{
	const struct inode *inode;

	if (target->pid && task_tgid(task) != target->pid)
		return OTHER_TASK;
	if (unlikely(!access_current(access)))
		return OTHER_TASK;
	if (target->cgroup && !cgroups_contain(target->cgroup, task))
		return OTHER_TASK;
	if (!target->inode)
		return TARGET;
	inode = identity_any_inode(task);
	if (inode == target->inode)
		return TARGET;
	if (!target->pid)
		return OTHER_TASK;
	return inode ? OTHER_EXE : TARGET;
}
