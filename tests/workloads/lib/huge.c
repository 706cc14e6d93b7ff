// SPDX-License-Identifier: GPL-2.0-only
/*
 * An executable with 100 MB of code: 25,600 functions of a page each, of which three run. far_one
 * and far_two take 8% of the time each; one instruction of far_hot takes nearly all the rest.
 */
__asm__(".text\n"
	".macro filler\n"
	".type filler_\\@, @function\n"
	".balign 4096\n"
	"filler_\\@:\n"
	".fill 4095, 1, 0x90\n"
	"ret\n"
	".size filler_\\@, . - filler_\\@\n"
	".endm\n"
	".macro far name count\n"
	".globl \\name\n"
	".type \\name, @function\n"
	".balign 4096\n"
	"\\name:\n"
	"mov $\\count, %ecx\n"
	"lea buffer(%rip), %rdi\n"
	"xor %eax, %eax\n"
	"nop\n"
	"rep stosb\n"		/* one instruction, however many bytes it stores */
	"ret\n"
	".size \\name, . - \\name\n"
	".endm\n"
	".rept 3000\nfiller\n.endr\n"
	"far far_one 800\n"
	"far_loop:\n"			/* in the page of far_one, so its hits widen no range */
	"call far_one\n"
	"call far_hot\n"
	"call far_two\n"
	"jmp far_loop\n"
	".type far_loop, @function\n"
	".size far_loop, . - far_loop\n"
	".rept 14000\nfiller\n.endr\n"
	"far far_hot 8400\n"
	".rept 5000\nfiller\n.endr\n"
	"far far_two 800\n"
	".rept 3600\nfiller\n.endr\n");

char buffer[10000];
void far_loop(void) __attribute__((noreturn));

int main(void)
{
	far_loop();
}
