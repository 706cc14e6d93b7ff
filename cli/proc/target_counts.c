// SPDX-License-Identifier: GPL-2.0-only
/* Adds up the counts of a target: see target_counts.h. */
#include <stdlib.h>
#include <string.h>

#include "proc/target_counts.h"

void target_counts_add(const struct target_counts *counts, const struct cpuprobe_account *account,
		       const void *entries)
{
	const __u64 *count = entries;
	u32 i;

	for (i = 0; i < account->entries; i++) {
		if (i < account->objects)
			counts->objects[i] += count[i];
		else
			counts->slots[i - account->objects] += count[i];
	}
	counts->elsewhere->outside += account->outside;
	counts->elsewhere->other_mode += account->other_mode;
	counts->elsewhere->other_exe += account->other_exe;
	counts->elsewhere->other_task += account->other_task;
	*counts->missed += account->missed_target;
}

static int compare_objects(const void *a, const void *b)
{
	const struct proc_object *x = a, *y = b;

	return (x->hits < y->hits) - (x->hits > y->hits) ?: strcmp(x->name, y->name);
}

void target_name_objects(struct proc_report *report, const u64 hits[CPUPROBE_OBJECTS], const struct places *places)
{
	u32 i;

	report->nr_objects = 0;
	for (i = 0; i < CPUPROBE_OBJECTS; i++) {
		struct proc_object *object = &report->objects[report->nr_objects];

		if (!hits[i])
			continue;
		object->hits = hits[i];
		snprintf(object->name, sizeof(object->name), "%s", places->objects[i].name);
		report->nr_objects++;
	}
	qsort(report->objects, report->nr_objects, sizeof(report->objects[0]), compare_objects);
}

struct cpuprobe_start target_start(const struct target *target, bool is_kernel)
{
	return (struct cpuprobe_start){
		.what = CPUPROBE_WHAT_PROCESS,
		.exe_fd = target->task.exe_fd, .cgroup_fd = -1,
		.pid = target->task.pid,
		.mode = is_kernel ? CPUPROBE_MODE_KERNEL : CPUPROBE_MODE_USER,
		.object = target->places.selected,
		.low = target->layout.low,
		.high = target->layout.high,
		.code_start = is_kernel ? 0 : target->task.image.code_start,
	};
}

void teller_note(struct teller *teller, const struct cpuprobe_account *account)
{
	int pid = account->unplaced_pid;
	size_t i;

	for (i = 0; i < teller->nr_pids; i++)
		if (teller->pids[i] == pid)
			return;
	if (pid && i < TELLER_PIDS)
		teller->pids[teller->nr_pids++] = pid;
}

void teller_look(struct teller *teller, struct places *places)
{
	places_review(places);
	while (teller->nr_pids)
		places_read(places, teller->pids[--teller->nr_pids]);
}

int teller_tell(struct places *places, struct device *device, struct text_error *error_ret)
{
	if (device->has_areas && !places->is_changed)
		return 0;
	return places_tell(places, device, error_ret);
}
