/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts by task or address: each CPU has a program of its own, and memory that this program and the tool share:
 * a page and the slots of two turns. So a sample needs no lookup, and a harvest no system call but the one that
 * waits for the programs.
 */
#ifndef SLOT_STORE_H
#define SLOT_STORE_H

#include "bpf/counts.h"

/** slot_store_room() - slots of one CPU in one turn. */
u32 slot_store_room(const struct counts_spec *spec);

/** slot_store_create() - create the memory and load the programs. NULL with a reason. */
struct slot_store *slot_store_create(const struct counts_spec *spec, struct text_error *error_ret);

/** slot_store_destroy() - NULL is allowed. */
void slot_store_destroy(struct slot_store *store);

/** slot_store_page() - the page of the @at-th sampled CPU. */
volatile struct counts_page *slot_store_page(const struct slot_store *store, size_t at);

/** slot_store_program() - the descriptor of its program. */
int slot_store_program(const struct slot_store *store, size_t at);

/** slot_store_is_due() - whether the slots of a turn should be taken before they are full. In any thread. */
bool slot_store_is_due(const struct slot_store *store, u32 turn);

/** slot_store_take() - move the counts of a turn that no program uses any more to @counts. */
void slot_store_take(struct slot_store *store, u32 turn, struct counts *counts);

#endif
