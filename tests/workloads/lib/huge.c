// SPDX-License-Identifier: GPL-2.0-only
/*
 * An executable with 100 MB of code: 25,600 functions of a page each, of which three run. far_one
 * and far_two take 8% of the time each; one instruction of far_hot takes nearly all the rest, a loop of two on arm64.
 */
__asm__(".text\n"
	".macro filler\n"
	".type filler_\\@, @function\n"
	".balign 4096\n"
	"filler_\\@:\n"
#ifdef __aarch64__
	".fill 1023, 4, 0xd503201f\n"
#else
	".fill 4095, 1, 0x90\n"
#endif
	"ret\n"
	".size filler_\\@, . - filler_\\@\n"
	".endm\n"
	".macro far name count\n"
	".globl \\name\n"
	".type \\name, @function\n"
	".balign 4096\n"
	"\\name:\n"
#ifdef __aarch64__
	"mov w0, #\\count\n"
	"1: subs w0, w0, #1\n"
	"b.ne 1b\n"
#else
	"mov $\\count, %ecx\n"
	"lea buffer(%rip), %rdi\n"
	"xor %eax, %eax\n"
	"nop\n"
	"rep stosb\n"		/* one instruction, however many bytes it stores */
#endif
	"ret\n"
	".size \\name, . - \\name\n"
	".endm\n"
	".rept 3000\nfiller\n.endr\n"
	"far far_one 800\n"
	"far_loop:\n"			/* in the page of far_one, so its hits widen no range */
#ifdef __aarch64__
	"bl far_one\n"
	"bl far_hot\n"
	"bl far_two\n"
	"b far_loop\n"
#else
	"call far_one\n"
	"call far_hot\n"
	"call far_two\n"
	"jmp far_loop\n"
#endif
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
