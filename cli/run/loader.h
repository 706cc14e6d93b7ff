/* SPDX-License-Identifier: GPL-2.0-only */
/* Loads the module where that is possible, and says why where it is not. */
#ifndef LOADER_H
#define LOADER_H

#include "base/text.h"

/** Why a kernel takes no modules, whoever asks, and what can be done. */
struct loader_refusal {
	const char *what;
	const char *hint;
};

/**
 * loader_refusal() - NULL: it takes modules, as far as its files tell.
 * @root: before every path; "" but in tests
 */
const struct loader_refusal *loader_refusal(const char *root);

/**
 * loader_load() - have modprobe load the module. -errno and the reason: the kernel takes none, it
 * is not installed, we may not, the kernel refuses unsigned modules, it is for another kernel.
 * @root: as above
 */
int loader_load(const char *root, struct text_error *error_ret);

#endif
