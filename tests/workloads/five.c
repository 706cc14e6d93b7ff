// SPDX-License-Identifier: GPL-2.0-only
/* A loop of five instructions at known addresses; each takes one instruction's time. */
__asm__(".text\n"
	".globl five_loop, five_end\n"
	".type five_loop, @function\n"
	"five_loop:\n"			/* offset 0 */
#ifdef __aarch64__
	"	add x0, x0, #1\n"	/* each has 4 bytes */
	"	add x2, x2, #1\n"
	"	eor w1, w1, w1\n"
	"	nop\n"
	"	b five_loop\n"
#else
	"	inc %rax\n"		/* 3 bytes */
	"	lea 1(%rdx), %rdx\n"	/* 4 bytes */
	"	xor %ecx, %ecx\n"	/* 2 bytes */
	"	nop\n"			/* 1 byte */
	"	jmp five_loop\n"	/* 2 bytes */
#endif
	"five_end:\n"
	".size five_loop, . - five_loop\n");

void five_loop(void);

int main(void)
{
	five_loop();
}
