// SPDX-License-Identifier: GPL-2.0-only
/* arm64 on any machine: linkage tables, steps by rules with a link register, and what its instructions do. */
#include <elf.h>
#include <stdlib.h>

#include "unit.h"
#include "cfi.h"
#undef ARCH_FRAMES_ABOVE_RECORD
#define ARCH_FRAMES_ABOVE_RECORD true
#include "cfi_step.h"
#include "code/insn.h"
#include "frames.h"
#include "sym_arch.h"

static void entries_of_linkage_tables_are_found(void **state)
{
	/* The entry that calls the linker, then one with "bti c" and one without, as ld of binutils 2.40 writes them. */
	static const u32 code[] = {
		0xa9bf7bf0, 0x90000110, 0xf947fe11, 0x913fe210, 0xd61f0220, 0xd503201f,
		0xd503245f, 0xb0000110, 0xf9400211, 0x91000210, 0xd61f0220, 0xd503201f,
		0xf0fffff0, 0xf9400611, 0x91002210, 0xd61f0220,
	};
	static const struct sym_plt_entry wanted[] = {
		{ 0x1004, 0x21ff8 }, { 0x1018, 0x22000 }, { 0x1030, 0x0008 },
	};
	const struct sym_arch *arch = sym_arch_of(EM_AARCH64);
	struct sym_plt_entry entry;
	size_t at = 0, i;

	for (i = 0; i < 3; i++) {
		assert_true(arch->plt_next((const u8 *)code, sizeof(code), 0x1000, &at, &entry));
		assert_int_equal(entry.start, wanted[i].start);
		assert_int_equal(entry.slot, wanted[i].slot);
	}
	assert_false(arch->plt_next((const u8 *)code, sizeof(code), 0x1000, &at, &entry));
}

/* Callers are in the link register, but in the first entry. */
static void linkage_tables_have_rules(void **state)
{
	static const u32 code[] = {
		0xd503245f, 0xa9bf7bf0, 0x90000110, 0xf947fe11, 0x913fe210, 0xd61f0220, 0xd503201f, 0xd503201f,
		0xd503201f,
	};
	const struct sym_arch *arch = sym_arch_of(EM_AARCH64);
	struct sym_linkage_row rows[SYM_LINKAGE_ROWS];
	u32 bti;

	for (bti = 0; bti < 2; bti++) {
		assert_int_equal(arch->linkage_rows((const u8 *)code + 4 * !bti, 32, rows), 3);
		assert_int_equal(rows[0].offset, 0);
		assert_int_equal(rows[1].offset, 4 + 4 * bti);
		assert_int_equal(rows[2].offset, 32);
		assert_int_equal(rows[1].rule.offset, 16);
		assert_int_equal(rows[1].rule.ra, CPUPROBE_SAVED_STACK);
		assert_int_equal(rows[1].rule.ra_words, -1);
		assert_memory_equal(&rows[0].rule, &(struct cpuprobe_rule){ .kind = CPUPROBE_RULE_CFA },
				    sizeof(rows[0].rule));
		assert_memory_equal(&rows[2].rule, &rows[0].rule, sizeof(rows[0].rule));
	}
	/* of a static executable, and one that is too short */
	assert_int_equal(arch->linkage_rows((const u8 *)(code + 2), 16, rows), 1);
	assert_int_equal(arch->linkage_rows((const u8 *)(code + 1), 28, rows), 1);
}

#define LEAF	{ .kind = CPUPROBE_RULE_CFA }
#define ABOVE_CFA	.ra = CPUPROBE_SAVED_STACK, .ra_words = 1

/* The first entry of a linkage table, and one more. */
static const u32 linkage[] = {
	0xa9bf7bf0, 0x90000110, 0xf947fe11, 0x913fe210, 0xd61f0220, 0xd503201f, 0xd503201f, 0xd503201f,
	0xb0000110, 0xf9400211, 0x91000210, 0xd61f0220,
};

/* A file with @nr_linkage instructions of that at 0x40, and a common entry: the CFA is the stack pointer. */
static struct frames with_linkage(size_t nr_linkage)
{
	struct frames f = {
		.machine = EM_AARCH64, .linkage = linkage, .nr_linkage = nr_linkage, .linkage_place = 0x40,
	};

	begin_common(&f, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	OP(&f, DW_CFA_def_cfa, ARM64_SP, 0);
	end_entry(&f);
	return f;
}

/* A file's linkage table, which no call frame information describes, is in the file's table. */
static void linkage_tables_of_files_have_rules(void **state)
{
	struct frames f = with_linkage(12);

	FUNCTION(&f, 0x100, 0x10, DW_CFA_nop);
	ROWS(&f, { 0x40, LEAF }, { 0x44, FROM_SP(16) }, { 0x60, LEAF }, { 0x70, NONE },
	     { 0x100, LEAF }, { 0x110, NONE });

	/* Call frame information goes before: here that of the second entry. */
	f = with_linkage(12);
	FUNCTION(&f, 0x60, 0x10, DW_CFA_def_cfa_offset, 32);
	ROWS(&f, { 0x40, LEAF }, { 0x44, FROM_SP(16) }, { 0x60, { .kind = CPUPROBE_RULE_CFA, .offset = 32 } },
	     { 0x70, NONE });
	f = with_linkage(12);
	FUNCTION(&f, 0x40, 0x30, DW_CFA_def_cfa_offset, 32);
	ROWS(&f, { 0x40, { .kind = CPUPROBE_RULE_CFA, .offset = 32 } }, { 0x70, NONE });

	/* a table without instructions, and the file of another processor */
	f = with_linkage(0);
	FUNCTION(&f, 0x100, 0x10, DW_CFA_nop);
	ROWS(&f, { 0x100, LEAF }, { 0x110, NONE });
	f = with_linkage(12);
	f.machine = EM_X86_64;
	FUNCTION(&f, 0x100, 0x10, DW_CFA_nop);
	ROWS(&f, { 0x100, UNSUPPORTED }, { 0x110, NONE });
}

/* The information about glibc's _dl_runtime_resolve() leaves out what the linkage table has pushed. */
static void callers_begin_above_their_return_addresses(void **state)
{
	struct frames f = with_linkage(0);

	FUNCTION(&f, 0x100, 0x20, DW_CFA_offset_extended_sf, ARM64_LR, 0x7f /* -1 */,
		 DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 48,
		 DW_CFA_advance_loc | 4, DW_CFA_offset | ARM64_FP, 2,
		 DW_CFA_advance_loc | 4, DW_CFA_offset_extended_sf, ARM64_LR, 0,
		 DW_CFA_advance_loc | 4, DW_CFA_offset_extended_sf, ARM64_LR, 1);
	ROWS(&f, { 0x100, FROM_SP(16) }, { 0x104, FROM_SP(64) }, { 0x108, FROM_SP(64, FP_AT(-4)) },
	     { 0x10c, { .kind = CPUPROBE_RULE_CFA, .offset = 64, FP_AT(-4), .ra = CPUPROBE_SAVED_STACK, .ra_words = -2 } },
	     { 0x110, FROM_SP(48, FP_AT(-2)) }, { 0x120, NONE });

	/* not where it is below the CFA, as usual, nor on a processor without a link register */
	f = with_linkage(0);
	FUNCTION(&f, 0x100, 0x10, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | ARM64_LR, 3);
	ROWS(&f, { 0x100, { .kind = CPUPROBE_RULE_CFA, .offset = 32, .ra = CPUPROBE_SAVED_STACK, .ra_words = -3 } },
	     { 0x110, NONE });
	f = (struct frames){ 0 };
	put_common(&f);
	FUNCTION(&f, 0x100, 0x10, DW_CFA_offset_extended_sf, RA, 0x7f);
	ROWS(&f, { 0x100, { .kind = CPUPROBE_RULE_CFA, .offset = 8, ABOVE_CFA } }, { 0x110, NONE });

	/* Numbers that are too large for that stay as they are. */
	f = with_linkage(0);
	FUNCTION(&f, 0x100, 0x10, DW_CFA_offset_extended_sf, ARM64_LR, 0x7f,
		 DW_CFA_def_cfa_offset, 0xf0, 0xff, 0xff, 0xff, 0x07,
		 DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 0xef, 0xff, 0xff, 0xff, 0x07,
		 DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | ARM64_FP, 0xff, 0xff, 0x01);
	ROWS(&f, { 0x100, { .kind = CPUPROBE_RULE_CFA, .offset = 0x7ffffff0, ABOVE_CFA } },
	     { 0x104, FROM_SP(0x7fffffff) },
	     { 0x108, { .kind = CPUPROBE_RULE_CFA, .offset = 16, FP_AT(-32767), ABOVE_CFA } }, { 0x110, NONE });
}

static u32 read_word(void *context, unsigned long addr, unsigned long *word_ret)
{
	const unsigned long *words = context;

	if (addr < 0x1000 || addr >= 0x1000 + 128 * 8 || addr % 8)
		return CPUPROBE_STACK_OUTSIDE;
	*word_ret = words[(addr - 0x1000) / 8];
	return 0;
}

static bool no_register(void *context, u32 number, unsigned long *value_ret)
{
	return false;
}

/* A signal interrupts a leaf, whose caller is in the link register. */
static void signals_give_the_link_register(void **state)
{
	const struct cpuprobe_rule *signal = sym_arch_of(EM_AARCH64)->signal_rule;
	const struct cpuprobe_rule leaf = { .kind = CPUPROBE_RULE_CFA };
	struct cfi_regs regs = { .pc = 0x400, .sp = 0x1000, .fp = 0x1008 };
	unsigned long words[128] = { 0 };

	/* struct rt_sigframe: siginfo, then ucontext with the registers at 312. */
	words[(312 + 8 * 29) / 8] = 0x1300;	/* x29 */
	words[(312 + 8 * 30) / 8] = 0x5004;	/* x30 */
	words[(312 + 8 * 31) / 8] = 0x12f0;	/* sp */
	words[(312 + 8 * 32) / 8] = 0x5100;	/* pc */
	assert_int_equal(cfi_step(signal, &regs, read_word, no_register, words), CFI_STEPPED);
	assert_int_equal(regs.pc, 0x5100);
	assert_int_equal(regs.sp, 0x12f0);
	assert_int_equal(regs.fp, 0x1300);
	assert_true(regs.is_exact);
	assert_int_equal(cfi_step(&leaf, &regs, read_word, no_register, words), CFI_STEPPED);
	assert_int_equal(regs.pc, 0x5004);
	assert_int_equal(regs.sp, 0x12f0);
	assert_false(regs.is_exact);
	/* It is the caller once. */
	assert_int_equal(cfi_step(&leaf, &regs, read_word, no_register, words), CPUPROBE_STACK_UNSUPPORTED);
}

/* After a step by the frame pointer the stack pointer is only a lower bound. */
static void frame_pointers_do_not_tell_the_stack_pointer(void **state)
{
	static const struct cpuprobe_rule outermost = { .kind = CPUPROBE_RULE_OUTERMOST };
	static const struct cpuprobe_rule leaf = { .kind = CPUPROBE_RULE_CFA };
	/* A frame of 32 bytes, the record at its beginning. */
	static const struct cpuprobe_rule framed = {
		.kind = CPUPROBE_RULE_CFA, .offset = 32, .ra = CPUPROBE_SAVED_STACK, .ra_words = -3,
		.fp = CPUPROBE_SAVED_STACK, .fp_words = -4,
	};
	struct cfi_regs start = { .pc = 0x400, .sp = 0x1000, .fp = 0x1010, .is_exact = true }, regs = start;
	unsigned long words[128] = { [2] = 0x1100, [3] = 0x5004, [32] = 0x1200, [33] = 0x6004 };
	bool is_by_pointer = false;

	assert_int_equal(cfi_step_by_pointer(&start, &is_by_pointer, CPUPROBE_STACK_NO_RULE, read_word, words),
			 CFI_STEPPED);
	assert_true(start.pc == 0x5004 && start.fp == 0x1100 && start.is_sp_low && is_by_pointer);
	assert_int_equal(cfi_step(&outermost, &regs, read_word, no_register, words), CFI_OUTERMOST);
	regs = start;
	assert_int_equal(cfi_step(&outermost, &regs, read_word, no_register, words), CFI_OUTERMOST);
	assert_int_equal(cfi_step(&leaf, &regs, read_word, no_register, words), CPUPROBE_STACK_UNSUPPORTED);
	assert_int_equal(cfi_step(&framed, &regs, read_word, no_register, words), CFI_STEPPED);
	assert_true(regs.pc == 0x6004 && regs.fp == 0x1200 && regs.sp == 0x1120 && !regs.is_sp_low);
}

static void instructions_have_their_properties(void **state)
{
	static const struct {
		u32 code;
		u16 flags, absent;
	} cases[] = {
		{ 0x9ac10c00, INSN_LONG, INSN_LOADS | INSN_ENDS },		/* sdiv x0, x0, x1 */
		{ 0xf9400020, INSN_LOADS, INSN_LONG | INSN_ENDS },		/* ldr x0, [x1] */
		{ 0xf9000020, 0, INSN_LOADS | INSN_LONG },			/* str x0, [x1] */
		{ 0xc85ffc20, INSN_LOADS | INSN_LONG, INSN_ENDS },		/* ldaxr x0, [x1] */
		{ 0xd65f03c0, INSN_ENDS, INSN_HAS_TARGET },			/* ret */
		{ 0x14000002, INSN_ENDS | INSN_JUMP | INSN_HAS_TARGET, INSN_CALL },	/* b .+8 */
		{ 0x54000041, INSN_JUMP | INSN_HAS_TARGET, INSN_ENDS },		/* b.ne .+8 */
		{ 0x94000002, INSN_CALL | INSN_HAS_TARGET, INSN_JUMP | INSN_ENDS },		/* bl .+8 */
		{ 0xd4000001, INSN_ENTERS, INSN_ENDS },				/* svc #0 */
		{ 0xd50342ff, INSN_ADMITS, INSN_ENDS },				/* msr daifclr, #2 */
		{ 0xd50342df, 0, INSN_ADMITS },					/* msr daifset, #2 */
	};
	const struct code_machine machine = { .machine = EM_AARCH64, .is_64 = true };
	struct disassembler *disassembler;
	struct text_error error;
	size_t i, nr;

	assert_int_equal(disassembler_create(&machine, &disassembler, &error), 0);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct insn *insn;

		assert_int_equal(disassembler_decode(disassembler, (const u8 *)&cases[i].code, 4, 0x1000, &insn, &nr), 0);
		assert_int_equal(nr, 1);
		assert_int_equal(insn->flags & (cases[i].flags | cases[i].absent), cases[i].flags);
		if (insn->flags & INSN_HAS_TARGET)
			assert_int_equal(insn->target, 0x1008);
		free(insn);
	}
	disassembler_destroy(disassembler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_of_linkage_tables_are_found),
		cmocka_unit_test(linkage_tables_have_rules),
		cmocka_unit_test(linkage_tables_of_files_have_rules),
		cmocka_unit_test(callers_begin_above_their_return_addresses),
		cmocka_unit_test(signals_give_the_link_register),
		cmocka_unit_test(frame_pointers_do_not_tell_the_stack_pointer),
		cmocka_unit_test(instructions_have_their_properties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
