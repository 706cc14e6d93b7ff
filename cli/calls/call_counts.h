/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counted calls: functions, and the arcs between them. Belongs to one run, measured or saved.
 * A function is identified by its module and its address from the start of that module's text, as in
 * profiles; generated code, which has no such address, by its name.
 */
#ifndef CALL_COUNTS_H
#define CALL_COUNTS_H

#include "base/intern.h"
#include "cpuprobe.h"
#include "types.h"

#define CALLS_NONE	UINT32_MAX

enum call_state {
	CALL_HOOKED = 0,	/* its calls were counted */
	CALL_UNHOOKABLE = 1,	/* chosen, but it cannot be hooked */
	CALL_CALLER = 2,	/* only a caller */
	CALL_STATES = 3,
};

struct call_function {
	u64 addr;		/* from the start of the text; 0: unknown */
	u32 name;		/* positions in texts */
	u32 module;		/* "": the kernel itself */
	u32 state;		/* enum call_state */
	u32 reserved;		/* 0 */
};

struct call_arc {
	u32 function;		/* positions in functions */
	u32 caller;
	u64 calls[CPUPROBE_CONTEXTS];
};

/** Totals of a run. */
struct call_totals {
	u64 counted_ns;
	u64 lost;		/* calls that found no room in the module's tables */
	u64 others;		/* calls by other tasks than the chosen ones */
	u32 cost_ps;		/* cost of a call */
	u32 budget_ppm;		/* of each CPU */
	u32 nr_cpus;
	u16 is_over;		/* counting ended early, because calls cost more than the budget */
	u16 is_switched_off;	/* somebody switched off the hooks of calls: some are missing */
};

struct call_counts {
	struct call_totals totals;
	struct call_function *functions;
	u32 nr_functions;
	struct call_arc *arcs;
	u32 nr_arcs;
	char *texts;		/* names, each with its NUL; begins with an empty one */
	u32 texts_len;
	struct intern function_index, arc_index;	/* while counts are added */
};

/** call_counts_create() - no functions yet. NULL: out of memory. */
struct call_counts *call_counts_create(void);

/** call_counts_destroy() - NULL is allowed. */
void call_counts_destroy(struct call_counts *counts);

/**
 * call_counts_function() - find or add a function. Returns its position; CALLS_NONE: out of memory.
 * @name: copied; the name of an existing function stays
 */
u32 call_counts_function(struct call_counts *counts, const char *module, const char *name, u64 addr,
			 enum call_state state);

/** call_counts_add() - add calls of @function by @caller. -ENOMEM. */
int call_counts_add(struct call_counts *counts, u32 function, u32 caller,
		    const u64 calls[CPUPROBE_CONTEXTS]);

/**
 * call_counts_merge() - add the calls of an earlier part of the same run. The cost of a call stays that
 * of the later part, if there is one. -ENOMEM: some of them were added.
 * @moved: NULL, or receives for each function of @from its position in @counts
 */
int call_counts_merge(struct call_counts *counts, const struct call_counts *from, u32 *moved);

/** call_counts_name(), call_counts_module() - texts of a function. */
const char *call_counts_name(const struct call_counts *counts, u32 function);
const char *call_counts_module(const struct call_counts *counts, u32 function);

/** call_counts_sum() - all calls counted. */
u64 call_counts_sum(const struct call_counts *counts);

/** call_counts_decimals() - decimals of the seconds counted: more if that was less than a second. */
int call_counts_decimals(const struct call_counts *counts);

/** call_arc_calls() - calls of an arc in all contexts. */
u64 call_arc_calls(const struct call_arc *arc);

#endif
