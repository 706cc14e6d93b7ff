/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF program that counts in slots. Pure: it is written here, not loaded. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "bpf/counts.h"
#include "bpf/encode.h"

/** programs_turn_len() - bytes of one turn's slots; the last ones are for keys that find theirs taken. */
u32 programs_turn_len(u32 nr_slots);

/**
 * programs_count() - write the program of one CPU, which adds one to the slot of the interrupted task.
 * @area_fd: array of one element: struct counts_page, followed by the slots of both turns
 * @nr_slots: of one turn, a power of two
 */
void programs_count(struct encode *code, const struct counts_spec *spec, int area_fd, u32 nr_slots);

#endif
