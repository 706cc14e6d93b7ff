// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of call frame information: DWARF 5 section 6.4.2, and GNU's instructions. A program makes at
 * most one row for each of its bytes, and takes time in proportion to them.
 */
#include <dwarf.h>
#include <errno.h>

#include "call_frames.h"

#define REMEMBERED_MAX	8	/* compilers nest no deeper than 2 */

struct run {
	const struct cfi_section *section;
	const struct cfi_common *common;
	const struct cfi_state *initial;	/* NULL: while it is made */
	struct byte_reader program;
	struct cfi_state state;
	struct cfi_state remembered[REMEMBERED_MAX];
	size_t nr_remembered;
	bool is_changed;	/* the state has no row yet */
	/* A function's, while its program runs: */
	u64 start;		/* link-time address */
	u64 offset;
	u64 len;
	cfi_row_fn *add_row;
	void *context;
	int error;
};

static void add_row(struct run *run, const struct cpuprobe_rule *rule)
{
	run->error = run->add_row(run->context, run->offset, rule);
	run->is_changed = false;
}

/* The row of the state, if it is not the last row's. */
static void add_state(struct run *run)
{
	struct cpuprobe_rule rule;

	if (!run->is_changed)
		return;
	rule = cfi_rule(run->section->arch, &run->state, run->common->is_signal);
	add_row(run, &rule);
}

/* Ends the program at the end of the function. */
static void advance_to(struct run *run, u64 offset)
{
	if (!run->initial) {
		run->program.is_bad = true;
		return;
	}
	if (offset > run->offset)
		add_state(run);
	if (offset >= run->len)
		run->program.at = run->program.end;
	run->offset = offset;
}

static void advance_by(struct run *run, u64 delta)
{
	u64 bytes, offset;

	if (__builtin_mul_overflow(delta, run->common->code_factor, &bytes) ||
	    __builtin_add_overflow(run->offset, bytes, &offset))
		offset = run->len;
	advance_to(run, offset);
}

/* To an address, which is not before the last one. */
static void advance_to_address(struct run *run)
{
	u64 address = read_address(run->section, &run->program, run->common->encoding);

	if (run->program.is_bad || address - run->start < run->offset)
		run->program.is_bad = true;
	else
		advance_to(run, address - run->start);
}

/* A register's value in the state; NULL: the register does not matter. */
static struct cfi_value *value_of(struct run *run, u64 number)
{
	const struct sym_arch *arch = run->section->arch;

	return number == arch->dwarf_ra ? &run->state.ra :
		number == arch->dwarf_fp ? &run->state.fp : NULL;
}

static void set_value(struct run *run, u64 number, struct cfi_value value)
{
	struct cfi_value *place = value_of(run, number);

	if (!place)
		return;
	*place = value;
	run->is_changed = true;
}

static void set_how(struct run *run, u64 number, enum cfi_how how)
{
	set_value(run, number, (struct cfi_value){ .how = how });
}

/* In memory, @factored times the data factor from the CFA. */
static void set_offset(struct run *run, u64 number, u64 factored)
{
	set_value(run, number, (struct cfi_value){
		.how = CFI_AT_OFFSET, .offset = factored * (u64)run->common->data_factor });
}

static void set_expression(struct run *run, u64 number, bool is_place)
{
	u64 len = read_uleb(&run->program);
	struct cfi_value value = { .how = is_place ? CFI_AT_EXPRESSION : CFI_OTHER, .len = len };

	value.expression = read_bytes(&run->program, len);
	set_value(run, number, value);
}

static void restore_value(struct run *run, u64 number)
{
	struct cfi_value *place = value_of(run, number);

	if (!run->initial)
		run->program.is_bad = true;
	else if (place == &run->state.ra)
		set_value(run, number, run->initial->ra);
	else if (place)
		set_value(run, number, run->initial->fp);
}

static void set_cfa(struct run *run, u64 number, s64 offset)
{
	run->state.has_cfa = true;
	run->state.expression = NULL;
	run->state.cfa_register = number;
	run->state.cfa_offset = offset;
	run->is_changed = true;
}

/*
 * DWARF allows the following two only for a CFA that is a register plus an offset. Hand-written code
 * uses them after an expression too, and relies on libgcc: the offset from before the expression is
 * still there, and a new register ends the expression.
 */
static void set_cfa_register(struct run *run, u64 number)
{
	run->state.expression = NULL;
	run->state.cfa_register = number;
	run->is_changed = true;
}

static void set_cfa_offset(struct run *run, s64 offset)
{
	run->state.cfa_offset = offset;
	run->is_changed = true;
}

static void set_cfa_expression(struct run *run)
{
	u64 len = read_uleb(&run->program);

	run->state.expression = read_bytes(&run->program, len);
	run->state.expression_len = len;
	run->state.has_cfa = true;
	run->is_changed = true;
}

static void remember(struct run *run)
{
	if (run->nr_remembered == REMEMBERED_MAX)
		run->program.is_bad = true;
	else
		run->remembered[run->nr_remembered++] = run->state;
}

static void restore_remembered(struct run *run)
{
	if (!run->nr_remembered) {
		run->program.is_bad = true;
		return;
	}
	run->state = run->remembered[--run->nr_remembered];
	run->is_changed = true;
}

static s64 factored_offset(struct run *run)
{
	return (u64)read_sleb(&run->program) * (u64)run->common->data_factor;
}

/* Instructions that say where the code is, or how the CFA is found. False: another one. */
static bool step_place(struct run *run, u8 code)
{
	struct byte_reader *program = &run->program;
	u64 number;

	switch (code) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_set_loc:
		advance_to_address(run);
		return true;
	case DW_CFA_advance_loc1:
		advance_by(run, read_byte(program));
		return true;
	case DW_CFA_advance_loc2:
		advance_by(run, read_word(program, 2));
		return true;
	case DW_CFA_advance_loc4:
		advance_by(run, read_word(program, 4));
		return true;
	case DW_CFA_MIPS_advance_loc8:
		advance_by(run, read_word(program, 8));
		return true;
	case DW_CFA_def_cfa:
		number = read_uleb(program);
		set_cfa(run, number, read_uleb(program));
		return true;
	case DW_CFA_def_cfa_sf:
		number = read_uleb(program);
		set_cfa(run, number, factored_offset(run));
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa_register(run, read_uleb(program));
		return true;
	case DW_CFA_def_cfa_offset:
		set_cfa_offset(run, read_uleb(program));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		set_cfa_offset(run, factored_offset(run));
		return true;
	case DW_CFA_def_cfa_expression:
		set_cfa_expression(run);
		return true;
	}
	return false;
}

/* Instructions that say where the value of a register is. */
static void step_register(struct run *run, u8 code)
{
	struct byte_reader *program = &run->program;
	u64 number = read_uleb(program);

	switch (code) {
	case DW_CFA_offset_extended:
		set_offset(run, number, read_uleb(program));
		break;
	case DW_CFA_offset_extended_sf:
		set_offset(run, number, read_sleb(program));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set_offset(run, number, -read_uleb(program));
		break;
	case DW_CFA_restore_extended:
		restore_value(run, number);
		break;
	case DW_CFA_undefined:
		set_how(run, number, CFI_UNDEFINED);
		break;
	case DW_CFA_same_value:
		set_how(run, number, CFI_SAME);
		break;
	case DW_CFA_register:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		read_uleb(program);	/* as long as a signed number */
		set_how(run, number, CFI_OTHER);
		break;
	case DW_CFA_expression:
		set_expression(run, number, true);
		break;
	case DW_CFA_val_expression:
		set_expression(run, number, false);
		break;
	default:
		program->is_bad = true;
	}
}

static void step(struct run *run)
{
	u8 code = read_byte(&run->program), low = code & 0x3f;

	switch (code & 0xc0) {
	case DW_CFA_advance_loc:
		advance_by(run, low);
		return;
	case DW_CFA_offset:
		set_offset(run, low, read_uleb(&run->program));
		return;
	case DW_CFA_restore:
		restore_value(run, low);
		return;
	}
	if (step_place(run, code))
		return;
	switch (code) {
	case DW_CFA_remember_state:
		remember(run);
		break;
	case DW_CFA_restore_state:
		restore_remembered(run);
		break;
	case DW_CFA_GNU_args_size:	/* matters for exceptions only */
		read_uleb(&run->program);
		break;
	case DW_CFA_GNU_window_save:	/* AArch64: the return address is signed, or no longer */
		break;
	default:
		step_register(run, code);
	}
}

static void run_program(struct run *run)
{
	while (run->program.at < run->program.end && !run->error && !run->program.is_bad)
		step(run);
}

bool cfi_run_common(const struct cfi_section *section, struct cfi_common *common,
		    struct byte_reader program)
{
	struct run run = { .section = section, .common = common, .program = program };

	run_program(&run);
	common->initial = run.state;
	return !run.program.is_bad;
}

int cfi_run(const struct cfi_section *section, const struct cfi_common *common,
	    const struct cfi_function *function, u64 len, cfi_row_fn *add, void *context)
{
	static const struct cpuprobe_rule unsupported = { .kind = CPUPROBE_RULE_UNSUPPORTED };
	const u8 *program = section->bytes + function->program;
	struct run run = {
		.section = section, .common = common, .initial = &common->initial,
		.program = { program, program + function->program_len, common->is_bad },
		.state = common->initial, .is_changed = true, .start = function->start, .len = len,
		.add_row = add, .context = context,
	};

	run_program(&run);
	if (!run.error && run.program.is_bad)
		add_row(&run, &unsupported);
	else if (!run.error)
		add_state(&run);
	return run.error;
}
