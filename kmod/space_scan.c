// SPDX-License-Identifier: GPL-2.0-only
/* Processes that were there before the hooks, or whose map found no room: see spaces_scan(). */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "space_changes.h"
#include "space_maps.h"

/* An unknown process that forks during a scan leaves an unknown child: scan again. */
#define SCANS_MAX	4
/* More processes may begin while memory is allocated for those that are there. */
#define MORE_PROCESSES	64

/* A thread that has memory: the first one may have ended. NULL: none. RCU reader. */
static struct task_struct *thread_with_memory(struct task_struct *process)
{
	struct task_struct *task;

	for_each_thread(process, task)
		if (data_race(task->mm))
			return task;
	return NULL;
}

/* Get references to a thread of each process, at most @room. */
static u32 list_processes(struct task_struct **list, u32 room)
{
	struct task_struct *process, *task;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process(process) {
		task = thread_with_memory(process);
		if (task && nr < room)
			list[nr++] = get_task_struct(task);
	}
	rcu_read_unlock();
	return nr;
}

static u32 count_processes(void)
{
	const struct task_struct *process;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process(process)
		nr++;
	rcu_read_unlock();
	return nr;
}

static bool is_known(const struct mm_struct *mm)
{
	bool is_found;

	rcu_read_lock();
	is_found = maps_find(mm);
	rcu_read_unlock();
	return is_found;
}

/* Returns whether the process has become known. */
static bool scan_process(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	bool is_new = false;

	/* A kernel thread, or a process that is exiting. */
	if (!mm)
		return false;
	if (!is_known(mm) && mmap_read_trylock(mm)) {
		is_new = changes_walk(mm);
		mmap_read_unlock(mm);
	}
	/* If the process exits during the scan, its memory may be freed here: the hook forgets it. */
	mmput(mm);
	return is_new;
}

/* Returns whether any process has become known. */
static bool scan_once(void)
{
	u32 room = count_processes() + MORE_PROCESSES, nr, i;
	struct task_struct **list = kvmalloc_array(room, sizeof(*list), GFP_KERNEL | __GFP_NOWARN);
	bool is_any_new = false;

	if (!list)
		return false;
	nr = list_processes(list, room);
	for (i = 0; i < nr; i++) {
		if (!fatal_signal_pending(current))
			is_any_new |= scan_process(list[i]);
		put_task_struct(list[i]);
		cond_resched();
	}
	kvfree(list);
	return is_any_new;
}

void spaces_scan(void)
{
	u32 i;

	for (i = 0; i < SCANS_MAX && scan_once(); i++)
		;
}
