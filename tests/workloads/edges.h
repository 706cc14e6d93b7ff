/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs with odd registers, and the stacks that the module must find: shared by edges.c, whose registers are those of
 * x86, and edges_arm64.c. Each defines EDGE_JUMPS_MAX, the greatest @how of a jump to ip, and EDGE_MAY_END, the @how of a
 * program that some kernels end, and then includes this.
 */
#ifndef EDGES_H
#define EDGES_H

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "page.h"
#include "session.h"

#define PERIOD_NS	100000
#define ROUND_US	200000
#define ROUNDS		25	/* upper bound; a case ends after ENOUGH samples */
#define ENOUGH		50
#define PAGE		PAGE_MAX_BYTES
#define SPAN		(64UL << 20)		/* how far above sp the module follows frames */
#define STACK		0x10000000000UL	/* 65 MiB, unmapped below */
#define CHAIN		(STACK + 0x10000)	/* frames */
#define HOLE		(STACK + 0x40000)	/* unreadable memory among readable ones */
#define UNTOUCHED	(STACK + 0x80000)
#define FAR		(STACK + SPAN)

struct edge {
	const char *name;
	unsigned long sp, bp, ip;
	__u32 flags, nr_user;		/* expected in each stack */
	unsigned long bottom;	/* start of the stack, set by prctl(); 0: not set */
	int how;		/* how registers are set; above EDGE_JUMPS_MAX: not by a jump */
};

/* Cases that are the same with the registers of each processor. */
#define EDGES_OF_EACH_PROCESSOR \
	{ "64 frames", STACK, CHAIN + 36 * 16, SPIN, 0, 64, 0, 0 }, \
	{ "65 frames", STACK, CHAIN + 35 * 16, SPIN, CPUPROBE_STACK_USER_DEEP, 64, 0, 0 }, \
	{ "99 frames", STACK, CHAIN, SPIN, CPUPROBE_STACK_USER_DEEP, 64, 0, 0 }, \
	{ "frame that may not be read", STACK, HOLE, SPIN, UNREADABLE, 0, 0 }, \
	{ "return address that may not be read", STACK, HOLE - 8, SPIN, UNREADABLE, 0, 0 }, \
	{ "frame in memory never touched", STACK, UNTOUCHED, SPIN, UNREADABLE, 0, 0 }, \
	{ "last frame within reach", STACK, FAR - 16, SPIN, OUTERMOST, 0, 0 }, \
	{ "frame half within reach", STACK, FAR - 8, SPIN, OUTERMOST, 0, 0 }, \
	{ "first frame out of reach", STACK, FAR, SPIN, NONE, 0, 0 }, \
	{ "stack that begins at its pointer", STACK, STACK, SPIN, NONE, STACK, 0 }, \
	{ "stack of one word", STACK, STACK + 8, SPIN, NONE, STACK + 8, 0 }, \
	{ "stack that begins below its pointer", FAR, FAR, SPIN, OUTERMOST, STACK, 0 },

static struct {
	const struct edge *edge;
	__u64 seen, wrong;
} now;

/** begin() - start the child of a case; of each processor. */
static pid_t begin(const struct edge *edge);

/* Judges samples at the address where the child spins; earlier ones are on the way there. */
static void see(const struct session *session, const struct cpuprobe_harvest *harvest,
		const struct cpuprobe_stack *stack)
{
	const __u64 *user = stack->frame + stack->nr_kernel;
	const struct edge *edge = now.edge;

	if (edge->how > EDGE_JUMPS_MAX && stack->nr_user)
		now.seen += stack->hits;
	if (stack->mode != CPUPROBE_MODE_USER || !stack->nr_user || !edge->ip ||
	    user[0] != edge->ip)
		return;
	now.seen += stack->hits;
	if (stack->flags == edge->flags && stack->nr_user == edge->nr_user)
		return;
	if (!now.wrong)
		printf("%s: flags %#x and %u frames, not %#x and %u\n", edge->name, stack->flags,
		       stack->nr_user, edge->flags, edge->nr_user);
	now.wrong += stack->hits;
}

static void map(unsigned long addr, unsigned long len, int protection)
{
	void *at = mmap((void *)addr, len, protection,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	session_equal("memory", at == (void *)addr, 1);
}

/* Writes 99 frames, the last of them outermost, followed by one without a return address. */
static void prepare_frames(void)
{
	unsigned long *frame = (unsigned long *)CHAIN, i;

	map(STACK, SPAN + 0x100000, PROT_READ | PROT_WRITE);
	/* Touching a page must not fault others in. */
	madvise((void *)STACK, SPAN, MADV_NOHUGEPAGE);
	for (i = 0; i < 100; i++) {
		frame[2 * i] = i < 98 ? CHAIN + (i + 1) * 16 : 0;
		frame[2 * i + 1] = i < 99 ? 0x1000 + i : 0;
	}
	frame[-4] = CHAIN - 32;
	frame[-3] = 0x1000;
	*(unsigned long *)(HOLE - 8) = CHAIN;
	memset((void *)STACK, 0, 16);
	memset((void *)(FAR - 16), 0, 64);
}

/* Checks that no sample has faulted the page in. */
static int is_untouched(pid_t pid)
{
	char path[64];
	__u64 entry = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	file = fopen(path, "r");
	session_equal("the child's pages", file && !fseek(file, UNTOUCHED / page_bytes * 8, SEEK_SET) &&
		      fread(&entry, sizeof(entry), 1, file) == 1, 1);
	fclose(file);
	return !(entry >> 62);
}

static int try_edge(const struct edge *edge)
{
	struct cpuprobe_start start = START(.what = CPUPROBE_WHAT_STACKS, .period_ns = PERIOD_NS,
		.stack_kib = SESSION_STACK_KIB,
		.frames = CPUPROBE_FRAMES_USER | CPUPROBE_FRAMES_KERNEL);
	struct session session;
	int status, round, is_gone;

	fflush(stdout);
	memset(&now, 0, sizeof(now));
	now.edge = edge;
	start.pid = begin(edge);
	session_open(&session);
	session.what = CPUPROBE_WHAT_STACKS;
	session.see = see;
	session_equal("start", ioctl(session.fd, CPUPROBE_IOC_START, &start), 0);
	for (round = 0; round < ROUNDS && (round < 2 || now.seen < ENOUGH); round++) {
		usleep(ROUND_US);
		session_equal("harvest", session_harvest(&session), 0);
	}
	session_equal("stop", ioctl(session.fd, CPUPROBE_IOC_STOP), 0);
	session_equal("harvest", session_harvest(&session), 0);
	session_equal("a page left alone", !edge->ip || is_untouched(start.pid), 1);
	is_gone = waitpid(start.pid, &status, WNOHANG) == (pid_t)start.pid;
	if (!is_gone && !kill(start.pid, SIGKILL))
		waitpid(start.pid, &status, 0);
	close(session.fd);
	printf("%-45s %5llu samples, %llu lost\n", edge->name, now.seen, session.lost);
	if (edge->how == EDGE_MAY_END && is_gone)
		return 0;
	return now.wrong || now.seen < ENOUGH;
}

static unsigned int try_these(const struct edge *these, size_t nr, const char *name)
{
	unsigned int nr_wrong = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		if (strstr(these[i].name, name))
			nr_wrong += try_edge(&these[i]);
	return nr_wrong;
}

#define NONE		CPUPROBE_STACK_NO_FRAME_POINTER, 1
#define UNREADABLE	CPUPROBE_STACK_UNREADABLE, 1
#define OUTERMOST	0, 1

#endif
