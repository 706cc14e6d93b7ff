// SPDX-License-Identifier: GPL-2.0-only
/* Reading a trace from the module: see trace_session.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sysfile.h"
#include "base/text.h"
#include "resolve/kernel_names.h"
#include "run/device_trace.h"
#include "trace/trace_session.h"

#define CHUNK_SLOTS	65536u	/* copied at a time */

/* The name and process of a thread that still runs. */
static void look_up(struct trace_task *task)
{
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/comm", task->tid);
	if (!task->comm[0] && !sysfile_line(path, line, sizeof(line))) {
		snprintf(task->comm, sizeof(task->comm), "%.15s", line);
		text_clean(task->comm);
	}
	snprintf(path, sizeof(path), "/proc/%u/status", task->tid);
	file = task->tgid ? NULL : fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Tgid: %u", &task->tgid) == 1)
			break;
	if (file)
		fclose(file);
}

/* Adds a function of a program to the names; CALLS_NONE: out of memory. */
static u32 add_user_function(const struct trace_session *session, u32 at, struct call_counts *names)
{
	const struct user_object *object;
	const struct hookable *function = user_functions_at(&session->users, at, &object);
	char name[256];

	snprintf(name, sizeof(name), "%s", text_base_name(object->path));
	text_clean(name);
	return call_counts_function(names, name, function->name,
				    function->address - object->image.code_start,
				    session->users.asked[at].state ? CALL_UNHOOKABLE : CALL_HOOKED);
}

static int add_functions(const struct trace_session *session, struct trace *trace)
{
	const struct call_session *calls = &session->calls;
	u32 nr_kernel = calls->functions.nr, nr = nr_kernel + session->users.nr;
	u64 *missed = calloc(nr + 1, sizeof(*missed));
	struct kernel_names names;
	u32 i;
	int error = missed ? 0 : -ENOMEM;

	kernel_names_init(&names, NULL, NULL);
	trace->functions = calloc(nr + 1, sizeof(*trace->functions));
	trace->nr_functions = nr;
	if (!trace->functions)
		error = -ENOMEM;
	if (!error && trace->nr_functions)
		error = device_copy_missed(&calls->device, missed, trace->nr_functions);
	for (i = 0; !error && i < trace->nr_functions; i++) {
		u32 at = i < nr_kernel ? call_session_function(calls, i, &names, trace->names) :
			add_user_function(session, i - nr_kernel, trace->names);

		trace->functions[i] = (struct trace_function){
			.function = at, .is_user = i >= nr_kernel, .missed = missed[i],
		};
		error = at == CALLS_NONE ? -ENOMEM : 0;
	}
	kernel_names_deinit(&names);
	free(missed);
	return error;
}

/* Copies the events of a CPU after those of others. */
static int copy_slots(const struct device *device, struct trace *trace, struct trace_cpu *cpu)
{
	struct cpuprobe_event *slots = reallocarray(trace->owned, trace->nr_slots + cpu->nr_slots + 1,
						    sizeof(*slots));
	struct cpuprobe_events events;
	u64 done = 0;
	int error = 0;

	if (!slots)
		return -ENOMEM;
	trace->slots = trace->owned = slots;
	while (!error && done < cpu->nr_slots) {
		u64 left = cpu->nr_slots - done;

		error = device_copy_events(device, cpu->cpu, cpu->first + done, slots + cpu->at + done,
					   left < CHUNK_SLOTS ? left : CHUNK_SLOTS, &events);
		if (!error && !events.nr_slots)
			error = -EIO;
		done += events.nr_slots;
	}
	trace->nr_slots += done;
	return error;
}

static int read_cpu(const struct device *device, struct trace *trace, u32 cpu)
{
	struct call_totals *totals = &trace->names->totals;
	struct cpuprobe_events events;
	struct trace_cpu *of_cpu;
	int error = device_copy_events(device, cpu, 0, NULL, 0, &events);

	if (error)
		return error == -ENODEV ? 0 : error;
	if (!array_has_room(&trace->cpus, trace->nr_cpus, sizeof(*trace->cpus)))
		return -ENOMEM;
	of_cpu = &trace->cpus[trace->nr_cpus++];
	*of_cpu = (struct trace_cpu){
		.cpu = cpu, .at = trace->nr_slots, .nr_slots = events.stored - events.first,
		.first = events.first,
		.stored = events.stored, .lost = events.lost, .others = events.others,
	};
	trace->totals.end = events.flags;
	trace->totals.traced_ns = totals->counted_ns = events.traced_ns;
	totals->nr_cpus++;
	totals->lost += events.lost;
	totals->others += events.others;
	totals->is_over |= !!(events.flags & CPUPROBE_EVENTS_OVER);
	totals->is_switched_off |= !!(events.flags & CPUPROBE_EVENTS_SWITCHED_OFF);
	return copy_slots(device, trace, of_cpu);
}

static int read_all(const struct trace_session *session, struct trace *trace)
{
	const struct cpuprobe_trace *request = &session->request;
	const struct device *device = &session->calls.device;
	u32 cpu;
	int error = add_functions(session, trace);

	trace->totals = (struct trace_totals){
		.flags = request->flags, .cost_ps = request->cost_ps, .own_ps = request->own_ps,
		.seen_ps = request->seen_ps,
	};
	trace->names->totals.cost_ps = request->cost_ps;
	trace->names->totals.budget_ppm = request->budget_ppm;
	for (cpu = 0; !error && cpu < device->info.nr_cpu_ids; cpu++)
		error = read_cpu(device, trace, cpu);
	return error ?: trace_collect_tasks(trace, look_up);
}

struct trace *trace_session_read(const struct trace_session *session, struct text_error *error_ret)
{
	struct trace *trace = trace_create();
	int error = trace ? read_all(session, trace) : -ENOMEM;

	if (!error)
		return trace;
	trace_destroy(trace);
	text_fail(error_ret, 0, "read the trace: %s",
		  error == -EPERM ? "the kernel is locked down now" : strerror(-error));
	return NULL;
}
