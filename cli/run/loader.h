/* SPDX-License-Identifier: GPL-2.0-only */
/* Loads the module, or explains why it cannot be loaded. */
#ifndef LOADER_H
#define LOADER_H

#include "base/text.h"

/** Why a kernel loads no modules at all, not even for root, and a remedy. */
struct loader_refusal {
	const char *what;
	const char *hint;
};

/**
 * loader_refusal() - why the kernel loads no modules; NULL: its files show no reason.
 * @root: prefix of every path; "" except in tests
 */
const struct loader_refusal *loader_refusal(const char *root);

/**
 * loader_load() - load the module with modprobe. -errno with a reason: the kernel loads no modules,
 * the user may not load any, or the module is not installed, unsigned or for another kernel.
 * @root: as for loader_refusal()
 */
int loader_load(const char *root, struct text_error *error_ret);

#endif
