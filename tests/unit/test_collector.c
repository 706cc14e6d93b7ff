// SPDX-License-Identifier: GPL-2.0-only
/* From the module's stacks to a profile: cli/resolve/collector.c. */
#include <unistd.h>

#include "unit.h"
#include "run/procstat.h"
#include "resolve/collector.h"
#include "report/flat.h"

/* Symbols in the form of /proc/kallsyms. */
static const char symbols[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81000100 T work\n"
	"ffffffff81000200 T syscall_entry\n"
	"ffffffff81000300 T handle_softirqs\n"
	"ffffffff81000400 T __irq_exit_rcu\n"
	"ffffffff81000500 T asm_sysvec_apic_timer_interrupt\n"
	"ffffffff81000600 T schedule\n"
	"ffffffff81000700 T _etext\n";

#define WORK		0xffffffff81000110
#define SYSCALL		0xffffffff81000210
#define SOFTIRQS	0xffffffff81000310
#define IRQ_EXIT	0xffffffff81000410
#define TIMER		0xffffffff81000510
#define SCHEDULE	0xffffffff81000610

static char path[] = "/dev/shm/cpuprobe-kallsyms-XXXXXX";

/** Fixture of a test. */
struct subject {
	struct profile *profile;
	struct resolver *resolver;
	struct collector *collector;
	u64 counted;
	struct receipt_stacks stacks;
	const char *lacking;		/* file that has no table; NULL: none is known */
	/* the account to be collected */
	struct cpuprobe_account account;
	_Alignas(8) char bytes[16384];
};

static void count(void *context, u32 stack, u64 hits, double ns)
{
	struct subject *subject = context;

	subject->counted += hits;
}

static bool lacks_table(void *context, const char *name)
{
	struct subject *subject = context;

	return subject->lacking && !strcmp(subject->lacking, name);
}

static void begin_with(struct subject *subject, bool only_leaf)
{
	const struct resolver_options how = { .kallsyms = path, .modules = "/dev/null" };
	const struct collector_options what = {
		.only_leaf = only_leaf, .stacks = &subject->stacks, .lacks_table = lacks_table,
		.counted = count,
		.context = subject,
	};

	memset(subject, 0, sizeof(*subject));
	subject->profile = profile_create();
	subject->resolver = resolver_create(subject->profile, &how, NULL);
	subject->collector = collector_create(subject->profile, subject->resolver, &what);
	assert_non_null(subject->collector);
	subject->account.period_ns = 1000;
}

static void begin(struct subject *subject)
{
	begin_with(subject, false);
}

static void end(struct subject *subject)
{
	collector_destroy(subject->collector);
	resolver_destroy(subject->resolver);
	profile_destroy(subject->profile);
}

static struct cpuprobe_stack *add(struct subject *subject, u32 kind, u32 mode,
				  u64 hits, const u64 *frames, u32 nr)
{
	struct cpuprobe_stack *stack = (void *)(subject->bytes + subject->account.bytes);

	*stack = (struct cpuprobe_stack){
		.hits = hits, .comm = "some", .kind = kind, .mode = mode, .nr_kernel = nr,
		.pid = kind == CPUPROBE_KIND_IDLE || kind == CPUPROBE_KIND_SOFTIRQ ? 0 : 77,
	};
	for (u32 i = 0; i < nr; i++)
		stack->frame[i] = frames[i];
	subject->account.bytes += sizeof(*stack) + nr * sizeof(u64);
	subject->account.entries++;
	subject->account.taken += hits;
	return stack;
}

static void collect(struct subject *subject)
{
	assert_int_equal(collector_add(subject->collector, NULL, 0, &subject->account,
				       subject->bytes), 0);
}

/* The names of a stack, the leaf first, in one string. */
static const char *names(const struct subject *subject, u32 at)
{
	static char text[1024];
	const struct profile_stack *stack = &subject->profile->stacks[at];
	const u32 *frames = profile_frames_of(subject->profile, stack);

	text[0] = '\0';
	for (u32 i = 0; i < stack->nr_frames; i++) {
		strcat(text, i ? "<" : "");
		strcat(text, profile_function_of(subject->profile, frames[i])->name);
	}
	return text;
}

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

/* Addresses found by tables are believed, except after a frame found by its pointer. */
static void tables_are_believed(void **state)
{
	const struct device device = { .fd = -1, .has_tables = true };
	const u64 frames[] = { (u64)return_address, (u64)return_address + 1, return_address() };
	struct subject subject;

	begin(&subject);
	add_own(&subject, frames, 0, 3);
	add_own(&subject, frames, 0, 3)->flags = CPUPROBE_STACK_BY_POINTER;
	add_own(&subject, frames, 0, 3)->flags = CPUPROBE_STACK_GUESSED;
	assert_int_equal(collector_add(subject.collector, &device, 0, &subject.account,
				       subject.bytes), 0);
	assert_string_equal(names(&subject, 0),
			    "[kernel]<return_address<return_address<tables_are_believed");
	assert_string_equal(names(&subject, 1), "[kernel]<return_address<[no frame pointer]");
	assert_string_equal(names(&subject, 2), "[kernel]<return_address<tables_are_believed");
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
	const struct device device = { .fd = -1, .has_tables = true };
	const u64 leaf = (u64)signals_interrupt, caller = return_address();
	/* Interrupted at the first instruction of a function. */
	const u64 frames[] = { leaf, (u64)signal_code, (u64)return_address, caller };
	struct subject subject;

	begin(&subject);
	/* The code that a handler returns to is known as such, and the interrupted address as a caller's. */
	add_own(&subject, (u64[]){ leaf, frames[1], leaf, caller }, 0, 4);
	add_own(&subject, (u64[]){ leaf, frames[2], caller }, 0, 3);
	add_own(&subject, frames, 0, 4);
	add_own(&subject, frames, 0, 4);
	assert_int_equal(collector_add(subject.collector, &device, 0, &subject.account,
				       subject.bytes), 0);
	assert_string_equal(names(&subject, 2), "[kernel]<signals_interrupt<signal_code<"
			    "return_address<signals_interrupt");
	assert_int_equal(subject.profile->nr_stacks, 3);
	end(&subject);
}

/* Every sample is in one of the sums; missed periods are spread over all that are not excluded. */
static void totals_add_up(void **state)
{
	struct subject subject;
	struct profile *profile;

	begin(&subject);
	profile = subject.profile;
	add(&subject, CPUPROBE_KIND_IDLE, CPUPROBE_MODE_KERNEL, 50, NULL, 0);
	subject.account.lost[2] = 10;
	subject.account.other_task = 20;
	subject.account.other_exe = 5;
	subject.account.excluded = 15;
	subject.account.taken = 100;
	subject.account.missed = 100;
	collect(&subject);
	assert_int_equal(profile->taken, 85);
	assert_int_equal(profile->lost, 10);
	assert_int_equal(profile->other, 25);
	assert_true(profile->stacks[0].ns == 100000);
	assert_true(profile->stacks[0].ns + profile->lost_ns +
		    profile->other_ns == profile->taken_ns);
	end(&subject);
}

/* A sample is weighted by its own CPU's account, so that shares are of time, not of samples. */
static void samples_are_weighted_by_their_cpu(void **state)
{
	const struct flat_options by_function = { .by = FLAT_FUNCTION };
	struct subject subject;
	struct flat *flat;

	begin(&subject);
	add(&subject, CPUPROBE_KIND_IDLE, CPUPROBE_MODE_KERNEL, 100, NULL, 0);
	collect(&subject);
	/* Another CPU, at half the rate, which missed as many periods as it took samples. */
	memset(&subject.account, 0, sizeof(subject.account));
	subject.account.period_ns = 2000;
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 100, (u64[]){ WORK }, 1);
	subject.account.missed = 100;
	collect(&subject);
	assert_true(subject.profile->stacks[0].ns == 100 * 1000);
	assert_true(subject.profile->stacks[1].ns == 100 * 2000 * 2);
	flat = flat_create(subject.profile, &by_function, NULL);
	assert_non_null(flat);
	flat_sort(flat, FLAT_BY_SELF);
	assert_string_equal(names(&subject, 1), "work");
	assert_true(flat_row_at(flat, 0)->share == 0.8 && flat_row_at(flat, 1)->share == 0.2);
	assert_int_equal(flat_row_at(flat, 0)->hits, flat_row_at(flat, 1)->hits);
	flat_destroy(flat);
	end(&subject);
}

/* A full profile loses new stacks and counts known ones. */
static void stacks_without_room_are_lost(void **state)
{
	struct subject subject;

	begin(&subject);
	subject.profile->stacks_max = 1;
	add(&subject, CPUPROBE_KIND_IDLE, CPUPROBE_MODE_KERNEL, 3, NULL, 0);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 4, (u64[]){ WORK }, 1);
	assert_int_not_equal(collector_add(subject.collector, NULL, 0, &subject.account,
					   subject.bytes), 0);
	assert_int_equal(subject.profile->nr_stacks, 1);
	assert_int_equal(subject.profile->lost, 4);
	assert_int_equal(subject.profile->taken, 7);
	assert_true(subject.profile->lost_ns == 4000);
	end(&subject);
}

/*
 * In the second half of its room, a profile adds new stacks by function, and known ones as before.
 */
static void full_profiles_use_function_frames(void **state)
{
	const struct profile_frame *frame;
	const struct profile *profile;
	struct subject subject;

	begin(&subject);
	profile = subject.profile;
	subject.profile->stacks_max = 4;
	for (u64 i = 0; i < 9; i++)
		add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 1,
		    (u64[]){ WORK + i, SYSCALL + i }, 2);
	add(&subject, CPUPROBE_KIND_KTHREAD, CPUPROBE_MODE_KERNEL, 2, (u64[]){ WORK, SYSCALL },
	    2);
	collect(&subject);
	assert_int_equal(profile->nr_stacks, 3);
	assert_int_equal(profile->stacks[0].hits, 3);
	assert_int_equal(profile->stacks[2].hits, 7);
	assert_string_equal(names(&subject, 2), "work<syscall_entry");
	frame = &profile->frames[profile_frames_of(profile, &profile->stacks[2])[0]];
	assert_int_equal(frame->addr, profile->functions[frame->function].addr);
	assert_int_equal(profile->lost, 0);

	/* Room again after a new beginning. */
	profile_forget_stacks(subject.profile);
	assert_int_equal(profile->taken, 0);
	collect(&subject);
	assert_int_equal(profile->nr_stacks, 3);
	assert_int_equal(profile->stacks[0].hits, 3);
	assert_int_equal(profile->taken, 11);
	end(&subject);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_stacks_are_named), cmocka_unit_test(callers_hold_the_call),
		cmocka_unit_test(user_frames_are_code), cmocka_unit_test(interrupts_are_roots),
		cmocka_unit_test(ends_are_marked), cmocka_unit_test(user_ends_are_marked),
		cmocka_unit_test(callers_are_not_asked_for), cmocka_unit_test(tables_are_believed),
		cmocka_unit_test(code_without_rules_is_not_late),
		cmocka_unit_test(signals_interrupt), cmocka_unit_test(totals_add_up),
		cmocka_unit_test(samples_are_weighted_by_their_cpu),
		cmocka_unit_test(stacks_without_room_are_lost),
		cmocka_unit_test(full_profiles_use_function_frames),
	};
	int status, fd = mkstemp(path);

	if (write(fd, symbols, sizeof(symbols) - 1) < 0)
		return 1;
	close(fd);
	status = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return status;
}
