// SPDX-License-Identifier: GPL-2.0-only
/*
 * mte sync|async SECONDS: a program of arm64 with memory that has tags (memory tagging extension), above a thread's
 * stack. The thread computes, a third of the time each, with a frame pointer to a frame in its stack (own_frame()), to
 * one in the memory with a tag by an address without (wrong_tag()), and by an address with the tag (right_tag()). A
 * check of a tag that fails ends the program, at once (sync) or at its next entry to the kernel (async). Prints "alive"
 * at its end.
 */
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES	(1UL << 20)
#define TURNS		1000000
#define PROT_TAGS	0x20		/* PROT_MTE */
#define TAGS_SYNC	(1UL << 1)	/* PR_MTE_TCF_SYNC */
#define TAGS_ASYNC	(1UL << 2)	/* PR_MTE_TCF_ASYNC */
#define TAGS_ALL	(0xfffeUL << 3)	/* PR_MTE_TAG_SHIFT */
#define TAG		(5UL << 56)

static double seconds;
static unsigned long tagged;	/* address of memory with a tag, above the stack */

/* Computes with the frame pointer @frame. */
#define SPIN(frame) do {							\
	unsigned long turns_left = TURNS;					\
	__asm__ volatile("mov	x9, x29\n"					\
			 "mov	x29, %1\n"					\
			 "1:	subs	%0, %0, #1\n"				\
			 "b.ne	1b\n"						\
			 "mov	x29, x9\n"					\
			 : "+r"(turns_left) : "r"(frame) : "cc", "memory", "x9"); \
} while (0)

__attribute__((noinline)) static void own_frame(unsigned long frame)
{
	SPIN(frame);
	__asm__ volatile("");
}

__attribute__((noinline)) static void wrong_tag(unsigned long frame)
{
	SPIN(frame);
	__asm__ volatile("");
}

__attribute__((noinline)) static void right_tag(unsigned long frame)
{
	SPIN(frame);
	__asm__ volatile("");
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void *compute(void *unused)
{
	/* A copy of the function's own frame. */
	unsigned long own[2], *frame;
	unsigned long *at = (unsigned long *)(tagged | TAG);
	double end = now() + seconds;

	__asm__("mov	%0, x29" : "=r"(frame));
	own[0] = frame[0];
	own[1] = frame[1];
	__asm__ volatile(".arch	armv8.5-a+memtag\n"
			 "stg	%0, [%0]" : : "r"(at) : "memory");
	at[0] = own[0];
	at[1] = own[1];
	while (now() < end) {
		own_frame((unsigned long)own);
		wrong_tag(tagged);
		right_tag((unsigned long)at);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long mode = argc == 3 && !strcmp(argv[1], "sync") ? TAGS_SYNC : TAGS_ASYNC;
	pthread_attr_t attributes;
	pthread_t thread;
	void *stack;

	if (argc != 3)
		errx(2, "mte sync|async SECONDS");
	seconds = atof(argv[2]);
	if (prctl(PR_SET_TAGGED_ADDR_CTRL, PR_TAGGED_ADDR_ENABLE | mode | TAGS_ALL, 0, 0, 0))
		err(1, "no memory tags");
	stack = mmap(NULL, 2 * STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		err(1, "mmap");
	tagged = (unsigned long)stack + STACK_BYTES;
	if (mprotect((void *)tagged, STACK_BYTES, PROT_READ | PROT_WRITE | PROT_TAGS))
		err(1, "mprotect");
	pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, stack, STACK_BYTES) ||
	    pthread_create(&thread, &attributes, compute, NULL) || pthread_join(thread, NULL))
		errx(1, "no thread");
	puts("alive");
	return 0;
}
