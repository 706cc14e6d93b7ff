/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of virtual machines, from the command line and the control group of their processes. Pure. */
#ifndef MACHINE_NAME_H
#define MACHINE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#define MACHINE_NAME_LEN	200	/* with its NUL */

/**
 * machine_name_of_command() - find the name in a command line: "-name" of QEMU, with its keys or without,
 * "--name" of other monitors, "--id" of Firecracker; the value follows, or is after a '='.
 * @line: arguments, each with its NUL, as in /proc/PID/cmdline; the last NUL may be missing
 *
 * The first name counts. Returns false, and an empty name: there is none.
 */
bool machine_name_of_command(const char *line, size_t len, char name_ret[MACHINE_NAME_LEN]);

/**
 * machine_name_of_group() - find the name in the path of a control group: that which libvirt has registered
 * ("machine-qemu\x2d1\x2dNAME.scope"), or the container that the monitor runs in.
 * @path: as for container_parse()
 *
 * Returns false, and an empty name: the group is neither.
 */
bool machine_name_of_group(const char *path, char name_ret[MACHINE_NAME_LEN]);

#endif
