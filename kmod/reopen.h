/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that the module holds, opened for the tool. */
#ifndef CPUPROBE_REOPEN_H
#define CPUPROBE_REOPEN_H

#include <linux/fs.h>

/**
 * reopen() - open a file that is held for the caller to read. May sleep. Returns a descriptor that is
 * closed at exec. -EACCES and other errors as with open(); -EAGAIN: somebody has a lease on the file.
 */
int reopen(struct file *held);

#endif
