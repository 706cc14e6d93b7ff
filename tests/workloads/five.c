// SPDX-License-Identifier: GPL-2.0-only
/* A loop of five instructions at known addresses; each takes one instruction's time. */
__asm__(".text\n"
	".globl five_loop, five_end\n"
	".type five_loop, @function\n"
	"five_loop:\n"			/* offset 0 */
	"	inc %rax\n"		/* 3 bytes */
	"	lea 1(%rdx), %rdx\n"	/* 4 bytes */
	"	xor %ecx, %ecx\n"	/* 2 bytes */
	"	nop\n"			/* 1 byte */
	"	jmp five_loop\n"	/* 2 bytes */
	"five_end:\n"
	".size five_loop, . - five_loop\n");

void five_loop(void);

int main(void)
{
	five_loop();
}
