/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flat profile: rows of what the samples of a profile were found in. A sample counts once for
 * the row of its stack's leaf (self), and once for each row that any of its frames
 * belongs to, however often (cumulative: in it and in whatever it called). Pure.
 */
#ifndef FLAT_H
#define FLAT_H

#include "base/stat.h"
#include "profile/groups.h"
#include "profile/profile.h"
#include "report/flat_memo.h"

/** What has a row of its own. */
enum flat_by {
	FLAT_FUNCTION,
	FLAT_OBJECT,
	FLAT_PROGRAM,		/* all processes of one name */
	FLAT_PROCESS,
	FLAT_PROGRAM_OBJECT,
	FLAT_LINE,		/* of source; where it is not known, the function */
	FLAT_GROUP,
	FLAT_STATE,		/* enum flat_state, by the stack as a whole */
};

/** What is 100%. */
enum flat_base {
	FLAT_BASE_MACHINE,	/* all samples taken, lost ones and those of other processes too */
	FLAT_BASE_KERNEL,	/* the kernel at work: kernel and softirq mode, without idle */
	FLAT_BASE_TARGET,	/* all stacks but idle ones */
};

enum flat_state { FLAT_SYSTEM, FLAT_USER, FLAT_GUEST, FLAT_IDLE, FLAT_STATES };

enum flat_sort { FLAT_BY_SELF, FLAT_BY_CUMULATIVE, FLAT_BY_NAME, FLAT_BY_OBJECT };

struct flat_options {
	enum flat_by by;
	enum flat_base base;
	const struct groups *groups;	/* of FLAT_GROUP */
	bool has_program;		/* the same of another program is another row */
	bool has_only;			/* only the program of .only, which is then the 100% */
	uint32_t only;			/* position of one of its processes */
};

/** What a row is about; a part that makes no difference is PROFILE_NONE or NULL. */
struct flat_key {
	uint32_t process;	/* of a program: the first that has its name */
	uint32_t object;
	uint32_t function;
	uint32_t line;
	uint32_t group;		/* position; or enum flat_state */
	const char *file;
};

enum flat_kind {
	FLAT_ROW,
	FLAT_REST,		/* what was folded */
	FLAT_NO_GROUP,
	FLAT_LOST,
	FLAT_OTHER,		/* of other processes */
};

struct flat_row {
	struct flat_key key;
	enum flat_kind kind;
	uint64_t hits, all_hits;		/* self, cumulative */
	double ns, all_ns;			/* time they stand for */
	double share, all_share;		/* of the base, 0..1 */
	struct stat_interval interval, all_interval;
	uint64_t units, all_units;		/* shares as they are printed: flat_round() */
	bool is_folded;
	uint32_t last_stack;			/* that was counted, plus one; for flat.c */
};

struct flat {
	const struct profile *profile;
	struct flat_options options;
	struct flat_row *rows;
	uint32_t nr_rows;
	uint32_t *order;	/* positions of the rows that are shown */
	uint32_t nr_shown;
	uint32_t nr_folded;
	uint64_t hits;		/* of the base */
	double ns;

	/* for flat.c */
	struct intern index;
	uint32_t *program_of;	/* by process */
	uint32_t *group_of;	/* by function, plus one; 0: not looked up yet */
	struct flat_memo memo;
};

/**
 * flat_create() - count. Rows are in the order of their finding; groups and states have rows also
 * when nothing fell into them.
 * @profile: stays the caller's and must live as long
 * NULL and a reason: no sample is in the base, no memory.
 */
struct flat *flat_create(const struct profile *profile, const struct flat_options *options,
			 struct text_error *error_ret);

/** flat_destroy() - NULL is allowed. */
void flat_destroy(struct flat *flat);

/** flat_is_in_base() - whether a stack counts. */
bool flat_is_in_base(const struct profile *profile, const struct profile_stack *stack,
		     enum flat_base base);

/** flat_sort() - order the rows; what is no code stands last. */
void flat_sort(struct flat *flat, enum flat_sort sort);

/** flat_drop_unhit() - show no row without samples of its own. Before flat_fold(). */
void flat_drop_unhit(struct flat *flat);

/**
 * flat_fold() - make one row of all that are not shown, whose cumulative counts are those of
 * stacks with any of them.
 * @sort: by which shares are compared, and the largest chosen: FLAT_BY_SELF or _CUMULATIVE
 * @least: rows with a share below it are folded
 * @nr_max: and all but so many of the others; 0: no limit
 * The pseudo-rows (lost and so on) always stay. -ENOMEM. Once per flat; leaves it sorted.
 */
int flat_fold(struct flat *flat, enum flat_sort sort, double least, uint64_t nr_max);

/**
 * flat_round() - set the units of all rows shown so that they add up to @whole exactly: each
 * share is rounded down, and what is then missing goes, a unit each, to those that
 * lost most by it (the largest remainders; the first of equals). None is off by a whole unit.
 * Cumulative shares, which add up to nothing, are rounded to the nearest, but never below the
 * row's own, and alike where the counts are. -ENOMEM.
 */
int flat_round(struct flat *flat, uint64_t whole);

/** flat_row_at() - the row shown at a place. */
static inline const struct flat_row *flat_row_at(const struct flat *flat, uint32_t place)
{
	return &flat->rows[flat->order[place]];
}

/** flat_name() - what a row is called, in a buffer of @len bytes; returns it. */
const char *flat_name(const struct flat *flat, const struct flat_row *row, char *name, size_t len);

/** flat_object() - name of the object that a row is of, or is; "" for none. */
const char *flat_object(const struct flat *flat, const struct flat_row *row);

/** flat_program() - name of the program or process that a row is of; "" for none. */
const char *flat_program(const struct flat *flat, const struct flat_row *row);

/** flat_kind_name() - what the object of a row is: kernel, module, file and so on; "" for none. */
const char *flat_kind_name(const struct flat *flat, const struct flat_row *row);

/** flat_pid() - of the process that a row is of; 0: of none, or of several. */
uint32_t flat_pid(const struct flat *flat, const struct flat_row *row);

#endif
