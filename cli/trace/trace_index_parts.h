/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The saved form of a trace's index. A point is a struct index_point, a struct index_core for each CPU, a struct
 * index_runner for each thread, and a struct index_frame for each open call: those of each CPU's levels, then
 * those of threads, the innermost call of each first.
 */
#ifndef TRACE_INDEX_PARTS_H
#define TRACE_INDEX_PARTS_H

#include "trace/trace_state.h"

struct index_point {
	u64 bytes;		/* of the point */
	u64 ns;			/* of the next event */
	u64 gap_ns;
	u32 nr_runners;
	u32 reserved;		/* 0 */
};

struct index_chain {
	u64 ran_ns, blocked_ns, preempted_ns;
	u32 depth;
	u32 reserved;		/* 0 */
};

struct index_core {
	u64 slot;		/* of the next event, from the CPU's first slot */
	u64 next_ns, since_ns, switched_ns;
	u32 runner;
	u8 active, has_begun;
	u8 reserved[2];		/* 0 */
	struct index_chain chains[TRACE_LEVELS - 1];
};

struct index_runner {
	u32 tid, cpu;
	u64 off_ns;
	u8 left, has_left, is_new, has_execed;
	u8 reserved[4];		/* 0 */
	struct index_chain chain;
};

struct index_frame {
	u32 kind, number;	/* as in struct trace_more */
	u32 sp;
	u8 flags, resumes;
	u8 reserved[2];		/* 0 */
	u64 began_ns, ran_ns, blocked_ns, preempted_ns, callees_ns;
	u32 children, descendants;
};

_Static_assert(sizeof(struct index_point) == 32, "saved in files");
_Static_assert(sizeof(struct index_core) == 136, "saved in files");
_Static_assert(sizeof(struct index_runner) == 56, "saved in files");
_Static_assert(sizeof(struct index_frame) == 64, "saved in files");

#endif
