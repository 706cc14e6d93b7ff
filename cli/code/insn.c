// SPDX-License-Identifier: GPL-2.0-only
/* Instructions: see insn.h. */
#include <capstone/capstone.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_arch.h"
#include "code/insn.h"

struct disassembler {
	csh handle;
	cs_insn *scratch;
	const struct code_arch *arch;
};

static const struct code_arch others[] = {
	{ EM_ARM, false, false, CS_ARCH_ARM, CS_MODE_ARM, 4 },
	{ EM_PPC64, false, false, CS_ARCH_PPC, CS_MODE_64, 4 },
	{ EM_PPC, false, false, CS_ARCH_PPC, CS_MODE_32, 4 },
	{ EM_MIPS, true, true, CS_ARCH_MIPS, CS_MODE_64, 4 },
	{ EM_MIPS, true, false, CS_ARCH_MIPS, CS_MODE_32, 4 },
	{ EM_S390, false, false, CS_ARCH_SYSZ, 0, 2 },
	{ EM_SPARCV9, false, false, CS_ARCH_SPARC, CS_MODE_V9, 4 },
#if CS_API_MAJOR >= 5
	{ EM_RISCV, true, true, CS_ARCH_RISCV, CS_MODE_RISCV64 | CS_MODE_RISCVC, 2 },
	{ EM_RISCV, true, false, CS_ARCH_RISCV, CS_MODE_RISCV32 | CS_MODE_RISCVC, 2 },
#endif
	{ 0 }
};

static const struct code_arch *find_arch(const struct code_machine *machine)
{
	static const struct code_arch *const tables[] = { code_arch_x86, code_arch_arm64, others };
	const struct code_arch *arch;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (arch = tables[i]; arch->machine; arch++)
			if (arch->machine == machine->machine &&
			    (!arch->has_class || arch->is_64 == machine->is_64))
				return arch;
	return NULL;
}

static cs_mode mode_of(const struct code_arch *arch, const struct code_machine *machine)
{
	bool is_big = machine->is_big_endian && !arch->has_little_code;

	return arch->capstone_mode | (is_big ? CS_MODE_BIG_ENDIAN : 0);
}

int disassembler_create(const struct code_machine *machine, struct disassembler **disassembler_ret,
			struct text_error *error_ret)
{
	const struct code_arch *arch = find_arch(machine);
	struct disassembler *made = calloc(1, sizeof(*made));
	int error = made ? 0 : -ENOMEM;

	if (!error && (!arch || cs_open(arch->capstone_arch, mode_of(arch, machine),
					&made->handle))) {
		made->handle = 0;
		error = -ENOTSUP;
	}
	if (!error) {
		made->arch = arch;
		cs_option(made->handle, CS_OPT_DETAIL, CS_OPT_ON);
		made->scratch = cs_malloc(made->handle);
		error = made->scratch ? 0 : -ENOMEM;
	}
	if (!error) {
		*disassembler_ret = made;
		return 0;
	}
	disassembler_destroy(made);
	return error == -ENOMEM ? text_fail(error_ret, error, "disassemble: out of memory") :
		text_fail(error_ret, error, "disassemble: capstone does not support machine %u",
			  machine->machine);
}

void disassembler_destroy(struct disassembler *disassembler)
{
	if (!disassembler)
		return;
	if (disassembler->scratch)
		cs_free(disassembler->scratch, 1);
	if (disassembler->handle)
		cs_close(&disassembler->handle);
	free(disassembler);
}

/* Target of a jump or call, parsed from its text: the last operand, if it is a number. */
static bool parse_target(const cs_insn *decoded, u64 *target_ret)
{
	const char *last = strrchr(decoded->op_str, ' ');
	char *end;

	last = last ? last + 1 : decoded->op_str;
	last += *last == '#';
	*target_ret = strtoull(last, &end, 16);
	return !strncmp(last, "0x", 2) && !*end;
}

/* Length of the operands before the target, such as the registers that a branch compares. */
static int len_before_target(const char *operands)
{
	const char *last = strrchr(operands, ' ');

	return last ? last + 1 - operands : 0;
}

static struct insn make_insn(const struct disassembler *disassembler, const cs_insn *decoded)
{
	struct insn insn = { .addr = decoded->address, .len = decoded->size };
	const struct code_arch *arch = disassembler->arch;
	csh handle = disassembler->handle;

	if (cs_insn_group(handle, decoded, CS_GRP_JUMP))
		insn.flags |= INSN_JUMP;
	if (cs_insn_group(handle, decoded, CS_GRP_CALL))
		insn.flags |= INSN_CALL;
	if (cs_insn_group(handle, decoded, CS_GRP_RET) ||
	    cs_insn_group(handle, decoded, CS_GRP_IRET))
		insn.flags |= INSN_ENDS;
	if (arch->flags_of)
		insn.flags |= arch->flags_of(decoded);
	if (insn.flags & INSN_CALL)
		insn.flags &= ~INSN_JUMP;
	if (insn.flags & (INSN_JUMP | INSN_CALL) &&
	    (arch->target_of ?: parse_target)(decoded, &insn.target))
		insn.flags |= INSN_HAS_TARGET;
	return insn;
}

int disassembler_decode(struct disassembler *disassembler, const u8 *bytes, size_t len, u64 addr,
			struct insn **insns_ret, size_t *nr_ret)
{
	/* An instruction has at least one byte. */
	struct insn *insns = len ? malloc(len * sizeof(*insns)) : NULL;
	uint64_t next = addr;	/* in capstone's type */
	size_t nr = 0, skip;

	if (len && !insns)
		return -ENOMEM;
	while (len) {
		if (cs_disasm_iter(disassembler->handle, &bytes, &len, &next,
				   disassembler->scratch)) {
			insns[nr++] = make_insn(disassembler, disassembler->scratch);
			continue;
		}
		skip = len < disassembler->arch->step ? len : disassembler->arch->step;
		insns[nr++] = (struct insn){ .addr = next, .len = skip, .flags = INSN_BAD };
		bytes += skip;
		next += skip;
		len -= skip;
	}
	*insns_ret = nr ? realloc(insns, nr * sizeof(*insns)) ?: insns : insns;
	*nr_ret = nr;
	return 0;
}

static void bytes_text(const struct insn *insn, const u8 *bytes, char *text)
{
	int used = snprintf(text, INSN_TEXT_LEN, ".byte"), i;

	for (i = 0; i < insn->len; i++)
		used += snprintf(text + used, INSN_TEXT_LEN - used, "%s0x%02x", i ? ", " : "   ",
				 bytes[i]);
}

/*
 * Decode again, in the syntax of GNU as. This syntax is set for text only, because with it
 * capstone 4 reports the written operands of string instructions as read.
 */
static bool decode_as_text(struct disassembler *disassembler, const struct insn *insn,
			   const u8 *bytes)
{
	uint64_t addr = insn->addr;
	size_t len = insn->len;
	int syntax = disassembler->arch->syntax;
	bool is_decoded;

	if (insn->flags & INSN_BAD)
		return false;
	if (syntax)
		cs_option(disassembler->handle, CS_OPT_SYNTAX, syntax);
	is_decoded = cs_disasm_iter(disassembler->handle, &bytes, &len, &addr,
				    disassembler->scratch);
	if (syntax)
		cs_option(disassembler->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_DEFAULT);
	return is_decoded;
}

void disassembler_text(struct disassembler *disassembler, const struct insn *insn, const u8 *bytes,
		       insn_name name, void *context, char *text_ret)
{
	const cs_insn *decoded = disassembler->scratch;
	char target[128] = "";
	int kept = INSN_TEXT_LEN;

	if (!decode_as_text(disassembler, insn, bytes)) {
		bytes_text(insn, bytes, text_ret);
		return;
	}
	if (insn->flags & INSN_HAS_TARGET) {
		if (!name || !name(context, insn->target, target, sizeof(target)))
			snprintf(target, sizeof(target), "0x%llx", insn->target);
		kept = len_before_target(decoded->op_str);
	}
	snprintf(text_ret, INSN_TEXT_LEN, decoded->op_str[0] ? "%-7s %.*s%s" : "%s",
		 decoded->mnemonic, kept, decoded->op_str, target);
	text_clean(text_ret);
}

enum insn_slip insn_slip(const struct insn *insns, size_t i)
{
	u16 before = i > 0 ? insns[i - 1].flags : 0;
	u16 second = i > 1 ? insns[i - 2].flags : 0;

	if (before & INSN_ADMITS && !(before & INSN_SHADOWS))
		return SLIP_ADMIT;
	/* The instruction after sti is never interrupted: pending interrupts arrive one later. */
	if (second & INSN_SHADOWS && second & INSN_ADMITS && !(before & (INSN_ENDS | INSN_JUMP)))
		return SLIP_ADMIT;
	if (before & INSN_ENDS)
		return SLIP_NONE;
	if (before & INSN_ENTERS)
		return SLIP_KERNEL;
	if (before & INSN_LONG)
		return SLIP_LONG;
	return before & INSN_LOADS ? SLIP_LOAD : SLIP_NONE;
}
