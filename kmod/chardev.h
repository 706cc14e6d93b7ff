/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/cpuprobe: the only door. */
#ifndef CPUPROBE_CHARDEV_H
#define CPUPROBE_CHARDEV_H

/** chardev_setup() - make the node appear. 0 or -errno. */
int chardev_setup(void);

/** chardev_teardown() - take it away; no file is open then, the module's count sees to it. */
void chardev_teardown(void);

#endif
