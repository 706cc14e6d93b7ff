/* SPDX-License-Identifier: GPL-2.0-only */
/* The interrupted registers, as a BPF program finds them: depends on the processor. */
#ifndef INTERRUPTED_H
#define INTERRUPTED_H

#include "types.h"

/** Offsets from the program's argument, struct bpf_perf_event_data. */
struct interrupted {
	s16 pc;			/* the program counter, 8 bytes */
	s16 mode;		/* 8 bytes that tell user mode: ... */
	s32 mode_mask;		/* ... these bits are not all 0 */
};

extern const struct interrupted interrupted;

#endif
