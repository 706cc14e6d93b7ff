/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF programs of the tool. Pure: they are written here, not loaded. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "bpf/counts.h"
#include "bpf/encode.h"

/**
 * programs_count() - write the program that adds one to the counter of the current task.
 * @turn_fd: array of one map, the per-CPU hash from struct counts_key to a u64; only keys by address have
 *	a pc
 * @page_fd: array of struct counts_page, by CPU
 */
void programs_count(struct encode *code, const struct counts_spec *spec, int turn_fd, int page_fd);

#endif
