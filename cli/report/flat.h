/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flat profile: the samples of a profile counted by function, object or the like. A sample counts
 * once for the row of its leaf (self) and once for each row that any frame of its stack belongs to
 * (cumulative: in the function and those it called). Pure.
 */
#ifndef FLAT_H
#define FLAT_H

#include "base/stat.h"
#include "profile/groups.h"
#include "profile/profile.h"
#include "report/flat_memo.h"

/** Kind of the rows. */
enum flat_by {
	FLAT_FUNCTION,
	FLAT_OBJECT,
	FLAT_PROGRAM,		/* all processes of one name */
	FLAT_PROCESS,
	FLAT_PROGRAM_OBJECT,
	FLAT_LINE,		/* source line; if unknown, the function */
	FLAT_GROUP,
	FLAT_STATE,		/* enum flat_state, by the stack as a whole */
};

/** Meaning of 100%. */
enum flat_base {
	FLAT_BASE_MACHINE,	/* all samples taken, including lost ones and other processes' */
	FLAT_BASE_KERNEL,	/* the kernel at work: kernel and softirq mode, without idle */
	FLAT_BASE_TARGET,	/* all stacks except idle ones */
};

enum flat_state { FLAT_SYSTEM, FLAT_USER, FLAT_GUEST, FLAT_IDLE, FLAT_STATES };

enum flat_sort { FLAT_BY_SELF, FLAT_BY_CUMULATIVE, FLAT_BY_NAME, FLAT_BY_OBJECT };

struct flat_options {
	enum flat_by by;
	enum flat_base base;
	const struct groups *groups;	/* for FLAT_GROUP */
	bool has_program;		/* one row per program and .by */
	bool has_only;			/* count only the program of .only: its time is 100% */
	u32 only;			/* position of one of its processes */
};

/** Identity of a row; unused parts are PROFILE_NONE or NULL. */
struct flat_key {
	u32 process;		/* for a program: its first process */
	u32 object;
	u32 function;
	u32 line;
	u32 group;		/* position in the groups, or enum flat_state */
	const char *file;
};

enum flat_kind {
	FLAT_ROW,
	FLAT_REST,		/* the folded rows */
	FLAT_NO_GROUP,
	FLAT_LOST,
	FLAT_OTHER,		/* samples of other processes */
};

struct flat_row {
	struct flat_key key;
	enum flat_kind kind;
	u64 hits, all_hits;			/* self, cumulative */
	double ns, all_ns;			/* time that they represent */
	double share, all_share;		/* parts of the base, 0..1 */
	struct stat_interval interval, all_interval;
	u64 units, all_units;			/* printed shares: see flat_round() */
	bool is_folded;
	u32 last_stack;				/* position + 1 of the last counted; for flat.c */
};

struct flat {
	const struct profile *profile;
	struct flat_options options;
	struct flat_row *rows;
	u32 nr_rows;
	u32 *order;		/* positions of the rows that are shown */
	u32 nr_shown;
	u32 nr_folded;
	u64 hits;		/* hits of the base */
	double ns;

	/* for flat.c */
	struct intern index;
	u32 *program_of;	/* by process: the first one of its name */
	u32 *group_of;		/* by function: group + 1; 0: not matched yet */
	struct flat_memo memo;
};

/**
 * flat_create() - count a profile. Rows are in the order in which they are found. Groups and states
 * have rows even without samples.
 * @profile: must outlive the result; stays the caller's
 * NULL and a reason: the base has no samples, or out of memory.
 */
struct flat *flat_create(const struct profile *profile, const struct flat_options *options,
			 struct text_error *error_ret);

/** flat_destroy() - NULL is allowed. */
void flat_destroy(struct flat *flat);

/** flat_is_in_base() - whether a stack is part of the base. */
bool flat_is_in_base(const struct profile *profile, const struct profile_stack *stack,
		     enum flat_base base);

/** flat_sort() - sort the rows shown; pseudo-rows are last. */
void flat_sort(struct flat *flat, enum flat_sort sort);

/** flat_drop_unhit() - hide rows without own samples. Must precede flat_fold(). */
void flat_drop_unhit(struct flat *flat);

/**
 * flat_fold() - sort the rows and fold small ones into one. Its cumulative counts are those of all
 * stacks with any folded row. Call at most once per flat.
 * @sort: share to compare and sort by: FLAT_BY_SELF or _CUMULATIVE
 * @least: rows with a smaller share are folded
 * @nr_max: rows after this many are folded; 0: no limit
 * Pseudo-rows (lost and so on) always stay. -ENOMEM.
 */
int flat_fold(struct flat *flat, enum flat_sort sort, double least, u64 nr_max);

/**
 * flat_round() - set the units of all rows shown so that they add up to exactly @whole, by the
 * largest remainder method: each share is rounded down, and the missing units go to the rows with
 * the largest remainders (of equal ones, the first). No share is off by a whole unit. Cumulative
 * shares do not add up: they are rounded to the nearest unit, but never below the row's self share,
 * and equal to the self share if the times are equal. -ENOMEM.
 */
int flat_round(struct flat *flat, u64 whole);

/** flat_row_at() - get the row shown at a place. */
static inline const struct flat_row *flat_row_at(const struct flat *flat, u32 place)
{
	return &flat->rows[flat->order[place]];
}

/** flat_name() - write a row's name to a buffer of @len bytes; returns the buffer. */
const char *flat_name(const struct flat *flat, const struct flat_row *row, char *name, size_t len);

/** flat_object() - get the name of a row's object; "": none. */
const char *flat_object(const struct flat *flat, const struct flat_row *row);

/** flat_program() - get the name of a row's program or process; "": none. */
const char *flat_program(const struct flat *flat, const struct flat_row *row);

/** flat_kind_name() - get the kind of a row's object: kernel, module, file and so on; "": none. */
const char *flat_kind_name(const struct flat *flat, const struct flat_row *row);

/** flat_pid() - get the pid of a row's process; 0: none, or several. */
u32 flat_pid(const struct flat *flat, const struct flat_row *row);

#endif
