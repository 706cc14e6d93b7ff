// SPDX-License-Identifier: GPL-2.0-only
/* Walking stacks: see unwind.h. */
#include "arch.h"
#include "cpuprobe.h"
#include "unwind.h"
#include "user_stack.h"

/*
 * The unwinder could not continue from the last frame. That frame may be any word of the stack, or
 * generated code such as BPF's, after which the unwinder guesses. Returns how many frames remain.
 */
static u32 drop_guessed_frame(const struct unwind_state *state, const u64 *frames, u32 nr,
			      u32 *flags_ret)
{
	*flags_ret |= CPUPROBE_STACK_BROKEN;
	return nr - (nr > 1 && !arch_is_code(state, frames[nr - 1]));
}

/* At the kernel's entry the unwinder shows user code before it reports that it is done. */
static __always_inline bool has_reached_user(struct unwind_state *state)
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
	/* The unwinder begins with the caller of the function in the registers. */
	for (unwind_start(&state, task, regs, NULL);
	     !unwind_done(&state) && !has_reached_user(&state); unwind_next_frame(&state)) {
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

/** A walk along frame pointers. */
struct walk {
	unsigned long frame;	/* address of the current frame, a struct arch_frame */
	unsigned long low;	/* lowest valid address of a frame */
	unsigned long begin;	/* start of the stack: the stack pointer */
	unsigned long high;	/* end of the stack (exclusive) */
	u64 *frames;
	u32 nr;
};

/*
 * Address of a frame that has been checked to lie in the stack. A processor that speculates past a
 * failed check gets the stack's first word instead, or other memory of the user's. Otherwise the processor
 * would read a word of the kernel's and then the address in that word, which leaves traces in the caches.
 */
static __always_inline unsigned long checked_frame(const struct walk *walk)
{
	return walk->begin + arch_user_offset(walk->frame - walk->begin, walk->high - walk->begin);
}

/*
 * Inside arch_user_begin(), so without function calls. Returns how the walk ended: a flag of
 * CPUPROBE_STACK_*, or 0 after the outermost frame.
 */
static __always_inline u32 follow_frames(struct walk *walk)
{
	int failed = 0;

	while (walk->frame) {
		struct arch_frame frame;

		if (walk->frame & (sizeof(long) - 1) || walk->frame < walk->low ||
		    walk->frame >= walk->high)
			return CPUPROBE_STACK_NO_FRAME_POINTER;
		if (walk->nr == CPUPROBE_FRAMES_MAX)
			return CPUPROBE_STACK_USER_DEEP;
		arch_read_frame(checked_frame(walk), &frame, &failed);
		if (!frame.return_address)
			return failed ? CPUPROBE_STACK_UNREADABLE : 0;
		walk->frames[walk->nr++] = arch_code_address(frame.return_address);
		walk->low = walk->frame + sizeof(frame);
		walk->frame = frame.next;
	}
	return 0;
}

/* Inside arch_user_begin(). Two copies of follow_frames() save 3 to 8 instructions per walk. */
static __always_inline u32 follow_user_stack(struct walk *walk, const struct pt_regs *regs,
					     bool is_running)
{
	unsigned long addr, sp;
	u32 flags = is_running ? arch_frameless_caller(regs, walk->high, &addr, &sp) : 0;

	if (flags == CPUPROBE_STACK_UNREADABLE)
		return flags;
	if (!flags)
		return follow_frames(walk);
	walk->frames[walk->nr++] = addr;
	return CPUPROBE_STACK_GUESSED | follow_frames(walk);
}

/* Page faults are disabled. */
static u32 walk_user(struct walk *walk, const struct pt_regs *regs, bool is_running)
{
	u32 flags;

	if (!is_user_code(arch_pc(regs)) || !arch_user_begin(walk->begin, walk->high - walk->begin))
		return CPUPROBE_STACK_NO_FRAME_POINTER;
	flags = follow_user_stack(walk, regs, is_running);
	arch_user_end();
	return flags;
}

u32 unwind_user(struct task_struct *task, struct pt_regs *regs, u64 *frames, u32 *flags_ret)
{
	const struct pt_regs *user = user_stack_regs(task, regs);
	struct walk walk = { .frames = frames };

	if (!user)
		return 0;
	*flags_ret |= user_stack_entry(regs, user);
	walk.frame = arch_fp(user);
	walk.low = walk.begin = arch_sp(user);
	frames[walk.nr++] = arch_pc(user);
	if (!arch_is_64bit(user)) {
		*flags_ret |= CPUPROBE_STACK_32BIT | CPUPROBE_STACK_NO_FRAME_POINTER;
		return walk.nr;
	}
	walk.high = user_stack_end(task->mm, arch_sp(user));
	user_stack_forbid_faults();
	*flags_ret |= walk_user(&walk, user, user_mode(regs));
	user_stack_allow_faults();
	return walk.nr;
}
