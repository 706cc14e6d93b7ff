// SPDX-License-Identifier: GPL-2.0-only
/* From the module's stacks to a profile: cli/resolve/collector.c, frames and ends of stacks. */
#include "collectors.h"
#include "run/procstat.h"

static void kernel_stacks_are_named(void **state)
{
	struct subject subject;

	begin(&subject);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 5, (u64[]){ WORK, SYSCALL },
	    2);
	add(&subject, CPUPROBE_KIND_IDLE, CPUPROBE_MODE_KERNEL, 7, NULL, 0);
	collect(&subject);
	assert_int_equal(subject.profile->nr_stacks, 2);
	assert_string_equal(names(&subject, 0), "work<syscall_entry");
	assert_string_equal(names(&subject, 1), "[idle]");
	assert_string_equal(subject.profile->processes[0].name, "some");
	assert_string_equal(subject.profile->processes[1].name, "IDLE");
	assert_int_equal(subject.profile->taken, 12);
	assert_int_equal(subject.counted, 12);
	assert_true(subject.profile->stacks[0].ns == 5000);
	end(&subject);
}

/* A call at the end of a function returns to the beginning of the next function. */
static void callers_hold_the_call(void **state)
{
	struct subject subject;

	begin(&subject);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 1,
	    (u64[]){ SCHEDULE & ~0xff, WORK & ~0xff, SYSCALL & ~0xff }, 3);
	collect(&subject);
	assert_string_equal(names(&subject, 0), "schedule<_stext<work");
	end(&subject);
}

static __attribute__((noinline)) u64 return_address(void)
{
	return (u64)__builtin_return_address(0);
}

/* Add a stack of this process: the kernel's frames, then the user's. */
static struct cpuprobe_stack *add_own(struct subject *subject, const u64 *frames,
				      u32 nr_kernel, u32 nr_user)
{
	struct cpuprobe_stack *stack = add(subject, CPUPROBE_KIND_PROCESS, CPUPROBE_MODE_KERNEL, 1,
					   frames, nr_kernel + nr_user);
	u64 space;

	assert_int_equal(procstat_space(getpid(), &space), 0);
	stack->pid = getpid();
	stack->space = space;
	stack->nr_kernel = nr_kernel;
	stack->nr_user = nr_user;
	return stack;
}

/* A guessed return address outside of code is skipped; any other ends the stack. */
static void user_frames_are_code(void **state)
{
	const u64 leaf = (u64)return_address, caller = return_address(), not_code = 64;
	const u64 stacks[][5] = {
		{ WORK, SYSCALL, leaf, caller }, { leaf, not_code, caller, not_code, caller },
	};
	struct subject subject;

	begin(&subject);
	add_own(&subject, stacks[0], 2, 2);
	add_own(&subject, stacks[1], 0, 5)->flags = CPUPROBE_STACK_GUESSED;
	add_own(&subject, stacks[1], 0, 5);
	collect(&subject);
	assert_string_equal(names(&subject, 0),
			    "work<syscall_entry<return_address<user_frames_are_code");
	assert_string_equal(names(&subject, 1), "[kernel]<return_address<user_frames_are_code<"
			    "[no frame pointer]");
	assert_string_equal(names(&subject, 2), "[kernel]<return_address<[no frame pointer]");
	end(&subject);
}

/* Two functions. The first one ends with an instruction that may be a system call. */
__asm__(".text\n"
	".type last_call, %function\n" "last_call: nop\n" ".size last_call, . - last_call\n"
	".type next_code, %function\n" "next_code: nop\n" ".size next_code, . - next_code\n");
extern char next_code[];

/* A system call belongs to the instruction before the address, a page fault to that at it. */
static void system_calls_are_before(void **state)
{
	const u64 frames[] = { WORK, SYSCALL, (u64)next_code };
	struct subject subject;

	begin(&subject);
	add_own(&subject, frames, 2, 1)->flags = CPUPROBE_STACK_SYSCALL;
	add_own(&subject, frames, 2, 1);
	collect(&subject);
	assert_string_equal(names(&subject, 0), "work<syscall_entry<last_call");
	assert_string_equal(names(&subject, 1), "work<syscall_entry<next_code");
	end(&subject);
}

/* The code that an interrupt interrupted is not its caller. */
static void interrupts_are_roots(void **state)
{
	struct subject subject;

	begin(&subject);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_SOFTIRQ, 1,
	    (u64[]){ WORK, SOFTIRQS, IRQ_EXIT, TIMER, SYSCALL }, 5);
	add(&subject, CPUPROBE_KIND_SOFTIRQ, CPUPROBE_MODE_SOFTIRQ, 1,
	    (u64[]){ WORK, SOFTIRQS, IRQ_EXIT, TIMER }, 4);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 1,
	    (u64[]){ SCHEDULE, TIMER, SYSCALL }, 3);
	collect(&subject);
	assert_string_equal(names(&subject, 0), "work<handle_softirqs<[softirq]");
	assert_string_equal(names(&subject, 1), "work<handle_softirqs<[softirq]");
	assert_string_equal(subject.profile->processes[subject.profile->stacks[1].process].name,
			    "(softirq)");
	assert_string_equal(names(&subject, 2), "schedule<asm_sysvec_apic_timer_interrupt<[irq]");
	end(&subject);
}

static void ends_are_marked(void **state)
{
	struct subject subject;

	begin(&subject);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 1, (u64[]){ WORK },
	    1)->flags =
		CPUPROBE_STACK_KERNEL_DEEP;
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 1, (u64[]){ WORK },
	    1)->flags =
		CPUPROBE_STACK_BROKEN;
	add(&subject, CPUPROBE_KIND_EXITING, CPUPROBE_MODE_KERNEL, 1, NULL, 0);
	add(&subject, CPUPROBE_KIND_EXITING, CPUPROBE_MODE_USER, 1, NULL, 0);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_GUEST, 1, (u64[]){ WORK }, 1);
	collect(&subject);
	assert_string_equal(names(&subject, 0), "work<[too deep]");
	assert_string_equal(names(&subject, 1), "work<[kernel stack broken]");
	assert_string_equal(names(&subject, 2), "[kernel]");
	assert_string_equal(names(&subject, 3), "[user]");
	assert_string_equal(names(&subject, 4), "[guest]<work");
	end(&subject);
}

/* Why a user stack ended is marked after its last frame, and counted. */
static void user_ends_are_marked(void **state)
{
	const u64 frames[] = { (u64)return_address, return_address() };
	static const struct { u32 flags; const char *end; } cases[] = {
		{ 0, "" }, { CPUPROBE_STACK_NO_TABLE, "<[no unwind table]" },
		{ CPUPROBE_STACK_UNMAPPED, "<[generated code]" },
		{ CPUPROBE_STACK_32BIT, "<[32-bit code]" },
		{ CPUPROBE_STACK_NO_FRAME_POINTER | CPUPROBE_STACK_OUTSIDE, "<[outside the stack]" },
	};
	struct receipt_stacks *stacks;
	struct subject subject;
	char expected[256];

	begin(&subject);
	stacks = &subject.stacks;
	subject.lacking = "test_collector";
	for (u32 i = 0; i < 5; i++)
		add_own(&subject, frames, 0, 2)->flags = cases[i].flags;
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 9, (u64[]){ WORK }, 1);
	collect(&subject);
	for (u32 i = 0; i < 5; i++) {
		snprintf(expected, sizeof(expected),
			 "[kernel]<return_address<user_ends_are_marked%s", cases[i].end);
		assert_string_equal(names(&subject, i), expected);
	}
	assert_int_equal(stacks->samples, 5);
	assert_int_equal(stacks->whole, 1);
	assert_int_equal(stacks->ended[RECEIPT_NO_TABLE], 1);
	assert_int_equal(stacks->ended[RECEIPT_OUTSIDE], 1);
	assert_string_equal(stacks->object[0].name, "test_collector");
	stacks->how = 1;
	collector_forget_ends(subject.collector);
	assert_int_equal(stacks->samples, 0);
	assert_int_equal(stacks->how, 1);
	collect(&subject);
	assert_int_equal(stacks->object[0].samples, 1);
	/* The table of any other file is only late. */
	subject.lacking = NULL;
	collect(&subject);
	assert_int_equal(stacks->ended[RECEIPT_LATE], 1);
	assert_int_equal(stacks->ended[RECEIPT_NO_TABLE], 1);
	assert_int_equal(stacks->object[0].samples, 1);
	end(&subject);
}

/* With -unwind none, only the first user frame is kept, and the stack says that it was cut. */
static void callers_are_not_asked_for(void **state)
{
	const u64 frames[] = { WORK, (u64)return_address, return_address() };
	struct subject subject;

	begin_with(&subject, true);
	add_own(&subject, frames, 1, 2);
	add_own(&subject, frames + 1, 0, 1);
	add_own(&subject, frames + 1, 0, 1)->flags = CPUPROBE_STACK_NO_FRAME_POINTER;
	collect(&subject);
	assert_string_equal(names(&subject, 0), "work<return_address<[callers not asked for]");
	assert_string_equal(names(&subject, 1), "[kernel]<return_address");
	assert_string_equal(names(&subject, 2), "[kernel]<return_address<[callers not asked for]");
	assert_int_equal(subject.stacks.ended[RECEIPT_CUT], 2);
	assert_int_equal(subject.stacks.whole, 1);
	end(&subject);
}

/* Code without rules in a file that has a table does not wait for it. */
static void code_without_rules_is_not_late(void **state)
{
	const u64 frames[] = { (u64)return_address, return_address() };
	struct subject subject;

	begin(&subject);
	add_own(&subject, frames, 0, 2)->flags = CPUPROBE_STACK_NO_RULE;
	collect(&subject);
	assert_string_equal(names(&subject, 0), "[kernel]<return_address<code_without_rules_is_not_late"
			    "<[no unwind table]");
	assert_int_equal(subject.stacks.ended[RECEIPT_NO_RULE], 1);
	assert_int_equal(subject.stacks.ended[RECEIPT_LATE], 0);
	end(&subject);
}

/* Addresses found by tables are believed, those after the first one found otherwise are not. */
static void tables_are_believed(void **state)
{
	const u64 frames[] = { (u64)return_address, (u64)return_address + 1, return_address() };
	const u64 known[] = { frames[0], frames[2], frames[1] };
	struct subject subject;
	u32 i;

	begin(&subject);
	for (i = 0; i < 3; i++)
		add_own(&subject, frames, 0, 3)->nr_sure = 3 - i;
	add_own(&subject, frames, 0, 3)->flags = CPUPROBE_STACK_BY_POINTER;
	add_own(&subject, frames, 0, 3)->flags = CPUPROBE_STACK_GUESSED;
	/* The same address, once as a caller by a table. */
	add_own(&subject, known, 0, 3)->nr_sure = 3;
	add_own(&subject, known, 0, 3)->nr_sure = 2;
	collect(&subject);
	assert_string_equal(names(&subject, 0),
			    "[kernel]<return_address<return_address<tables_are_believed");
	assert_string_equal(names(&subject, 1), "[kernel]<return_address<[no frame pointer]");
	assert_string_equal(names(&subject, 2), "[kernel]<return_address<tables_are_believed");
	assert_string_equal(names(&subject, 3), "[kernel]<return_address<tables_are_believed<return_address");
	assert_string_equal(names(&subject, 4), "[kernel]<return_address<tables_are_believed<"
			    "[no frame pointer]");
	assert_int_equal(subject.profile->stacks[0].hits, 2);
	assert_int_equal(subject.profile->stacks[1].hits, 2);
	assert_int_equal(subject.stacks.by_pointer, 1);
	end(&subject);
}

/* As a C library has it; the function before must not get its name. */
__asm__(".text\n.type before_signal, @function\nbefore_signal: ret\n.size before_signal, 1\n"
	".globl signal_code\n.type signal_code, @function\n"
	"signal_code: mov $15, %rax\nsyscall\n.size signal_code, . - signal_code\n");
extern char signal_code[];

/* A handler returns to code without a call before it, and below is the interrupted instruction. */
static void signals_interrupt(void **state)
{
	const u64 leaf = (u64)signals_interrupt, caller = return_address();
	/* Interrupted at the first instruction of a function. */
	const u64 frames[] = { leaf, (u64)signal_code, (u64)return_address, caller };
	struct subject subject;

	begin(&subject);
	/* The code that a handler returns to is known as such, and the interrupted address as a caller's. */
	add_own(&subject, (u64[]){ leaf, frames[1], leaf, caller }, 0, 4)->nr_sure = 4;
	add_own(&subject, (u64[]){ leaf, frames[2], caller }, 0, 3)->nr_sure = 3;
	add_own(&subject, frames, 0, 4)->nr_sure = 4;
	/* The last caller is due to a frame pointer. */
	add_own(&subject, frames, 0, 4)->nr_sure = 3;
	collect(&subject);
	assert_string_equal(names(&subject, 2), "[kernel]<signals_interrupt<signal_code<"
			    "return_address<signals_interrupt");
	assert_int_equal(subject.profile->nr_stacks, 3);
	end(&subject);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_stacks_are_named),
		cmocka_unit_test(callers_hold_the_call),
		cmocka_unit_test(user_frames_are_code),
		cmocka_unit_test(system_calls_are_before),
		cmocka_unit_test(interrupts_are_roots),
		cmocka_unit_test(ends_are_marked),
		cmocka_unit_test(user_ends_are_marked),
		cmocka_unit_test(callers_are_not_asked_for),
		cmocka_unit_test(code_without_rules_is_not_late),
		cmocka_unit_test(tables_are_believed),
		cmocka_unit_test(signals_interrupt),
	};

	return cmocka_run_group_tests(tests, write_symbols, remove_symbols);
}
