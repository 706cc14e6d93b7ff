/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of a receipt about user stacks: which share reached the outermost frame, why the others
 * did not, and what would help. Plain data, saved as a part of struct receipt.
 */
#ifndef RECEIPT_STACKS_H
#define RECEIPT_STACKS_H

#include <stdbool.h>
#include <stdio.h>

#include "types.h"

/** Why a user stack ended before its outermost frame. The numbers are saved in files. */
enum receipt_end {
	RECEIPT_NO_TABLE,	/* the file of the last frame's code has no call frame information */
	RECEIPT_NO_BUDGET,	/* the table found no room in the session's memory */
	RECEIPT_UNSUPPORTED,	/* a rule that tables cannot express */
	RECEIPT_GENERATED,	/* code in no file */
	RECEIPT_UNKNOWN,	/* the mappings of the process were not known yet */
	RECEIPT_UNREADABLE,	/* the next frame was not in memory */
	RECEIPT_TOO_DEEP,	/* more than CPUPROBE_FRAMES_MAX frames */
	RECEIPT_NO_POINTER,	/* the frame pointer, or the address that it led to, is invalid */
	RECEIPT_32BIT,
	RECEIPT_OUTSIDE,	/* a rule led out of the stack */
	RECEIPT_CUT,		/* -unwind none */
	RECEIPT_LATE,		/* the table was not ready yet */
	RECEIPT_NO_RULE,	/* the table says nothing about the code; older tools: RECEIPT_NO_TABLE */
	RECEIPT_ENDS,
	RECEIPT_WHOLE = RECEIPT_ENDS,	/* no end: the outermost frame was reached */
	RECEIPT_NO_STACK,		/* there are no user frames at all */
};

#define RECEIPT_ENDS_SAVED	16	/* room in files */
#define RECEIPT_OBJECTS		3

/** Programs whose functions have names only if they are started with an option. */
enum receipt_interpreter { RECEIPT_PYTHON, RECEIPT_NODE, RECEIPT_INTERPRETERS };

/** An object in whose code stacks ended for lack of a table. */
struct receipt_object {
	u64 samples;		/* 0: none */
	char name[40];
};

/** User stacks of a run, in samples. */
struct receipt_stacks {
	u64 samples;		/* with user frames; 0: the run has none, or is from an older tool */
	u64 whole;		/* reached the outermost frame */
	u64 ended[RECEIPT_ENDS_SAVED];	/* by enum receipt_end; the rest of @samples */
	u64 by_pointer;		/* some frame was found by frame pointer, for lack of a table */
	u64 nameless[RECEIPT_INTERPRETERS];	/* of interpreters, without generated code in the stack */
	struct receipt_object object[RECEIPT_OBJECTS];	/* of ended[RECEIPT_NO_TABLE], most first */
	/* tables; all 0 without them */
	u32 nr_tables;		/* handed to the module */
	u32 nr_refused;		/* found no room there, or were invalid */
	u32 nr_evicted;		/* gave way to others */
	u32 nr_unrecorded;	/* mappings that found no room in the module */
	u32 used_kib;
	u32 limit_kib;
	u32 how;		/* enum unwind_how, as it was done */
	u32 nr_stale;		/* made for files that were no longer mapped by then */
};

/**
 * receipt_print_stacks() - print the receipt's sentences about user stacks, wrapped at @cols columns.
 * Nothing if there are no user stacks.
 */
void receipt_print_stacks(FILE *out, const struct receipt_stacks *stacks, int cols);

/** receipt_json_stacks() - print ',\n    "user_stacks": { ... }'. Nothing if there are none. */
void receipt_json_stacks(FILE *out, const struct receipt_stacks *stacks);

/** receipt_clean_stacks() - make the texts from a file harmless to a terminal. */
void receipt_clean_stacks(struct receipt_stacks *stacks);

/** receipt_sum_ended() - samples of stacks that ended early, for any reason; saturates. */
u64 receipt_sum_ended(const struct receipt_stacks *stacks);

#endif
