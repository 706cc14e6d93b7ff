// SPDX-License-Identifier: GPL-2.0-only
/*
 * jit: runs two functions generated at run time, at the printed address and 0x100 bytes after it,
 * and one compiled function, the same time each, until killed.
 */
#pragma GCC optimize("no-omit-frame-pointer")
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* push %rbp; mov %rsp, %rbp; mov $100000, %ecx; 1: dec %ecx; jnz 1b; pop %rbp; ret */
static const unsigned char code[] = {
	0x55, 0x48, 0x89, 0xe5, 0xb9, 0xa0, 0x86, 0x01, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3
};

static __attribute__((noinline, noclone)) void its_own(void)
{
	unsigned int turns = 100000;

	__asm__ volatile("1:\tdec %0\n\tjnz 1b\n" : "+r"(turns) : : "cc");
}

int main(void)
{
	unsigned char *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (made == MAP_FAILED)
		err(1, "mmap");
	memcpy(made, code, sizeof(code));
	memcpy(made + 0x100, code, sizeof(code));
	printf("%lx\n", (unsigned long)made);
	fflush(stdout);
	for (;;) {
		((void (*)(void))made)();
		((void (*)(void))(made + 0x100))();
		its_own();
	}
}
