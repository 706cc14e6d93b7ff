/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Softirq mode: whether the interrupted kernel code was softirq work. A BPF program reads the preempt count of
 * its CPU or task, whose place the kernel's type information tells.
 */
#ifndef SOFTIRQ_H
#define SOFTIRQ_H

#include "bpf/btf.h"
#include "bpf/encode.h"

/** softirq_find() - find the preempt count of the running kernel. -errno: it cannot be read by a program. */
int softirq_find(struct btf_place *place_ret);

/**
 * softirq_find_mode() - write a part of a program: in kernel mode, find whether this is softirq work.
 * r6: 0 in kernel mode, then COUNTS_SOFTIRQ if it is; other modes stay. Changes r0 to r5.
 */
void softirq_find_mode(struct encode *code, const struct btf_place *place);

#endif
