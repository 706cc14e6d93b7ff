/* SPDX-License-Identifier: GPL-2.0-only */
/* How the counts of `probe sys` become rows: as they are, or by container or virtual machine. */
#ifndef SYS_ROWS_BY_H
#define SYS_ROWS_BY_H

#include "containers/container_map.h"
#include "machines/machine_map.h"
#include "sys/fold.h"

/** How the counts of a run become rows. */
struct sys_rows_by {
	unsigned int by;			/* enum cpuprobe_by, or SYS_BY_* */
	struct container_map *containers;	/* NULL: not by container */
	struct machine_map *machines;		/* NULL: not by virtual machine */
};

/* The module and BPF count by control group; the tool adds up the groups of a container. */
#define SYS_BY_CONTAINER	(CPUPROBE_BY_CGROUP + 1)
/* The module and BPF count by process; the tool tells which are virtual machines. */
#define SYS_BY_VM		(CPUPROBE_BY_CGROUP + 2)

/** sys_rows_init() - begin the maps that the rows need. @by: its member by is set. -ENOMEM. */
int sys_rows_init(struct sys_rows_by *by);

/** sys_rows_trim() - bound the maps' memory. Only while nothing has counts by their identities. */
void sys_rows_trim(const struct sys_rows_by *by);

/** sys_rows_deinit() - free the maps. */
void sys_rows_deinit(struct sys_rows_by *by);

/** sys_rows_counted_by() - what the module or BPF counts by: enum cpuprobe_by. */
unsigned int sys_rows_counted_by(const struct sys_rows_by *by);

/** sys_fold_create() - an empty fold whose rows have names. @by: must live as long. NULL: out of memory. */
struct fold *sys_fold_create(const struct sys_rows_by *by);

/** sys_fold_add() - fold_add(), with control groups or processes made into containers or machines if these are the rows. */
void sys_fold_add(struct fold *fold, const struct sys_rows_by *by, u32 cpu,
		  const struct cpuprobe_account *account, const void *records);

#endif
