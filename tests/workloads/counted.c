// SPDX-License-Identifier: GPL-2.0-only
/*
 * counted N [FILE]: executes a function of 20,004 instructions, call and return included, N times,
 * and another function of the same length after each. FILE receives the number so far, every 100
 * executions.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __aarch64__
#define WORK "mov w0, #10000\n1: subs w0, w0, #1\nb.ne 1b\nmov w0, #0\nret\n"
#else
#define WORK "mov $10000, %ecx\n1: dec %ecx\njnz 1b\nxor %eax, %eax\nret\n"
#endif

__asm__(".text\n.globl step\n.type step, @function\n"
	"step: .cfi_startproc\n" WORK ".cfi_endproc\n"
	".size step, . - step\n"
	".globl rest\n.type rest, @function\n"
	"rest: .cfi_startproc\n" WORK ".cfi_endproc\n"
	".size rest, . - rest\n"
	".globl rest_end\nrest_end:\n");

void step(void);
void rest(void);

int main(int argc, char **argv)
{
	int fd = argc > 2 ? open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0644) : -1;
	long n = argc > 1 ? atol(argv[1]) : 1000;
	char text[32];

	for (long i = 1; i <= n; i++) {
		step();
		rest();
		if (fd >= 0 && i % 100 == 0 &&
		    pwrite(fd, text, snprintf(text, sizeof(text), "done: %ld\n", i), 0) < 0)
			return 1;
	}
	return 0;
}
