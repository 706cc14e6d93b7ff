/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of functions that match nothing: the reason, and the name that was perhaps meant. */
#ifndef HOOKABLE_HINT_H
#define HOOKABLE_HINT_H

#include "calls/hookable.h"

/**
 * hookable_refuse() - explain that no function has a name.
 * @module: "": the kernel itself; NULL: any
 * @name: may have * and ?
 * Returns -ENOENT.
 */
int hookable_refuse(const struct hookables *all, const char *module, const char *name,
		    struct text_error *error_ret);

#endif
