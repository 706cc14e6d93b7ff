// SPDX-License-Identifier: GPL-2.0-only
/* Rules made of call frame information: every instruction and every form of a rule. */
#include "unit.h"
#include "frames.h"

static struct frames f;

static void rows_of_a_usual_function(void **state)
{
	put_common(&f);
	/* push %rbp; mov %rsp,%rbp; push %rbx; ...; leave; ret */
	FUNCTION(&f, 0x40, 0x30, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | FP, 2,
		 DW_CFA_advance_loc | 3, DW_CFA_def_cfa_register, FP,
		 DW_CFA_advance_loc | 4, DW_CFA_offset | 3, 3,
		 DW_CFA_advance_loc | 0x20, DW_CFA_def_cfa, SP, 8, DW_CFA_nop);
	ROWS(&f, { 0x40, FROM_SP(8) }, { 0x41, FROM_SP(16, FP_AT(-2)) }, { 0x44, FROM_FP(16, FP_AT(-2)) },
	     { 0x68, FROM_SP(8, FP_AT(-2)) }, { 0x70, NONE });
}

static void gaps_have_rows_and_equal_rules_share_one(void **state)
{
	put_common(&f);
	FUNCTION(&f, 0, 0x10, DW_CFA_nop);
	FUNCTION(&f, 0x10, 0x10, DW_CFA_advance_loc | 8, DW_CFA_offset | 12, 2, DW_CFA_advance_loc | 1,
		 DW_CFA_def_cfa_offset, 16);
	FUNCTION(&f, 0x20, 0x10, DW_CFA_def_cfa_offset, 16);
	FUNCTION(&f, 0x31, 0x10, DW_CFA_def_cfa_offset, 16);
	FUNCTION(&f, 0x10000 - 8, 8, DW_CFA_nop);
	FUNCTION(&f, CODE_LEN - 8, 8, DW_CFA_nop);
	ROWS(&f, { 0, FROM_SP(8) }, { 0x19, FROM_SP(16) }, { 0x30, NONE }, { 0x31, FROM_SP(16) },
	     { 0x41, NONE }, { 0x10000 - 8, FROM_SP(8) }, { 0x10000, NONE }, { CODE_LEN - 8, FROM_SP(8) },
	     { CODE_LEN, NONE });
}

static void the_account_is_right(void **state)
{
	struct sym_unwind *unwind;

	put_common(&f);
	FUNCTION(&f, 0, 0x10, DW_CFA_advance_loc | 4, DW_CFA_def_cfa, XMM0, 8, DW_CFA_advance_loc | 4,
		 DW_CFA_def_cfa, SP, 8);
	FUNCTION(&f, 0x10, 0x10, DW_CFA_def_cfa_register, XMM0);
	FUNCTION(&f, 0x28, 0x10, DW_CFA_def_cfa_register, XMM0);
	begin_entry(&f);
	put(&f, 4, 4);		/* its common entry is no entry */
	end_entry(&f);
	assert_int_equal(compile_frames(&f, &unwind), 0);
	assert_int_equal(unwind->nr_functions, 3);
	assert_int_equal(unwind->nr_malformed, 1);
	assert_int_equal(unwind->nr_rows, 7);
	assert_int_equal(unwind->nr_unsupported, 3);
	assert_int_equal(unwind->code_len, 0x30);
	assert_int_equal(unwind->unsupported_len, 0x24);
	assert_int_equal(unwind->first_page, CODE_OFFSET >> 16);
	assert_int_equal(unwind->nr_pages, 1);
	assert_int_equal(unwind->nr_rules, 3);
	assert_int_equal(sym_unwind_bytes(unwind), 2 * 4 + 7 * 4 + 3 * 16);
	sym_unwind_destroy(unwind);
	sym_unwind_destroy(NULL);
}

#define CFA_IS(...) do { begin_function(&f, place, 4); \
	EXPRESSION(&f, DW_CFA_def_cfa_expression, -1, __VA_ARGS__); end_entry(&f); place += 4; } while (0)

static void words_that_hold_the_cfa(void **state)
{
	u64 place = 0;

	put_common(&f);
	CFA_IS(DW_OP_breg7, 8, DW_OP_deref);
	CFA_IS(DW_OP_breg6, 0x78, DW_OP_deref);
	CFA_IS(DW_OP_bregx, 7, 0x80, 1, DW_OP_deref, DW_OP_plus_uconst, 8);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_lit31, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_const1u, 0xf8, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_const1s, 0xf8, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_const2u, 0xf8, 0xff, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_const2s, 0xf0, 0xff, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_const4u, 1, 0, 0, 1, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_const4s, 1, 0, 0, 0x80, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_const8s, 2, 0, 0, 0, 0, 0, 0, 0, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_constu, 0x78, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_consts, 0x78, DW_OP_plus);
	CFA_IS(DW_OP_breg6, 16);
	CFA_IS(DW_OP_breg7, 0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, DW_OP_deref);
	ROWS(&f, { 0, DEREF(SP, 8, 0) }, { 4, DEREF(FP, -8, 0) }, { 8, DEREF(SP, 128, 8) },
	     { 12, DEREF(SP, 0, 31) }, { 16, DEREF(SP, 0, 0xf8) }, { 20, DEREF(SP, 0, -8) },
	     { 24, DEREF(SP, 0, 0xfff8) }, { 28, DEREF(SP, 0, -16) }, { 32, DEREF(SP, 0, 0x1000001) },
	     { 36, DEREF(SP, 0, INT32_MIN + 1) }, { 40, DEREF(SP, 0, 2) }, { 44, DEREF(SP, 0, 0x78) },
	     { 48, DEREF(SP, 0, -8) }, { 52, FROM_FP(16) }, { 56, DEREF(SP, -8, 0) }, { 60, NONE });
}

static void expressions_that_are_not_supported(void **state)
{
	u64 place = 0;

	put_common(&f);
	CFA_IS(DW_OP_breg5, 8, DW_OP_deref);
	CFA_IS(DW_OP_breg31, 8);
	CFA_IS(DW_OP_lit8);
	CFA_IS(DW_OP_breg7, 8, DW_OP_deref, DW_OP_deref);
	CFA_IS(DW_OP_breg7, 8, DW_OP_plus_uconst, 8);
	CFA_IS(DW_OP_breg7, 8, DW_OP_deref, DW_OP_lit8);
	CFA_IS(DW_OP_breg7, 8, DW_OP_deref, DW_OP_lit8, DW_OP_minus);
	CFA_IS(DW_OP_breg7, 8, DW_OP_deref, DW_OP_lit8, DW_OP_plus, DW_OP_nop);
	CFA_IS(DW_OP_breg7, 8, DW_OP_deref, DW_OP_plus_uconst);
	CFA_IS(DW_OP_breg7, 8, DW_OP_deref, DW_OP_plus_uconst, 8, DW_OP_deref);
	CFA_IS(DW_OP_breg7, 0x80, 0x80, 0x80, 0x80, 8, DW_OP_deref);	/* 2^31 */
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_plus_uconst, 0x80, 0x80, 0x80, 0x80, 8);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_const4u, 0, 0, 0, 0x80, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 0, DW_OP_deref, DW_OP_const8u, 0, 0, 0, 0x80, DW_OP_plus);
	CFA_IS(DW_OP_breg7);
	begin_function(&f, place, 4);
	OP(&f, DW_CFA_def_cfa_expression, 0);
	end_entry(&f);
	ROWS(&f, { 0, UNSUPPORTED }, { 64, NONE });
}

static void linkage_tables(void **state)
{
	u64 place = 0;

#define PLT_FROM(at) CFA_IS(DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, (at), DW_OP_ge, \
			    DW_OP_lit3, DW_OP_shl, DW_OP_plus)
	put_common(&f);
	PLT_FROM(DW_OP_lit11);
	PLT_FROM(DW_OP_lit0);
	PLT_FROM(DW_OP_lit15);
	PLT_FROM(DW_OP_lit16);
	PLT_FROM(DW_OP_dup);
	CFA_IS(DW_OP_breg7, 16, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3,
	       DW_OP_shl, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit2,
	       DW_OP_shl, DW_OP_plus);
	CFA_IS(DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3,
	       DW_OP_shl, DW_OP_plus, DW_OP_nop);
#define PLT(at) { .kind = CPUPROBE_RULE_PLT, .offset = 8, .add = (at), RA_ABOVE }
	ROWS(&f, { 0, PLT(11) }, { 4, PLT(0) }, { 8, PLT(15) }, { 12, UNSUPPORTED }, { 32, NONE });
}

static void begin_signal_common(void)
{
	begin_common(&f, "zRS", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	EXPRESSION(&f, DW_CFA_def_cfa_expression, -1, DW_OP_breg7, 0xa0, 1, DW_OP_deref);
	EXPRESSION(&f, DW_CFA_expression, RA, DW_OP_breg7, 0xa8, 1);
	EXPRESSION(&f, DW_CFA_expression, FP, DW_OP_breg7, 0xf8, 0);
	end_entry(&f);
}

static void returns_from_signal_handlers(void **state)
{
	begin_signal_common();
	FUNCTION(&f, 0, 9, DW_CFA_nop);
	FUNCTION(&f, 9, 1, DW_CFA_same_value, FP);
	FUNCTION(&f, 10, 1, DW_CFA_undefined, FP);
	FUNCTION(&f, 11, 1, DW_CFA_offset | FP, 2);	/* there is no CFA to count from */
	FUNCTION(&f, 12, 1, DW_CFA_expression, FP, 2, DW_OP_breg6, 8);
	FUNCTION(&f, 13, 1, DW_CFA_expression, FP, 2, DW_OP_breg7, 9);
	FUNCTION(&f, 14, 1, DW_CFA_offset | RA, 1);
	FUNCTION(&f, 15, 1, DW_CFA_same_value, RA);
	FUNCTION(&f, 16, 1, DW_CFA_def_cfa, SP, 8);
	FUNCTION(&f, 17, 1, DW_CFA_def_cfa_expression, 5, DW_OP_breg7, 8, DW_OP_deref, DW_OP_lit8,
		 DW_OP_plus);
	FUNCTION(&f, 18, 1, DW_CFA_undefined, RA);
#define SIGNAL(...) { .kind = CPUPROBE_RULE_SIGNAL, .offset = 160, .ra = CPUPROBE_SAVED_STACK, \
	.ra_words = 21, __VA_ARGS__ }
	ROWS(&f, { 0, SIGNAL(FP_AT(15)) }, { 9, SIGNAL() }, { 10, SIGNAL(FP_LOST) }, { 14, UNSUPPORTED },
	     { 18, OUTERMOST }, { 19, NONE });
}

static void the_outermost_function(void **state)
{
	put_common(&f);
	FUNCTION(&f, 0, 4, DW_CFA_undefined, RA);
	/* Whatever its CFA is. */
	FUNCTION(&f, 4, 4, DW_CFA_undefined, RA, DW_CFA_def_cfa_register, XMM0);
	ROWS(&f, { 0, OUTERMOST }, { 8, NONE });
}

static void places_of_the_frame_pointer(void **state)
{
	put_common(&f);
	FUNCTION(&f, 0, 1, DW_CFA_offset | FP, 2);
	FUNCTION(&f, 1, 1, DW_CFA_offset_extended, FP, 3);
	FUNCTION(&f, 2, 1, DW_CFA_offset_extended_sf, FP, 0x7f);	/* above the CFA */
	FUNCTION(&f, 3, 1, DW_CFA_GNU_negative_offset_extended, FP, 2);
	FUNCTION(&f, 4, 1, DW_CFA_same_value, FP);
	FUNCTION(&f, 5, 1, DW_CFA_undefined, FP);
	FUNCTION(&f, 6, 1, DW_CFA_offset | FP, 2, DW_CFA_register, FP, 8);
	FUNCTION(&f, 7, 1, DW_CFA_offset | FP, 2, DW_CFA_val_offset, FP, 2);
	FUNCTION(&f, 8, 1, DW_CFA_val_offset_sf, FP, 2);
	FUNCTION(&f, 9, 1, DW_CFA_val_expression, FP, 2, DW_OP_breg7, 0);
	FUNCTION(&f, 10, 1, DW_CFA_expression, FP, 2, DW_OP_breg6, 0);	/* another base than the CFA's */
	FUNCTION(&f, 11, 1, DW_CFA_expression, FP, 3, DW_OP_breg7, 0, DW_OP_deref);
	FUNCTION(&f, 12, 1, DW_CFA_expression, FP, 2, DW_OP_breg7, 4);
	FUNCTION(&f, 13, 1, DW_CFA_offset | FP, 0x81, 0x80, 2);	/* 32769 words below the CFA */
	FUNCTION(&f, 14, 1, DW_CFA_offset | FP, 0x80, 0x80, 2);
	FUNCTION(&f, 15, 1, DW_CFA_expression, FP, 2, DW_OP_breg7, 0x70);
	FUNCTION(&f, 16, 1, DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref,
		 DW_CFA_expression, FP, 2, DW_OP_breg6, 0);
	FUNCTION(&f, 17, 1, DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref,
		 DW_CFA_expression, FP, 2, DW_OP_breg7, 0);
	ROWS(&f, { 0, FROM_SP(8, FP_AT(-2)) }, { 1, FROM_SP(8, FP_AT(-3)) }, { 2, FROM_SP(8, FP_AT(1)) },
	     { 3, FROM_SP(8, FP_AT(2)) }, { 4, FROM_SP(8) }, { 5, FROM_SP(8, FP_LOST) },
	     { 14, FROM_SP(8, FP_AT(-32768)) }, { 15, FROM_SP(8, FP_AT(-3)) },
	     { 16, REALIGNED(-8, 0) }, { 17, DEREF(FP, -8, 0, FP_LOST) }, { 18, NONE });
}

static void places_of_the_return_address(void **state)
{
	put_common(&f);
	FUNCTION(&f, 0, 1, DW_CFA_offset | RA, 2);
	FUNCTION(&f, 1, 1, DW_CFA_register, RA, 2);
	FUNCTION(&f, 2, 1, DW_CFA_val_offset, RA, 1);
	FUNCTION(&f, 3, 1, DW_CFA_same_value, RA);
	FUNCTION(&f, 4, 1, DW_CFA_val_expression, RA, 2, DW_OP_breg7, 0);
	FUNCTION(&f, 5, 1, DW_CFA_expression, RA, 2, DW_OP_breg7, 0);
	FUNCTION(&f, 6, 1, DW_CFA_offset | RA, 0x80, 0x80, 2);
	FUNCTION(&f, 7, 1, DW_CFA_offset | RA, 0x81, 0x80, 2);
	begin_common(&f, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	OP(&f, DW_CFA_def_cfa, SP, 8);
	end_entry(&f);
	FUNCTION(&f, 8, 1, DW_CFA_nop);
	ROWS(&f, { 0, { .kind = CPUPROBE_RULE_CFA, .offset = 8, .ra = CPUPROBE_SAVED_STACK, .ra_words = -2 } },
	     { 1, UNSUPPORTED }, { 5, FROM_SP(8) },
	     { 6, { .kind = CPUPROBE_RULE_CFA, .offset = 8, .ra = CPUPROBE_SAVED_STACK, .ra_words = -32768 } },
	     { 7, UNSUPPORTED }, { 9, NONE });
}

static void forms_of_the_cfa(void **state)
{
	put_common(&f);
	FUNCTION(&f, 0, 1, DW_CFA_def_cfa, FP, 16);
	FUNCTION(&f, 1, 1, DW_CFA_def_cfa_sf, SP, 0x7d);	/* -3 times the data factor */
	FUNCTION(&f, 2, 1, DW_CFA_def_cfa_offset, 0x80, 1);
	FUNCTION(&f, 3, 1, DW_CFA_def_cfa_offset_sf, 0x7c);
	FUNCTION(&f, 4, 1, DW_CFA_def_cfa_register, XMM0);
	/* The longest forms of -4, -3, and a number that loses bits beyond 64. */
	FUNCTION(&f, 12, 1, DW_CFA_def_cfa_offset_sf, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
	FUNCTION(&f, 13, 1, DW_CFA_def_cfa_offset_sf, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		 0x7f);
	FUNCTION(&f, 14, 1, DW_CFA_def_cfa_offset, 0xa0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xfe,
		 0xff, 0x7f);
	FUNCTION(&f, 5, 1, DW_CFA_def_cfa_offset, 0x80, 0x80, 0x80, 0x80, 8);	/* 2^31 */
	FUNCTION(&f, 6, 1, DW_CFA_def_cfa_offset, 0xff, 0xff, 0xff, 0xff, 7);
	/* After an expression, as in libgcc. */
	FUNCTION(&f, 7, 3, DW_CFA_def_cfa_offset, 56, DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 0,
		 DW_OP_deref, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 48, DW_CFA_advance_loc | 1,
		 DW_CFA_def_cfa_register, SP);
	begin_common(&f, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	OP(&f, DW_CFA_offset | RA, 1);
	end_entry(&f);
	FUNCTION(&f, 10, 1, DW_CFA_nop);
	FUNCTION(&f, 11, 1, DW_CFA_def_cfa_offset, 8);
	FUNCTION(&f, 15, 1, DW_CFA_def_cfa, R10, 0);
	FUNCTION(&f, 16, 1, DW_CFA_def_cfa, RAX, 16);
	FUNCTION(&f, 17, 1, DW_CFA_def_cfa, RA, 16);
	ROWS(&f, { 0, FROM_FP(16) }, { 1, FROM_SP(24) }, { 2, FROM_SP(128) }, { 3, FROM_SP(32) },
	     { 4, UNSUPPORTED }, { 6, FROM_SP(INT32_MAX) }, { 7, DEREF(SP, 0, 0) }, { 9, FROM_SP(48) },
	     { 10, UNSUPPORTED }, { 12, FROM_SP(32) }, { 13, FROM_SP(24) }, { 14, FROM_SP(32) },
	     { 15, REGISTER(R10, 0) }, { 16, REGISTER(RAX, 16) }, { 17, UNSUPPORTED }, { 18, NONE });
}

static void advances_of_every_length(void **state)
{
	put_common(&f);
	begin_function(&f, 0, 0x20000);
	OP(&f, DW_CFA_advance_loc | 0x3f, DW_CFA_def_cfa_offset, 16);
	OP(&f, DW_CFA_advance_loc1, 0xff, DW_CFA_def_cfa_offset, 24);
	OP(&f, DW_CFA_advance_loc2, 0xff, 0xff, DW_CFA_def_cfa_offset, 32);
	OP(&f, DW_CFA_advance_loc4, 1, 0, 0, 0, DW_CFA_def_cfa_offset, 40);
	OP(&f, DW_CFA_MIPS_advance_loc8, 1, 0, 0, 0, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 48);
	OP(&f, DW_CFA_advance_loc | 0, DW_CFA_def_cfa_offset, 56);
	end_entry(&f);
	ROWS(&f, { 0, FROM_SP(8) }, { 0x3f, FROM_SP(16) }, { 0x13e, FROM_SP(24) }, { 0x1013d, FROM_SP(32) },
	     { 0x1013e, FROM_SP(40) }, { 0x1013f, FROM_SP(56) }, { 0x20000, NONE });
}

static void advances_beyond_the_end(void **state)
{
	put_common(&f);
	FUNCTION(&f, 0, 16, DW_CFA_advance_loc | 16, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc | 1);
	FUNCTION(&f, 16, 16, DW_CFA_advance_loc4, 0xff, 0xff, 0xff, 0xff, DW_CFA_def_cfa_offset, 16, 0x3f);
	FUNCTION(&f, 32, 16, DW_CFA_advance_loc | 8, DW_CFA_def_cfa_offset, 16,
		 DW_CFA_MIPS_advance_loc8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		 DW_CFA_def_cfa_offset, 24);
	ROWS(&f, { 0, FROM_SP(8) }, { 40, FROM_SP(16) }, { 48, NONE });
}

static void addresses_are_set(void **state)
{
	begin_common(&f, "zR", DW_EH_PE_udata4);
	OP(&f, DW_CFA_def_cfa, SP, 8, DW_CFA_offset | RA, 1);
	end_entry(&f);
	for (int i = 0; i < 3; i++) {
		const u32 offsets[3][2] = { { 4, 8 }, { 4, 2 }, { 4, 200 } };

		begin_entry(&f);
		put_common_pointer(&f);
		put(&f, CODE_ADDR + 16 * i, 4);
		put(&f, 16, 4);
		OP(&f, 0);
		for (int j = 0; j < 2; j++) {
			OP(&f, DW_CFA_set_loc);
			put(&f, CODE_ADDR + 16 * i + offsets[i][j], 4);
			OP(&f, DW_CFA_def_cfa_offset, 16 + 8 * j);
		}
		end_entry(&f);
	}
	/* The second goes back, the third leaves the function. */
	ROWS(&f, { 0, FROM_SP(8) }, { 4, FROM_SP(16) }, { 8, FROM_SP(24) }, { 16, FROM_SP(8) },
	     { 20, UNSUPPORTED }, { 32, FROM_SP(8) }, { 36, FROM_SP(16) }, { 48, NONE });
}

static void states_are_remembered_and_restored(void **state)
{
	put_common(&f);
	begin_function(&f, 0, 0x20);
	OP(&f, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | FP, 2, DW_CFA_remember_state);
	OP(&f, DW_CFA_advance_loc | 4, DW_CFA_def_cfa, FP, 24, DW_CFA_remember_state);
	OP(&f, DW_CFA_advance_loc | 4, DW_CFA_restore | FP, DW_CFA_undefined, RA);
	OP(&f, DW_CFA_advance_loc | 4, DW_CFA_restore_extended, RA);
	OP(&f, DW_CFA_advance_loc | 4, DW_CFA_restore_state);
	OP(&f, DW_CFA_advance_loc | 4, DW_CFA_restore_state);
	OP(&f, DW_CFA_advance_loc | 4, DW_CFA_restore | FP, DW_CFA_restore | 3);
	end_entry(&f);
	begin_common(&f, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	OP(&f, DW_CFA_def_cfa, SP, 8, DW_CFA_offset | RA, 1, DW_CFA_offset | FP, 2);
	end_entry(&f);
	FUNCTION(&f, 0x20, 0x10, DW_CFA_same_value, FP, DW_CFA_advance_loc | 4, DW_CFA_restore | FP);
	ROWS(&f, { 0, FROM_SP(16, FP_AT(-2)) }, { 4, FROM_FP(24, FP_AT(-2)) }, { 8, OUTERMOST },
	     { 12, FROM_FP(24) }, { 16, FROM_FP(24, FP_AT(-2)) }, { 20, FROM_SP(16, FP_AT(-2)) },
	     { 24, FROM_SP(16) }, { 0x20, FROM_SP(8) }, { 0x24, FROM_SP(8, FP_AT(-2)) }, { 0x30, NONE });
}

static void states_are_remembered_to_a_depth(void **state)
{
	put_common(&f);
	for (int depth = 8; depth <= 9; depth++) {
		begin_function(&f, 16 * depth, 16);
		for (int i = 0; i < depth; i++)
			OP(&f, DW_CFA_remember_state);
		for (int i = 0; i < depth; i++)
			OP(&f, DW_CFA_restore_state);
		end_entry(&f);
	}
	FUNCTION(&f, 16 * 10, 16, DW_CFA_remember_state, DW_CFA_restore_state, DW_CFA_advance_loc | 1,
		 DW_CFA_restore_state);
	ROWS(&f, { 128, FROM_SP(8) }, { 144, UNSUPPORTED }, { 160, FROM_SP(8) }, { 161, UNSUPPORTED },
	     { 176, NONE });
}

static void instructions_without_effect_and_unknown_ones(void **state)
{
	put_common(&f);
	FUNCTION(&f, 0, 16, DW_CFA_advance_loc | 4, DW_CFA_GNU_args_size, 0x80, 1, DW_CFA_GNU_window_save,
		 DW_CFA_offset | 3, 0x80, 1, DW_CFA_offset_extended_sf, 0xff, 1, 0x80, 1,
		 DW_CFA_expression, 3, 2, DW_CFA_undefined, RA, DW_CFA_val_expression, 3, 1, 0x3f,
		 DW_CFA_register, FP | 0x80, 1, 3, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16);
	FUNCTION(&f, 16, 16, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16, 0x3f, 0, 0);
	/* Instructions that end too early. */
	FUNCTION(&f, 32, 16, DW_CFA_advance_loc2, 4);
	FUNCTION(&f, 48, 16, DW_CFA_def_cfa, SP);
	FUNCTION(&f, 64, 16, DW_CFA_advance_loc | 8, DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 0);
	FUNCTION(&f, 80, 16, DW_CFA_expression, RA, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1);
	FUNCTION(&f, 96, 16, DW_CFA_def_cfa_offset, 0x88);
	ROWS(&f, { 0, FROM_SP(8) }, { 8, FROM_SP(16) }, { 16, FROM_SP(8) }, { 20, UNSUPPORTED },
	     { 64, FROM_SP(8) }, { 72, UNSUPPORTED }, { 112, NONE });
}

static void common_programs_that_are_malformed(void **state)
{
	begin_common(&f, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	OP(&f, DW_CFA_def_cfa, SP, 8, DW_CFA_offset | RA, 1, DW_CFA_advance_loc | 1);
	end_entry(&f);
	FUNCTION(&f, 0, 16, DW_CFA_nop);
	begin_common(&f, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	OP(&f, DW_CFA_def_cfa, SP, 8, DW_CFA_offset | RA, 1, DW_CFA_restore | FP);
	end_entry(&f);
	FUNCTION(&f, 16, 16, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 16);
	/* The return address is another register. */
	put_common(&f);
	f.bytes[f.common + 14] = RA - 1;
	FUNCTION(&f, 32, 16, DW_CFA_undefined, RA);
	ROWS(&f, { 0, UNSUPPORTED }, { 48, NONE });
}

static void factors_are_applied(void **state)
{
	put_common(&f);
	f.bytes[f.common + 12] = 4;		/* code */
	f.bytes[f.common + 13] = 0x70;		/* data: -16 */
	FUNCTION(&f, 0, 32, DW_CFA_advance_loc | 2, DW_CFA_offset | FP, 2, DW_CFA_advance_loc1, 3,
		 DW_CFA_def_cfa_offset_sf, 0x7e);
	put_common(&f);
	f.bytes[f.common + 13] = 0x7f;		/* data: -1 */
	FUNCTION(&f, 32, 16, DW_CFA_offset | RA, 8, DW_CFA_offset | FP, 15);
#define RA_AT(words) .ra = CPUPROBE_SAVED_STACK, .ra_words = (words)
	ROWS(&f, { 0, { .kind = CPUPROBE_RULE_CFA, .offset = 8, RA_AT(-2) } },
	     { 8, { .kind = CPUPROBE_RULE_CFA, .offset = 8, RA_AT(-2), FP_AT(-4) } },
	     { 20, { .kind = CPUPROBE_RULE_CFA, .offset = 32, RA_AT(-2), FP_AT(-4) } },
	     { 32, FROM_SP(8, FP_LOST) }, { 48, NONE });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_a_usual_function),
		cmocka_unit_test(gaps_have_rows_and_equal_rules_share_one),
		cmocka_unit_test(the_account_is_right),
		cmocka_unit_test(words_that_hold_the_cfa),
		cmocka_unit_test(expressions_that_are_not_supported),
		cmocka_unit_test(linkage_tables),
		cmocka_unit_test(returns_from_signal_handlers),
		cmocka_unit_test(the_outermost_function),
		cmocka_unit_test(places_of_the_frame_pointer),
		cmocka_unit_test(places_of_the_return_address),
		cmocka_unit_test(forms_of_the_cfa),
		cmocka_unit_test(advances_of_every_length),
		cmocka_unit_test(advances_beyond_the_end),
		cmocka_unit_test(addresses_are_set),
		cmocka_unit_test(states_are_remembered_and_restored),
		cmocka_unit_test(states_are_remembered_to_a_depth),
		cmocka_unit_test(instructions_without_effect_and_unknown_ones),
		cmocka_unit_test(common_programs_that_are_malformed),
		cmocka_unit_test(factors_are_applied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
