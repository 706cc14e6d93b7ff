// SPDX-License-Identifier: GPL-2.0-only
/* Walking stacks: see unwind.h. */
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/nospec.h>
#include <linux/sched/task_stack.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>
#include <asm/unwind.h>

#include "arch.h"
#include "cpuprobe.h"
#include "identity.h"
#include "unwind.h"

#define STACK_BYTES_MAX (64UL << 20)

/*
 * ORC, stepping on from an address, finds out whether it is one of code. To ask of each beforehand,
 * as unwind_get_return_address() does, for modules by a search, costs as much as the steps.
 *
 * is_code() asks after all, about one address: it hands unwind_get_return_address() a copy of the
 * state with that address in it. This rests on three facts of arch/x86/kernel/unwind_orc.c, from
 * 4.14 to this day: the function returns state->ip, or NULL where __kernel_text_address() does not
 * know it; it reads nothing else but stack_info.type; and returns NULL at once where that is
 * STACK_TYPE_UNKNOWN, at which a failed step leaves it. The assertions pin the fields.
 */
#ifdef CONFIG_UNWINDER_ORC
static __always_inline unsigned long unwound_pc(struct unwind_state *state)
{
	return state->ip;
}

static bool is_code(const struct unwind_state *state, unsigned long addr)
{
	struct unwind_state at = *state;

	static_assert(__same_type(at.ip, unsigned long) &&
		      __same_type(at.stack_info.type, enum stack_type));
	static_assert(STACK_TYPE_UNKNOWN != STACK_TYPE_TASK);

	at.ip = addr;
	at.stack_info.type = STACK_TYPE_TASK;
	return unwind_get_return_address(&at);
}
#else
static __always_inline unsigned long unwound_pc(struct unwind_state *state)
{
	return unwind_get_return_address(state);
}

static bool is_code(const struct unwind_state *state, unsigned long addr)
{
	return true;
}
#endif

/*
 * The unwinder did not know the way on from the last frame. That frame may be any word of the
 * stack, or generated code, as BPF's: then what follows is what the unwinder has guessed. Returns
 * how many frames are left.
 */
static u32 drop_guessed_frame(const struct unwind_state *state, const u64 *frames, u32 nr,
			      u32 *flags_ret)
{
	*flags_ret |= CPUPROBE_STACK_BROKEN;
	return nr - (nr > 1 && !is_code(state, frames[nr - 1]));
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
		addr = likely(is_sure) ? unwound_pc(&state) : unwind_get_return_address(&state);
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
static __always_inline const unsigned long __user *place_of(const struct walk *walk)
{
	return (const unsigned long __user *)(walk->begin +
		array_index_nospec(walk->frame - walk->begin, walk->high - walk->begin));
}

/*
 * Where the return address lies while the function at the program counter has no frame of its own:
 * at its beginning, "push %rbp" (behind "endbr64") or, that done, "mov %rsp,%rbp"; at its end
 * "ret", or a jump as those of procedure linkage tables. 0: it has one, or so it seems. Inside
 * user_access_begin().
 */
static __always_inline unsigned long frameless(const struct pt_regs *regs)
{
	u32 code;

	unsafe_get_user(code, (u32 __user *)regs->ip, unknown);
	if ((code & 0xff) == 0x55 || code == 0xfa1e0ff3 || (code & 0xff) == 0xc3 ||
	    (code & 0xffff) == 0x25ff || (code & 0xffffff) == 0x25fff2)
		return regs->sp;
	if ((code & 0xffffff) == 0xe58948 || (code & 0xffffff) == 0xec8b48)
		return regs->sp + sizeof(long);
unknown:
	return 0;
}

/* A function larger than this is not looked for: what calls it, if anything, is not its leaf. */
#define LEAF_BYTES_MAX (64UL << 10)

/*
 * Whether @addr follows a direct call of the function that runs at @pc: functions that call none
 * are compiled without a frame even where all others have one. Inside user_access_begin().
 */
static __always_inline bool follows_call_of(unsigned long addr, unsigned long pc)
{
	s32 distance;
	u8 code;

	/* As far as a direct call reaches, which data that is no address of code rarely is. */
	if (addr - pc + SZ_2G >= 2UL * SZ_2G || addr < sizeof(long) || addr >= TASK_SIZE_MAX)
		return false;
	/* Nor shall a processor that guesses read for it what is the kernel's: see place_of(). */
	addr = array_index_nospec(addr, TASK_SIZE_MAX);
	unsafe_get_user(code, (u8 __user *)addr - 5, unreadable);
	if (code != 0xe8)
		return false;
	unsafe_get_user(distance, (s32 __user *)(addr - 4), unreadable);
	return pc - (addr + distance) < LEAF_BYTES_MAX;
unreadable:
	return false;
}

/*
 * Inside user_access_begin(): no function is called. Returns how it ended, a flag of
 * CPUPROBE_STACK_*, or 0 where a frame pointer of 0 says that it is the outermost.
 */
static __always_inline u32 follow(struct walk *walk)
{
	while (walk->frame) {
		const unsigned long __user *at;
		unsigned long next, addr;

		if (walk->frame & (sizeof(long) - 1) || walk->frame < walk->low ||
		    walk->frame >= walk->high)
			return CPUPROBE_STACK_NO_FRAME_POINTER;
		if (walk->nr == CPUPROBE_FRAMES_MAX)
			return CPUPROBE_STACK_USER_DEEP;
		at = place_of(walk);
		unsafe_get_user(next, at, unreadable);
		unsafe_get_user(addr, at + 1, unreadable);
		if (!addr)
			return 0;
		walk->frames[walk->nr++] = addr;
		walk->low = walk->frame + 2 * sizeof(long);
		walk->frame = next;
	}
	return 0;
unreadable:
	return CPUPROBE_STACK_UNREADABLE;
}

/* Inside user_access_begin(). */
static __always_inline u32 follow_from(struct walk *walk, const struct pt_regs *regs,
				       bool is_running)
{
	unsigned long known = is_running ? frameless(regs) : 0, addr;
	unsigned long at = known ?: regs->sp;
	u32 flags = 0;

	if (is_running && !(at & (sizeof(long) - 1)) && at < walk->high) {
		unsafe_get_user(addr, (unsigned long __user *)at, unreadable);
		if (known || follows_call_of(addr, regs->ip)) {
			walk->frames[walk->nr++] = addr;
			flags = CPUPROBE_STACK_GUESSED;
		}
	}
	return flags | follow(walk);
unreadable:
	/* A guess that comes to nothing says nothing of the frames. */
	return known ? CPUPROBE_STACK_UNREADABLE : follow(walk);
}

/* With faults disabled. */
static u32 walk_user(struct walk *walk, const struct pt_regs *regs, bool is_running)
{
	u32 flags;

	if (!access_ok((void __user *)regs->ip, sizeof(u32)) ||
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
	struct walk walk = { .frame = user->bp, .low = user->sp, .begin = user->sp,
			     .frames = frames };

	/*
	 * A kernel thread that has borrowed user memory was never there. Nor were the threads that
	 * the kernel has made in a program's name, as io_uring's: they are given neither program
	 * counter nor stack. (Their flag is no sign of them: on the way out 6.1 clears it.)
	 */
	if (!task->mm || identity_flags(task) & PF_KTHREAD || !user_mode((struct pt_regs *)user) ||
	    !(user->ip | user->sp))
		return 0;
	frames[walk.nr++] = arch_pc(user);
	if (!user_64bit_mode((struct pt_regs *)user)) {
		*flags_ret |= CPUPROBE_STACK_32BIT | CPUPROBE_STACK_NO_FRAME_POINTER;
		return walk.nr;
	}
	walk.high = user_stack_end(task->mm, user->sp);
	forbid_faults();
	*flags_ret |= walk_user(&walk, user, is_running);
	allow_faults();
	return walk.nr;
}
