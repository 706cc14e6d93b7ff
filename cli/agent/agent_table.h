/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of the system, from stacks: one session serves both. Each stack says whose it is and in which
 * mode, and its samples are folded like those of a session of the system. Stacks do not tell which process
 * missed samples or had deferred ones: in the table, none has any.
 */
#ifndef AGENT_TABLE_H
#define AGENT_TABLE_H

#include "cpuprobe.h"
#include "containers/container_map.h"
#include "profile/profile.h"
#include "sys/fold.h"

struct agent_table {
	struct container_map *containers;	/* rows are containers; NULL: they are executables */
	bool names_ended;	/* processes that ended are known by name, as by BPF; else they are one row */
	struct fold *fold;
	struct cpuprobe_record *records;	/* of the account that is being added */
	u32 *processes;				/* position of each in the profile */
	u32 nr;
};

/** agent_table_init() - begin an empty table. @containers: must outlive it; NULL: none. -ENOMEM. */
int agent_table_init(struct agent_table *table, struct container_map *containers);

/** agent_table_add() - add samples of a stack to the current account. If out of memory, they are lost. */
void agent_table_add(struct agent_table *table, const struct profile *profile, u32 stack, u64 hits);

/** agent_table_end_account() - all stacks of an account were added. Samples of others count as lost. */
void agent_table_end_account(struct agent_table *table, u32 cpu, const struct cpuprobe_account *account);

/** agent_table_renew() - begin an empty table again. -ENOMEM: it goes on as it is. */
int agent_table_renew(struct agent_table *table);

void agent_table_deinit(struct agent_table *table);

#endif
