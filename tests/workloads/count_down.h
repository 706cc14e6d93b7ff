/* SPDX-License-Identifier: GPL-2.0-only */
/* A loop whose instructions are known, on each processor: two in each turn. */
#ifndef COUNT_DOWN_H
#define COUNT_DOWN_H

#ifdef __aarch64__
#define COUNT_DOWN_CODE	"1:\tsubs %w0, %w0, #1\n\tb.ne 1b\n"
#else
#define COUNT_DOWN_CODE	"1:\tdec %0\n\tjnz 1b\n"
#endif

/** COUNT_DOWN() - run the loop this many times, over 0. */
#define COUNT_DOWN(number) do { \
	unsigned int turns_left = (number); \
	__asm__ volatile(COUNT_DOWN_CODE : "+r"(turns_left) : : "cc"); \
} while (0)

#endif
