// SPDX-License-Identifier: GPL-2.0-only
/* An executable of a few hundred bytes that runs about a million instructions. */
__asm__(".globl _start\n"
	"_start:\n"
	"mov $500000, %ecx\n"
	"1: dec %ecx\n"
	"jnz 1b\n"
	"mov $60, %eax\n"	/* exit(0) */
	"xor %edi, %edi\n"
	"syscall\n");
