// SPDX-License-Identifier: GPL-2.0-only
/* Three functions that take 60%, 30% and 10% of the time: the same loop with 6:3:1 turns. */
#define LOOP(count) \
	__asm__ volatile("mov %0, %%ecx\n1:\tdec %%ecx\n\tjnz 1b\n" : : "i"(count) : "ecx", "cc")

void work_six(void);
void work_three(void);
void work_one(void);

__attribute__((noinline)) void work_six(void)
{
	LOOP(60000);
}

__attribute__((noinline)) void work_three(void)
{
	LOOP(30000);
}

__attribute__((noinline)) void work_one(void)
{
	LOOP(10000);
}

int main(void)
{
	for (;;) {
		work_six();
		work_three();
		work_one();
	}
}
