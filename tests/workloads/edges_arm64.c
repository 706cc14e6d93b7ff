// SPDX-License-Identifier: GPL-2.0-only
/*
 * edges_arm64 [NAME]: as edges, with registers of arm64: starts children with odd stack pointers, frame pointers and link
 * registers, with tags in addresses too, and samples their stacks at 10 kHz. Each stack must have the flags and
 * frames that its registers imply, no sample may fault a page in, and the kernel must not complain. Prints the
 * samples of each case; exits 1 if a case failed, else 0. NAME chooses the cases whose name contains it.
 */
#include <ucontext.h>

/* Values of the link register, and other ways to set registers. */
enum how { NO_LR, AFTER_CALL, AFTER_OTHER_CALL, AFTER_NOTHING, BEGIN_OF_CODE, BEHIND_CODE, SMALL, ODD, OF_KERNEL,
	   WITH_TAG, LR_NR, TAGGED_ADDRESSES = LR_NR, BAD_RETURN, NEVER };

#define EDGE_JUMPS_MAX	TAGGED_ADDRESSES
#define EDGE_MAY_END	NEVER
#include "edges.h"

/* Fixed addresses. */
#define CODE		0x200000UL	/* unmapped after its page */
#define SPIN		(CODE + 0x10)	/* a jump to itself */
#define SPIN_FRAMELESS	(CODE + 0x20)	/* an indirect jump to itself, as in linkage tables */
#define CALL		(CODE + 0x40)	/* a call of SPIN */
#define CALL_BEHIND	(CODE + 0x60)	/* a call of code after SPIN */
#define SPIN_LAST	(CODE + PAGE - 4)	/* a jump to itself that ends with its page */
#define KERNEL		0xffff800080000000UL
#define TAG		(0x5aUL << 56)

static const unsigned long links[LR_NR] = {
	[AFTER_CALL] = CALL + 4, [AFTER_OTHER_CALL] = CALL_BEHIND + 4, [AFTER_NOTHING] = CODE + 0x80,
	[BEGIN_OF_CODE] = CODE, [BEHIND_CODE] = CODE + PAGE + 8, [SMALL] = 4, [ODD] = CALL + 6,
	[OF_KERNEL] = KERNEL, [WITH_TAG] = (CALL + 4) | TAG,
};

static void write_code(unsigned long at, __u32 code)
{
	*(__u32 *)at = code;
}

static void prepare(void)
{
	map(CODE, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	write_code(SPIN, 0x14000000);			/* b . */
	write_code(SPIN_LAST, 0x14000000);
	write_code(SPIN_FRAMELESS, 0xd61f0220);		/* br x17 */
	write_code(CALL, 0x94000000 | (((SPIN - CALL) >> 2) & 0x3ffffff));
	write_code(CALL_BEHIND, 0x94000000 | (0x100 >> 2));
	__builtin___clear_cache((char *)CODE, (char *)CODE + PAGE);
	prepare_frames();
	mprotect((void *)HOLE, PAGE, PROT_NONE);
}

static _Noreturn void jump(const struct edge *edge, unsigned long link)
{
	asm volatile("mov x17, %2\n\tmov x30, %3\n\tmov sp, %0\n\tmov x29, %1\n\tbr x17"
		     : : "r"(edge->sp), "r"(edge->bp), "r"(edge->ip), "r"(link) : "x17", "x30", "memory");
	__builtin_unreachable();
}

/* The return from this handler faults, which raises the signal again. */
static void on_segv(int number, siginfo_t *info, void *context)
{
	ucontext_t *user = context;

	user->uc_mcontext.pc = 1UL << 62;
	user->uc_mcontext.regs[29] = -8UL;
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

static pid_t begin(const struct edge *edge)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (edge->bottom)
		session_equal("bottom of the stack",
			      prctl(PR_SET_MM, PR_SET_MM_START_STACK, edge->bottom, 0, 0), 0);
	if (edge->how == TAGGED_ADDRESSES)
		session_equal("tagged addresses",
			      prctl(PR_SET_TAGGED_ADDR_CTRL, PR_TAGGED_ADDR_ENABLE, 0, 0, 0), 0);
	if (edge->how <= EDGE_JUMPS_MAX)
		jump(edge, edge->how < LR_NR ? links[edge->how] : 0);
	return_badly();
	_exit(1);
}

/* Cases that do not depend on where user memory ends. */
static const struct edge edges[] = {
	{ "no frame", STACK, 0, SPIN, OUTERMOST, 0, 0 },
	{ "odd frame", STACK, STACK + 1, SPIN, NONE, 0, 0 },
	{ "unaligned frame", STACK, STACK + 4, SPIN, NONE, 0, 0 },
	{ "frame at half a record", STACK, CHAIN + 8, SPIN, CPUPROBE_STACK_NO_FRAME_POINTER, 2, 0, 0 },
	{ "frame below the stack pointer", STACK + 64, STACK + 48, SPIN, NONE, 0, 0 },
	{ "frame at 8", STACK, 8, SPIN, NONE, 0, 0 },
	{ "frame at the top of memory", STACK, -8UL, SPIN, NONE, 0, 0 },
	{ "frame in the kernel", STACK, KERNEL, SPIN, NONE, 0, 0 },
	{ "frame with a tag", STACK, (CHAIN + 98 * 16) | TAG, SPIN, NONE, 0, 0 },
	{ "stack with a tag", STACK | TAG, (CHAIN + 98 * 16) | TAG, SPIN, NONE, 0, 0 },
	{ "tagged addresses allowed, frame with a tag", STACK, (CHAIN + 98 * 16) | TAG, SPIN, NONE, 0,
	  TAGGED_ADDRESSES },
	{ "both 0", 0, 0, SPIN, OUTERMOST, 0, 0 },
	{ "stack at 0", 0, 8, SPIN, UNREADABLE, 0, 0 },
	{ "odd stack", STACK + 3, CHAIN + 99 * 16, SPIN, OUTERMOST, 0, 0 },
	{ "stack at the top of memory", -8UL, -8UL, SPIN, NONE, 0, 0 },
	{ "stack 16 below the top", -16UL, -16UL, SPIN, NONE, 0, 0 },
	{ "stack at the kernel's half", 1UL << 63, 1UL << 63, SPIN, NONE, 0, 0 },
	{ "stack in the kernel", KERNEL, KERNEL, SPIN, NONE, 0, 0 },
	{ "frame at the stack pointer", CHAIN + 98 * 16, CHAIN + 98 * 16, SPIN, 0, 2, 0, 0 },
	{ "frame that is its own caller", CHAIN - 64, CHAIN - 32, SPIN,
	  CPUPROBE_STACK_NO_FRAME_POINTER, 2, 0, 0 },
	EDGES_OF_EACH_PROCESSOR
	{ "no frame of its own", STACK, 0, SPIN_FRAMELESS, CPUPROBE_STACK_GUESSED, 2, 0, AFTER_NOTHING },
	{ "no frame of its own, deep", CHAIN - 16, CHAIN, SPIN_FRAMELESS,
	  CPUPROBE_STACK_GUESSED | CPUPROBE_STACK_USER_DEEP, 64, 0, AFTER_NOTHING },
	{ "no frame of its own, no caller", STACK, 0, SPIN_FRAMELESS, OUTERMOST, 0, NO_LR },
	{ "no frame of its own, stack in the kernel", KERNEL, 0, SPIN_FRAMELESS, NONE, 0, AFTER_NOTHING },
	{ "called", STACK, 0, SPIN, CPUPROBE_STACK_GUESSED, 2, 0, AFTER_CALL },
	{ "called, and deep", STACK, CHAIN, SPIN, CPUPROBE_STACK_GUESSED | CPUPROBE_STACK_USER_DEEP, 64, 0,
	  AFTER_CALL },
	{ "link after another's call", STACK, 0, SPIN, OUTERMOST, 0, AFTER_OTHER_CALL },
	{ "link after no call", STACK, 0, SPIN, OUTERMOST, 0, AFTER_NOTHING },
	{ "link where code begins", STACK, 0, SPIN, OUTERMOST, 0, BEGIN_OF_CODE },
	{ "link after code", STACK, 0, SPIN, OUTERMOST, 0, BEHIND_CODE },
	{ "link small", STACK, 0, SPIN, OUTERMOST, 0, SMALL },
	{ "link odd", STACK, 0, SPIN, OUTERMOST, 0, ODD },
	{ "link in the kernel", STACK, 0, SPIN, OUTERMOST, 0, OF_KERNEL },
	{ "link with a tag", STACK, 0, SPIN, OUTERMOST, 0, WITH_TAG },
	{ "code at the end of its memory", STACK, 0, SPIN_LAST, OUTERMOST, 0, 0 },
	{ "return to no address", 0, 0, 0, 0, 0, 0, BAD_RETURN },
};

static unsigned int try_all(unsigned long top, const char *name)
{
	const struct edge at_top[] = {
		{ "frame above user memory", STACK, top + PAGE, SPIN, NONE, 0, 0 },
		{ "stack above user memory", top + PAGE, top + PAGE, SPIN, NONE, 0, 0 },
		{ "stack at the end of user memory", top, top, SPIN, NONE, 0, 0 },
		{ "stack above where it begins", top - PAGE, top - PAGE, SPIN, UNREADABLE, 0, 0 },
		{ "last word of user memory", top - 8, top - 8, SPIN, UNREADABLE, 0, 0 },
	};

	return try_these(edges, sizeof(edges) / sizeof(edges[0]), name) +
		try_these(at_top, sizeof(at_top) / sizeof(at_top[0]), name);
}

/* User memory ends at 2^52 for callers that ask for it, if kernel and processor have such addresses. */
static unsigned long find_top(void)
{
	void *at = mmap((void *)(1UL << 50), PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS |
			MAP_FIXED_NOREPLACE, -1, 0);

	return 1UL << (at == MAP_FAILED ? 48 : 52);
}

int main(int argc, char **argv)
{
	prepare();
	return try_all(find_top(), argc > 1 ? argv[1] : "") != 0;
}
