/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/cpuprobe: the only interface to user space. */
#ifndef CPUPROBE_CHARDEV_H
#define CPUPROBE_CHARDEV_H

/** chardev_setup() - register the device. 0 or -errno. */
int chardev_setup(void);

/** chardev_teardown() - unregister the device. No file is open: each one pins the module. */
void chardev_teardown(void);

#endif
