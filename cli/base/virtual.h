/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether this is a virtual machine. */
#ifndef VIRTUAL_H
#define VIRTUAL_H

#include <stdbool.h>

/**
 * virtual_is() - whether the kernel says that it runs in a virtual machine: the flags of the processor have
 * "hypervisor", or the board is one that only virtual machines have.
 * @root: prefix of the paths; "" except in tests
 */
bool virtual_is(const char *root);

#endif
