// SPDX-License-Identifier: GPL-2.0-only
/*
 * edges [NAME]: starts children with odd stack and frame pointers, at odd addresses, and samples
 * their stacks at 10 kHz. Each stack must have the flags and frames that its registers imply, no
 * sample may fault a page in, and the kernel must not complain. Prints the samples of each case;
 * exits 1 if a case failed, else 0. NAME chooses the cases whose name contains it.
 */
#include <ucontext.h>

#define EDGE_JUMPS_MAX	1
#define EDGE_MAY_END	3
#include "edges.h"

/* Fixed addresses. */
#define CODE		0x200000UL	/* below 4 GiB, for 32-bit code; unmapped after its page */
#define SPIN		(CODE + 0x10)	/* a jump to itself */
#define SPIN_FRAMELESS	(CODE + 0x20)	/* an indirect jump to itself, as in linkage tables */
#define CALL		(CODE + 0x40)	/* a call of SPIN */
#define CALL_BEHIND	(CODE + 0x60)	/* a call of an address far from SPIN */
#define SPIN_LAST	(CODE + PAGE - 2)	/* a jump to itself that ends with its page */
#define VSYSCALL	0xffffffffff600000UL	/* the legacy gettimeofday() */
#define TOP_WORDS	(STACK + 0x8000)	/* enum top_word */

/* Words at the top of the stack of a function without a frame. */
enum top_word { AFTER_CALL, AFTER_OTHER_CALL, AFTER_NOTHING, BEGIN_OF_CODE, BEHIND_CODE, SMALL,
		OF_KERNEL, NEGATIVE, TOP_WORD_NR };
#define TOP(word)	(TOP_WORDS + 8 * (word))

/* Not every kernel has the vsyscall page. */
enum how { JUMP, JUMP_32BIT = EDGE_JUMPS_MAX, BAD_RETURN, CALL_VSYSCALL = EDGE_MAY_END };

/* call, relative */
static void write_call(unsigned long at, unsigned long to)
{
	__s32 distance = to - (at + 5);

	*(unsigned char *)at = 0xe8;
	memcpy((void *)(at + 1), &distance, sizeof(distance));
}

static void prepare_top_words(void)
{
	static const unsigned long words[TOP_WORD_NR] = {
		[AFTER_CALL] = CALL + 5, [AFTER_OTHER_CALL] = CALL_BEHIND + 5,
		[AFTER_NOTHING] = CODE + 0x80, [BEGIN_OF_CODE] = CODE + 2,
		[BEHIND_CODE] = CODE + PAGE + 8, [SMALL] = 4, [OF_KERNEL] = 0xffffffff81000000,
		[NEGATIVE] = -1UL,
	};

	write_call(CALL, SPIN);
	write_call(CALL_BEHIND, CODE + 0x90);
	memcpy((void *)TOP_WORDS, words, sizeof(words));
}

static void prepare(void)
{
	static const unsigned char to_itself[] = { 0xeb, 0xfe };

	map(CODE, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy((void *)SPIN, to_itself, sizeof(to_itself));
	memcpy((void *)SPIN_LAST, to_itself, sizeof(to_itself));
	/* jmp *0(%rip), followed by its own address */
	memcpy((void *)SPIN_FRAMELESS, "\xff\x25\0\0\0\0", 6);
	*(unsigned long *)(SPIN_FRAMELESS + 6) = SPIN_FRAMELESS;
	prepare_frames();
	prepare_top_words();
	mprotect((void *)HOLE, PAGE, PROT_NONE);
}

static _Noreturn void jump(const struct edge *edge)
{
	asm volatile("mov %0, %%rsp\n\tmov %1, %%rbp\n\tjmp *%2"
		     : : "a"(edge->sp), "c"(edge->bp), "d"(edge->ip) : "memory");
	__builtin_unreachable();
}

/* The code segment of 32-bit programs. */
static _Noreturn void jump_32bit(const struct edge *edge)
{
	const struct __attribute__((packed)) { __u32 offset; __u16 segment; } far = { edge->ip,
										      0x23 };

	asm volatile("ljmpl *%0" : : "m"(far) : "memory");
	__builtin_unreachable();
}

/* The return from this handler faults, which raises the signal again. */
static void on_segv(int number, siginfo_t *info, void *context)
{
	ucontext_t *user = context;

	user->uc_mcontext.gregs[REG_RIP] = 1LL << 62;
	user->uc_mcontext.gregs[REG_RBP] = -8;
}

static void return_badly(void)
{
	static char room[65536];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction action = { .sa_sigaction = on_segv, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaltstack(&stack, NULL);
	sigaction(SIGSEGV, &action, NULL);
	raise(SIGSEGV);
}

static _Noreturn void call_vsyscall(void)
{
	struct timespec spare[2];

	for (;;)
		((int (*)(void *, void *))VSYSCALL)(spare, NULL);
}

static pid_t begin(const struct edge *edge)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (edge->bottom)
		session_equal("bottom of the stack",
			      prctl(PR_SET_MM, PR_SET_MM_START_STACK, edge->bottom, 0, 0), 0);
	if (edge->how == JUMP)
		jump(edge);
	if (edge->how == JUMP_32BIT)
		jump_32bit(edge);
	if (edge->how == CALL_VSYSCALL)
		call_vsyscall();
	return_badly();
	_exit(1);
}

/* Cases that do not depend on where user memory ends. */
static const struct edge edges[] = {
	{ "no frame", STACK, 0, SPIN, OUTERMOST, 0, 0 },
	{ "odd frame", STACK, STACK + 1, SPIN, NONE, 0, 0 },
	{ "unaligned frame", STACK, STACK + 4, SPIN, NONE, 0, 0 },
	{ "frame below the stack pointer", STACK + 64, STACK + 56, SPIN, NONE, 0, 0 },
	{ "frame at 8", STACK, 8, SPIN, NONE, 0, 0 },
	{ "frame at the top of memory", STACK, -8UL, SPIN, NONE, 0, 0 },
	{ "frame in the kernel", STACK, 0xffffffff81000000, SPIN, NONE, 0, 0 },
	{ "frame in vsyscall", STACK, VSYSCALL, SPIN, NONE, 0, 0 },
	{ "both 0", 0, 0, SPIN, OUTERMOST, 0, 0 },
	{ "stack at 0", 0, 8, SPIN, UNREADABLE, 0, 0 },
	{ "odd stack", STACK + 3, CHAIN + 99 * 16, SPIN, OUTERMOST, 0, 0 },
	{ "stack at the top of memory", -8UL, -8UL, SPIN, NONE, 0, 0 },
	{ "stack 16 below the top", -16UL, -16UL, SPIN, NONE, 0, 0 },
	{ "stack just below the kernel's half",
	  0x7ffffffffffffff8, 0x7ffffffffffffff8, SPIN, NONE, 0, 0 },
	{ "stack at the kernel's half", 1UL << 63, 1UL << 63, SPIN, NONE, 0, 0 },
	{ "stack in the kernel", 0xffffffff81000000, 0xffffffff81000000, SPIN, NONE, 0, 0 },
	{ "stack in vsyscall", VSYSCALL, VSYSCALL, SPIN, NONE, 0, 0 },
	{ "frame that is its own caller", CHAIN - 64, CHAIN - 32, SPIN,
	  CPUPROBE_STACK_NO_FRAME_POINTER, 2, 0, 0 },
	EDGES_OF_EACH_PROCESSOR
	{ "no frame of its own", CHAIN + 8, 0, SPIN_FRAMELESS, CPUPROBE_STACK_GUESSED, 2, 0, 0 },
	{ "no frame of its own, deep", CHAIN + 8, CHAIN + 16, SPIN_FRAMELESS,
	  CPUPROBE_STACK_GUESSED | CPUPROBE_STACK_USER_DEEP, 64, 0, 0 },
	{ "no frame of its own, odd stack", CHAIN + 9, 0, SPIN_FRAMELESS, OUTERMOST, 0, 0 },
	{ "no frame of its own, stack unreadable", HOLE, 0, SPIN_FRAMELESS, UNREADABLE, 0, 0 },
	{ "no frame of its own, stack in the kernel",
	  0xffffffff81000000, 0, SPIN_FRAMELESS, NONE, 0, 0 },
	{ "called", TOP(AFTER_CALL), 0, SPIN, CPUPROBE_STACK_GUESSED, 2, 0, 0 },
	{ "called, and deep", TOP(AFTER_CALL), CHAIN, SPIN,
	  CPUPROBE_STACK_GUESSED | CPUPROBE_STACK_USER_DEEP, 64, 0, 0 },
	{ "top of the stack follows another's call",
	  TOP(AFTER_OTHER_CALL), 0, SPIN, OUTERMOST, 0, 0 },
	{ "top of the stack follows no call", TOP(AFTER_NOTHING), 0, SPIN, OUTERMOST, 0, 0 },
	{ "top of the stack where code begins", TOP(BEGIN_OF_CODE), 0, SPIN, OUTERMOST, 0, 0 },
	{ "top of the stack after code", TOP(BEHIND_CODE), 0, SPIN, OUTERMOST, 0, 0 },
	{ "top of the stack small", TOP(SMALL), 0, SPIN, OUTERMOST, 0, 0 },
	{ "top of the stack in the kernel", TOP(OF_KERNEL), 0, SPIN, OUTERMOST, 0, 0 },
	{ "top of the stack -1", TOP(NEGATIVE), 0, SPIN, OUTERMOST, 0, 0 },
	{ "code at the end of its memory", STACK, 0, SPIN_LAST, OUTERMOST, 0, 0 },
	{ "32-bit code", STACK, STACK, SPIN, CPUPROBE_STACK_32BIT | NONE, 0, JUMP_32BIT },
	{ "return to no address", 0, 0, 0, 0, 0, 0, BAD_RETURN },
	{ "calls of vsyscall", 0, 0, 0, 0, 0, 0, CALL_VSYSCALL },
};

static unsigned int try_all(unsigned long top, const char *name)
{
	const unsigned long not_canonical = top + PAGE;
	const struct edge at_top[] = {
		{ "frame that is not canonical", STACK, not_canonical, SPIN, NONE, 0, 0 },
		{ "stack that is not canonical", not_canonical, not_canonical, SPIN, NONE, 0, 0 },
		{ "stack just below what is not canonical",
		  not_canonical - 8, not_canonical - 8, SPIN, NONE, 0, 0 },
		{ "stack at the end of user memory", top, top, SPIN, NONE, 0, 0 },
		{ "stack above where it begins", top - PAGE, top - PAGE, SPIN, UNREADABLE, 0, 0 },
		{ "last word of user memory", top - 8, top - 8, SPIN, UNREADABLE, 0, 0 },
		{ "no frame of its own, last word", top - 8, 0, SPIN_FRAMELESS, UNREADABLE, 0, 0 },
	};

	return try_these(edges, sizeof(edges) / sizeof(edges[0]), name) +
		try_these(at_top, sizeof(at_top) / sizeof(at_top[0]), name);
}

/* User memory ends at 2^56 for callers that ask for it, if page tables have five levels. */
static unsigned long find_top(void)
{
	void *at = mmap((void *)(1UL << 50), PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS |
			MAP_FIXED_NOREPLACE, -1, 0);

	return (at == MAP_FAILED ? 1UL << 47 : 1UL << 56) - page_bytes;
}

int main(int argc, char **argv)
{
	prepare();
	return try_all(find_top(), argc > 1 ? argv[1] : "") != 0;
}
