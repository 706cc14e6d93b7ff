/* SPDX-License-Identifier: GPL-2.0-only */
/* Loads the module where that is possible, and says why where it is not. */
#ifndef LOADER_H
#define LOADER_H

#include "text.h"

/**
 * loader_load() - have modprobe load the module. -errno and the reason: it is not
 * installed, we may not, the kernel refuses unsigned modules, it is for another kernel.
 */
int loader_load(struct text_error *error_ret);

#endif
