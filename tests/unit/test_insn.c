// SPDX-License-Identifier: GPL-2.0-only
/* Decoding bytes to instructions: cli/code/insn.c. */
#include <elf.h>
#include <errno.h>

#include "unit.h"
#include "code/insn.h"

static const struct code_machine x86_64 = { EM_X86_64, true, false };

static struct insn *decode(const struct code_machine *machine, const void *bytes, size_t len,
			   u64 addr, size_t *nr)
{
	struct disassembler *disassembler;
	struct insn *insns;

	assert_int_equal(disassembler_create(machine, &disassembler, NULL), 0);
	assert_int_equal(disassembler_decode(disassembler, bytes, len, addr, &insns, nr), 0);
	disassembler_destroy(disassembler);
	return insns;
}

static bool name_target(void *context, u64 addr, char *name, size_t len)
{
	if (addr != *(u64 *)context)
		return false;
	snprintf(name, len, "puts@plt");
	return true;
}

/* The text of the first instruction; targets of calls and jumps at @known are named. */
static const char *text_of(const struct code_machine *machine, const void *bytes, size_t len,
			   u64 known)
{
	static char text[INSN_TEXT_LEN];
	struct disassembler *disassembler;
	struct insn *insns;
	size_t nr;

	assert_int_equal(disassembler_create(machine, &disassembler, NULL), 0);
	assert_int_equal(disassembler_decode(disassembler, bytes, len, 0x1000, &insns, &nr), 0);
	disassembler_text(disassembler, &insns[0], bytes, name_target, &known, text);
	disassembler_destroy(disassembler);
	free(insns);
	return text;
}

static void lengths_and_targets(void **state)
{
	/* xor %edx,%edx; div %ecx; call +0; jne -13; jmp *%rax; ret */
	static const u8 bytes[] = { 0x31, 0xd2, 0xf7, 0xf1, 0xe8, 0, 0, 0, 0, 0x75, 0xf3, 0xff,
					 0xe0, 0xc3 };
	static const u8 lens[] = { 2, 2, 5, 2, 2, 1 };
	size_t nr, i;
	struct insn *insns = decode(&x86_64, bytes, sizeof(bytes), 0x1000, &nr);

	assert_int_equal(nr, 6);
	for (i = 0; i < nr; i++)
		assert_int_equal(insns[i].len, lens[i]);
	assert_int_equal(insns[0].flags, 0);
	assert_int_equal(insns[1].flags, INSN_LONG);
	assert_int_equal(insns[2].flags & (INSN_CALL | INSN_HAS_TARGET),
			 INSN_CALL | INSN_HAS_TARGET);
	assert_int_equal(insns[2].target, 0x1009);
	assert_int_equal(insns[3].flags & (INSN_JUMP | INSN_HAS_TARGET | INSN_ENDS),
			 INSN_JUMP | INSN_HAS_TARGET);
	assert_int_equal(insns[3].target, 0xffe);
	assert_int_equal(insns[4].flags & (INSN_JUMP | INSN_HAS_TARGET | INSN_ENDS),
			 INSN_JUMP | INSN_ENDS);
	assert_true(insns[5].flags & INSN_ENDS);
	free(insns);
}

static void undecodable_bytes(void **state)
{
	/* 06 is invalid in 64-bit mode; the last instruction is cut short. */
	static const u8 bytes[] = { 0x90, 0x06, 0x06, 0x90, 0xe8, 0x00 };
	size_t nr;
	struct insn *insns = decode(&x86_64, bytes, sizeof(bytes), 0, &nr);

	assert_int_equal(nr, 6);
	assert_int_equal(insns[0].flags & INSN_BAD, 0);
	assert_int_equal(insns[1].flags, INSN_BAD);
	assert_int_equal(insns[2].flags, INSN_BAD);
	assert_int_equal(insns[3].addr, 3);
	assert_int_equal(insns[4].flags, INSN_BAD);
	assert_string_equal(text_of(&x86_64, bytes + 1, 1, 0), ".byte   0x06");
	free(insns);
}

static void every_byte_is_somewhere(void **state)
{
	u8 bytes[4096];
	size_t nr, i;
	u64 addr = 0x7fffffffff00;
	struct insn *insns;
	u32 random = 1;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (random = random * 1664525 + 1013904223) >> 24;
	insns = decode(&x86_64, bytes, sizeof(bytes), addr, &nr);
	for (i = 0; i < nr; i++) {
		assert_true(insns[i].addr == addr && insns[i].len);
		addr += insns[i].len;
	}
	assert_int_equal(addr, 0x7fffffffff00 + sizeof(bytes));
	free(insns);
}

static void texts(void **state)
{
	static const u8 call[] = { 0xe8, 0xfb, 0x0f, 0, 0 }, load[] = { 0x8b, 0x45, 0xfc };
	static const u8 arm_call[] = { 0, 0, 0, 0x94 }, arm_test[] = { 0x40, 0, 0, 0xb4 };

	assert_string_equal(text_of(&x86_64, call, 5, 0x2000), "callq   puts@plt");
	assert_string_equal(text_of(&x86_64, call, 5, 0x2001), "callq   0x2000");
	assert_string_equal(text_of(&x86_64, load, 3, 0), "movl    -4(%rbp), %eax");
	assert_string_equal(text_of(&(struct code_machine){ EM_AARCH64, true, false }, arm_call, 4,
				    0x1000),
			    "bl      puts@plt");
	assert_string_equal(text_of(&(struct code_machine){ EM_AARCH64, true, false }, arm_test, 4,
				    0x1008),
			    "cbz     x0, puts@plt");
}

/* The text's syntax differs from the one used to examine operands: they must not interfere. */
static void text_and_operands(void **state)
{
	static const u8 store[] = { 0xf3, 0xaa };
	char text[INSN_TEXT_LEN];
	struct disassembler *disassembler;
	struct insn *insns;
	size_t nr;
	int i;

	assert_int_equal(disassembler_create(&x86_64, &disassembler, NULL), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(disassembler_decode(disassembler, store, 2, 0, &insns, &nr), 0);
		assert_int_equal(insns[0].flags, 0);
		disassembler_text(disassembler, &insns[0], store, NULL, NULL, text);
		assert_string_equal(text, "rep stosb %al, (%rdi)");
		free(insns);
	}
	disassembler_destroy(disassembler);
}

static void machines(void **state)
{
	static const u8 inc[] = { 0x40 };	/* a prefix in 64-bit mode */
	struct disassembler *disassembler;
	struct text_error error;

	assert_string_equal(text_of(&(struct code_machine){ EM_386, false, false }, inc, 1, 0),
			    "incl    %eax");
	assert_string_equal(text_of(&x86_64, inc, 1, 0), ".byte   0x40");
	assert_int_equal(disassembler_create(&(struct code_machine){ EM_VAX, false, false },
					     &disassembler, &error), -ENOTSUP);
	assert_string_equal(error.what, "disassemble: capstone does not support machine 75");
}

/* The slip after the last of these instructions. */
static enum insn_slip slip_of(const char *bytes, size_t len)
{
	size_t nr;
	struct insn *insns = decode(&x86_64, bytes, len, 0, &nr);
	enum insn_slip slip = insn_slip(insns, nr - 1);

	free(insns);
	return slip;
}

#define SLIP_OF(bytes) slip_of(bytes, sizeof(bytes) - 1)

static void slips(void **state)
{
	assert_int_equal(SLIP_OF("\x90"), SLIP_NONE);
	assert_int_equal(SLIP_OF("\x90\x90"), SLIP_NONE);
	assert_int_equal(SLIP_OF("\xf7\xf1\x90"), SLIP_LONG);			/* div */
	assert_int_equal(SLIP_OF("\xf2\x0f\x5e\xc1\x90"), SLIP_LONG);		/* divsd */
	assert_int_equal(SLIP_OF("\x0f\xa2\x90"), SLIP_LONG);			/* cpuid */
	assert_int_equal(SLIP_OF("\xf0\x48\xff\x07\x90"), SLIP_LONG);		/* lock inc */
	assert_int_equal(SLIP_OF("\x48\x87\x07\x90"), SLIP_LONG);		/* xchg, memory */
	assert_int_equal(SLIP_OF("\x48\x87\xc3\x90"), SLIP_NONE);	/* xchg, registers */
	assert_int_equal(SLIP_OF("\x48\x8b\x07\x90"), SLIP_LOAD);	/* mov (%rdi),%rax */
	assert_int_equal(SLIP_OF("\x48\x89\x07\x90"), SLIP_NONE);	/* mov %rax,(%rdi) */
	assert_int_equal(SLIP_OF("\x48\x8d\x07\x90"), SLIP_NONE);		/* lea */
	assert_int_equal(SLIP_OF("\x0f\x1f\x40\x00\x90"), SLIP_NONE);		/* nopl 0(%rax) */
	assert_int_equal(SLIP_OF("\xf3\xaa\x90"), SLIP_NONE);			/* rep stosb */
	assert_int_equal(SLIP_OF("\x0f\x05\x90"), SLIP_KERNEL);			/* syscall */
	assert_int_equal(SLIP_OF("\xff\x27\x90"), SLIP_NONE);			/* jmp *(%rdi) */
	assert_int_equal(SLIP_OF("\x9d\x90"), SLIP_ADMIT);			/* popf */
	/* Interrupts are admitted not after sti but after the instruction that follows it. */
	assert_int_equal(SLIP_OF("\xfb\x90"), SLIP_NONE);
	assert_int_equal(SLIP_OF("\xfb\x90\x90"), SLIP_ADMIT);
	assert_int_equal(SLIP_OF("\xfb\x90\x90\x90"), SLIP_NONE);
	/* Loads of the stack segment defer interrupts but do not enable them. */
	assert_int_equal(SLIP_OF("\x8e\xd0\x90\x90"), SLIP_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_and_targets), cmocka_unit_test(undecodable_bytes),
		cmocka_unit_test(every_byte_is_somewhere), cmocka_unit_test(texts),
		cmocka_unit_test(text_and_operands), cmocka_unit_test(machines),
		cmocka_unit_test(slips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
