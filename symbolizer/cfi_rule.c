// SPDX-License-Identifier: GPL-2.0-only
/* From the state of a program of call frame information to a rule that the module can follow. */
#include <dwarf.h>
#include <string.h>

#include "call_frames.h"

#define WORD_BYTES	8

static bool fits_offset(s64 offset)
{
	return offset >= INT32_MIN && offset <= INT32_MAX;
}

/* The base of a rule for a register. False: the module has not this register of the caller. */
static bool set_base(const struct sym_arch *arch, u64 number, struct cpuprobe_rule *rule)
{
	rule->base = number == arch->dwarf_fp;
	return number == arch->dwarf_fp || number == arch->dwarf_sp;
}

/* Read "register plus constant" at the beginning of an expression. */
static bool read_base(const struct sym_arch *arch, struct byte_reader *reader,
		      struct cpuprobe_rule *rule)
{
	u8 code = read_byte(reader);
	u64 number = code - DW_OP_breg0;
	s64 offset;

	if (code == DW_OP_bregx)
		number = read_uleb(reader);
	else if (code < DW_OP_breg0 || code > DW_OP_breg31)
		return false;
	offset = read_sleb(reader);
	rule->offset = offset;
	return !reader->is_bad && fits_offset(offset) && set_base(arch, number, rule);
}

/* Read a constant. */
static bool read_constant(struct byte_reader *reader, s64 *constant_ret)
{
	u8 code = read_byte(reader);

	if (code >= DW_OP_lit0 && code <= DW_OP_lit31)
		*constant_ret = code - DW_OP_lit0;
	else if (code >= DW_OP_const1u && code <= DW_OP_const8s)
		/* unsigned and signed in turn, of 1, 2, 4 and 8 bytes */
		*constant_ret = (code - DW_OP_const1u) & 1 ?
			read_signed(reader, 1 << (code - DW_OP_const1u) / 2) :
			(s64)read_word(reader, 1 << (code - DW_OP_const1u) / 2);
	else if (code == DW_OP_constu)
		*constant_ret = read_uleb(reader);
	else if (code == DW_OP_consts)
		*constant_ret = read_sleb(reader);
	else
		return false;
	return !reader->is_bad;
}

/* Read the rest of an expression: nothing, or "plus constant". */
static bool read_addend(struct byte_reader *reader, struct cpuprobe_rule *rule)
{
	s64 addend = 0;

	if (reader->at < reader->end && *reader->at == DW_OP_plus_uconst) {
		read_byte(reader);
		addend = read_uleb(reader);
	} else if (reader->at < reader->end) {
		if (!read_constant(reader, &addend) || read_byte(reader) != DW_OP_plus)
			return false;
	}
	rule->add = addend;
	return !reader->is_bad && reader->at == reader->end && fits_offset(addend);
}

static bool set_cfa_expression(const struct sym_arch *arch, const u8 *expression, u32 len,
			       struct cpuprobe_rule *rule)
{
	struct byte_reader reader = { expression, expression + len, false };

	if (arch->linkage_rule(expression, len, rule))
		return true;
	if (!read_base(arch, &reader, rule))
		return false;
	rule->kind = CPUPROBE_RULE_CFA;
	if (reader.at == reader.end)
		return true;
	rule->kind = CPUPROBE_RULE_DEREF;
	return read_byte(&reader) == DW_OP_deref && read_addend(&reader, rule);
}

static bool set_cfa(const struct sym_arch *arch, const struct cfi_state *state,
		    struct cpuprobe_rule *rule)
{
	if (!state->has_cfa)
		return false;
	if (state->expression)
		return set_cfa_expression(arch, state->expression, state->expression_len, rule);
	rule->kind = CPUPROBE_RULE_CFA;
	rule->offset = state->cfa_offset;
	if (!set_base(arch, state->cfa_register, rule)) {
		rule->kind = CPUPROBE_RULE_REGISTER;
		rule->base = state->cfa_register;
	}
	return fits_offset(state->cfa_offset) &&
		(rule->kind == CPUPROBE_RULE_CFA || state->cfa_register < arch->nr_dwarf);
}

/*
 * The place of a saved register in bytes: from the CFA or, in the return from a signal handler, from the
 * base. An expression counts from the base, and so from the CFA if that is the base plus a constant.
 */
static bool find_bytes(const struct sym_arch *arch, const struct cfi_value *value,
		       const struct cpuprobe_rule *rule, s64 *bytes_ret)
{
	struct cpuprobe_rule place = { 0 };
	struct byte_reader reader;

	if (value->how == CFI_AT_OFFSET) {
		*bytes_ret = value->offset;
		return rule->kind != CPUPROBE_RULE_SIGNAL;
	}
	if (value->how != CFI_AT_EXPRESSION)
		return false;
	reader = (struct byte_reader){ value->expression, value->expression + value->len, false };
	if (!read_base(arch, &reader, &place) || reader.at != reader.end ||
	    place.base != rule->base)
		return false;
	*bytes_ret = rule->kind == CPUPROBE_RULE_CFA ? (s64)place.offset - rule->offset : place.offset;
	return rule->kind == CPUPROBE_RULE_CFA || rule->kind == CPUPROBE_RULE_SIGNAL ||
		rule->kind == CPUPROBE_RULE_REALIGNED;
}

static bool find_words(const struct sym_arch *arch, const struct cfi_value *value,
		       const struct cpuprobe_rule *rule, s16 *words_ret)
{
	s64 bytes;

	if (!find_bytes(arch, value, rule, &bytes) || bytes % WORD_BYTES)
		return false;
	*words_ret = bytes / WORD_BYTES;
	return bytes / WORD_BYTES == *words_ret;
}

static void set_fp(const struct sym_arch *arch, const struct cfi_state *state,
		   struct cpuprobe_rule *rule)
{
	rule->fp = CPUPROBE_SAVED_LOST;
	if (state->fp.how == CFI_UNSPECIFIED || state->fp.how == CFI_SAME)
		rule->fp = CPUPROBE_SAVED_SAME;
	else if (find_words(arch, &state->fp, rule, &rule->fp_words))
		rule->fp = CPUPROBE_SAVED_STACK;
	if (rule->fp != CPUPROBE_SAVED_STACK)
		rule->fp_words = 0;
}

/*
 * A function that aligns its stack keeps the CFA in a word at a place relative to its frame pointer, and
 * saves the caller's frame pointer at such a place too.
 */
static void set_realigned_fp(const struct sym_arch *arch, const struct cfi_state *state,
			     struct cpuprobe_rule *rule)
{
	struct cpuprobe_rule realigned = *rule;

	realigned.kind = CPUPROBE_RULE_REALIGNED;
	if (state->fp.how != CFI_AT_EXPRESSION || !find_words(arch, &state->fp, &realigned, &realigned.fp_words))
		return;
	realigned.fp = CPUPROBE_SAVED_STACK;
	*rule = realigned;
}

static bool set_ra(const struct sym_arch *arch, const struct cfi_state *state,
		   struct cpuprobe_rule *rule)
{
	if (state->ra.how == CFI_UNSPECIFIED || state->ra.how == CFI_SAME) {
		rule->ra = CPUPROBE_SAVED_SAME;
		return arch->has_link_register && rule->kind != CPUPROBE_RULE_SIGNAL;
	}
	rule->ra = CPUPROBE_SAVED_STACK;
	return find_words(arch, &state->ra, rule, &rule->ra_words);
}

/*
 * arm64's linkage tables push the link register before they jump to the dynamic linker's function that binds, and
 * glibc's information about that function (_dl_runtime_resolve) has its CFA below those words. The caller's stack
 * begins above its return address, at a multiple of 16 bytes.
 */
static void raise_cfa(const struct sym_arch *arch, struct cpuprobe_rule *rule)
{
	struct cpuprobe_rule raised = *rule;
	int words = (rule->ra_words + 2) & ~1;

	if (!arch->has_link_register || rule->kind != CPUPROBE_RULE_CFA || rule->ra != CPUPROBE_SAVED_STACK ||
	    rule->ra_words < 0 || !fits_offset((s64)rule->offset + words * WORD_BYTES))
		return;
	raised.offset += words * WORD_BYTES;
	raised.ra_words -= words;
	if (rule->fp == CPUPROBE_SAVED_STACK)
		raised.fp_words -= words;
	if (raised.fp_words <= rule->fp_words)
		*rule = raised;
}

struct cpuprobe_rule cfi_rule(const struct sym_arch *arch, const struct cfi_state *state,
			      bool is_signal)
{
	const struct cpuprobe_rule outermost = { .kind = CPUPROBE_RULE_OUTERMOST };
	const struct cpuprobe_rule unsupported = { .kind = CPUPROBE_RULE_UNSUPPORTED };
	struct cpuprobe_rule rule = { 0 };

	if (is_signal && arch->signal_rule)
		return *arch->signal_rule;
	if (state->ra.how == CFI_UNDEFINED)
		return outermost;
	if (!set_cfa(arch, state, &rule))
		return unsupported;
	if (is_signal) {
		if (rule.kind != CPUPROBE_RULE_DEREF || rule.add)
			return unsupported;
		rule.kind = CPUPROBE_RULE_SIGNAL;
	}
	if (!set_ra(arch, state, &rule))
		return unsupported;
	set_fp(arch, state, &rule);
	if (rule.kind == CPUPROBE_RULE_DEREF && rule.fp == CPUPROBE_SAVED_LOST)
		set_realigned_fp(arch, state, &rule);
	raise_cfa(arch, &rule);
	return rule;
}
