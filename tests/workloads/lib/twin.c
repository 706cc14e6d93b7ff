// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two libraries whose functions have the same addresses but frames of other sizes, so that the table of
 * one leads nowhere in the other: NAME() spends no time, NAME_inner() spends THOUSANDS of thousands of
 * turns.
 */
#include "../spend.h"

/* On arm64 the constants of the inner functions take different numbers of instructions. */
FUNCTION NAME(void) __attribute__((aligned(64)));
FUNCTION INNER(void);

FUNCTION INNER(void)
{
	volatile char room[ROOM];

	room[0] = 0;
	spend(THOUSANDS);
	(void)room[0];
}

FUNCTION NAME(void)
{
	volatile char room[ROOM];

	room[0] = 0;
	INNER();
	(void)room[0];
}
