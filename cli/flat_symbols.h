/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of an object of a profile, from its file as it lies there now. */
#ifndef FLAT_SYMBOLS_H
#define FLAT_SYMBOLS_H

#include "profile/unsampled.h"

/**
 * flat_symbols() - as unsampled_symbols; @context is not used. Separate debug files are found.
 * -ESTALE: the file is another build's now.
 */
int flat_symbols(void *context, const struct profile_object *object, unsampled_add add, void *to,
		 struct text_error *error_ret);

#endif
