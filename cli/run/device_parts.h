/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by device.c, which sends requests, and device_explain.c, which explains refusals. */
#ifndef DEVICE_PARTS_H
#define DEVICE_PARTS_H

#include "run/device.h"

/**
 * device_explain_memory() - the user's runs hold too much memory; only members of the group are
 * ever told so. Returns -@error, its errno.
 */
int device_explain_memory(const char *action, int error, struct text_error *error_ret);

/** device_explain_start() - why CPUPROBE_IOC_START failed with errno @error. Returns -errno. */
int device_explain_start(const struct cpuprobe_start *start, const struct cpuprobe_info *info,
			 int error, struct text_error *error_ret);

#endif
