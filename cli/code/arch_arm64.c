// SPDX-License-Identifier: GPL-2.0-only
/* arm64: see code_arch.h and native.h. Encodings are from the Arm Architecture Reference Manual, C4.1. */
#include <capstone/capstone.h>
#include <elf.h>
#include <string.h>
#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "code/code_arch.h"
#include "code/insn.h"
#include "code/native.h"

/* These take tens of cycles or more, whatever their operands. */
static bool is_long(unsigned int id)
{
	switch (id) {
	case ARM64_INS_SDIV:
	case ARM64_INS_UDIV:
	case ARM64_INS_FDIV:
	case ARM64_INS_FSQRT:
	case ARM64_INS_DMB:
	case ARM64_INS_DSB:
	case ARM64_INS_ISB:
	case ARM64_INS_MRS:
	case ARM64_INS_MSR:
	case ARM64_INS_TLBI:
	case ARM64_INS_DC:
	case ARM64_INS_IC:
	case ARM64_INS_AT:
		return true;
	}
	return false;
}

/* Names of exclusive and atomic operations begin so, and those of no other instructions. */
static bool is_atomic(const char *mnemonic)
{
	static const char *const beginnings[] = {
		"ldxr", "ldxp", "ldaxr", "ldaxp", "stxr", "stxp", "stlxr", "stlxp", "cas", "swp", "ldadd",
		"ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin",
	};
	size_t i;

	for (i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (!strncmp(mnemonic, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

/* Every instruction that reads memory loads it, and has a name that begins so. */
static bool reads_memory(const cs_insn *decoded)
{
	return !strncmp(decoded->mnemonic, "ld", 2) || !strncmp(decoded->mnemonic, "cas", 3) ||
		!strncmp(decoded->mnemonic, "swp", 3);
}

static bool never_falls_through(const cs_insn *decoded)
{
	switch (decoded->id) {
	case ARM64_INS_B:
		return strchr(decoded->mnemonic, '.') == NULL;
	case ARM64_INS_BR:
	case ARM64_INS_RET:
	case ARM64_INS_ERET:
	case ARM64_INS_BRK:
		return true;
	}
	return !strcmp(decoded->mnemonic, "udf");
}

static u16 arm64_flags(const cs_insn *decoded)
{
	u16 flags = 0;

	if (is_long(decoded->id) || is_atomic(decoded->mnemonic))
		flags |= INSN_LONG;
	if (reads_memory(decoded))
		flags |= INSN_LOADS;
	/* Capstone 4 takes calls for jumps. */
	if (decoded->id == ARM64_INS_BL || decoded->id == ARM64_INS_BLR)
		flags |= INSN_CALL;
	if (decoded->id == ARM64_INS_SVC)
		flags |= INSN_ENTERS;
	/* "msr daifclr, #N" and "msr daif, REGISTER" */
	if (decoded->id == ARM64_INS_MSR && !strncmp(decoded->op_str, "daif", 4) &&
	    strncmp(decoded->op_str, "daifset", 7))
		flags |= INSN_ADMITS;
	if (never_falls_through(decoded))
		flags |= INSN_ENDS;
	return flags;
}

const struct code_arch code_arch_arm64[] = {
	{ EM_AARCH64, false, false, CS_ARCH_ARM64, 0, 4, .has_little_code = true, .flags_of = arm64_flags },
	{ 0 }
};

#ifdef __aarch64__
const char native_machine[] = "aarch64";
const char native_name[] = "arm64";

/* QEMU's processor "max" says that it is made for software, with a part number of QEMU's. */
bool native_is_emulated(void)
{
	unsigned long id;

	if (!(getauxval(AT_HWCAP) & HWCAP_CPUID))
		return false;
	__asm__("mrs %0, midr_el1" : "=r" (id));
	return id >> 24 == 0 && (id >> 4 & 0xfff) == 0x051;
}

/* "bl" has a distance of 26 bits, in instructions; "blr" and its authenticating variants a register. */
enum calls_kind calls_before(const u8 *bytes, size_t len, s32 *offset_ret)
{
	u32 code;

	if (len < sizeof(code))
		return CALLS_NONE;
	memcpy(&code, bytes + len - sizeof(code), sizeof(code));
	if ((code & 0xfffffc1f) == 0xd63f0000 || (code & 0xfefff800) == 0xd63f0800)
		return CALLS_INDIRECT;
	if (code >> 26 != 0x25)
		return CALLS_NONE;
	*offset_ret = ((s32)(code << 6) >> 4) - (s32)sizeof(code);
	return CALLS_DIRECT;
}

/* "mov x8, #139; svc #0" (rt_sigreturn) in the kernel's vdso. */
bool calls_is_signal(const u8 *bytes, size_t len)
{
	static const u8 vdso[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 };

	return len >= sizeof(vdso) && !memcmp(bytes, vdso, sizeof(vdso));
}
#endif
