// SPDX-License-Identifier: GPL-2.0-only
/* The interrupted registers of x86-64: the privilege level is in the code segment's low bits. */
#include <asm/ptrace.h>
#include <stddef.h>

#include "bpf/interrupted.h"

const struct interrupted interrupted = {
	.pc = offsetof(struct pt_regs, rip),
	.mode = offsetof(struct pt_regs, cs),
	.mode_mask = 3,
	.wide_mode = 0x33,	/* __USER_CS */
	.fp = offsetof(struct pt_regs, rbp),
	.sp = offsetof(struct pt_regs, rsp),
};
