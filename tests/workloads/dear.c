// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions with known shares of the time.
 *	dear	a string instruction of 94 rounds, which takes 95 of the 99 steps of its loop
 *		(one more to test its counter) where each step takes the same time, as under
 *		QEMU's -icount
 *	dear div	a loop with a division, which is slow on hardware
 *	dear hidden	a loop that jumps into the middle of what disassembles as one instruction
 *	dear made	a loop in memory without a file
 * The first two loops take an odd number of steps: under -icount the timer advances by an even
 * number of steps, so that the six instructions of an even loop had 1225, 1462, 1250, 1463, 1186
 * and 1411 samples.
 */
#include <string.h>
#include <sys/mman.h>

__asm__(".text\n"
	".globl dear_rep, dear_div, dear_hidden, dear_end\n"
	".type dear_rep, @function\n"
	"dear_rep:\n"
	"	mov %rdi, %rsi\n"
	"1:	mov $94, %ecx\n"
	"	mov %rsi, %rdi\n"
	"	rep stosb\n"
	"	nop\n"
	"	jmp 1b\n"
	".size dear_rep, . - dear_rep\n"
	".type dear_div, @function\n"
	"dear_div:\n"
	"	mov $7, %ecx\n"
	"1:	xor %edx, %edx\n"
	"	mov $1000000, %eax\n"
	"	div %ecx\n"
	"	lea 1(%rsi), %rsi\n"
	"	inc %rdi\n"
	"	nop\n"
	"	jmp 1b\n"
	".size dear_div, . - dear_div\n"
	".type dear_hidden, @function\n"
	"dear_hidden:\n"
	"1:	jmp 2f\n"
	"	.byte 0xb8\n"		/* mov $0x90909090, %eax */
	"2:	nop\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	"	jmp 1b\n"
	"dear_end:\n"
	".size dear_hidden, . - dear_hidden\n");

void dear_rep(char *buffer);
void dear_div(void);
void dear_hidden(void);

/* Writes and runs code as a JIT does. */
static void run_made(void)
{
	/* inc; nop; jmp */
	static const unsigned char loop[] = { 0x48, 0xff, 0xc0, 0x90, 0xeb, 0xfa };
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		return;
	memcpy(code, loop, sizeof(loop));
	((void (*)(void))code)();
}

int main(int argc, char **argv)
{
	static char buffer[128];

	if (argc > 1 && !strcmp(argv[1], "div"))
		dear_div();
	if (argc > 1 && !strcmp(argv[1], "hidden"))
		dear_hidden();
	if (argc > 1 && !strcmp(argv[1], "made"))
		run_made();
	dear_rep(buffer);
}
