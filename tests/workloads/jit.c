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

#include "count_down.h"

#ifdef __aarch64__
/* stp x29, x30, [sp, #-16]!; mov x29, sp; mov w0, #100000 (two instructions); 1: subs w0, w0, #1; b.ne 1b;
   ldp x29, x30, [sp], #16; ret */
static const unsigned int code[] = {
	0xa9bf7bfd, 0x910003fd, 0x5290d400, 0x72a00020, 0x71000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0
};
#else
/* push %rbp; mov %rsp, %rbp; mov $100000, %ecx; 1: dec %ecx; jnz 1b; pop %rbp; ret */
static const unsigned char code[] = {
	0x55, 0x48, 0x89, 0xe5, 0xb9, 0xa0, 0x86, 0x01, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3
};
#endif

static __attribute__((noinline, noclone)) void its_own(void)
{
	COUNT_DOWN(100000);
}

int main(void)
{
	unsigned char *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (made == MAP_FAILED)
		err(1, "mmap");
	memcpy(made, code, sizeof(code));
	memcpy(made + 0x100, code, sizeof(code));
	__builtin___clear_cache((char *)made, (char *)made + 4096);
	printf("%lx\n", (unsigned long)made);
	fflush(stdout);
	for (;;) {
		((void (*)(void))made)();
		((void (*)(void))(made + 0x100))();
		its_own();
	}
}
