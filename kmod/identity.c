// SPDX-License-Identifier: GPL-2.0-only
/* Who runs: see identity.h. */
#include <linux/dcache.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

#include "identity.h"

/*
 * The name of an open file, as much as fits; its length. The dentry may be
 * renamed meanwhile, which leaves a mixed name at worst, and from 6.7 on the
 * struct file itself may be reused under RCU. So nothing found on the way is
 * trusted to be there: the bytes are read with faults caught.
 */
static size_t copy_file_name(const struct file *file, char *name, size_t len)
{
	const struct dentry *dentry = READ_ONCE(file->f_path.dentry);
	const unsigned char *from = NULL;
	size_t i;

	name[0] = '\0';
	if (!dentry || copy_from_kernel_nofault(&from, &dentry->d_name.name, sizeof(from)))
		return 0;
	for (i = 0; i < len - 1; i++)
		if (copy_from_kernel_nofault(&name[i], from + i, 1) || !name[i])
			break;
	name[i] = '\0';
	return i;
}

/*
 * A process that has given up its memory still runs in it while the kernel
 * takes it apart: the borrowed active_mm is then its own old one. Once
 * scheduled away and back it is somebody else's. So believe it only when its
 * executable bears the name the task has.
 */
static struct file *dying_exe(struct task_struct *task)
{
	struct mm_struct *mm = READ_ONCE(task->active_mm);
	struct file *exe = mm ? rcu_dereference_raw(mm->exe_file) : NULL;
	char name[TASK_COMM_LEN];

	if (!exe || !copy_file_name(exe, name, sizeof(name)))
		return NULL;
	return strncmp(name, task->comm, TASK_COMM_LEN - 1) ? NULL : exe;
}

struct file *identity_exe(struct task_struct *task)
{
	struct file *exe;

	if (task->flags & PF_KTHREAD)
		return NULL;
	exe = likely(task->mm) ? rcu_dereference_raw(task->mm->exe_file) : dying_exe(task);
	return exe && file_inode(exe) ? exe : NULL;
}

/*
 * A kernel thread's name with the part that counts CPUs or workers replaced:
 * the digits of ksoftirqd/1 and all that follows kworker/ become one asterisk,
 * irq/24-nvme0q1 stays.
 */
static void fold_kthread_name(const char *comm, char name[TASK_COMM_LEN])
{
	size_t i, slash = 0;
	bool is_number = false;

	for (i = 0; i < TASK_COMM_LEN - 1 && comm[i]; i++) {
		name[i] = comm[i];
		if (comm[i] == '/') {
			slash = i;
			is_number = true;
		} else if (slash && (comm[i] < '0' || comm[i] > '9')) {
			is_number = false;
		}
	}
	if (slash && slash + 1 < i && slash + 1 < TASK_COMM_LEN - 1 &&
	    (is_number || !strncmp(name, "kworker/", 8))) {
		name[slash + 1] = '*';
		i = slash + 2;
	}
	memset(name + i, 0, TASK_COMM_LEN - i);
}

static void identity_by_comm(const char comm[TASK_COMM_LEN], u32 kind, struct identity *who)
{
	BUILD_BUG_ON(sizeof(who->id) != TASK_COMM_LEN);
	memcpy(who->id, comm, TASK_COMM_LEN);
	who->kind = kind;
}

static void identity_without_exe(struct task_struct *task, struct identity *who)
{
	char comm[TASK_COMM_LEN];

	if (task->flags & PF_KTHREAD) {
		fold_kthread_name(task->comm, comm);
		identity_by_comm(comm, CPUPROBE_KIND_KTHREAD, who);
	} else if (task->mm) {
		strncpy(comm, task->comm, TASK_COMM_LEN - 1);
		comm[TASK_COMM_LEN - 1] = '\0';
		identity_by_comm(comm, CPUPROBE_KIND_COMM, who);
	} else {
		who->id[0] = 0;
		who->id[1] = 0;
		who->kind = CPUPROBE_KIND_EXITING;
	}
}

void identity_of(struct task_struct *task, bool is_softirq, struct identity *who)
{
	struct file *exe;

	if (is_idle_task(task)) {
		who->id[0] = 0;
		who->id[1] = 0;
		who->kind = is_softirq ? CPUPROBE_KIND_SOFTIRQ : CPUPROBE_KIND_IDLE;
		return;
	}
	exe = identity_exe(task);
	if (unlikely(!exe)) {
		identity_without_exe(task, who);
		return;
	}
	identity_of_inode(file_inode(exe), who);
}

void identity_name(struct task_struct *task, const struct identity *who,
		   char name[CPUPROBE_NAME_LEN])
{
	static const char *const fixed[] = {
		[CPUPROBE_KIND_IDLE] = "IDLE",
		[CPUPROBE_KIND_SOFTIRQ] = "(softirq)",
		[CPUPROBE_KIND_EXITING] = "(exiting)",
	};
	struct file *exe;

	name[0] = '\0';
	switch (who->kind) {
	case CPUPROBE_KIND_EXE:
		exe = identity_exe(task);
		if (exe)
			copy_file_name(exe, name, CPUPROBE_NAME_LEN);
		break;
	case CPUPROBE_KIND_KTHREAD:
	case CPUPROBE_KIND_COMM:
		memcpy(name, who->id, TASK_COMM_LEN);
		name[TASK_COMM_LEN] = '\0';
		break;
	default:
		strscpy(name, fixed[who->kind], CPUPROBE_NAME_LEN);
	}
}
