// SPDX-License-Identifier: GPL-2.0-only
/* The identity of the current task: see identity.h. */
#include <linux/dcache.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

#include "cgroups.h"
#include "identity.h"

/*
 * Copy the name of a directory entry, truncated to fit, and return its length. The entry may be
 * renamed during the copy; at worst the copy is a mixture of two names. Since 6.7 the struct file
 * that led here may itself be reused under RCU. So no pointer is trusted: all reads catch faults,
 * and a copy that faults is cleared.
 */
static size_t copy_entry_name(const struct dentry *dentry, char *name, size_t len)
{
	struct qstr entry;
	size_t nr;

	name[0] = '\0';
	if (!dentry || copy_from_kernel_nofault(&entry, &dentry->d_name, sizeof(entry)))
		return 0;
	nr = min_t(size_t, entry.len, len - 1);
	if (copy_from_kernel_nofault(name, entry.name, nr))
		memset(name, 0, nr);
	name[nr] = '\0';
	/* The name may have become shorter: clear what is left of the previous one. */
	memset(name + strlen(name), 0, nr - strlen(name));
	return strlen(name);
}

/* Copy the name of an executable and, after its NUL, that of its directory as far as it fits. */
static void copy_exe_name(const struct file *exe, char name[CPUPROBE_NAME_LEN])
{
	const struct dentry *dentry = READ_ONCE(exe->f_path.dentry), *parent;
	size_t len = copy_entry_name(dentry, name, CPUPROBE_NAME_LEN) + 1;

	if (len + 1 < CPUPROBE_NAME_LEN && dentry &&
	    !copy_from_kernel_nofault(&parent, &dentry->d_parent, sizeof(parent)))
		copy_entry_name(parent, name + len, CPUPROBE_NAME_LEN - len);
}

/* Copy the name of a control group's node, which the task holds. */
static void copy_node_name(const struct kernfs_node *node, char name[CPUPROBE_NAME_LEN])
{
	const char *from = READ_ONCE(node->name);
	size_t i;

	for (i = 0; i < CPUPROBE_NAME_LEN - 1; i++)
		if (copy_from_kernel_nofault(&name[i], from + i, 1) || !name[i])
			break;
	name[i] = '\0';
}

/*
 * A dying process has released its memory but still runs in it: the borrowed active_mm is its own
 * old one. After the next switch away and back active_mm may be another process's. So active_mm is
 * used only if its executable has the name of the task.
 */
static struct file *dying_exe(struct task_struct *task)
{
	struct mm_struct *mm = READ_ONCE(task->active_mm);
	struct file *exe = mm ? rcu_dereference_raw(mm->exe_file) : NULL;
	char name[TASK_COMM_LEN];

	if (!exe || !copy_entry_name(READ_ONCE(exe->f_path.dentry), name, sizeof(name)))
		return NULL;
	return strncmp(name, task->comm, TASK_COMM_LEN - 1) ? NULL : exe;
}

static struct file *exe_of(struct task_struct *task)
{
	if (identity_flags(task) & PF_KTHREAD)
		return NULL;
	return likely(task->mm) ? rcu_dereference_raw(task->mm->exe_file) : dying_exe(task);
}

const struct inode *identity_any_inode(struct task_struct *task)
{
	const struct file *exe = exe_of(task);

	/* READ_ONCE(): a file that is being reused loses its inode. */
	return exe ? READ_ONCE(exe->f_inode) : NULL;
}

/*
 * Copy a kernel thread's name with the number of its CPU or worker replaced: the digits in
 * ksoftirqd/1, and everything after kworker/, become one asterisk; irq/24-nvme0q1 stays.
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

static void identity_of_name(const char comm[TASK_COMM_LEN], u32 kind, struct identity *who)
{
	BUILD_BUG_ON(sizeof(who->id) != TASK_COMM_LEN);
	memcpy(who->id, comm, TASK_COMM_LEN);
	/* Without this, names that differ only in digits would have neighbouring hashes. */
	who->id[0] *= 0x9e3779b97f4a7c15ULL;
	who->id[1] *= 0x9e3779b97f4a7c15ULL;
	who->kind = kind;
}

static void identity_without_exe(struct task_struct *task, struct identity *who)
{
	char comm[TASK_COMM_LEN];

	if (identity_flags(task) & PF_KTHREAD) {
		fold_kthread_name(task->comm, comm);
		identity_of_name(comm, CPUPROBE_KIND_KTHREAD, who);
	} else if (task->mm) {
		strscpy_pad(comm, task->comm, TASK_COMM_LEN);
		identity_of_name(comm, CPUPROBE_KIND_COMM, who);
	} else {
		who->id[0] = 0;
		who->id[1] = 0;
		who->kind = CPUPROBE_KIND_EXITING;
	}
}

static void identity_by_exe(struct task_struct *task, struct identity *who)
{
	const struct inode *inode = identity_any_inode(task);

	if (unlikely(!inode))
		identity_without_exe(task, who);
	else
		identity_of_inode(inode, who);
}

/* Hash two words to 32 bits: multiply by an odd constant close to 2^64 / golden ratio. */
static u32 hash_words(u64 a, u64 b)
{
	return ((a ^ (b << 29 | b >> 35)) * 0x9e3779b97f4a7c15ULL) >> 32;
}

/*
 * A process by its pid and start time, which distinguishes processes that use one pid in turn, and
 * by its executable, so that each row has the right name. The hash is 0 for kernel threads, and for
 * processes that have released their executable.
 */
static void identity_by_pid(struct task_struct *task, struct identity *who)
{
	const struct inode *inode = identity_any_inode(task);
	struct identity by_inode;
	u32 hash = 0;

	if (inode) {
		identity_of_inode(inode, &by_inode);
		hash = hash_words(by_inode.id[0], by_inode.id[1]) ?: 1;
	}
	identity_of_number(task->tgid, hash, identity_leader(task)->start_boottime, who);
	who->kind = CPUPROBE_KIND_PROCESS;
}

/* A thread by its id and start time, and by its name, which may change. */
static void identity_by_thread(struct task_struct *task, struct identity *who)
{
	u64 name[2];

	BUILD_BUG_ON(sizeof(name) != TASK_COMM_LEN);
	memcpy(name, task->comm, sizeof(name));
	identity_of_number(task->pid, hash_words(name[0], name[1]), task->start_boottime, who);
	who->kind = CPUPROBE_KIND_THREAD;
}

static void identity_by_comm(struct task_struct *task, struct identity *who)
{
	char comm[TASK_COMM_LEN];

	if (identity_flags(task) & PF_KTHREAD) {
		identity_without_exe(task, who);
		return;
	}
	/* Padded, so that equal names give equal identities. */
	strscpy_pad(comm, task->comm, TASK_COMM_LEN);
	identity_of_name(comm, CPUPROBE_KIND_COMM, who);
}

static void identity_by_cgroup(struct task_struct *task, struct identity *who)
{
	const struct kernfs_node *node = cgroups_node(task);

	who->id[0] = node ? node->id : 0;
	who->id[1] = 0;
	who->kind = CPUPROBE_KIND_CGROUP;
}

void identity_of(struct task_struct *task, u32 by, bool is_softirq, struct identity *who)
{
	if (is_idle_task(task)) {
		who->id[0] = 0;
		who->id[1] = 0;
		who->kind = is_softirq ? CPUPROBE_KIND_SOFTIRQ : CPUPROBE_KIND_IDLE;
		return;
	}
	switch (by) {
	case CPUPROBE_BY_PID:
		identity_by_pid(task, who);
		break;
	case CPUPROBE_BY_THREAD:
		identity_by_thread(task, who);
		break;
	case CPUPROBE_BY_COMM:
		identity_by_comm(task, who);
		break;
	case CPUPROBE_BY_CGROUP:
		identity_by_cgroup(task, who);
		break;
	default:
		identity_by_exe(task, who);
	}
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
	case CPUPROBE_KIND_PROCESS:
		exe = exe_of(task);
		if (exe)
			copy_exe_name(exe, name);
		else
			strscpy(name, task->comm, TASK_COMM_LEN);
		break;
	case CPUPROBE_KIND_THREAD:
		strscpy(name, task->comm, TASK_COMM_LEN);
		break;
	case CPUPROBE_KIND_CGROUP:
		if (who->id[0])
			copy_node_name(cgroups_node(task), name);
		break;
	case CPUPROBE_KIND_KTHREAD:
		fold_kthread_name(task->comm, name);
		break;
	case CPUPROBE_KIND_COMM:
		strscpy(name, task->comm, TASK_COMM_LEN);
		break;
	default:
		strscpy(name, fixed[who->kind], CPUPROBE_NAME_LEN);
	}
}
