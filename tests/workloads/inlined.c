// SPDX-License-Identifier: GPL-2.0-only
/*
 * inlined: functions without a call. outer() takes 10% of the time itself; middle(), inlined in it,
 * 30%; inner(), inlined in middle(), 30%; both(), which turn() inlines and calls, 15% each way.
 */
#pragma GCC optimize("no-omit-frame-pointer")

#include "count_down.h"

#define INLINE static inline __attribute__((always_inline))
#define FUNCTION __attribute__((noinline, noclone)) static void

/* Keeps the compiler from turning the call before it into a jump (a tail call). */
#define STAY __asm__ volatile("" : : : "memory")

INLINE void both(void)
{
	COUNT_DOWN(15000);
}

static void (*volatile own_code)(void) = both;

FUNCTION turn(void)
{
	both();
	own_code();
	STAY;
}

INLINE void inner(void)
{
	COUNT_DOWN(30000);
	turn();
	STAY;
}

INLINE void middle(void)
{
	COUNT_DOWN(30000);
	inner();
}

FUNCTION outer(void)
{
	COUNT_DOWN(10000);
	middle();
}

int main(void)
{
	for (;;)
		outer();
}
