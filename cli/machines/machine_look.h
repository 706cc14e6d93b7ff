/* SPDX-License-Identifier: GPL-2.0-only */
/* Virtual machines as /proc shows them: which processes are some, and their names. */
#ifndef MACHINE_LOOK_H
#define MACHINE_LOOK_H

#include "machines/machine_name.h"
#include "types.h"

/** machine_look_is_there() - whether the process exists. @proc: "/proc" */
bool machine_look_is_there(const char *proc, u32 pid);

/**
 * machine_look_holds() - whether the process holds a virtual machine of KVM open: an open /dev/kvm is not enough,
 * since managers of machines ask it for what it can do. False if the process is gone, is not ours to see, or
 * runs a program of another name by now.
 * @program: file name of its program, cut to fit a record
 */
bool machine_look_holds(const char *proc, u32 pid, const char *program);

/** machine_look_name() - find the name of a machine. @name_ret: empty if there is none, or the process is gone. */
void machine_look_name(const char *proc, u32 pid, char name_ret[MACHINE_NAME_LEN]);

#endif
