/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that take known time, for programs with known calls. */
#ifndef SPEND_H
#define SPEND_H

#include "count_down.h"

#define FUNCTION __attribute__((noinline, noclone)) void

/* Keeps the compiler from turning the call before it into a jump (a tail call). */
#define STAY __asm__ volatile("" : : : "memory")

/* Spends time in the caller itself: @thousands of thousands of turns, two instructions each. */
static inline __attribute__((always_inline)) void spend(unsigned int thousands)
{
	if (thousands)
		COUNT_DOWN(thousands * 1000);
}

#endif
