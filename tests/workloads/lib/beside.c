// SPDX-License-Identifier: GPL-2.0-only
/* libbeside.so: a loop in a shared library. */
void beside_loop(long turns);

void beside_loop(long turns)
{
	__asm__ volatile("1:\tdec %0\n\tjnz 1b\n" : "+r"(turns) : : "cc");
}
