/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two programs that take turns on one CPU and run UNITS of the same loop in each turn, so that
 * their shares of CPU time have the ratio of their UNITS. A byte on standard input passes the turn;
 * the program with an argument ("first") begins.
 */
#include <unistd.h>

#include "count_down.h"

int main(int argc, char **argv)
{
	char turn = argc > 1 ? argv[1][0] : 0;

	while (argc > 1 || read(0, &turn, 1) == 1) {
		argc = 1;
		for (int i = 0; i < UNITS; i++)
			COUNT_DOWN(350000);
		if (write(1, &turn, 1) != 1)
			return 1;
	}
	return 0;
}
