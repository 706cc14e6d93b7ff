// SPDX-License-Identifier: GPL-2.0-only
/* Traces in saved runs: see trace_save.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_save.h"
#include "trace/trace_beside.h"
#include "trace/trace_index.h"
#include "trace/trace_save.h"

_Static_assert(sizeof(struct trace_totals) == 32, "saved in files");
_Static_assert(sizeof(struct trace_function) == 16, "saved in files");
_Static_assert(sizeof(struct trace_cpu) == 56, "saved in files");
_Static_assert(sizeof(struct trace_task) == 24, "saved in files");
_Static_assert(sizeof(struct trace_beside_totals) == 56, "saved in files");

#define COST_MAX_PS	1000000000u	/* a millisecond */

/* Long traces get an index. Without memory for it all events are accounted for each report. */
static void save_index(struct record_writer *writer, const struct trace *trace)
{
	struct trace_index index = { .every = TRACE_INDEX_EVERY };
	struct trace_account account;

	if (trace->index)
		record_add(writer, "PTIX", trace->index, trace->index_len);
	if (trace->index || trace->nr_slots <= TRACE_INDEX_EVERY)
		return;
	if (!trace_account_index(&account, trace, &index)) {
		trace_account_deinit(&account);
		record_add(writer, "PTIX", index.bytes, index.len);
	}
	free(index.bytes);
}

void trace_save(struct record_writer *writer, const struct trace *trace)
{
	call_save(writer, trace->names);
	record_add(writer, "PTRC", &trace->totals, sizeof(trace->totals));
	record_add(writer, "PTFN", trace->functions, trace->nr_functions * sizeof(*trace->functions));
	record_add(writer, "PTCP", trace->cpus, trace->nr_cpus * sizeof(*trace->cpus));
	record_add(writer, "PTTK", trace->tasks, trace->nr_tasks * sizeof(*trace->tasks));
	record_add(writer, "PTEV", trace->slots, trace->nr_slots * sizeof(*trace->slots));
	save_index(writer, trace);
	if (!trace->beside)
		return;
	record_add(writer, "PTBT", &trace->beside->totals, sizeof(trace->beside->totals));
	record_add(writer, "PTBS", trace->beside->samples,
		   trace->nr_functions * sizeof(*trace->beside->samples));
}

bool trace_is_kept(const struct record *record)
{
	size_t len;

	return record_find(record, "PTRC", &len) != NULL;
}

/* Copies a section whose entries have @entry_len bytes. False: damaged, or out of memory. */
static bool copy_entries(const struct record *record, const char *tag, size_t entry_len,
			 void *copy_ret, u32 *nr_ret)
{
	size_t len = 0;
	const void *found = record_find(record, tag, &len);
	void *copy;

	if (!found || len % entry_len || len / entry_len > UINT32_MAX / 4)
		return false;
	copy = malloc(len + 1);
	if (!copy)
		return false;
	memcpy(copy, found, len);
	memcpy(copy_ret, &copy, sizeof(copy));
	*nr_ret = len / entry_len;
	return true;
}

static bool are_functions_valid(const struct trace *trace)
{
	u32 i;

	for (i = 0; i < trace->nr_functions; i++)
		if (trace->functions[i].function >= trace->names->nr_functions ||
		    trace->functions[i].is_user > 1)
			return false;
	return true;
}

/* The parts of CPUs follow each other in the slots. */
static bool are_cpus_valid(const struct trace *trace)
{
	u64 at = 0;
	u32 i;

	for (i = 0; i < trace->nr_cpus; i++) {
		const struct trace_cpu *cpu = &trace->cpus[i];

		if (cpu->at != at || cpu->nr_slots > trace->nr_slots - at || cpu->first > cpu->stored ||
		    cpu->nr_slots != cpu->stored - cpu->first || (i && cpu->cpu <= trace->cpus[i - 1].cpu))
			return false;
		at += cpu->nr_slots;
	}
	return at == trace->nr_slots;
}

static bool are_tasks_valid(struct trace *trace)
{
	u32 i;

	for (i = 0; i < trace->nr_tasks; i++) {
		struct trace_task *task = &trace->tasks[i];

		if ((i && task->tid <= trace->tasks[i - 1].tid) ||
		    !memchr(task->comm, '\0', sizeof(task->comm)))
			return false;
		text_clean(task->comm);
	}
	return true;
}

/* Each event of a CPU is whole, and of a function that is named. */
static bool are_events_valid(const struct trace *trace, const struct trace_cpu *cpu)
{
	const struct cpuprobe_event *slot = trace->slots + cpu->at, *end = slot + cpu->nr_slots;

	while (slot < end) {
		u32 type = trace_type_of(slot), nr = trace_slots_of(slot);

		if (!type || type >= TRACE_TYPES || nr > end - slot ||
		    (type <= CPUPROBE_EVENT_EXIT && slot->what >= trace->nr_functions) ||
		    (type == CPUPROBE_EVENT_MARK && slot->data > CPUPROBE_MARK_MAX))
			return false;
		slot += nr;
	}
	return true;
}

static bool load_slots(const struct record *record, struct trace *trace)
{
	size_t len = 0;
	const void *found = record_find(record, "PTEV", &len);
	u32 i;

	if (!found || len % sizeof(*trace->slots))
		return false;
	trace->slots = found;
	trace->nr_slots = len / sizeof(*trace->slots);
	trace->index = record_find(record, "PTIX", &trace->index_len);
	if (!are_cpus_valid(trace))
		return false;
	for (i = 0; i < trace->nr_cpus; i++)
		if (!are_events_valid(trace, &trace->cpus[i]))
			return false;
	return true;
}

/* Samples beside the trace, if there are any. */
static bool load_beside(const struct record *record, struct trace *trace)
{
	size_t len = 0, wanted = trace->nr_functions * sizeof(u64);
	const void *samples = record_find(record, "PTBS", &len), *totals;
	size_t totals_len = 0;

	totals = record_find(record, "PTBT", &totals_len);
	if (!samples && !totals)
		return true;
	if (!samples || len != wanted || totals_len != sizeof(trace->beside->totals))
		return false;
	trace->beside = trace_beside_create(trace->nr_functions);
	if (!trace->beside)
		return false;
	memcpy(&trace->beside->totals, totals, totals_len);
	memcpy(trace->beside->samples, samples, len);
	return true;
}

static bool are_totals_valid(const struct trace_totals *totals)
{
	return totals->own_ps <= totals->cost_ps && totals->seen_ps <= totals->cost_ps &&
		totals->cost_ps <= COST_MAX_PS && totals->traced_ns <= UINT64_MAX >> 16;
}

static bool load_parts(const struct record *record, struct trace *trace)
{
	return !record_get(record, "PTRC", &trace->totals, sizeof(trace->totals),
			   sizeof(trace->totals), NULL) &&
		are_totals_valid(&trace->totals) &&
		copy_entries(record, "PTFN", sizeof(*trace->functions), &trace->functions,
			     &trace->nr_functions) &&
		copy_entries(record, "PTCP", sizeof(*trace->cpus), &trace->cpus, &trace->nr_cpus) &&
		copy_entries(record, "PTTK", sizeof(*trace->tasks), &trace->tasks, &trace->nr_tasks) &&
		are_functions_valid(trace) && are_tasks_valid(trace) && load_slots(record, trace) &&
		load_beside(record, trace);
}

struct trace *trace_load(const struct record *record, struct text_error *error_ret)
{
	struct call_counts *names = call_load(record, error_ret);
	struct trace *trace = names ? trace_create() : NULL;

	if (!trace) {
		call_counts_destroy(names);
		return NULL;
	}
	call_counts_destroy(trace->names);
	trace->names = names;
	if (load_parts(record, trace))
		return trace;
	trace_destroy(trace);
	text_fail(error_ret, 0, "the sections of its trace are missing or invalid");
	return NULL;
}
