/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions without samples: in no stack, neither as the leaf nor as a caller. The caller provides
 * the function that lists symbols. Pure.
 */
#ifndef UNSAMPLED_H
#define UNSAMPLED_H

#include "base/text.h"
#include "report/flat.h"

/** unsampled_add - add one function: link-time address of its first byte, and name. -ENOMEM. */
typedef int (*unsampled_add)(void *to, u64 addr, const char *name);

/**
 * unsampled_symbols - call @add for each function of an object, until @add fails.
 * 0, or a negative errno; unless -ENOMEM, @error_ret says why the functions are unknown.
 */
typedef int (*unsampled_symbols)(void *context, const struct profile_object *object,
				 unsampled_add add, void *to, struct text_error *error_ret);

struct unsampled_row {
	u32 object;
	u64 addr;
	char *name;
};

/** An object whose functions are unknown. */
struct unsampled_gap {
	u32 object;
	char why[160];
};

struct unsampled {
	const struct profile *profile;
	struct unsampled_row *rows;	/* by object, in the order of its symbols */
	u32 nr_rows;
	struct unsampled_gap *gaps;
	u32 nr_gaps;
	u32 nr_objects;			/* objects whose functions are known */
};

/**
 * unsampled_create() - list the functions of all objects with code in stacks of the base (for
 * FLAT_BASE_KERNEL, only kernel and modules), without those in any of these stacks. Functions are
 * compared by address or, where the profile has none, by name. NULL: out of memory.
 */
struct unsampled *unsampled_create(const struct profile *profile, enum flat_base base,
				   unsampled_symbols symbols, void *context);

/** unsampled_destroy() - NULL is allowed. */
void unsampled_destroy(struct unsampled *unsampled);

/** unsampled_print() - print as text: totals, upper bound of shares after @samples, functions. */
void unsampled_print(FILE *out, const struct unsampled *unsampled, u64 samples, int cols);

#endif
