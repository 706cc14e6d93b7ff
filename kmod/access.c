// SPDX-License-Identifier: GPL-2.0-only
/* Who may see what: see access.h. */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/security.h>

#include "access.h"
#include "cpuprobe.h"

static int gid = -1;
module_param(gid, int, 0444);
MODULE_PARM_DESC(gid, "group that may see the system table and its own programs (-1: none)");

static bool is_in_group(void)
{
	kgid_t group = make_kgid(&init_user_ns, gid);

	return gid >= 0 && gid_valid(group) && in_group_p(group);
}

int access_decide(struct access *access_ret)
{
	bool is_full = capable(CAP_PERFMON) || capable(CAP_SYS_ADMIN);

	if (!is_full && !is_in_group())
		return -EPERM;
	/* Process ids would mean something else there. */
	if (task_active_pid_ns(current) != &init_pid_ns)
		return -EPERM;
	access_ret->is_full = is_full;
	access_ret->owner = current_fsuid();
	return 0;
}

u32 access_kernel(const struct access *access)
{
	if (!access->is_full)
		return CPUPROBE_REASON_KERNEL;
	if (security_locked_down(LOCKDOWN_PERF))
		return CPUPROBE_REASON_LOCKDOWN;
	return CPUPROBE_REASON_NONE;
}

bool access_file(const struct access *access, const struct inode *inode)
{
	return access->is_full || uid_eq(inode->i_uid, access->owner);
}

bool access_process(const struct access *access, struct task_struct *task)
{
	struct mm_struct *mm;
	bool is_own;

	if (access->is_full)
		return true;
	mm = get_task_mm(task);
	rcu_read_lock();
	is_own = access_is_own(access, __task_cred(task), mm);
	rcu_read_unlock();
	if (mm)
		mmput(mm);
	return is_own;
}
