// SPDX-License-Identifier: GPL-2.0-only
/* Walking user stacks by tables of call frame information: see unwinding.h. */
#include "cfi_step.h"
#include "space_objects.h"
#include "unwinding.h"
#include "user_stack.h"

/** The part of a stack that may be read. */
struct stack_range {
	unsigned long begin;		/* lowest address */
	unsigned long len;
};

/** A walk by tables. */
struct table_walk {
	struct unwinding *unwinding;
	const struct space_map *map;	/* NULL: unknown */
	const struct mapping *mapping;	/* of the last address: most callers are in the same file */
	const struct mm_struct *mm;
	struct unwind_memos *memos;	/* of this CPU */
	u64 epoch;
	u32 map_serial;			/* of @map; 0: nothing is remembered */
	struct cfi_regs regs;
	const struct pt_regs *interrupted;	/* of the first function only */
	struct stack_range stack;
	bool is_by_pointer;		/* some frame was found by a frame pointer */
	bool is_guessed;		/* the second frame is the word at the top of the stack */
	u32 nr_sure;			/* frames before the first such one; 0: all */
};

/*
 * Reads a word of the stack, inside arch_user_begin(). Speculation is bounded as by checked_frame() in unwind.c. A
 * table may lead anywhere, so every address is checked.
 */
static __always_inline u32 read_open_stack(void *context, unsigned long addr, unsigned long *word_ret)
{
	const struct stack_range *stack = context;
	unsigned long offset = addr - stack->begin;

	if (unlikely(addr & (sizeof(long) - 1) || offset >= stack->len))
		return CPUPROBE_STACK_OUTSIDE;
	offset = arch_user_offset(offset, stack->len);
	return arch_read_word(stack->begin + offset, word_ret) ? 0 : CPUPROBE_STACK_UNREADABLE;
}

static __always_inline bool open_stack(const struct stack_range *stack)
{
	return arch_user_begin(stack->begin, stack->len);
}

static __always_inline u32 read_stack(void *context, unsigned long addr, unsigned long *word_ret)
{
	struct table_walk *walk = context;
	u32 failed;

	if (unlikely(!open_stack(&walk->stack)))
		return CPUPROBE_STACK_UNREADABLE;
	failed = read_open_stack(&walk->stack, addr, word_ret);
	arch_user_end();
	return failed;
}

/* A return address is never exact; after a signal handler other registers are those of the handler. */
static __always_inline bool get_register(void *context, u32 number, unsigned long *value_ret)
{
	const struct table_walk *walk = context;

	return walk->regs.is_exact && walk->interrupted &&
		arch_register(walk->interrupted, number, value_ret);
}

/* NULL: no file is mapped at that address. At most 16 steps. */
static noinline const struct mapping *search_mapping(const struct space_map *map, unsigned long addr)
{
	u32 low = 0, high = map ? map->nr : 0;

	/* Find the first mapping that begins after the address: its predecessor may hold it. */
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (map->at[middle].start > addr)
			high = middle;
		else
			low = middle + 1;
	}
	return low && addr < map->at[low - 1].end ? &map->at[low - 1] : NULL;
}

static __always_inline bool find_mapping(struct table_walk *walk, unsigned long addr)
{
	if (unlikely(!walk->mapping || addr < walk->mapping->start || addr >= walk->mapping->end))
		walk->mapping = search_mapping(walk->map, addr);
	return walk->mapping;
}

/* Find the rule in the table of the file that is mapped there. NULL: none, and *end_ret says why. */
static noinline const struct cpuprobe_rule *search_rule(struct table_walk *walk, unsigned long addr,
							u32 *end_ret)
{
	const struct unwind_table *table;
	const struct cpuprobe_rule *rule;
	u64 offset;

	if (unlikely(!find_mapping(walk, addr))) {
		*end_ret = walk->map ? CPUPROBE_STACK_UNMAPPED : CPUPROBE_STACK_UNKNOWN;
		return NULL;
	}
	table = unwinding_find(walk->unwinding, walk->mapping->object, end_ret);
	if (unlikely(!table))
		return NULL;
	offset = addr - walk->mapping->start + ((u64)walk->mapping->first_page << PAGE_SHIFT);
	rule = cfi_find(&table->cfi, offset);
	if (likely(rule && rule->kind != CPUPROBE_RULE_NONE))
		return rule;
	*end_ret = CPUPROBE_STACK_NO_RULE;
	return NULL;
}

static __always_inline struct unwind_memo *memo_of(const struct table_walk *walk, unsigned long addr)
{
	return &walk->memos->memo[(u32)addr * 0x9e3779b1u >> (32 - ilog2(UNWIND_MEMOS))];
}

static __always_inline bool is_memo_valid(const struct table_walk *walk, const struct unwind_memo *memo,
					  unsigned long addr)
{
	return memo->addr == addr && memo->map == walk->map_serial && memo->epoch == walk->epoch;
}

/* NULL: no rule, and *end_ret says why. */
static __always_inline const struct cpuprobe_rule *find_rule(struct table_walk *walk, u32 *end_ret)
{
	unsigned long addr = walk->regs.pc - !walk->regs.is_exact;
	struct unwind_memo *memo = memo_of(walk, addr);
	const struct cpuprobe_rule *rule;

	if (likely(is_memo_valid(walk, memo, addr)))
		return memo->rule;
	rule = search_rule(walk, addr, end_ret);
	if (rule && walk->map_serial)
		*memo = (struct unwind_memo){
			.addr = addr, .rule = rule, .map = walk->map_serial, .epoch = walk->epoch,
		};
	return rule;
}

/*
 * Whether nobody called the function, which has no rule. The first function of a process runs where its
 * stack begins: the dynamic linker's is without rules. The first one of a coroutine returns to the first
 * instruction of another (makecontext() sees to that), and nothing that was called returns there.
 */
static bool is_outermost(struct table_walk *walk, u32 end)
{
	u32 ignored;

	if (walk->regs.sp == READ_ONCE(walk->mm->start_stack))
		return true;
	return end == CPUPROBE_STACK_NO_RULE && !walk->regs.is_exact &&
		search_rule(walk, walk->regs.pc, &ignored);
}

/* Read the caller of the function that was interrupted, if that seems to have no frame. */
static bool guess_caller(const struct table_walk *walk, struct cfi_regs *caller_ret)
{
	const struct pt_regs *regs = walk->interrupted;
	unsigned long addr, sp;
	bool is_found;

	if (!is_user_code(arch_pc(regs)) || !open_stack(&walk->stack))
		return false;
	is_found = arch_frameless_caller(regs, walk->stack.begin + walk->stack.len, &addr, &sp) ==
		CPUPROBE_STACK_GUESSED;
	if (is_found)
		*caller_ret = (struct cfi_regs){
			.pc = addr, .sp = sp, .fp = walk->regs.fp, .is_sp_low = arch_has_moved_sp(regs, addr),
		};
	arch_user_end();
	return is_found;
}

/*
 * A leaf in assembly often has no rules in a file that has some. The guess is that of walks by frame pointers,
 * and the caller must be in a file that is mapped as code. A function without a frame has not changed the
 * frame pointer: one that changes it saves it first.
 */
static bool step_by_guess(struct table_walk *walk, u32 end)
{
	struct cfi_regs caller;

	if (end != CPUPROBE_STACK_NO_RULE || !walk->regs.is_exact || !walk->interrupted ||
	    !guess_caller(walk, &caller) || !find_mapping(walk, caller.pc - 1))
		return false;
	walk->regs = caller;
	walk->is_guessed = true;
	return true;
}

/* @end: why there is no rule. */
static noinline u32 step_without_rule(struct table_walk *walk, u32 end)
{
	if (is_outermost(walk, end))
		return CFI_OUTERMOST;
	if (step_by_guess(walk, end))
		return CFI_STEPPED;
	/* The vdso keeps no frame pointers, and signal handlers return to it. Its table will come. */
	if (end == CPUPROBE_STACK_NO_TABLE && walk->mapping->object == OBJECT_VDSO)
		return end;
	return cfi_step_by_pointer(&walk->regs, &walk->is_by_pointer, end, read_stack, walk);
}

/*
 * A signal handler may run on a stack of its own: another stack begins at the interrupted function. A
 * function may use some bytes below its stack pointer; hand-written cryptography keeps its CFA there.
 */
static noinline void enter_stack(struct table_walk *walk)
{
	unsigned long sp = walk->regs.sp;

	walk->stack.begin = sp - min_t(unsigned long, sp, ARCH_RED_ZONE);
	walk->stack.len = user_stack_end(walk->mm, sp) - walk->stack.begin;
}

static __always_inline u32 step(struct table_walk *walk)
{
	const struct cpuprobe_rule *rule;
	u32 end = CPUPROBE_STACK_NO_RULE;

	rule = find_rule(walk, &end);
	if (unlikely(!rule))
		return step_without_rule(walk, end);
	end = cfi_step(rule, &walk->regs, read_stack, get_register, walk);
	if (unlikely(rule->kind == CPUPROBE_RULE_SIGNAL && end == CFI_STEPPED)) {
		walk->interrupted = NULL;
		enter_stack(walk);
	}
	return end;
}

/* No rule of a function that was called is about other registers than these two. */
static __always_inline bool no_register(void *context, u32 number, unsigned long *value_ret)
{
	return false;
}

/*
 * Most functions save their caller on the stack, and their rules are remembered: these steps are the usual ones
 * in half the instructions, with all in registers, without a call. Goes as far as they lead. Returns CFI_OUTERMOST,
 * or CFI_STEPPED where step() must go on or say why the walk ends.
 */
static __always_inline u32 follow_plain_rules(struct table_walk *walk, u64 *frames, u32 *nr)
{
	unsigned long addr = walk->regs.pc - !walk->regs.is_exact;
	struct stack_range stack = walk->stack;
	struct cfi_regs at = walk->regs;
	u32 end = CFI_STEPPED;

	if (unlikely(at.is_fp_lost || at.is_sp_low || at.lr || !open_stack(&stack)))
		return CFI_STEPPED;
	while (*nr < CPUPROBE_FRAMES_MAX) {
		const struct unwind_memo *memo = memo_of(walk, addr);
		const struct cpuprobe_rule *rule = memo->rule;

		if (!is_memo_valid(walk, memo, addr) || !rule)
			break;
		if (!cfi_is_plain(rule)) {
			end = rule->kind == CPUPROBE_RULE_OUTERMOST ? CFI_OUTERMOST : CFI_STEPPED;
			break;
		}
		if (cfi_step(rule, &at, read_open_stack, no_register, &stack) != CFI_STEPPED)
			break;
		frames[(*nr)++] = at.pc;
		addr = at.pc - 1;
	}
	arch_user_end();
	walk->regs = at;
	return end;
}

/* Returns the number of frames. */
static u32 walk_by_tables(struct table_walk *walk, u64 *frames, u32 *flags_ret)
{
	u32 nr = 1, end;

	frames[0] = walk->regs.pc;
	while ((end = follow_plain_rules(walk, frames, &nr)) == CFI_STEPPED &&
	       (end = step(walk)) == CFI_STEPPED) {
		if (nr == CPUPROBE_FRAMES_MAX) {
			end = CPUPROBE_STACK_USER_DEEP;
			break;
		}
		if (unlikely(!walk->nr_sure && (walk->is_by_pointer || walk->is_guessed)))
			walk->nr_sure = nr;
		frames[nr++] = walk->regs.pc;
	}
	*flags_ret |= (end & ~CFI_OUTERMOST) |
		(walk->is_by_pointer ? CPUPROBE_STACK_BY_POINTER : 0) |
		(walk->is_guessed ? CPUPROBE_STACK_GUESSED : 0);
	if (unlikely(end & CPUPROBE_STACK_UNKNOWN))
		WRITE_ONCE(walk->unwinding->has_unknown, true);
	return nr;
}

u32 unwind_user_by_tables(struct unwinding *unwinding, const struct space_map *map,
			  struct task_struct *task, struct pt_regs *regs, u64 *frames, u32 *flags_ret,
			  u32 *nr_sure_ret)
{
	const struct pt_regs *user = user_stack_regs(task, regs);
	struct table_walk walk = { .unwinding = unwinding, .map = map, .interrupted = user };
	u32 nr;

	if (!user)
		return 0;
	*flags_ret |= user_stack_entry(regs, user);
	if (!arch_is_64bit(user)) {
		frames[0] = arch_pc(user);
		*flags_ret |= CPUPROBE_STACK_32BIT;
		*nr_sure_ret = 1;
		return 1;
	}
	walk.mm = task->mm;
	walk.memos = this_cpu_ptr(unwinding->memos);
	walk.map_serial = map ? map->serial : 0;
	walk.epoch = unwinding_epoch(unwinding);
	walk.regs = (struct cfi_regs){
		.pc = arch_pc(user), .sp = arch_sp(user), .fp = arch_fp(user), .lr = arch_lr(user),
		/* A system call is part of the instruction before; nothing may be after the last one. */
		.is_exact = !(*flags_ret & CPUPROBE_STACK_SYSCALL),
	};
	enter_stack(&walk);
	user_stack_forbid_faults();
	nr = walk_by_tables(&walk, frames, flags_ret);
	user_stack_allow_faults();
	*nr_sure_ret = walk.nr_sure ?: nr;
	return nr;
}
