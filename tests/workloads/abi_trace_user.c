// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface for following functions of programs: known calls of this program in the known order,
 * breakpoints only where they were asked for and only as long, and requests that must be refused.
 * Prints each broken promise; exits with 1 then. Needs full access.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "page.h"
#include "traced.h"

#define RETURNS_MAX	64	/* the kernel hooks so many returns of a thread at a time */
/* First byte of the kernel's breakpoint, and instructions in the assembler's words. */
#ifdef __aarch64__
#define BREAKPOINT	0xa0
#define JUMP		"b"
#define TRAP		"brk #5"
#else
#define BREAKPOINT	0xcc
#define JUMP		"jmp"
#define TRAP		"int3"
#endif

enum { LEAF, MIDDLE, OUTER, DOWN, JUMPER, TAIL, REFUSED, FUNCTIONS };

void leaf(void);
void middle(void);
void outer(void);
void down(int depth);
void jumper(int depth);
void tail(void);
void refused(void);

static volatile int nr_leaves;
static jmp_buf landing;

__attribute__((noipa)) void leaf(void)
{
	nr_leaves++;
}

__attribute__((noipa)) void middle(void)
{
	leaf();
	leaf();
	nr_leaves++;
}

__attribute__((noipa)) void outer(void)
{
	middle();
	leaf();
	nr_leaves++;
}

__attribute__((noipa)) void down(int depth)
{
	if (depth > 1)
		down(depth - 1);
	nr_leaves++;
}

__attribute__((noipa)) void jumper(int depth)
{
	if (depth)
		jumper(depth - 1);
	else if (nr_leaves >= 0)
		longjmp(landing, 1);
	nr_leaves++;
}

/* A tail call, whatever the compiler does; and an instruction that no breakpoint can replace. */
asm(".globl tail\n.type tail, @function\ntail: " JUMP " leaf\n.size tail, .-tail\n"
    ".globl refused\n.type refused, @function\nrefused: " TRAP "\n.size refused, .-refused\n");

static void (*const address[FUNCTIONS])(void) = {
	leaf, middle, outer, (void (*)(void))down, (void (*)(void))jumper, tail, refused,
};
static struct cpuprobe_user_function function[FUNCTIONS];
static unsigned char original[FUNCTIONS];

static unsigned char first_byte(int at)
{
	return *(volatile unsigned char *)address[at];
}

/* The offset in this program's file of the code at an address. */
static __u64 offset_of(unsigned long addr)
{
	unsigned long start, end, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4200];
	__u64 found = 0;

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 && addr >= start && addr < end)
			found = addr - start + offset;
	fclose(maps);
	return found;
}

static void name_functions(void)
{
	int i, fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	for (i = 0; i < FUNCTIONS; i++) {
		function[i].offset = offset_of((unsigned long)address[i]);
		function[i].fd = fd;
		original[i] = first_byte(i);
	}
}

static struct cpuprobe_trace follow(__u32 from, __u32 nr, pid_t pid)
{
	return TRACE(.user_functions = (unsigned long)&function[from], .nr_user_functions = nr, .pid = pid,
		     .budget_ppm = 900000);
}

static int begin(struct cpuprobe_trace request)
{
	int fd = open_device();

	is("TRACE", call(fd, CPUPROBE_IOC_TRACE, &request), 0);
	is("its reason", request.reason, 0);
	is("hooked", request.nr_hooked, request.nr_user_functions);
	return fd;
}

/* The hooks leave a little later. */
static void await_original(void)
{
	int i, tries;

	for (tries = 0; tries < 500; tries++) {
		for (i = 0; i < FUNCTIONS && first_byte(i) == original[i]; i++)
			;
		if (i == FUNCTIONS)
			return;
		usleep(20000);
	}
	is("breakpoints remain", 1, 0);
}

static void end(int fd)
{
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	read_events(fd);
	close(fd);
	await_original();
}

/* The calls of this thread, in order: an entry is the function's number, an exit is less than 0. */
static void check_sequence(const char *what, const int *wanted, int nr)
{
	int i, at = 0;

	for (i = 0; i < nr_seen; i++) {
		__u32 type = seen[i].type;
		int step = type == CPUPROBE_EVENT_ENTRY ? (int)seen[i].what : -1 - (int)seen[i].what;

		if ((type != CPUPROBE_EVENT_ENTRY && type != CPUPROBE_EVENT_EXIT) ||
		    seen[i].tid != (__u32)gettid())
			continue;
		is(what, at < nr ? wanted[at] : 99, step);
		is("a task's level", seen[i].flags, 0);
		at++;
	}
	is(what, at, nr);
}

#define EXIT(number)	(-1 - (number))

static void check_nesting(void)
{
	static const int once[] = {
		OUTER, MIDDLE, LEAF, EXIT(LEAF), LEAF, EXIT(LEAF), EXIT(MIDDLE), LEAF, EXIT(LEAF), EXIT(OUTER),
	};
	const int steps = sizeof(once) / sizeof(once[0]);
	int wanted[20 * sizeof(once) / sizeof(once[0])], i, fd = begin(follow(LEAF, 3, getpid()));
	__u32 sp[8], depth = 0;

	is("a breakpoint", first_byte(LEAF), BREAKPOINT);
	for (i = 0; i < 20; i++) {
		outer();
		memcpy(wanted + i * steps, once, sizeof(once));
	}
	end(fd);
	check_sequence("nested calls", wanted, 20 * steps);
	for (i = 0; i < nr_seen; i++) {
		if (seen[i].type == CPUPROBE_EVENT_ENTRY)
			sp[depth++] = seen[i].data;
		if (seen[i].type == CPUPROBE_EVENT_EXIT && depth)
			is("stack pointers", seen[i].data, sp[--depth]);
	}
}

/* The jump of tail() makes leaf() end where tail() ends. */
static void check_tail(void)
{
	static const int wanted[] = { TAIL, LEAF, EXIT(LEAF), EXIT(TAIL) };
	int fd = begin(follow(LEAF, TAIL + 1, getpid())), first, second;

	tail();
	end(fd);
	check_sequence("a tail call", wanted, 4);
	first = find_event(0, CPUPROBE_EVENT_ENTRY, TAIL, ~0u);
	second = find_event(0, CPUPROBE_EVENT_ENTRY, LEAF, ~0u);
	is("one stack pointer", first >= 0 && second >= 0 && seen[first].data == seen[second].data, 1);
}

static void check_recursion(int depth)
{
	int returns = depth < RETURNS_MAX ? depth : RETURNS_MAX, fd = begin(follow(DOWN, 1, getpid()));

	down(depth);
	end(fd);
	is("recursive calls", count_events(CPUPROBE_EVENT_ENTRY, 0, gettid()), depth);
	is("hooked returns", count_events(CPUPROBE_EVENT_EXIT, 0, gettid()), returns);
}

/* Calls that longjmp() has left have no end; the kernel forgets them. */
static void check_longjmp(void)
{
	int i, fd = begin(follow(LEAF, JUMPER + 1, getpid()));

	for (i = 0; i < 100; i++) {
		if (!setjmp(landing))
			jumper(3);
		outer();
	}
	end(fd);
	is("calls left", count_events(CPUPROBE_EVENT_ENTRY, JUMPER, gettid()), 400);
	is("their ends", count_events(CPUPROBE_EVENT_EXIT, JUMPER, gettid()), 0);
	is("calls after it", count_events(CPUPROBE_EVENT_ENTRY, OUTER, gettid()), 100);
	is("their ends", count_events(CPUPROBE_EVENT_EXIT, OUTER, gettid()), 100);
}

/* Reads another process's memory. */
static int peek(pid_t pid, int at)
{
	unsigned char byte = 0;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (pread(fd, &byte, 1, (long)address[at]) != 1)
		is("read memory", errno, 0);
	close(fd);
	return byte;
}

/* Waits for its turn, calls, and tells what it sees in its own text. */
static pid_t fork_caller(int turn[2], int told[2])
{
	pid_t pid;

	is("pipes", pipe(turn) | pipe(told), 0);
	pid = fork();
	if (!pid) {
		char byte;

		while (read(turn[0], &byte, 1) == 1 && byte) {
			outer();
			byte = first_byte(OUTER);
			if (write(told[1], &byte, 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	return pid;
}

static unsigned char let_call(int turn[2], int told[2])
{
	unsigned char byte = 1;

	is("its turn", write(turn[1], &byte, 1), 1);
	is("its answer", read(told[0], &byte, 1), 1);
	return byte;
}

/* Two processes of this program: one has breakpoints, or both. A third one is forked during the trace. */
static void check_processes(int is_all)
{
	int turn[2], told[2], later_turn[2], later_told[2], fd;
	pid_t child = fork_caller(turn, told), later;
	struct cpuprobe_trace request = follow(LEAF, 3, is_all ? 0 : getpid());

	fd = begin(request);
	is("a breakpoint", first_byte(OUTER), BREAKPOINT);
	is("the other's text", peek(child, OUTER), is_all ? BREAKPOINT : original[OUTER]);
	let_call(turn, told);
	later = fork_caller(later_turn, later_told);
	is("text after a call", let_call(later_turn, later_told), is_all ? BREAKPOINT : original[OUTER]);
	outer();
	end(fd);
	is("text afterwards", peek(child, OUTER), original[OUTER]);
	is("its own calls", count_events(CPUPROBE_EVENT_ENTRY, ~0u, gettid()), 5);
	is("calls of the other", count_events(CPUPROBE_EVENT_ENTRY, ~0u, child), is_all ? 5 : 0);
	is("calls of the later one", count_events(CPUPROBE_EVENT_EXIT, ~0u, later), is_all ? 5 : 0);
	is("text still", let_call(turn, told), original[OUTER]);
	kill(child, SIGKILL);
	kill(later, SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* Events that tell of a new program in a thread. */
static int count_execs(__u32 tid)
{
	int i, nr = 0;

	for (i = 0; i < nr_seen; i++)
		nr += seen[i].type == CPUPROBE_EVENT_RUNNING && seen[i].what == tid &&
			seen[i].flags & CPUPROBE_EVENT_EXEC;
	return nr;
}

/* The program is executed again during the trace, calls, and ends inside a call. */
static void check_exec(void)
{
	struct cpuprobe_trace request = follow(LEAF, 3, 0);
	pid_t child;
	int fd;

	request.exe_fd = function[0].fd;
	fd = begin(request);
	child = fork();
	if (!child) {
		execl("/proc/self/exe", "abi_trace_user", "call", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	end(fd);
	is("exec", count_execs(child), 1);
	is("calls after exec", count_events(CPUPROBE_EVENT_ENTRY, ~0u, child), 50);
	is("their ends", count_events(CPUPROBE_EVENT_EXIT, ~0u, child), 50);
}

/* A library that is mapped and unmapped during the trace, as dlopen() and dlclose() do. */
static void check_mappings(void)
{
	const unsigned long page = function[LEAF].offset & -page_bytes;
	int fd, i;

	is("a program's page", function[LEAF].offset > 0, 1);
	fd = begin(follow(LEAF, 1, getpid()));
	for (i = 0; i < 3; i++) {
		unsigned char *code = mmap(NULL, 2 * page_bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, function[0].fd, page);

		is("mmap", code == MAP_FAILED, 0);
		is("a breakpoint in a new mapping", code[function[LEAF].offset - page], BREAKPOINT);
		leaf();
		if (i < 2)
			munmap(code, 2 * page_bytes);
	}
	end(fd);
	is("calls", count_events(CPUPROBE_EVENT_ENTRY, 0, gettid()), 3);
}

/* A program that traces all others is killed. */
static void check_kill(void)
{
	int told[2];
	char byte = 1;
	pid_t child;

	is("pipe", pipe(told), 0);
	child = fork();
	if (!child) {
		begin(follow(LEAF, 3, 0));
		if (write(told[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	is("it traces", read(told[0], &byte, 1), 1);
	is("a breakpoint", first_byte(LEAF), BREAKPOINT);
	leaf();
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	await_original();
	leaf();
}

static void check_triggers(void)
{
	struct cpuprobe_trace request = follow(LEAF, 3, getpid());
	int fd, i;

	request.flags = CPUPROBE_TRACE_WAIT;
	request.start_function = OUTER;
	request.start_count = 3;
	request.stop_function = MIDDLE;
	fd = begin(request);
	for (i = 0; i < 5; i++)
		outer();
	is("it has ended", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	read_events(fd);
	is("flags", totals[0].flags, CPUPROBE_EVENTS_ENDED | CPUPROBE_EVENTS_TRIGGERED);
	close(fd);
	await_original();
	is("entries", count_events(CPUPROBE_EVENT_ENTRY, ~0u, gettid()), 4);
	is("exits", count_events(CPUPROBE_EVENT_EXIT, ~0u, gettid()), 3);
}

/* A trace that costs more than the budget ends. */
static void check_budget(void)
{
	struct cpuprobe_trace request = follow(LEAF, 1, getpid());
	int fd, i;

	request.budget_ppm = 100;
	request.flags = CPUPROBE_TRACE_WRAP;
	fd = begin(request);
	for (i = 0; i < 50000; i++)
		leaf();
	is("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	read_events(fd);
	is("flags", totals[0].flags, CPUPROBE_EVENTS_ENDED | CPUPROBE_EVENTS_OVER);
	close(fd);
	await_original();
}

static void check_refusal(const char *what, struct cpuprobe_trace request, int error, __u32 reason)
{
	int fd = open_device();

	is(what, call(fd, CPUPROBE_IOC_TRACE, &request), error);
	is("its reason", request.reason, reason);
	close(fd);
	await_original();
}

/* The second of three functions has another file. */
static void check_file(const char *what, int fd)
{
	int saved = function[MIDDLE].fd;

	function[MIDDLE].fd = fd;
	check_refusal(what, follow(LEAF, 3, 0), EBADF, CPUPROBE_REASON_OBJECT);
	function[MIDDLE].fd = saved;
}

static void check_refusals(void)
{
	struct cpuprobe_trace request = follow(LEAF, 3, 0);
	__u64 offset = function[MIDDLE].offset;
	int fd;

	check_file("no descriptor", -1);
	check_file("a closed descriptor", 999);
	check_file("a directory", open("/", O_RDONLY));
	check_file("a device", open("/dev/zero", O_RDONLY));
	check_file("a file of proc", open("/proc/self/maps", O_RDONLY));
	check_file("a path", open("/proc/self/exe", O_PATH));
	check_file("a file not to be read", open("written", O_WRONLY | O_CREAT, 0700));
	request.nr_user_functions = CPUPROBE_USER_FUNCTIONS_MAX + 1;
	check_refusal("too many", request, EINVAL, CPUPROBE_REASON_FIELD);
	request = follow(LEAF, 3, 0);
	request.user_cost_ps = CPUPROBE_USER_COST_MAX_PS + 1;
	check_refusal("a cost out of range", request, EINVAL, CPUPROBE_REASON_FIELD);
	request = follow(LEAF, 3, 0);
	request.user_functions = 8;
	check_refusal("no array", request, EFAULT, CPUPROBE_REASON_NONE);
	request = follow(LEAF, 3, 0);
	request.stop_function = 3;
	check_refusal("no such function", request, EINVAL, CPUPROBE_REASON_FIELD);
	request = follow(REFUSED, 1, 0);
	check_refusal("a breakpoint of its own", request, EINVAL, CPUPROBE_REASON_FUNCTIONS);
	is("its state", function[REFUSED].state, CPUPROBE_FUNCTION_REFUSED);
	request = follow(TAIL, 2, getpid());
	fd = open_device();
	is("one of two", call(fd, CPUPROBE_IOC_TRACE, &request), 0);
	is("hooked", request.nr_hooked, 1);
	is("the other's state", function[TAIL].state, CPUPROBE_FUNCTION_HOOKED);
	close(fd);
	await_original();
	function[MIDDLE].offset = 1ULL << 40;
	request = follow(MIDDLE, 1, 0);
	check_refusal("beyond the file", request, EINVAL, CPUPROBE_REASON_FUNCTIONS);
	request = follow(LEAF, 3, 0);
	request.stop_function = MIDDLE;
	check_refusal("an end that is not hooked", request, EINVAL, CPUPROBE_REASON_FUNCTIONS);
	function[MIDDLE].offset = ~0ULL;
	check_refusal("before the file", follow(MIDDLE, 1, 0), EINVAL, CPUPROBE_REASON_FUNCTIONS);
	function[MIDDLE].offset = offset;
}

int main(int argc, char **argv)
{
	int i;

	if (argc > 1) {
		for (i = 0; i < 10; i++)
			outer();
		return 0;
	}
	stay_on(0);
	name_functions();
	check_nesting();
	check_tail();
	check_recursion(10);
	check_recursion(100);
	check_longjmp();
	check_processes(0);
	check_processes(1);
	check_exec();
	check_mappings();
	check_kill();
	check_triggers();
	check_budget();
	check_refusals();
	return nr_failed > 0;
}
