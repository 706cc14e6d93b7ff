/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two programs that take turns on one CPU, UNITS of the same loop each: their shares of
 * processor time stand as their UNITS. A byte on standard input is the turn; "first" begins.
 */
#include <unistd.h>

int main(int argc, char **argv)
{
	char turn = argc > 1 ? argv[1][0] : 0;

	while (argc > 1 || read(0, &turn, 1) == 1) {
		argc = 1;
		for (int i = 0; i < UNITS; i++)
			__asm__ volatile("mov $350000, %%ecx\n1:\tdec %%ecx\n\tjnz 1b\n"
					 : : : "ecx", "cc");
		if (write(1, &turn, 1) != 1)
			return 1;
	}
	return 0;
}
