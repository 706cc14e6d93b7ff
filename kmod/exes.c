// SPDX-License-Identifier: GPL-2.0-only
/* Executables of stacks: see exes.h. */
#include <linux/file.h>
#include <linux/hash.h>
#include <linux/nospec.h>

#include "compat.h"
#include "exes.h"
#include "identity.h"
#include "reopen.h"

static_assert(CPUPROBE_STACK_EXES < U8_MAX, "positions plus one are kept in bytes");

static u32 first_exe_slot(const struct inode *inode)
{
	return hash_ptr(inode, ilog2(2 * CPUPROBE_STACK_EXES));
}

/*
 * The slot of an executable, or a free slot; NULL: all slots of the search are in use by others.
 * Compares the inodes themselves, which their files keep alive: two file systems, one a copy of the
 * other or stacked on it, may have all numbers in common.
 */
static u8 *find_exe_slot(struct exes *exes, const struct inode *inode)
{
	u32 first = first_exe_slot(inode), step;

	for (step = 0; step < EXES_SEARCH; step++) {
		u8 *slot = &exes->slot[(first + step) % ARRAY_SIZE(exes->slot)];

		if (!*slot || file_inode(exes->file[*slot - 1]) == inode)
			return slot;
	}
	return NULL;
}

/*
 * Another CPU may replace the process's executable right now: the id is that of the file held. Not inlined: for its
 * variables every sample would check the kernel's stack.
 */
static noinline u8 add_exe(struct exes *exes, struct mm_struct *mm)
{
	struct identity who;
	struct file *file;

	if (exes->nr == CPUPROBE_STACK_EXES)
		return 0;
	file = compat_get_exe(mm);
	if (!file)
		return 0;
	identity_of_inode(file_inode(file), &who);
	memcpy(exes->exe[exes->nr].id, who.id, sizeof(who.id));
	exes->file[exes->nr] = file;
	return ++exes->nr;
}

u32 exes_get(struct exes *exes, struct task_struct *task)
{
	const struct inode *inode = identity_inode(task);
	u8 *slot = inode ? find_exe_slot(exes, inode) : NULL;

	if (!slot)
		return 0;
	if (unlikely(!*slot))
		*slot = add_exe(exes, task->mm);
	return *slot;
}

void exes_clear(struct exes *exes)
{
	u32 i;

	for (i = 0; i < exes->nr; i++)
		fput(exes->file[i]);
	memset(exes, 0, sizeof(*exes));
}

int exes_open(const struct exes *exes, u32 position)
{
	if (position >= exes->nr)
		return -EINVAL;
	return reopen(exes->file[array_index_nospec(position, CPUPROBE_STACK_EXES)]);
}
