/* SPDX-License-Identifier: GPL-2.0-only */
/* The interrupted registers, as a BPF program finds them: depends on the processor. */
#ifndef INTERRUPTED_H
#define INTERRUPTED_H

#include "types.h"

/**
 * Offsets from the program's argument, struct bpf_perf_event_data, and in the kernel's struct pt_regs,
 * which it begins with.
 */
struct interrupted {
	s16 pc;			/* the program counter, 8 bytes */
	s16 mode;		/* 8 bytes that tell user mode: ... */
	s32 mode_mask;		/* ... these bits are not all 0 */
	s32 wide_mode;		/* low 16 bits of the same in 64-bit user code */
	s16 fp, sp;		/* frame pointer and stack pointer, 8 bytes each */
};

extern const struct interrupted interrupted;

#endif
