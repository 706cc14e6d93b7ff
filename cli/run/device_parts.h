/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by device.c, which sends requests, run_session.c, and device_explain.c, which explains refusals. */
#ifndef DEVICE_PARTS_H
#define DEVICE_PARTS_H

#include "run/device.h"

/**
 * device_explain_lack() - explain that an engine, which was asked for, lacks what the session needs. -EOPNOTSUPP.
 * @lacking: what that is, in a few words
 * @can_bpf: BPF has it
 */
int device_explain_lack(enum device_engine engine, const char *lacking, bool can_bpf, struct text_error *error_ret);

/**
 * device_explain_memory() - explain that the user's runs hold too much memory, a limit for members
 * of the group only. Returns -@error.
 */
int device_explain_memory(const char *action, int error, struct text_error *error_ret);

/** device_explain_start() - explain why CPUPROBE_IOC_START failed with @error. Returns -errno. */
int device_explain_start(const struct cpuprobe_start *start, const struct cpuprobe_info *info,
			 int error, struct text_error *error_ret);

#endif
