// SPDX-License-Identifier: GPL-2.0-only
/* Instructions: see insn.h. */
#include <capstone/capstone.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "code/insn.h"

struct disassembler {
	csh handle;
	cs_insn *scratch;
	bool is_x86;
	unsigned int step;	/* bytes of what cannot be decoded */
};

/** What capstone calls a machine. */
struct dialect {
	uint16_t machine;
	bool has_class;		/* that of the file's class only */
	bool is_64;
	cs_arch arch;
	int mode;
	unsigned int step;
};

static const struct dialect dialects[] = {
	{ EM_X86_64, false, false, CS_ARCH_X86, CS_MODE_64, 1 },
	{ EM_386, false, false, CS_ARCH_X86, CS_MODE_32, 1 },
	{ EM_AARCH64, false, false, CS_ARCH_ARM64, 0, 4 },
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
};

static const struct dialect *find_dialect(const struct code_machine *machine)
{
	size_t i;

	for (i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++)
		if (dialects[i].machine == machine->machine &&
		    (!dialects[i].has_class || dialects[i].is_64 == machine->is_64))
			return &dialects[i];
	return NULL;
}

int disassembler_create(const struct code_machine *machine, struct disassembler **disassembler_ret,
			struct text_error *error_ret)
{
	const struct dialect *dialect = find_dialect(machine);
	struct disassembler *made = calloc(1, sizeof(*made));
	/* Instructions of 64-bit ARM are little-endian wherever its data are not. */
	bool is_big = machine->is_big_endian && machine->machine != EM_AARCH64;
	int error = made ? 0 : -ENOMEM;

	if (!error && (!dialect || cs_open(dialect->arch, dialect->mode |
					   (is_big ? CS_MODE_BIG_ENDIAN : 0), &made->handle))) {
		made->handle = 0;
		error = -ENOTSUP;
	}
	if (!error) {
		made->is_x86 = dialect->arch == CS_ARCH_X86;
		made->step = dialect->step;
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
		text_fail(error_ret, error, "disassemble: this capstone does not know machine %u",
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

static bool is_among(unsigned int id, const unsigned int *ids, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (ids[i] == id)
			return true;
	return false;
}

#define IS_AMONG(id, ids) is_among(id, ids, sizeof(ids) / sizeof((ids)[0]))

/* Tens of cycles and more, whatever the operands. String instructions are not among them:
   they are interrupted between two of their rounds, and the address told is their own. */
static const unsigned int long_ids[] = {
	X86_INS_DIV, X86_INS_IDIV, X86_INS_FDIV, X86_INS_FDIVR, X86_INS_FSQRT, X86_INS_FSIN,
	X86_INS_FCOS, X86_INS_FSINCOS, X86_INS_FPATAN, X86_INS_FPTAN, X86_INS_FYL2X, X86_INS_F2XM1,
	X86_INS_FPREM, X86_INS_FPREM1, X86_INS_DIVSS, X86_INS_DIVSD, X86_INS_DIVPS, X86_INS_DIVPD,
	X86_INS_VDIVSS, X86_INS_VDIVSD, X86_INS_VDIVPS, X86_INS_VDIVPD, X86_INS_SQRTSS,
	X86_INS_SQRTSD, X86_INS_SQRTPS, X86_INS_SQRTPD, X86_INS_VSQRTSS, X86_INS_VSQRTSD,
	X86_INS_VSQRTPS, X86_INS_VSQRTPD, X86_INS_CPUID, X86_INS_RDTSC, X86_INS_RDTSCP,
	X86_INS_RDPMC, X86_INS_RDRAND, X86_INS_RDSEED, X86_INS_PAUSE, X86_INS_MFENCE,
	X86_INS_LFENCE, X86_INS_SFENCE, X86_INS_IN, X86_INS_OUT, X86_INS_RDMSR, X86_INS_WRMSR,
	X86_INS_INVLPG, X86_INS_INVPCID, X86_INS_WBINVD, X86_INS_CLFLUSH, X86_INS_CLFLUSHOPT,
	X86_INS_CLWB, X86_INS_XSAVE, X86_INS_XSAVEOPT, X86_INS_XSAVES, X86_INS_XRSTOR,
	X86_INS_XRSTORS, X86_INS_FXSAVE, X86_INS_FXRSTOR, X86_INS_HLT, X86_INS_MWAIT,
	X86_INS_VMLAUNCH, X86_INS_VMRESUME,
};

static const unsigned int entering_ids[] = {
	X86_INS_SYSCALL, X86_INS_SYSENTER, X86_INS_INT,
};

static const unsigned int admitting_ids[] = {
	X86_INS_STI, X86_INS_POPF, X86_INS_POPFQ, X86_INS_POPFD,
};

static bool reads_memory(const cs_insn *decoded)
{
	const cs_x86 *x86 = &decoded->detail->x86;
	uint8_t i;

	if (decoded->id == X86_INS_LEA || decoded->id == X86_INS_NOP)
		return false;
	for (i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == X86_OP_MEM && x86->operands[i].access & CS_AC_READ)
			return true;
	return false;
}

static bool has_operand(const cs_insn *decoded, x86_op_type type)
{
	const cs_x86 *x86 = &decoded->detail->x86;
	uint8_t i;

	for (i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == type)
			return true;
	return false;
}

/* Loads of the stack segment hold interrupts off for one instruction. */
static bool loads_stack_segment(const cs_insn *decoded)
{
	const cs_x86 *x86 = &decoded->detail->x86;

	return (decoded->id == X86_INS_MOV || decoded->id == X86_INS_POP) && x86->op_count &&
		x86->operands[0].type == X86_OP_REG && x86->operands[0].reg == X86_REG_SS;
}

static uint16_t flags_of_x86(const cs_insn *decoded)
{
	uint16_t flags = 0;

	if (IS_AMONG(decoded->id, long_ids) || !strncmp(decoded->mnemonic, "lock", 4) ||
	    (decoded->id == X86_INS_XCHG && has_operand(decoded, X86_OP_MEM)))
		flags |= INSN_LONG;
	if (reads_memory(decoded))
		flags |= INSN_LOADS;
	if (IS_AMONG(decoded->id, entering_ids))
		flags |= INSN_ENTERS;
	if (IS_AMONG(decoded->id, admitting_ids))
		flags |= INSN_ADMITS;
	if (decoded->id == X86_INS_STI || loads_stack_segment(decoded))
		flags |= INSN_SHADOWS;
	if (decoded->id == X86_INS_JMP || decoded->id == X86_INS_UD2)
		flags |= INSN_ENDS;
	return flags;
}

/* Where a jump or call goes, if it says so itself: its last operand, a number. */
static bool target_of(const struct disassembler *disassembler, const cs_insn *decoded,
		      uint64_t *target_ret)
{
	const cs_x86 *x86 = &decoded->detail->x86;
	const char *last = strrchr(decoded->op_str, ' ');
	char *end;

	if (disassembler->is_x86) {
		if (x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM)
			return false;
		*target_ret = x86->operands[0].imm;
		return true;
	}
	last = last ? last + 1 : decoded->op_str;
	last += *last == '#';
	*target_ret = strtoull(last, &end, 16);
	return !strncmp(last, "0x", 2) && !*end;
}

/* What stands before the target: registers that are compared, say. */
static int len_before_target(const char *operands)
{
	const char *last = strrchr(operands, ' ');

	return last ? last + 1 - operands : 0;
}

static struct insn insn_of(const struct disassembler *disassembler, const cs_insn *decoded)
{
	struct insn insn = { .addr = decoded->address, .len = decoded->size };
	csh handle = disassembler->handle;

	if (cs_insn_group(handle, decoded, CS_GRP_JUMP))
		insn.flags |= INSN_JUMP;
	if (cs_insn_group(handle, decoded, CS_GRP_CALL))
		insn.flags |= INSN_CALL;
	if (cs_insn_group(handle, decoded, CS_GRP_RET) ||
	    cs_insn_group(handle, decoded, CS_GRP_IRET))
		insn.flags |= INSN_ENDS;
	if (disassembler->is_x86)
		insn.flags |= flags_of_x86(decoded);
	if (insn.flags & (INSN_JUMP | INSN_CALL) && target_of(disassembler, decoded, &insn.target))
		insn.flags |= INSN_HAS_TARGET;
	return insn;
}

int disassembler_decode(struct disassembler *disassembler, const uint8_t *bytes, size_t len,
			uint64_t addr, struct insn **insns_ret, size_t *nr_ret)
{
	/* Nothing is shorter than a byte. */
	struct insn *insns = len ? malloc(len * sizeof(*insns)) : NULL;
	size_t nr = 0, skip;

	if (len && !insns)
		return -ENOMEM;
	while (len) {
		if (cs_disasm_iter(disassembler->handle, &bytes, &len, &addr,
				   disassembler->scratch)) {
			insns[nr++] = insn_of(disassembler, disassembler->scratch);
			continue;
		}
		skip = len < disassembler->step ? len : disassembler->step;
		insns[nr++] = (struct insn){ .addr = addr, .len = skip, .flags = INSN_BAD };
		bytes += skip;
		addr += skip;
		len -= skip;
	}
	*insns_ret = nr ? realloc(insns, nr * sizeof(*insns)) ?: insns : insns;
	*nr_ret = nr;
	return 0;
}

static void bytes_text(const struct insn *insn, const uint8_t *bytes, char *text)
{
	int used = snprintf(text, INSN_TEXT_LEN, ".byte"), i;

	for (i = 0; i < insn->len; i++)
		used += snprintf(text + used, INSN_TEXT_LEN - used, "%s0x%02x", i ? ", " : "   ",
				 bytes[i]);
}

/*
 * The syntax of GNU as is for text only: with it capstone 4 says that string instructions read
 * what they write.
 */
static bool decode_as_text(struct disassembler *disassembler, const struct insn *insn,
			   const uint8_t *bytes)
{
	uint64_t addr = insn->addr;
	size_t len = insn->len;
	bool is_decoded;

	if (insn->flags & INSN_BAD)
		return false;
	if (disassembler->is_x86)
		cs_option(disassembler->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	is_decoded = cs_disasm_iter(disassembler->handle, &bytes, &len, &addr,
				    disassembler->scratch);
	if (disassembler->is_x86)
		cs_option(disassembler->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_INTEL);
	return is_decoded;
}

void disassembler_text(struct disassembler *disassembler, const struct insn *insn,
		       const uint8_t *bytes, insn_name name, void *context, char *text_ret)
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
			snprintf(target, sizeof(target), "0x%llx",
				 (unsigned long long)insn->target);
		kept = len_before_target(decoded->op_str);
	}
	snprintf(text_ret, INSN_TEXT_LEN, decoded->op_str[0] ? "%-7s %.*s%s" : "%s",
		 decoded->mnemonic, kept, decoded->op_str, target);
	text_clean(text_ret);
}

enum insn_slip insn_slip(const struct insn *insns, size_t i)
{
	uint16_t before = i > 0 ? insns[i - 1].flags : 0;
	uint16_t second = i > 1 ? insns[i - 2].flags : 0;

	if (before & INSN_ADMITS && !(before & INSN_SHADOWS))
		return SLIP_ADMIT;
	/* In the shadow of sti no interrupt is taken: the first place is one further on. */
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

bool insn_is_emulated(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int eax, ebx, ecx, edx;
	char signature[13] = "";

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & 1U << 31))
		return false;
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(signature, &ebx, 4);
	memcpy(signature + 4, &ecx, 4);
	memcpy(signature + 8, &edx, 4);
	return !strcmp(signature, "TCGTCGTCGTCG");
#else
	return false;
#endif
}
