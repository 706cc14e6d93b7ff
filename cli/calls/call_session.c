// SPDX-License-Identifier: GPL-2.0-only
/* Counting calls: see call_session.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_session.h"

/* A function's hook is its first instruction, or the one after a mark for indirect calls. */
#define HOOK_OFFSET_MAX	16
#define NAMED_MAX	3	/* functions named that cannot be hooked */
#define ARCS_FIRST	1024	/* room at first */

/** State while arcs become counts. */
struct reading {
	const struct call_session *session;
	struct call_counts *counts;
	struct kernel_names names;
	u32 *position;		/* in counts, of each chosen function */
	struct cpuprobe_arc *arcs;
	u32 nr_arcs;		/* room */
};

static void forget_functions(struct call_session *session)
{
	module_watch_deinit(&session->modules);
	hookables_deinit(&session->functions);
	free(session->asked);
	session->asked = NULL;
}

int call_session_choose(struct call_session *session, const struct call_options *options,
			const char *path, struct text_error *error_ret)
{
	int error;
	u32 i;

	*session = (struct call_session){ .options = options, .path = path, .device.fd = -1 };
	if (!options->globs)
		return 0;
	error = hookables_read(&session->functions, path, error_ret) ?:
		hookables_choose(&session->functions, options->globs, error_ret);
	if (error)
		return error;
	if (session->functions.nr > CPUPROBE_FUNCTIONS_MAX)
		return text_fail(error_ret, -E2BIG, "find functions: %u match, at most %u can be "
				 "hooked", session->functions.nr, CPUPROBE_FUNCTIONS_MAX);
	session->asked = calloc(session->functions.nr, sizeof(*session->asked));
	if (!session->asked)
		return text_fail(error_ret, -ENOMEM, "find functions: out of memory");
	for (i = 0; i < session->functions.nr; i++)
		session->asked[i].address = session->functions.list[i].address;
	if (module_watch_init(&session->modules, &session->functions, "/sys/module"))
		return text_fail(error_ret, -ENOMEM, "find functions: out of memory");
	return 0;
}

/* Chooses again if a module was unloaded: another one may have the addresses now. */
static int refresh_functions(struct call_session *session, struct text_error *error_ret)
{
	struct call_session fresh;
	int error;

	if (!module_watch_changed(&session->modules))
		return 0;
	error = call_session_choose(&fresh, session->options, session->path, error_ret);
	if (error) {
		forget_functions(&fresh);
		return error;
	}
	forget_functions(session);
	session->functions = fresh.functions;
	session->modules = fresh.modules;
	session->asked = fresh.asked;
	return 0;
}

int call_session_open(struct call_session *session, struct text_error *error_ret)
{
	return refresh_functions(session, error_ret) ?: device_open(&session->device, error_ret);
}

int call_session_begin(struct call_session *session, int exe_fd, u32 pid, int cgroup_fd,
		       struct text_error *error_ret)
{
	const struct call_options *options = session->options;
	int error = call_session_open(session, error_ret);

	if (error)
		return error;
	session->request = (struct cpuprobe_calls){
		.functions = (uintptr_t)session->asked, .nr_functions = session->functions.nr,
		.flags = options->flags | (options->may_disturb ? CPUPROBE_CALLS_DISTURB : 0),
		.table_kib = options->table_kib, .budget_ppm = options->budget_pct * 1e4,
		.exe_fd = exe_fd, .pid = pid, .cgroup_fd = cgroup_fd,
	};
	error = device_count_calls(&session->device, &session->request, error_ret);
	session->is_counting = !error;
	return error;
}

int call_session_restart(struct call_session *session, int exe_fd, u32 pid, int cgroup_fd,
			 struct text_error *error_ret)
{
	struct device old = session->device;
	int error;

	/* The old session gives its budget back first. */
	call_session_stop(session);
	session->device = (struct device){ .fd = -1 };
	error = call_session_begin(session, exe_fd, pid, cgroup_fd, error_ret);
	if (!error) {
		device_close(&old);
		return 0;
	}
	device_close(&session->device);
	session->device = old;
	return error;
}

void call_session_end(struct call_session *session)
{
	device_close(&session->device);
	session->is_counting = false;
}

bool call_session_is_over(const struct call_session *session)
{
	struct cpuprobe_counts counts;
	struct cpuprobe_times times;

	if (!session->is_counting)
		return false;
	if (session->options->flags) {
		device_copy_times(&session->device, 0, NULL, 0, &times);
		return times.flags & CPUPROBE_COUNTS_OVER;
	}
	device_copy_calls(&session->device, 0, NULL, 0, &counts);
	return counts.flags & CPUPROBE_COUNTS_OVER;
}

const char *call_session_unloaded(const struct call_session *session)
{
	return module_watch_changed(&session->modules);
}

void call_session_tell_unhookable(const struct call_session *session)
{
	char names[300] = "";
	size_t used = 0;
	u32 i, nr = 0;

	for (i = 0; i < session->functions.nr; i++) {
		if (!session->asked[i].state)
			continue;
		if (nr++ < NAMED_MAX && used < sizeof(names))
			used += snprintf(names + used, sizeof(names) - used, "%s%s",
					 nr > 1 ? ", " : "", session->functions.list[i].name);
	}
	if (nr)
		fprintf(stderr, "probe: %u of %u functions cannot be hooked (notrace, or freed after "
			"boot): %s%s\n", nr, session->functions.nr, names,
			nr > NAMED_MAX ? ", ..." : "");
}

void call_session_stop(struct call_session *session)
{
	struct text_error error;

	if (session->is_counting && device_stop(&session->device, &error))
		text_report(&error);
}

u32 call_session_find(const struct call_session *session, u64 address)
{
	const struct hookables *functions = &session->functions;
	u32 low = 0, high = functions->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (functions->list[middle].address > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low && address - functions->list[low - 1].address <= HOOK_OFFSET_MAX ? low - 1 :
		CALLS_NONE;
}

u32 call_session_function(const struct call_session *session, u32 at, struct kernel_names *names,
			  struct call_counts *counts)
{
	const struct hookable *function = &session->functions.list[at];
	struct kernel_place place;

	/* The names of a module go when it is unloaded, and another one may have its addresses. */
	if (!kernel_names_find(names, function->address, false, 1, &place) ||
	    strcmp(place.module, function->module))
		place.function_addr = 0;
	return call_counts_function(counts, function->module, function->name, place.function_addr,
				    session->asked[at].state ? CALL_UNHOOKABLE : CALL_HOOKED);
}

/* The function with a return address; it is added to the counts if necessary. */
static u32 find_caller(struct reading *reading, u64 addr)
{
	struct kernel_place place;

	if (!kernel_names_find(&reading->names, addr, true, 1, &place))
		memset(&place, 0, sizeof(place));
	if (!addr)
		snprintf(place.function, sizeof(place.function), "(generated code)");
	else if (!place.function[0])
		snprintf(place.function, sizeof(place.function), "0x%llx", addr);
	return call_counts_function(reading->counts, place.module, place.function,
				    place.function_addr, CALL_CALLER);
}

/* Adds the chosen functions, so that those never called are in the counts too. */
static int add_chosen(struct reading *reading)
{
	u32 i;

	for (i = 0; i < reading->session->functions.nr; i++) {
		reading->position[i] = call_session_function(reading->session, i, &reading->names,
							     reading->counts);
		if (reading->position[i] == CALLS_NONE)
			return -ENOMEM;
	}
	return 0;
}

static int add_arcs(struct reading *reading, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		const struct cpuprobe_arc *arc = &reading->arcs[i];
		u32 chosen = call_session_find(reading->session, arc->function);
		u64 calls[CPUPROBE_CONTEXTS];
		u32 caller = find_caller(reading, arc->caller);

		if (chosen == CALLS_NONE || caller == CALLS_NONE)
			return -ENOMEM;
		memcpy(calls, arc->calls, sizeof(calls));
		if (call_counts_add(reading->counts, reading->position[chosen], caller, calls))
			return -ENOMEM;
	}
	return 0;
}

/* Arcs may be added between two looks at a table, until there is room. */
static int copy_cpu(struct reading *reading, u32 cpu, struct cpuprobe_counts *counts)
{
	int error;

	do {
		error = device_copy_calls(&reading->session->device, cpu, reading->arcs,
					  reading->nr_arcs, counts);
		if (error == -ENOSPC) {
			free(reading->arcs);
			reading->nr_arcs = counts->nr_arcs + counts->nr_arcs / 8 + 64;
			reading->arcs = calloc(reading->nr_arcs, sizeof(*reading->arcs));
			if (!reading->arcs)
				return -ENOMEM;
		}
	} while (error == -ENOSPC);
	return error;
}

static int read_cpus(struct reading *reading)
{
	struct call_totals *totals = &reading->counts->totals;
	u32 cpu, nr_cpu_ids = reading->session->device.info.nr_cpu_ids;
	struct cpuprobe_counts counts;
	int error;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		error = copy_cpu(reading, cpu, &counts);
		if (error == -ENODEV)
			continue;
		if (!error)
			error = add_arcs(reading, counts.nr_arcs);
		if (error)
			return error;
		totals->nr_cpus++;
		totals->counted_ns = counts.counted_ns;
		totals->lost += counts.lost;
		totals->others += counts.others;
		totals->is_over |= !!(counts.flags & CPUPROBE_COUNTS_OVER);
	}
	return 0;
}

static int read_counts(struct reading *reading)
{
	struct call_totals *totals = &reading->counts->totals;

	totals->cost_ps = reading->session->request.cost_ps;
	totals->budget_ppm = reading->session->request.budget_ppm;
	reading->position = calloc(reading->session->functions.nr, sizeof(*reading->position));
	reading->nr_arcs = ARCS_FIRST;
	reading->arcs = calloc(ARCS_FIRST, sizeof(*reading->arcs));
	if (!reading->position || !reading->arcs)
		return -ENOMEM;
	return add_chosen(reading) ?: read_cpus(reading);
}

struct call_counts *call_session_read(const struct call_session *session,
				      struct text_error *error_ret)
{
	struct reading reading = { .session = session, .counts = call_counts_create() };
	int error;

	kernel_names_init(&reading.names, NULL, NULL);
	error = reading.counts ? read_counts(&reading) : -ENOMEM;
	kernel_names_deinit(&reading.names);
	free(reading.position);
	free(reading.arcs);
	if (!error)
		return reading.counts;
	call_counts_destroy(reading.counts);
	text_fail(error_ret, 0, "read the counts of calls: %s",
		  error == -EPERM ? "the kernel is locked down now" : strerror(-error));
	return NULL;
}

void call_session_deinit(struct call_session *session)
{
	call_session_end(session);
	forget_functions(session);
}
