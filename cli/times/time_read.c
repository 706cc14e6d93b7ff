// SPDX-License-Identifier: GPL-2.0-only
/* Reading times: see time_read.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resolve/kernel_names.h"
#include "times/syscall_names.h"
#include "times/time_read.h"

#define NODES_FIRST	256	/* room at first */
#define SETTLE_TRIES	1000	/* copies, a millisecond apart, until no call is being counted */

/** State while records become nodes. */
struct reading {
	const struct call_session *session;
	struct time_counts *counts;
	struct kernel_names names;
	u32 *position;		/* in counts plus one, by the module's number; 0: none yet */
	u32 nr_positions;
	struct cpuprobe_time *records;
	u32 nr_records;		/* room */
};

static u32 kernel_function(struct reading *reading, u64 address)
{
	u32 chosen = call_session_find(reading->session, address);

	return chosen == CALLS_NONE ? CALLS_NONE :
		call_session_function(reading->session, chosen, &reading->names, reading->counts->calls);
}

static u32 function_of(struct reading *reading, const struct cpuprobe_time *record)
{
	switch (record->type) {
	case CPUPROBE_NODE_FUNCTION:
		return kernel_function(reading, record->function);
	case CPUPROBE_NODE_SYSCALL:
		return syscall_names_function(reading->counts->calls, record->function);
	default:
		return CALLS_NONE;
	}
}

/* The position of a module's node, which has been read; CALLS_NONE: none. */
static u32 position_of(const struct reading *reading, u32 number)
{
	return number && number < reading->nr_positions ? reading->position[number] - 1 : CALLS_NONE;
}

static int make_room(struct reading *reading, u32 number)
{
	u32 nr = number + number / 2 + NODES_FIRST;
	u32 *position;

	if (number < reading->nr_positions)
		return 0;
	position = realloc(reading->position, nr * sizeof(*position));
	if (!position)
		return -ENOMEM;
	memset(position + reading->nr_positions, 0, (nr - reading->nr_positions) * sizeof(*position));
	reading->position = position;
	reading->nr_positions = nr;
	return 0;
}

static int add_node(struct reading *reading, const struct cpuprobe_time *record)
{
	struct time_node node = {
		.parent = position_of(reading, record->parent), .type = record->type,
		.function = function_of(reading, record),
		.pid = record->type == CPUPROBE_NODE_PROCESS ? record->function : 0,
	};
	bool has_function = record->type == CPUPROBE_NODE_FUNCTION ||
		record->type == CPUPROBE_NODE_SYSCALL;

	memcpy(node.comm, record->comm, sizeof(node.comm));
	node.comm[sizeof(node.comm) - 1] = '\0';
	text_clean(node.comm);
	if ((has_function && node.function == CALLS_NONE) ||
	    time_counts_add_node(reading->counts, &node))
		return -ENOMEM;
	reading->position[record->node] = reading->counts->nr_nodes;
	return 0;
}

static int add_record(struct reading *reading, const struct cpuprobe_time *record)
{
	u32 position;

	if (make_room(reading, record->node))
		return -ENOMEM;
	if (!reading->position[record->node] && add_node(reading, record))
		return -ENOMEM;
	position = position_of(reading, record->node);
	time_counts_add(&reading->counts->nodes[position], record);
	return 0;
}

static int compare_records(const void *a, const void *b)
{
	const struct cpuprobe_time *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

static u64 sum_of_bins(const struct cpuprobe_time *record)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < CPUPROBE_TIME_BINS; i++)
		sum += record->bins[i];
	return sum;
}

/* Whether no call was being counted while the sums were copied. */
static bool are_settled(const struct cpuprobe_time *records, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		const struct cpuprobe_time *record = &records[i];

		if (sum_of_bins(record) != record->ended - record->recursive ||
		    record->errors > record->ended || record->blocked_ns + record->preempted_ns +
		    record->interrupted_ns > record->wall_ns)
			return false;
	}
	return true;
}

/* Appends the records of a CPU to the @nr of earlier ones; each try may find more. */
static int copy_cpu(struct reading *reading, u32 cpu, u32 *nr, struct cpuprobe_times *times)
{
	u32 tries = 0;
	int error;

	for (;;) {
		error = device_copy_times(&reading->session->device, cpu, reading->records + *nr,
					  reading->nr_records - *nr, times);
		if (!error && tries++ < SETTLE_TRIES &&
		    !are_settled(reading->records + *nr, times->nr_nodes)) {
			usleep(1000);
			continue;
		}
		if (error != -ENOSPC)
			break;
		reading->nr_records = *nr + times->nr_nodes + times->nr_nodes / 8 + NODES_FIRST;
		reading->records = reallocarray(reading->records, reading->nr_records,
						sizeof(*reading->records));
		if (!reading->records)
			return -ENOMEM;
	}
	if (!error)
		*nr += times->nr_nodes;
	return error;
}

/* Copies the records of all CPUs. */
static int copy_cpus(struct reading *reading, u32 *nr)
{
	struct call_totals *totals = &reading->counts->calls->totals;
	u32 cpu, nr_cpu_ids = reading->session->device.info.nr_cpu_ids;
	struct cpuprobe_times times;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		int error = copy_cpu(reading, cpu, nr, &times);

		if (error == -ENODEV)
			continue;
		if (error)
			return error;
		totals->nr_cpus++;
		totals->counted_ns = times.counted_ns;
		totals->others += times.others;
		totals->is_over |= !!(times.flags & CPUPROBE_COUNTS_OVER);
		totals->is_switched_off |= !!(times.flags & CPUPROBE_COUNTS_SWITCHED_OFF);
	}
	return 0;
}

/* Functions that could not be hooked; those without calls have no nodes. */
static int add_chosen(struct reading *reading)
{
	u32 i;

	for (i = 0; i < reading->session->functions.nr; i++)
		if (call_session_function(reading->session, i, &reading->names,
					  reading->counts->calls) == CALLS_NONE)
			return -ENOMEM;
	return 0;
}

static int read_times(struct reading *reading)
{
	const struct cpuprobe_calls *request = &reading->session->request;
	struct time_counts *counts = reading->counts;
	u32 nr = 0, i;
	int error;

	counts->calls->totals.cost_ps = request->cost_ps;
	counts->calls->totals.budget_ppm = request->budget_ppm;
	counts->totals = (struct time_totals){
		request->flags, request->cost_ps, request->own_ps, request->seen_ps,
	};
	reading->nr_records = NODES_FIRST;
	reading->records = calloc(NODES_FIRST, sizeof(*reading->records));
	if (!reading->records)
		return -ENOMEM;
	error = add_chosen(reading) ?: copy_cpus(reading, &nr);
	/* A parent has a lower number than what it called, whichever CPU tells of it. */
	if (!error)
		qsort(reading->records, nr, sizeof(*reading->records), compare_records);
	for (i = 0; i < nr && !error; i++)
		error = add_record(reading, &reading->records[i]);
	return error;
}

struct time_counts *time_read(const struct call_session *session, struct text_error *error_ret)
{
	struct call_counts *calls = call_counts_create();
	struct reading reading = { .session = session };
	int error = -ENOMEM;

	kernel_names_init(&reading.names, NULL, NULL);
	if (calls)
		reading.counts = time_counts_create(calls);
	if (reading.counts)
		error = read_times(&reading);
	kernel_names_deinit(&reading.names);
	free(reading.position);
	free(reading.records);
	if (!error)
		return reading.counts;
	time_counts_destroy(reading.counts);
	text_fail(error_ret, 0, "read the times of calls: %s",
		  error == -EPERM ? "the kernel is locked down now" : strerror(-error));
	return NULL;
}
