// SPDX-License-Identifier: GPL-2.0-only
/*
 * kinds SHAPE: ways in which a stack comes about other than by calls. Two functions, "more" and "less",
 * take 75% and 25% of the time that all functions of the shape spend, unless stated otherwise.
 *	mapped, heap	more runs in a coroutine whose stack is mapped, or is from malloc(); less runs outside
 *	handler		more runs in the handler of a fault at the first instruction of a function
 *	alternate	the handler has a stack of its own
 *	alarm		a timer interrupts calls of a few instructions; more runs in the handler (no known share)
 *	clock		reads the clock in the vdso (no known share)
 *	thread		both run in threads that begin and end
 *	children	more runs in a child after vfork(), less in the program that it executes
 *	bare		both call a leaf in assembly without call frame information, which takes their time
 *	lowered		calls such a leaf that lowers the stack pointer and stores the address of less there (arm64 only)
 *	last		calls a function whose last instruction is a system call that takes the time (no known share)
 *	made		more is generated code with a frame pointer, less is generated code without one
 * It is built without frame pointers.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "spend.h"

#define STACK_BYTES 65536

FUNCTION more(void);
FUNCTION less(void);
FUNCTION fault(void);
FUNCTION outer(void);
FUNCTION brief(void);
FUNCTION read_clock(void);
FUNCTION begin_child(void);
FUNCTION more_bare(void);
FUNCTION less_bare(void);

FUNCTION more(void)
{
	spend(75);
}

FUNCTION less(void)
{
	spend(25);
}

static void *map(size_t len, int protection)
{
	void *at = mmap(NULL, len, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		err(1, "mmap");
	return at;
}

/* --- Coroutines --- */

static ucontext_t outside, inside;

static void coroutine(void)
{
	for (;;) {
		more();
		swapcontext(&inside, &outside);
	}
}

static void prepare_coroutine(void *stack)
{
	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = STACK_BYTES;
	makecontext(&inside, coroutine, 0);
}

/* --- Signals --- */

/* The instruction that faults is the first one: nothing of this function is before it. */
FUNCTION fault(void)
{
#ifdef __aarch64__
	__asm__ volatile("udf #0");
#else
	__asm__ volatile("ud2");
#endif
}

static void on_fault(int number, siginfo_t *info, void *context)
{
#ifdef __aarch64__
	((ucontext_t *)context)->uc_mcontext.pc += 4;
#else
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
#endif
	more();
	STAY;
}

static void on_alarm(int number, siginfo_t *info, void *context)
{
	more();
	STAY;
}

FUNCTION outer(void)
{
	fault();
	less();
	STAY;
}

FUNCTION brief(void)
{
	volatile long number = -1;

	number = (*labs)(number);
	STAY;
}

static void prepare_signals(int flags)
{
	static char room[STACK_BYTES];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | flags };

	sigaltstack(&stack, NULL);
	sigaction(SIGILL, &action, NULL);
	action.sa_sigaction = on_alarm;
	sigaction(SIGALRM, &action, NULL);
}

static void start_timer(void)
{
	struct itimerval timer = { { 0, 500 }, { 0, 500 } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

/* --- Others --- */

FUNCTION read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	STAY;
}

static void *thread(void *unused)
{
	more();
	less();
	return NULL;
}

static void run_thread(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, thread, NULL))
		errx(1, "pthread_create");
	pthread_join(id, NULL);
}

/* Twenty times as long as elsewhere, since to execute a program takes long. */
FUNCTION begin_child(void)
{
	int turns;

	for (turns = 20; turns; turns--)
		more();
	execl("/proc/self/exe", "kinds", "child", (char *)NULL);
	_exit(1);
}

static int run_child(void)
{
	int turns;

	for (turns = 20; turns; turns--)
		less();
	return 0;
}

static void run_children(void)
{
	pid_t pid = vfork();

	if (!pid)
		begin_child();
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		err(1, "vfork");
}

/* Takes two instructions for each of @turns, and has no call frame information. */
__attribute__((visibility("hidden"))) void bare(unsigned int turns);
__asm__("	.text\n"
	"	.type	bare, @function\n"
#ifdef __aarch64__
	"bare:	subs	w0, w0, #1\n"
	"	b.ne	bare\n"
#else
	"bare:	dec	%edi\n"
	"	jnz	bare\n"
#endif
	"	ret\n"
	"	.size	bare, . - bare\n");

FUNCTION more_bare(void)
{
	bare(75000);
	STAY;
}

FUNCTION less_bare(void)
{
	bare(25000);
	STAY;
}

static void run_bare(void)
{
	more_bare();
	less_bare();
	STAY;
}

#ifdef __aarch64__
__attribute__((visibility("hidden"))) void lowered(unsigned int turns, void (*stored)(void));
__asm__("	.text\n"
	"	.type	lowered, @function\n"
	"lowered:\n"
	"	stp	x1, x1, [sp, #-32]!\n"
	"	stp	x1, x1, [sp, #16]\n"
	"1:	subs	w0, w0, #1\n"
	"	b.ne	1b\n"
	"	add	sp, sp, #32\n"
	"	ret\n"
	"	.size	lowered, . - lowered\n");

/* With a frame, by which its caller is found. */
__attribute__((optimize("no-omit-frame-pointer"))) FUNCTION run_lowered(void)
{
	lowered(100000, less);
	STAY;
}
#else
static void run_lowered(void)
{
	errx(2, "lowered: on arm64 only");
}
#endif

/* Reads: the system call is the last instruction, and goes on in the next function. */
__attribute__((visibility("hidden"))) long last_call(int fd, void *to, unsigned long len);
__asm__("	.text\n"
	"	.type	last_call, %function\n"
	"last_call:\n"
	"	.cfi_startproc\n"
#ifdef __aarch64__
	"	mov	x8, #63\n"
	"	svc	#0\n"
#else
	"	xor	%eax, %eax\n"
	"	syscall\n"
#endif
	"	.cfi_endproc\n"
	"	.size	last_call, . - last_call\n"
	"	.type	after_call, %function\n"
	"after_call:\n"
	"	.cfi_startproc\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size	after_call, . - after_call\n");

FUNCTION run_last(void)
{
	static char room[STACK_BYTES];
	static int zero;

	if (!zero)
		zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (last_call(zero, room, sizeof(room)) < 0)
		err(1, "read");
	STAY;
}

#ifdef __aarch64__
/* [stp x29, x30, [sp, #-16]!; mov x29, sp;] mov w0, #TURNS (two instructions); 1: subs w0, w0, #1; b.ne 1b;
   [ldp x29, x30, [sp], #16;] ret */
static unsigned int made[] = {
	0xa9bf7bfd, 0x910003fd, 0x52849f00, 0x72a00020, 0x71000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0,
	0x528c3500, 0x72a00000, 0x71000400, 0x54ffffe1, 0xd65f03c0
};
#define MADE_LESS 32
#else
/* [push %rbp; mov %rsp, %rbp;] mov $TURNS, %ecx; 1: dec %ecx; jnz 1b; [pop %rbp;] ret */
static unsigned char made[] = {
	0x55, 0x48, 0x89, 0xe5, 0xb9, 0xf8, 0x24, 0x01, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3,
	0xb9, 0xa8, 0x61, 0x00, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0xc3
};
#define MADE_LESS 15
#endif

static char *make_code(void)
{
	char *at = map(4096, PROT_READ | PROT_WRITE | PROT_EXEC);

	memcpy(at, made, sizeof(made));
	__builtin___clear_cache(at, at + 4096);
	return at;
}

static void run_made(const char *code)
{
	((void (*)(void))code)();
	((void (*)(void))(code + MADE_LESS))();
	STAY;
}

int main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "";
	char *code = make_code();

	if (!strcmp(shape, "child"))
		return run_child();
	prepare_coroutine(strcmp(shape, "heap") ? map(STACK_BYTES, PROT_READ | PROT_WRITE) :
			  malloc(STACK_BYTES));
	prepare_signals(strcmp(shape, "alternate") ? 0 : SA_ONSTACK);
	if (!strcmp(shape, "alarm"))
		start_timer();
	for (;;) {
		if (!strcmp(shape, "mapped") || !strcmp(shape, "heap")) {
			swapcontext(&outside, &inside);
			less();
		} else if (!strcmp(shape, "handler") || !strcmp(shape, "alternate")) {
			outer();
		} else if (!strcmp(shape, "alarm")) {
			brief();
		} else if (!strcmp(shape, "clock")) {
			read_clock();
		} else if (!strcmp(shape, "thread")) {
			run_thread();
		} else if (!strcmp(shape, "children")) {
			run_children();
		} else if (!strcmp(shape, "bare")) {
			run_bare();
		} else if (!strcmp(shape, "lowered")) {
			run_lowered();
		} else if (!strcmp(shape, "last")) {
			run_last();
		} else if (!strcmp(shape, "made")) {
			run_made(code);
		} else {
			return 2;
		}
	}
}
