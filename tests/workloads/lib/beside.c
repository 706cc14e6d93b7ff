// SPDX-License-Identifier: GPL-2.0-only
/* libbeside.so: a loop in a shared library. */
#include "../count_down.h"

void beside_loop(long turns);

void beside_loop(long turns)
{
	COUNT_DOWN(turns);
}
