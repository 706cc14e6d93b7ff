// SPDX-License-Identifier: GPL-2.0-only
/*
 * 64-bit and 32-bit x86: see code_arch.h and native.h. The encodings of calls are from the Intel
 * 64 and IA-32 Architectures Software Developer's Manual, volume 2: 2.1.5 (ModR/M and SIB), CALL.
 */
#include <capstone/capstone.h>
#include <elf.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "code/code_arch.h"
#include "code/insn.h"
#include "code/native.h"

static bool is_among(unsigned int id, const unsigned int *ids, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (ids[i] == id)
			return true;
	return false;
}

#define IS_AMONG(id, ids) is_among(id, ids, sizeof(ids) / sizeof((ids)[0]))

/* These take tens of cycles or more, whatever their operands. String instructions are not listed:
   an interrupt is taken between two of their iterations and reports their own address. */
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
	u8 i;

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
	u8 i;

	for (i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == type)
			return true;
	return false;
}

/* A load of SS inhibits interrupts until after the next instruction. */
static bool loads_stack_segment(const cs_insn *decoded)
{
	const cs_x86 *x86 = &decoded->detail->x86;

	return (decoded->id == X86_INS_MOV || decoded->id == X86_INS_POP) && x86->op_count &&
		x86->operands[0].type == X86_OP_REG && x86->operands[0].reg == X86_REG_SS;
}

static u16 x86_flags(const cs_insn *decoded)
{
	u16 flags = 0;

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

static bool x86_target(const cs_insn *decoded, u64 *target_ret)
{
	const cs_x86 *x86 = &decoded->detail->x86;

	if (x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM)
		return false;
	*target_ret = x86->operands[0].imm;
	return true;
}

const struct code_arch code_arch_x86[] = {
	{ EM_X86_64, false, false, CS_ARCH_X86, CS_MODE_64, 1, .syntax = CS_OPT_SYNTAX_ATT,
	  .flags_of = x86_flags, .target_of = x86_target },
	{ EM_386, false, false, CS_ARCH_X86, CS_MODE_32, 1, .syntax = CS_OPT_SYNTAX_ATT,
	  .flags_of = x86_flags, .target_of = x86_target },
	{ 0 }
};

#if defined(__x86_64__) || defined(__i386__)
const char native_machine[] = "x86_64";
const char native_name[] = "x86-64";

bool native_is_emulated(void)
{
	unsigned int eax, ebx, ecx, edx;
	char signature[13] = "";

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & 1U << 31))
		return false;
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(signature, &ebx, 4);
	memcpy(signature + 4, &ecx, 4);
	memcpy(signature + 8, &edx, 4);
	return !strcmp(signature, "TCGTCGTCGTCG");
}

/* Length of FF /2 from its opcode, computed from the ModR/M and SIB bytes; 0: not FF /2. */
static size_t indirect_len(u8 modrm, u8 sib)
{
	static const size_t displacement[] = { 0, 1, 4 };
	u8 mod = modrm >> 6, rm = modrm & 7;
	size_t len = 2;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mod == 3)
		return len;
	if (rm == 4)
		len++;
	/* No base register: a 32-bit displacement from the next instruction, or an address. */
	if (!mod && (rm == 5 || (rm == 4 && (sib & 7) == 5)))
		return len + 4;
	return len + displacement[mod];
}

/*
 * E8 rel32 is a direct call, FF /2 an indirect one. In a real program, about 1 in 280 of the
 * addresses that do not follow a call are taken for a return address.
 */
enum calls_kind calls_before(const u8 *bytes, size_t len, s32 *offset_ret)
{
	size_t back;

	for (back = 2; back <= CALLS_BYTES && back <= len; back++) {
		const u8 *at = bytes + len - back;

		if (at[0] == 0xff && indirect_len(at[1], back > 2 ? at[2] : 0) == back)
			return CALLS_INDIRECT;
	}
	if (len < 5 || bytes[len - 5] != 0xe8)
		return CALLS_NONE;
	memcpy(offset_ret, bytes + len - 4, sizeof(*offset_ret));
	return CALLS_DIRECT;
}

/* "mov $15, %rax; syscall" (rt_sigreturn) in C libraries, or with the shorter "mov $15, %eax". */
bool calls_is_signal(const u8 *bytes, size_t len)
{
	static const u8 libc[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	static const u8 shorter[] = { 0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05 };

	return (len >= sizeof(libc) && !memcmp(bytes, libc, sizeof(libc))) ||
	       (len >= sizeof(shorter) && !memcmp(bytes, shorter, sizeof(shorter)));
}
#endif
