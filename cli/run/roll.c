// SPDX-License-Identifier: GPL-2.0-only
/* The roll of tasks: see roll.h. */
#include <string.h>

#include "bpf/proc_task.h"
#include "rings/own_tasks.h"
#include "run/roll.h"

/** A roll that is being called. */
struct roll {
	struct tally *tally;
	enum counts_by by;
};

static void call(void *context, u32 pid, u32 tid)
{
	struct roll *roll = context;
	struct counts_key key = { .id = roll->by == COUNTS_BY_THREAD ? tid : pid };
	struct proc_task task;

	/* By address only processes are looked up. */
	if (roll->by == COUNTS_BY_ADDRESS && tid != pid)
		return;
	/* The COMMAND still runs this executable, and is looked up when it runs its own. */
	if (proc_task_read(tid, &task) || own_tasks_are_ours(pid))
		return;
	memcpy(key.comm, task.comm, sizeof(key.comm));
	roll->tally->meet(roll->tally, &key);
}

void roll_call(struct tally *tally, const struct roll_spec *spec)
{
	struct roll roll = { tally, spec->by };

	if (!tally->meet || spec->by == COUNTS_BY_CGROUP)
		return;
	if (spec->of_all_users && !spec->only_pid)
		own_tasks_scan_all(call, &roll);
	else
		own_tasks_scan(spec->only_pid, call, &roll);
}
