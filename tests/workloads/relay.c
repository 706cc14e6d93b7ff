// SPDX-License-Identifier: GPL-2.0-only
/*
 * relay OTHER TURNS: computes for a while, then executes OTHER, a copy of this program at another
 * path, which then executes this one, and so on for TURNS turns (one digit). Both get arguments of
 * the same length, so that without randomization their stacks begin at the same address.
 */
#include <unistd.h>

#include "machine.h"

#define TURN_MS 100

int main(int argc, char **argv)
{
	double until = now_s() + TURN_MS / 1e3;
	char turns[2] = "0";

	if (argc != 3)
		return 2;
	turns[0] = argv[2][0] - 1;
	while (now_s() < until)
		for (volatile int i = 0; i < 100000; i++)
			;
	if (turns[0] <= '0')
		return 0;
	execl(argv[1], argv[1], argv[0], turns, NULL);
	return 1;
}
