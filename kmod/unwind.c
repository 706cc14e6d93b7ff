// SPDX-License-Identifier: GPL-2.0-only
/* Walking stacks: see unwind.h. */
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/nospec.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "arch.h"
#include "cpuprobe.h"
#include "identity.h"
#include "unwind.h"

#define STACK_BYTES_MAX (64UL << 20)

/*
 * The unwinder did not know the way on from the last frame. That frame may be any word of the
 * stack, or generated code, as BPF's: then what follows is what the unwinder has guessed. Returns
 * how many frames are left.
 */
static u32 drop_guessed_frame(const struct unwind_state *state, const u64 *frames, u32 nr,
			      u32 *flags_ret)
{
	*flags_ret |= CPUPROBE_STACK_BROKEN;
	return nr - (nr > 1 && !arch_is_code(state, frames[nr - 1]));
}

/* Having come to where the kernel was entered, it shows user code before it is done. */
static __always_inline bool is_user_code(struct unwind_state *state)
{
	struct pt_regs *regs = unwind_get_entry_regs(state, NULL);

	return regs && user_mode(regs);
}

u32 unwind_kernel(struct task_struct *task, struct pt_regs *regs, u64 *frames, u32 *flags_ret)
{
	struct unwind_state state;
	bool is_sure = true;
	u32 nr = 0;

	frames[nr++] = arch_pc(regs);
	/* It begins with the caller of what the registers show. */
	for (unwind_start(&state, task, regs, NULL); !unwind_done(&state) && !is_user_code(&state);
	     unwind_next_frame(&state)) {
		unsigned long addr;

		if (unlikely(is_sure && unwind_error(&state))) {
			nr = drop_guessed_frame(&state, frames, nr, flags_ret);
			is_sure = false;
		}
		addr = likely(is_sure) ? arch_unwound_pc(&state) : unwind_get_return_address(&state);
		if (!addr) {
			*flags_ret |= CPUPROBE_STACK_BROKEN;
			return nr;
		}
		if (nr == CPUPROBE_FRAMES_MAX) {
			*flags_ret |= CPUPROBE_STACK_KERNEL_DEEP;
			return nr;
		}
		frames[nr++] = addr;
	}
	return is_sure && unwind_error(&state) ? drop_guessed_frame(&state, frames, nr, flags_ret) : nr;
}

/** What frames are followed with. */
struct walk {
	/* address of the frame: the caller's, behind which the return address lies */
	unsigned long frame;
	unsigned long low;	/* below it there is no frame */
	unsigned long begin;	/* of the stack: its pointer */
	unsigned long high;
	u64 *frames;
	u32 nr;
};

/*
 * A frame known to lie in the stack, for reading it. A processor that guesses so of one that
 * does not gets the stack's first word: else it would go on to read where a word of the kernel's
 * points to, which leaves traces.
 */
static __always_inline const struct arch_frame __user *place_of(const struct walk *walk)
{
	return (const struct arch_frame __user *)(walk->begin +
		array_index_nospec(walk->frame - walk->begin, walk->high - walk->begin));
}

/*
 * Inside user_access_begin(): no function is called. Returns how it ended, a flag of
 * CPUPROBE_STACK_*, or 0 where a frame pointer of 0 says that it is the outermost.
 */
static __always_inline u32 follow(struct walk *walk)
{
	while (walk->frame) {
		const struct arch_frame __user *at;
		unsigned long next, addr;

		if (walk->frame & (sizeof(long) - 1) || walk->frame < walk->low ||
		    walk->frame >= walk->high)
			return CPUPROBE_STACK_NO_FRAME_POINTER;
		if (walk->nr == CPUPROBE_FRAMES_MAX)
			return CPUPROBE_STACK_USER_DEEP;
		at = place_of(walk);
		unsafe_get_user(next, &at->next, unreadable);
		unsafe_get_user(addr, &at->return_address, unreadable);
		if (!addr)
			return 0;
		walk->frames[walk->nr++] = addr;
		walk->low = walk->frame + sizeof(*at);
		walk->frame = next;
	}
	return 0;
unreadable:
	return CPUPROBE_STACK_UNREADABLE;
}

/* Inside user_access_begin(). Two copies of follow() make a walk 3 to 8 instructions shorter. */
static __always_inline u32 follow_from(struct walk *walk, const struct pt_regs *regs,
				       bool is_running)
{
	unsigned long addr;
	u32 flags = is_running ? arch_frameless_caller(regs, walk->high, &addr) : 0;

	if (flags == CPUPROBE_STACK_UNREADABLE)
		return flags;
	if (!flags)
		return follow(walk);
	walk->frames[walk->nr++] = addr;
	return CPUPROBE_STACK_GUESSED | follow(walk);
}

/* With faults disabled. */
static u32 walk_user(struct walk *walk, const struct pt_regs *regs, bool is_running)
{
	u32 flags;

	if (!access_ok((void __user *)arch_pc(regs), sizeof(u32)) ||
	    !user_access_begin((void __user *)walk->begin, walk->high - walk->begin))
		return CPUPROBE_STACK_NO_FRAME_POINTER;
	flags = follow_from(walk, regs, is_running);
	user_access_end();
	return flags;
}

/*
 * Upper bound of a user stack. Thread stacks usually lie below the main stack, and so do most
 * others; a stack above it, which a program may map, is bounded by the end of user memory.
 */
static unsigned long user_stack_end(const struct mm_struct *mm, unsigned long sp)
{
	unsigned long bottom = READ_ONCE(mm->start_stack);
	unsigned long end = sp <= bottom ? bottom : TASK_SIZE_MAX;

	return sp + min(end - sp, STACK_BYTES_MAX);
}

/*
 * A page that is absent ends the walk. The interrupt leaves the task's counter as it found it, so the
 * task reads no other value; KCSAN reports a race all the same and must not look.
 */
static __no_sanitize_or_inline void forbid_faults(void)
{
	pagefault_disabled_inc();
	barrier();
}

static __no_sanitize_or_inline void allow_faults(void)
{
	barrier();
	pagefault_disabled_dec();
}

u32 unwind_user(struct task_struct *task, struct pt_regs *regs, u64 *frames, u32 *flags_ret)
{
	bool is_running = user_mode(regs);
	const struct pt_regs *user = is_running ? regs : task_pt_regs(task);
	struct walk walk = { .frame = arch_fp(user), .low = arch_sp(user),
			     .begin = arch_sp(user), .frames = frames };

	/*
	 * A kernel thread that has borrowed user memory was never there. Nor were the threads that
	 * the kernel has made in a program's name, as io_uring's: they are given neither program
	 * counter nor stack. (Their flag is no sign of them: on the way out 6.1 clears it.)
	 */
	if (!task->mm || identity_flags(task) & PF_KTHREAD || !user_mode((struct pt_regs *)user) ||
	    !(arch_pc(user) | arch_sp(user)))
		return 0;
	frames[walk.nr++] = arch_pc(user);
	if (!arch_is_64bit(user)) {
		*flags_ret |= CPUPROBE_STACK_32BIT | CPUPROBE_STACK_NO_FRAME_POINTER;
		return walk.nr;
	}
	walk.high = user_stack_end(task->mm, arch_sp(user));
	forbid_faults();
	*flags_ret |= walk_user(&walk, user, is_running);
	allow_faults();
	return walk.nr;
}
