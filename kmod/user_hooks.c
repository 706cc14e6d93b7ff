// SPDX-License-Identifier: GPL-2.0-only
/* Uprobes on many functions: see user_hooks.h. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "session.h"
#include "user_hooks.h"

int user_hooks_allocate(struct user_hooks *hooks, u32 nr)
{
	if (!nr)
		return 0;
	hooks->function = __vmalloc(array_size(nr, sizeof(*hooks->function)), SESSION_GFP | __GFP_ZERO);
	if (!hooks->function)
		return -ENOMEM;
	hooks->nr = nr;
	return 0;
}

static bool may_run(const struct file *file)
{
	return S_ISREG(file_inode(file)->i_mode) && file->f_mode & FMODE_READ &&
		!(file->f_path.mnt->mnt_flags & MNT_NOEXEC) &&
		!(file_inode(file)->i_sb->s_iflags & SB_I_NOEXEC);
}

int user_hooks_get(struct user_hooks *hooks, u32 at, int fd)
{
	/* Fails for a descriptor that was only opened as a path. */
	struct file *file = fget(fd);

	if (!file)
		return -EBADF;
	if (!may_run(file)) {
		fput(file);
		return -EBADF;
	}
	hooks->function[at].file = file;
	return 0;
}

/* The inode whose pages processes map: a stacked file system (overlayfs) has others of its own. */
static struct inode *mapped_inode(const struct file *file)
{
	return d_real_inode(file->f_path.dentry);
}

int user_hooks_hook(struct user_hooks *hooks, u32 at, u64 offset, const struct user_hook *like)
{
	struct user_hook *hook = &hooks->function[at];
	struct inode *inode = mapped_inode(hook->file);
	int error;

	hook->consumer = like->consumer;
	hook->owner = like->owner;
	hook->number = like->number;
	if (offset >= (u64)i_size_read(inode))
		return CPUPROBE_FUNCTION_REFUSED;
	error = compat_uprobe_register(&hook->place, inode, offset, &hook->consumer);
	hook->is_hooked = !error;
	if (error == -ENOMEM)
		return error;
	return hook->is_hooked ? CPUPROBE_FUNCTION_HOOKED : CPUPROBE_FUNCTION_REFUSED;
}

void user_hooks_unhook(struct user_hooks *hooks)
{
	bool has_any = false;
	u32 i;

	for (i = 0; i < hooks->nr; i++) {
		struct user_hook *hook = &hooks->function[i];

		if (!hook->is_hooked)
			continue;
		compat_uprobe_unregister(&hook->place, &hook->consumer);
		hook->is_hooked = false;
		has_any = true;
		cond_resched();
	}
	if (has_any)
		compat_uprobe_wait();
}

void user_hooks_free(struct user_hooks *hooks)
{
	u32 i;

	for (i = 0; i < hooks->nr; i++)
		if (hooks->function[i].file)
			fput(hooks->function[i].file);
	vfree(hooks->function);
	*hooks = (struct user_hooks){ .nr = 0 };
}
