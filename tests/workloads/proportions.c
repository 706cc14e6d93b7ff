// SPDX-License-Identifier: GPL-2.0-only
/* Three functions that take 60%, 30% and 10% of the time: the same loop with 6:3:1 turns. */
#include "count_down.h"

void work_six(void);
void work_three(void);
void work_one(void);

__attribute__((noinline)) void work_six(void)
{
	COUNT_DOWN(60000);
}

__attribute__((noinline)) void work_three(void)
{
	COUNT_DOWN(30000);
}

__attribute__((noinline)) void work_one(void)
{
	COUNT_DOWN(10000);
}

int main(void)
{
	for (;;) {
		work_six();
		work_three();
		work_one();
	}
}
