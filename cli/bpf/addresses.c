// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts by address as slots and objects of a target, by the rules of the module's process mode: see
 * tally.h. Whether a process is of the target is found in /proc, once in each harvest.
 */
#include <stdlib.h>
#include <string.h>

#include "areas.h"
#include "base/array.h"
#include "base/intern.h"
#include "bpf/belongs.h"
#include "bpf/proc_task.h"
#include "bpf/tally.h"
#include "slots.h"

#define KNOWN_MAX	16384	/* processes remembered; then all are forgotten */

/** A process that was counted before. */
struct counted {
	u32 pid;
	enum belongs belongs;	/* UNSEEN: it was gone when it was looked up */
	u64 round;		/* last harvest in which it was looked up */
	bool is_there;		/* and found */
	struct proc_task task;
};

struct addresses {
	struct tally tally;
	struct cpuprobe_start start;
	const struct area_list *areas;
	struct slots_layout layout;
	struct belongs_target target;
	struct counted *counted;
	u32 nr_counted;
	struct intern counted_index;
	u64 round;
	struct slots slots;	/* of one CPU */
	u64 entries[CPUPROBE_OBJECTS + CPUPROBE_SLOTS];
};

static bool is_counted(const void *owner, u32 position, const void *key)
{
	return ((const struct addresses *)owner)->counted[position].pid == *(const u32 *)key;
}

static struct counted *get_counted(struct addresses *addresses, u32 pid)
{
	const u64 hash = intern_hash(0, &pid, sizeof(pid));
	u32 at = intern_find(&addresses->counted_index, hash, is_counted, addresses, &pid);

	if (at != INTERN_NONE)
		return &addresses->counted[at];
	at = addresses->nr_counted;
	if (!array_has_room(&addresses->counted, at, sizeof(*addresses->counted)) ||
	    intern_add(&addresses->counted_index, hash, at))
		return NULL;
	addresses->nr_counted++;
	addresses->counted[at] = (struct counted){ .pid = pid };
	return &addresses->counted[at];
}

static void look_up(struct addresses *addresses, struct counted *process)
{
	struct proc_task task;

	process->round = addresses->round;
	process->is_there = false;
	/* A zombie has no memory any more: it is what it was. */
	if (proc_task_read(process->pid, &task) || (!task.space && !task.is_kthread))
		return;
	process->is_there = true;
	process->task = task;
	process->belongs = belongs_to(&addresses->target, process->pid);
}

/* The process of a key, looked up; NULL: out of memory. */
static const struct counted *find_counted(struct addresses *addresses, u32 pid)
{
	struct counted *process = get_counted(addresses, pid);

	if (process && process->round != addresses->round)
		look_up(addresses, process);
	return process;
}

static void meet_task(struct tally *tally, const struct counts_key *key)
{
	find_counted((struct addresses *)tally, key->id);
}

static void begin_addresses(struct tally *tally, const struct counts *counts)
{
	struct addresses *addresses = (struct addresses *)tally;
	u32 i;

	if (addresses->nr_counted > KNOWN_MAX) {
		free(addresses->counted);
		intern_deinit(&addresses->counted_index);
		addresses->counted = NULL;
		addresses->nr_counted = 0;
		addresses->counted_index = (struct intern){ .nr = 0 };
	}
	addresses->round++;
	for (i = 0; i < counts->nr; i++)
		if (counts_key_at(counts, i)->id)
			find_counted(addresses, counts_key_at(counts, i)->id);
}

static void add_to_slots(struct addresses *addresses, u64 addr, u64 hits)
{
	const struct slots_layout *layout = &addresses->layout;

	/* As slots_add(). */
	if (addr - layout->low < layout->high - layout->low)
		addresses->slots.hits[(addr - layout->base) >> layout->shift] += hits;
	else
		addresses->slots.outside += hits;
}

/* The object of a user address; @addr_ret: the address in it. */
static u32 place_user(struct addresses *addresses, const struct counted *process, u64 pc, u64 *addr_ret)
{
	const struct area_list *areas = addresses->areas;
	const struct proc_task *task = &process->task;
	const struct cpuprobe_area *area = areas_find(areas->area, areas->nr, process->pid, pc);

	if (area && area->space == task->space) {
		*addr_ret = pc - area->bias;
		return area->object;
	}
	if (pc - task->code_start < task->code_end - task->code_start) {
		*addr_ret = pc - task->code_start + addresses->start.code_start;
		return CPUPROBE_OBJECT_EXE;
	}
	*addr_ret = pc;
	if (areas->is_known)
		addresses->slots.unplaced_pid = process->pid;
	return CPUPROBE_OBJECT_UNPLACED;
}

static void add_target(struct addresses *addresses, const struct counted *process,
		       const struct counts_key *key, u64 hits)
{
	const u32 mode = counts_mode(key);
	const struct area_list *areas = addresses->areas;
	u64 addr = key->pc;
	u32 object;

	if (mode == CPUPROBE_MODE_USER) {
		object = place_user(addresses, process, key->pc, &addr);
	} else if (mode == CPUPROBE_MODE_SOFTIRQ) {
		object = CPUPROBE_OBJECT_SOFTIRQ;
	} else {
		const struct cpuprobe_area *area = areas_find(areas->area, areas->nr, 0, key->pc);

		object = area ? area->object : CPUPROBE_OBJECT_KERNEL;
	}
	addresses->slots.objects[object] += hits;
	if (mode != addresses->start.mode)
		addresses->slots.other_mode += hits;
	else if (mode == CPUPROBE_MODE_USER && object != addresses->start.object)
		addresses->slots.outside += hits;
	else
		add_to_slots(addresses, addr, hits);
}

/*
 * Whether a process that is gone has executed another program since it was last seen: then its samples have another
 * name. The threads of the target may have names of their own, and keys have none if a number is asked for.
 */
static bool has_become_another(const struct counted *process, const struct counts_key *key)
{
	return !process->is_there && memcmp(process->task.comm, key->comm, sizeof(key->comm)) &&
	       (process->belongs == OTHER_TASK ||
		(process->belongs == TARGET && process->task.nr_threads == 1 && key->comm[0]));
}

/* Whether the samples of a key are of the target. */
static enum belongs judge_key(const struct counted *process, const struct counts_key *key)
{
	return process && !has_become_another(process, key) ? process->belongs : UNSEEN;
}

static void add_key(struct addresses *addresses, const struct counts_key *key, u64 hits,
		    struct cpuprobe_account *account)
{
	const struct counted *process = key->id ? find_counted(addresses, key->id) : NULL;

	if (!key->id) {
		addresses->slots.other_task += hits;
		return;
	}
	switch (judge_key(process, key)) {
	case TARGET:
		add_target(addresses, process, key, hits);
		break;
	case OTHER_EXE:
		addresses->slots.other_exe += hits;
		break;
	case OTHER_TASK:
		addresses->slots.other_task += hits;
		break;
	case UNSEEN:
		/* Without a number to go by, only its name tells whether it was of the target. */
		if (!belongs_by_name(&addresses->target, key->comm)) {
			addresses->slots.other_task += hits;
			return;
		}
		account->lost[counts_mode(key)] += hits;
	}
}

static u64 fill_addresses(struct tally *tally, const struct counts *counts, u32 part,
			  struct cpuprobe_account *account, const void **entries_ret)
{
	struct addresses *addresses = (struct addresses *)tally;
	const struct slots *slots = &addresses->slots;
	u64 sum = 0;
	u32 i;

	memset(&addresses->slots, 0, sizeof(addresses->slots));
	for (i = 0; i < counts->nr; i++) {
		u64 hits = counts_value_at(counts, i, part);

		sum += hits;
		if (hits)
			add_key(addresses, counts_key_at(counts, i), hits, account);
	}
	account->outside = slots->outside;
	account->other_mode = slots->other_mode;
	account->other_exe = slots->other_exe;
	account->other_task = slots->other_task;
	account->unplaced_pid = slots->unplaced_pid;
	account->objects = addresses->areas->nr_objects > CPUPROBE_OBJECT_FIRST ?
		addresses->areas->nr_objects : CPUPROBE_OBJECT_FIRST;
	account->entries = account->objects + addresses->layout.nr_slots;
	memcpy(addresses->entries, slots->objects, account->objects * sizeof(u64));
	memcpy(addresses->entries + account->objects, slots->hits,
	       addresses->layout.nr_slots * sizeof(u64));
	*entries_ret = addresses->entries;
	return sum;
}

static void destroy_addresses(struct tally *tally)
{
	struct addresses *addresses = (struct addresses *)tally;

	free(addresses->counted);
	intern_deinit(&addresses->counted_index);
	free(addresses);
}

struct tally *tally_create_addresses(const struct cpuprobe_start *start,
				     const struct area_list *areas)
{
	struct addresses *addresses = calloc(1, sizeof(*addresses));

	if (!addresses)
		return NULL;
	addresses->tally = (struct tally){
		.begin = begin_addresses, .fill = fill_addresses, .destroy = destroy_addresses,
		.meet = meet_task
	};
	addresses->start = *start;
	addresses->areas = areas;
	/* The round of processes that are met before the first harvest. */
	addresses->round = 1;
	if (belongs_init(&addresses->target, start) ||
	    slots_layout_init(&addresses->layout, start->low, start->high)) {
		destroy_addresses(&addresses->tally);
		return NULL;
	}
	/* A process that is known by number may end before the first harvest. */
	if (start->pid)
		find_counted(addresses, start->pid);
	return &addresses->tally;
}
