// SPDX-License-Identifier: GPL-2.0-only
/* Access rights: see access.h. */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/pid_namespace.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/security.h>
#include <linux/siphash.h>
#include <linux/user_namespace.h>

#include "access.h"
#include "compat.h"
#include "identity.h"

static int gid = -1;
module_param(gid, int, 0444);
MODULE_PARM_DESC(gid, "group whose members see the system table and their own programs (-1: none)");

static siphash_key_t veil_key __ro_after_init;

void __init access_setup(void)
{
	get_random_bytes(&veil_key, sizeof(veil_key));
}

static bool is_in_group(void)
{
	kgid_t group = make_kgid(&init_user_ns, gid);

	return gid >= 0 && gid_valid(group) && in_group_p(group);
}

/*
 * A missing capability must not be logged by audit: most openers have none, and may be members of
 * the group. A capability that opens the device is reported to the security modules as usual.
 */
static bool has_capability_to_use(int capability)
{
	return ns_capable_noaudit(&init_user_ns, capability) && capable(capability);
}

int access_decide(const struct file *file, struct access *access_ret)
{
	bool is_full = has_capability_to_use(CAP_PERFMON) || has_capability_to_use(CAP_SYS_ADMIN);

	if (!is_full && !is_in_group())
		return -EPERM;
	/* Process ids have another meaning in other pid namespaces. */
	if (task_active_pid_ns(current) != &init_pid_ns)
		return -EPERM;
	access_ret->is_full = is_full;
	access_ret->opener = file->f_cred;
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
	return access->is_full || uid_eq(inode->i_uid, access->opener->fsuid);
}

/*
 * access_is_own() makes the checks that the kernel makes before it opens /proc/PID/maps:
 * __ptrace_may_access() with PTRACE_MODE_READ_FSCREDS, then cap_ptrace_access_check(). It is
 * stricter in three cases: the opener's own CAP_SYS_PTRACE does not count, threads of the opener's
 * own process are checked like others, and a task without memory belongs to nobody. The hooks of
 * other security modules may sleep, so an interrupt cannot call them: docs/privilege.md lists them.
 */

static bool has_ids_of(const struct cred *opener, const struct cred *cred)
{
	return uid_eq(cred->uid, opener->fsuid) && uid_eq(cred->euid, opener->fsuid) &&
	       uid_eq(cred->suid, opener->fsuid) && gid_eq(cred->gid, opener->fsgid) &&
	       gid_eq(cred->egid, opener->fsgid) && gid_eq(cred->sgid, opener->fsgid);
}

/*
 * Whether the opener created the user namespace, or an outer one of it, as a child of the opener's
 * own. Then the opener has every capability there, see cap_capable(). The kernel nests user
 * namespaces at most 33 deep.
 */
static bool has_created_namespace(const struct cred *opener, const struct user_namespace *ns)
{
	for (; ns->level > opener->user_ns->level; ns = ns->parent)
		if (ns->parent == opener->user_ns)
			return uid_eq(ns->owner, opener->euid);
	return false;
}

static bool has_caps_of(const struct cred *opener, const struct cred *cred)
{
	if (cred->user_ns == opener->user_ns)
		return cap_issubset(cred->cap_permitted, opener->cap_effective);
	return has_created_namespace(opener, cred->user_ns);
}

bool access_is_own(const struct access *access, const struct task_struct *task,
		   struct mm_struct *mm)
{
	const struct cred *cred;
	bool is_own;

	/* A kernel thread may borrow a process's memory. */
	if (!mm || identity_flags(task) & PF_KTHREAD)
		return false;
	rcu_read_lock();
	cred = __task_cred(task);
	is_own = has_ids_of(access->opener, cred) && has_caps_of(access->opener, cred);
	/* A task becomes undumpable before its ids change: pairs with commit_creds(). */
	smp_rmb();
	is_own = is_own && compat_is_dumpable(task, mm);
	rcu_read_unlock();
	return is_own;
}

int access_process(const struct access *access, struct task_struct *task)
{
	struct mm_struct *mm;
	bool is_own;

	if (access->is_full)
		return 0;
	mm = get_task_mm(task);
	if (!mm)
		return -ESRCH;
	is_own = access_is_own(access, task, mm);
	mmput(mm);
	return is_own ? 0 : -EPERM;
}

/* The generation is in the low half of both words: identity_of_inode(). */
void access_veil_exe(u64 id[2])
{
	u32 generation = id[1];
	u32 veiled = siphash_2u64(id[0], id[1], &veil_key);

	id[0] ^= generation ^ veiled;
	id[1] ^= generation ^ veiled;
}

/*
 * The hash of the executable depends on its inode's generation, and a reader knows all its other
 * inputs. The top byte of the second word depends on the hash: see identity_of_number().
 */
static void veil_process(u64 id[2])
{
	u32 hash = id[0];
	u32 veiled = hash ? (u32)siphash_2u64(id[0], id[1], &veil_key) ?: 1 : 0;

	id[0] ^= hash ^ veiled;
	id[1] &= ~0ULL >> 8;
}

void access_veil_record(struct cpuprobe_record *record)
{
	if (record->kind == CPUPROBE_KIND_EXE)
		access_veil_exe(record->id);
	else if (record->kind == CPUPROBE_KIND_PROCESS)
		veil_process(record->id);
}
