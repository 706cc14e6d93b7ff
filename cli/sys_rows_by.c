// SPDX-License-Identifier: GPL-2.0-only
/* Rows of `probe sys` by container or virtual machine: see sys_rows_by.h. */
#include <errno.h>
#include <unistd.h>

#include "run/cgroup.h"
#include "sys_rows_by.h"

int sys_rows_init(struct sys_rows_by *by)
{
	if (by->by == SYS_BY_CONTAINER)
		by->containers = container_map_create(cgroup_name, "");
	if (by->by == SYS_BY_VM)
		by->machines = machine_map_create("/proc", !access("/dev/kvm", F_OK));
	return (by->by == SYS_BY_CONTAINER && !by->containers) || (by->by == SYS_BY_VM && !by->machines) ? -ENOMEM : 0;
}

void sys_rows_trim(const struct sys_rows_by *by)
{
	if (by->containers)
		container_map_trim(by->containers);
	if (by->machines)
		machine_map_trim(by->machines);
}

void sys_rows_deinit(struct sys_rows_by *by)
{
	container_map_destroy(by->containers);
	machine_map_destroy(by->machines);
}

unsigned int sys_rows_counted_by(const struct sys_rows_by *by)
{
	return by->by == SYS_BY_CONTAINER ? CPUPROBE_BY_CGROUP : by->by == SYS_BY_VM ? CPUPROBE_BY_PID : by->by;
}

struct fold *sys_fold_create(const struct sys_rows_by *by)
{
	struct fold *fold = fold_create();

	if (fold && by->by == CPUPROBE_BY_CGROUP)
		fold_name_by(fold, cgroup_name);
	if (fold && by->containers)
		fold_name_with(fold, container_map_name, by->containers);
	if (fold && by->machines)
		fold_name_with(fold, machine_map_name, by->machines);
	return fold;
}

void sys_fold_add(struct fold *fold, const struct sys_rows_by *by, u32 cpu,
		  const struct cpuprobe_account *account, const void *records)
{
	const void *mapped = by->containers ?
		container_map_records(by->containers, records, account->entries) : by->machines ?
		machine_map_records(by->machines, records, account->entries) : records;

	/* Out of memory: each group or process has its own row. */
	fold_add(fold, cpu, account, mapped ? mapped : records);
}
