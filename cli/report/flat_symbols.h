/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists the functions of a profile's object: in a measurement from its resolver; in a saved run
 * from the object's current file, or from the running kernel if it is the same build.
 */
#ifndef FLAT_SYMBOLS_H
#define FLAT_SYMBOLS_H

#include "report/unsampled.h"
#include "resolve/resolver.h"

struct flat_symbols {
	struct profile *profile;
	struct resolver *resolver;	/* the measurement's; NULL: a saved run */
	struct resolver *own;		/* for the running kernel; begins as NULL */
};

/**
 * flat_symbols() - list functions as unsampled_symbols does. Finds separate debug files.
 * @context: struct flat_symbols
 * -ESTALE: the file or the kernel is of another build now.
 */
int flat_symbols(void *context, const struct profile_object *object, unsampled_add add, void *to,
		 struct text_error *error_ret);

/** flat_symbols_deinit() - free what flat_symbols() opened. */
void flat_symbols_deinit(struct flat_symbols *symbols);

#endif
