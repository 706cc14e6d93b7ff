/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of an object of a profile: of a measurement as its resolver has them, of a kept
 * run from the object's file as it lies there now, or from the kernel if it is the one that runs.
 */
#ifndef FLAT_SYMBOLS_H
#define FLAT_SYMBOLS_H

#include "report/unsampled.h"
#include "resolve/resolver.h"

struct flat_symbols {
	struct profile *profile;
	struct resolver *resolver;	/* of the measurement; NULL: a kept run */
	struct resolver *own;		/* for the running kernel; begins as NULL */
};

/**
 * flat_symbols() - as unsampled_symbols; @context: struct flat_symbols. Separate debug files are
 * found. -ESTALE: the file, or the kernel, is another build's now.
 */
int flat_symbols(void *context, const struct profile_object *object, unsampled_add add, void *to,
		 struct text_error *error_ret);

/** flat_symbols_deinit() - what was opened meanwhile. */
void flat_symbols_deinit(struct flat_symbols *symbols);

#endif
