// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions of known lengths on lines of a source file whose name contains HTML:
 * tests/browser.sh names the file. _start is at 0x401000; asm.txt relies on the addresses.
 */
void _start(void);

__attribute__((naked)) void _start(void)
{
	asm("mov $7, %ecx");		/* 401000: <script>alert(6)</script> */
	asm("1: xor %edx, %edx");	/* 401005: the loop begins */
	asm("div %ecx");		/* 401007 */
	asm("add %eax, %ebx");		/* 401009: the division's hits */
	asm("mov (%rsp), %rax");	/* 40100b */
	asm("add %rax, %rbx");		/* 40100f: a load's */
	asm("call 2f");			/* 401012 */
	asm("jne 1b");			/* 401017 */
	asm("mov $60, %eax");		/* 401019 */
	asm("syscall");			/* 40101e */
	asm("2: rdtsc");		/* 401020 */
	asm("sti; nop; popf");		/* 401022, 23, 24 */
	asm("ret");			/* 401025: interrupts were re-enabled here */
}
