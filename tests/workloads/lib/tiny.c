// SPDX-License-Identifier: GPL-2.0-only
/* An executable of a few hundred bytes that runs about a million instructions. */
__asm__(".globl _start\n"
	"_start:\n"
#ifdef __aarch64__
	"mov w1, #0xa120\n"
	"movk w1, #7, lsl #16\n"	/* 500,000 */
	"1: subs w1, w1, #1\n"
	"b.ne 1b\n"
	"mov x8, #93\n"	/* exit(0) */
	"mov x0, #0\n"
	"svc #0\n"
#else
	"mov $500000, %ecx\n"
	"1: dec %ecx\n"
	"jnz 1b\n"
	"mov $60, %eax\n"	/* exit(0) */
	"xor %edi, %edi\n"
	"syscall\n"
#endif
	);
