// SPDX-License-Identifier: GPL-2.0-only
/* Hooks for mapping code: see space_hooks.h. */
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched.h>

#include "space_changes.h"
#include "space_hooks.h"
#include "space_maps.h"

/* Mappings that a hook reads with preemption off. Processes with more are left to the next scan. */
#define WALK_MAX	512

/* The task that tries whether hooks are called; set to NULL by the hook. */
static const struct task_struct *trying;

static int notrace on_mmap(struct kprobe *probe, struct pt_regs *regs)
{
	struct vm_area_struct *vma = (void *)regs_get_kernel_argument(regs, 0);
	struct mm_struct *mm = vma->vm_mm;

	if (unlikely(READ_ONCE(trying) == current))
		WRITE_ONCE(trying, NULL);
	/* Most calls are for data. */
	if (likely(!(vma->vm_flags & VM_EXEC)))
		return 0;
	if (maps_find(mm))
		changes_note(vma);
	else if (mm->map_count <= WALK_MAX)
		changes_walk(mm);
	return 0;
}

static int notrace on_fork(struct kprobe *probe, struct pt_regs *regs)
{
	const struct task_struct *child = (void *)regs_get_kernel_argument(regs, 0);

	/* The child has not run yet. Threads have the memory of their parent. */
	if (child->mm && current->mm && child->mm != current->mm)
		maps_share(current->mm, child->mm);
	return 0;
}

static int notrace on_exit(struct kprobe *probe, struct pt_regs *regs)
{
	maps_drop((struct mm_struct *)regs_get_kernel_argument(regs, 0));
	return 0;
}

static struct kprobe hook_mmap, hook_fork, hook_exit;
/* In the order of arming: no process becomes known whose fork or end would not be seen. */
static struct kprobe *hooks[] = { &hook_exit, &hook_fork, &hook_mmap };

/* A kprobe that was registered before has fields of the kernel's. */
static void prepare_hooks(void)
{
	hook_mmap = (struct kprobe){ .symbol_name = "perf_event_mmap", .pre_handler = on_mmap };
	hook_fork = (struct kprobe){ .symbol_name = "perf_event_fork", .pre_handler = on_fork };
	hook_exit = (struct kprobe){ .symbol_name = "exit_mmap", .pre_handler = on_exit };
}

/* While root has switched off ftrace or all kprobes, hooks can be added and are not called. */
static int try_hooks(void)
{
	unsigned long addr;

	WRITE_ONCE(trying, current);
	addr = vm_mmap(NULL, 0, PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (!IS_ERR_VALUE(addr))
		vm_munmap(addr, PAGE_SIZE);
	if (!READ_ONCE(trying))
		return 0;
	WRITE_ONCE(trying, NULL);
	return IS_ERR_VALUE(addr) ? addr : -EOPNOTSUPP;
}

void space_hooks_remove(void)
{
	unregister_kprobes(hooks, ARRAY_SIZE(hooks));
}

int space_hooks_add(void)
{
	int error;

	prepare_hooks();
	error = register_kprobes(hooks, ARRAY_SIZE(hooks));
	if (error)
		return error == -ENOMEM ? error : -EOPNOTSUPP;
	error = try_hooks();
	if (error)
		space_hooks_remove();
	return error;
}
