// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls SHAPE [ROUNDS]: programs with known calls, whose functions take known shares of the time.
 *	diamond	top (10%) calls left and right, which call leaf: 60% from left, 30% from right
 *	dear	cheap and dear call work equally often: 10% and 90% of the time
 *	recursion	five nested calls of down, a fifth of the time each
 *	mutual	ping (25% in all) and pong (75%) call each other, four nested calls of each
 *	deep	a hundred nested calls of down; the innermost takes all the time
 *	brief	left and right call blink and, through a linkage table, abs(): calls of a few
 *		instructions, so that any instruction of any function is sampled
 * Built with FRAMELESS, it is the same program without frame pointers.
 */
#ifndef FRAMELESS
#pragma GCC optimize("no-omit-frame-pointer")
#endif
#include <stdlib.h>
#include <string.h>

#include "spend.h"

FUNCTION leaf(unsigned int thousands);
FUNCTION left(void);
FUNCTION right(void);
FUNCTION top(void);
FUNCTION work(unsigned int thousands);
FUNCTION cheap(void);
FUNCTION dear(void);
FUNCTION down(unsigned int depth, unsigned int thousands, unsigned int last);
FUNCTION ping(unsigned int depth);
FUNCTION pong(unsigned int depth);
FUNCTION blink(void);
FUNCTION brief_left(void);
FUNCTION brief_right(void);

FUNCTION leaf(unsigned int thousands)
{
	spend(thousands);
}

FUNCTION left(void)
{
	leaf(60);
	STAY;
}

FUNCTION right(void)
{
	leaf(30);
	STAY;
}

FUNCTION top(void)
{
	left();
	right();
	spend(10);
}

FUNCTION work(unsigned int thousands)
{
	spend(thousands);
}

FUNCTION cheap(void)
{
	work(10);
	STAY;
}

FUNCTION dear(void)
{
	work(90);
	STAY;
}

FUNCTION down(unsigned int depth, unsigned int thousands, unsigned int last)
{
	if (depth > 1)
		down(depth - 1, thousands, last);
	else
		spend(last);
	spend(thousands);
}

FUNCTION ping(unsigned int depth)
{
	spend(10);
	pong(depth);
	STAY;
}

FUNCTION pong(unsigned int depth)
{
	spend(30);
	if (depth > 1)
		ping(depth - 1);
	STAY;
}

/* Saves and restores all registers that a function may have to. */
FUNCTION blink(void)
{
#ifdef __aarch64__
	__asm__ volatile("" : : : "x19", "x20", "x21", "x22", "x23");
#else
	__asm__ volatile("" : : : "rbx", "r12", "r13", "r14", "r15");
#endif
}

FUNCTION brief_left(void)
{
	volatile int number = -1;

	blink();
	number = (*abs)(number);
	blink();
	STAY;
}

FUNCTION brief_right(void)
{
	blink();
	STAY;
}

int main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "";
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 0) : -1UL;

	while (rounds--) {
		if (!strcmp(shape, "diamond")) {
			top();
		} else if (!strcmp(shape, "dear")) {
			cheap();
			dear();
		} else if (!strcmp(shape, "recursion")) {
			down(5, 20, 0);
		} else if (!strcmp(shape, "mutual")) {
			ping(4);
		} else if (!strcmp(shape, "deep")) {
			down(100, 0, 100);
		} else if (!strcmp(shape, "brief")) {
			brief_left();
			brief_right();
		} else {
			return 2;
		}
	}
	return 0;
}
