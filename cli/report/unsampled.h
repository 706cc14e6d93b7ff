/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that no sample found: in no stack, be it as the leaf or as a caller. Where symbols
 * come from is the business of a function that is given. Pure.
 */
#ifndef UNSAMPLED_H
#define UNSAMPLED_H

#include "base/text.h"
#include "report/flat.h"

/** unsampled_add - told of one function: link-time address of its first byte, name. -ENOMEM. */
typedef int (*unsampled_add)(void *to, uint64_t addr, const char *name);

/**
 * unsampled_symbols - call @add for each function of an object, stopping where it fails.
 * 0, or a negative errno and, but for -ENOMEM, the reason why its functions are not known.
 */
typedef int (*unsampled_symbols)(void *context, const struct profile_object *object,
				 unsampled_add add, void *to, struct text_error *error_ret);

struct unsampled_row {
	uint32_t object;
	uint64_t addr;
	char *name;
};

/** An object whose functions are not known. */
struct unsampled_gap {
	uint32_t object;
	char why[160];
};

struct unsampled {
	const struct profile *profile;
	struct unsampled_row *rows;	/* by object, then as they were told */
	uint32_t nr_rows;
	struct unsampled_gap *gaps;
	uint32_t nr_gaps;
	uint32_t nr_objects;		/* whose functions are known */
};

/**
 * unsampled_create() - ask for the functions of all objects with code in stacks of the base (of
 * FLAT_BASE_KERNEL: those of the kernel), and keep what stands in none of these stacks. A
 * function is known again by its address or, where the profile has none, by its name. NULL: no
 * memory.
 */
struct unsampled *unsampled_create(const struct profile *profile, enum flat_base base,
				   unsampled_symbols symbols, void *context);

/** unsampled_destroy() - NULL is allowed. */
void unsampled_destroy(struct unsampled *unsampled);

/** unsampled_print() - as text: how many and their bound after @samples, gaps, a line for each. */
void unsampled_print(FILE *out, const struct unsampled *unsampled, uint64_t samples, int cols);

#endif
