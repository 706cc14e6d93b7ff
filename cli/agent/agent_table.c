// SPDX-License-Identifier: GPL-2.0-only
/* The table of the system, from stacks: see agent_table.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent_table.h"
#include "base/array.h"
#include "base/fnv.h"

#define EXITING		"(exiting)"	/* the name that the module gives them in its own table */
#define UNKNOWN_GROUP	"(unknown)"	/* of a process that ended before it was seen */

static struct fold *begin_fold(const struct agent_table *table)
{
	struct fold *fold = fold_create();

	if (fold && table->containers)
		fold_name_with(fold, container_map_name, table->containers);
	return fold;
}

int agent_table_init(struct agent_table *table, struct container_map *containers)
{
	*table = (struct agent_table){ .containers = containers };
	table->fold = begin_fold(table);
	return table->fold ? 0 : -ENOMEM;
}

/* Makes the record one of the row that the process's group belongs to. */
static void identify_group(struct cpuprobe_record *record, const struct profile_process *process,
			   struct container_map *containers)
{
	bool is_kernel = process->kind == CPUPROBE_KIND_KTHREAD;
	const char *path = process->cgroup[0] ? process->cgroup : is_kernel ? "/" : UNKNOWN_GROUP;
	const struct container_row *row = container_map_row(containers, path);

	memset(record, 0, sizeof(*record));
	record->kind = CPUPROBE_KIND_CGROUP;
	record->id[0] = row ? row->id : 0;
	record->id[1] = row != NULL;
	snprintf(record->name, sizeof(record->name), "%s", row ? row->label : path);
}

/*
 * Names that the record cannot hold are cut. Programs of one name are one row, as in the profile, which has no pids:
 * the row is an executable, because a row of kind PROCESS has its pid in the id.
 */
static void identify(const struct agent_table *table, struct cpuprobe_record *record,
		     const struct profile_process *process)
{
	memset(record, 0, sizeof(*record));
	if (process->kind == CPUPROBE_KIND_EXITING && !table->names_ended) {
		record->kind = CPUPROBE_KIND_EXITING;
		strcpy(record->name, EXITING);
		return;
	}
	record->kind = process->kind == CPUPROBE_KIND_PROCESS ? CPUPROBE_KIND_EXE : process->kind;
	snprintf(record->name, sizeof(record->name), "%s", process->name);
	record->id[0] = fnv_hash(record->name, strlen(record->name));
}

/* The record of a process in the current account. NULL: out of memory. */
static struct cpuprobe_record *get_record(struct agent_table *table, const struct profile *profile,
					  u32 process)
{
	const struct profile_process *of = &profile->processes[process];
	u32 i;

	for (i = table->nr; i > 0; i--)
		if (table->processes[i - 1] == process)
			return &table->records[i - 1];
	if (!array_has_room(&table->records, table->nr, sizeof(*table->records)) ||
	    !array_has_room(&table->processes, table->nr, sizeof(*table->processes)))
		return NULL;
	table->processes[table->nr] = process;
	if (table->containers && (of->kind == CPUPROBE_KIND_PROCESS || of->kind == CPUPROBE_KIND_KTHREAD))
		identify_group(&table->records[table->nr], of, table->containers);
	else
		identify(table, &table->records[table->nr], of);
	return &table->records[table->nr++];
}

void agent_table_add(struct agent_table *table, const struct profile *profile, u32 stack, u64 hits)
{
	const struct profile_stack *of = &profile->stacks[stack];
	struct cpuprobe_record *record = get_record(table, profile, of->process);

	if (record)
		record->hits[of->mode] += hits;
}

void agent_table_end_account(struct agent_table *table, u32 cpu, const struct cpuprobe_account *account)
{
	struct cpuprobe_account whole = *account;
	u64 taken = account->taken - account->excluded, sum = 0;
	int mode;
	u32 i;

	for (i = 0; i < table->nr; i++)
		for (mode = 0; mode < CPUPROBE_MODES; mode++)
			sum += table->records[i].hits[mode];
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		sum += account->lost[mode];
	if (taken > sum)
		whole.lost[CPUPROBE_MODE_USER] += taken - sum;
	whole.entries = table->nr;
	fold_add(table->fold, cpu, &whole, table->records);
	table->nr = 0;
}

int agent_table_renew(struct agent_table *table)
{
	struct fold *fold = begin_fold(table);

	if (!fold)
		return -ENOMEM;
	fold_destroy(table->fold);
	table->fold = fold;
	if (table->containers)
		container_map_trim(table->containers);
	return 0;
}

void agent_table_deinit(struct agent_table *table)
{
	fold_destroy(table->fold);
	free(table->records);
	free(table->processes);
	*table = (struct agent_table){ 0 };
}
