/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/cpuprobe: the only door. */
#ifndef CPUPROBE_DEVICE_H
#define CPUPROBE_DEVICE_H

/** device_setup() - make the node appear. 0 or -errno. */
int device_setup(void);

/** device_teardown() - take it away; no file is open then, the module's count sees to it. */
void device_teardown(void);

#endif
