// SPDX-License-Identifier: GPL-2.0-only
/* Drawing and changing calls: see fuzz.h. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

/* Weights, per thousand calls. Slow calls are rare: real starts, new sessions, new processes. */
static const uint16_t weight[CALL_KINDS] = {
	[CALL_OPEN] = 2, [CALL_CLOSE] = 1, [CALL_INFO] = 60, [CALL_START] = 285,
	[CALL_AREAS] = 70, [CALL_HARVEST] = 170, [CALL_STOP] = 1, [CALL_EXE] = 60,
	[CALL_CALLS] = 40, [CALL_COUNTS] = 25, [CALL_TIMES] = 25, [CALL_NEED] = 10,
	[CALL_UNWIND] = 20, [CALL_TRACE] = 20, [CALL_EVENTS] = 15, [CALL_MISSED] = 5,
	[CALL_POLL] = 70, [CALL_DUP] = 1, [CALL_ODD] = 80, [CALL_FILE] = 40,
};

static const uint64_t interesting[] = {
	0, 1, 2, 3, 4, 5, 8, 64, 127, 128, 511, 512, 513, 4096, 8191, 8192, 8193, 13312, 49999,
	50000, 32768, 65535, 65536, 65537, 1000000000, 1000000001, INT_MAX, (uint32_t)INT_MIN,
	UINT_MAX, 1ULL << 32, LLONG_MAX,
	1ULL << 63, ULLONG_MAX - 1, ULLONG_MAX, MASK, AREAS, BUFFER, ARENA - 8, FIXED, EDGE_END - 8,
	EDGE_END, 0xffffffff81000000, 0x7ffffffff000,
};

static uint64_t pointer(struct fuzzer *fuzzer, uint64_t good)
{
	return below(fuzzer, 12) ? good : interesting[below(fuzzer, NR(interesting))];
}

static int32_t some_exe(struct fuzzer *fuzzer)
{
	const int32_t exe[] = { fuzzer->directory, fuzzer->path, fuzzer->pipe, fuzzer->fd[0],
		fuzzer->fd[1], -1, -2, 999, INT_MAX, INT_MIN };

	return below(fuzzer, 8) ? fuzzer->exe : exe[below(fuzzer, NR(exe))];
}

static uint32_t some_pid(struct fuzzer *fuzzer)
{
	const uint32_t pid[] = { getpid(), getppid(), 1, 2, 4000000, UINT_MAX, INT_MAX };

	return below(fuzzer, 3) ? 0 : pid[below(fuzzer, NR(pid))];
}

static void draw_process(struct fuzzer *fuzzer, struct cpuprobe_start *start)
{
	bool is_kernel = !below(fuzzer, 3);

	start->exe_fd = some_exe(fuzzer);
	start->pid = some_pid(fuzzer);
	start->mode = is_kernel ? CPUPROBE_MODE_KERNEL : CPUPROBE_MODE_USER;
	start->low = is_kernel ? 0xffffffff80000000 : 0x1000;
	start->high = start->low + (1ULL << below(fuzzer, 32));
	if (is_kernel)
		return;
	start->code_start = 0x1000;
	start->object = below(fuzzer, 4) ? 0 : below(fuzzer, CPUPROBE_OBJECTS + 1);
}

static void draw_stacks(struct fuzzer *fuzzer, struct cpuprobe_start *start)
{
	const int cgroup[] = { fuzzer->cgroup, fuzzer->cgroup, fuzzer->directory, -2, 999,
			       INT_MAX };
	static const uint32_t kib[] = { 64, 64, 65, 72, 80 };

	start->frames = 1 + below(fuzzer, 3);
	start->stack_kib = kib[below(fuzzer, NR(kib))];
	if (start->frames & CPUPROBE_FRAMES_USER && below(fuzzer, 2)) {
		start->flags = CPUPROBE_START_UNWIND | (below(fuzzer, 2) ? CPUPROBE_START_DISTURB : 0);
		start->unwind_kib = below(fuzzer, 2) ? 0 : CPUPROBE_UNWIND_KIB_MIN + below(fuzzer, 100);
	}
	if (!below(fuzzer, 6))
		start->exe_fd = some_exe(fuzzer);
	if (!below(fuzzer, 6))
		start->pid = some_pid(fuzzer);
	if (!below(fuzzer, 6))
		start->cgroup_fd = cgroup[below(fuzzer, NR(cgroup))];
}

static void draw_start(struct fuzzer *fuzzer, struct cpuprobe_start *start)
{
	static const uint64_t period[] = { 1000000000, 100000000, 33333333, 10000000, 4000000 };

	*start = START();
	/* Half of the sessions count stacks, which have the most code to go wrong. */
	start->what = below(fuzzer, 2) ? CPUPROBE_WHAT_STACKS : 1 + below(fuzzer, 3);
	start->jitter = below(fuzzer, 3);
	start->period_ns = period[below(fuzzer, NR(period))];
	start->seed = below(fuzzer, 2) ? draw(fuzzer) : 0;
	if (!below(fuzzer, 3)) {
		start->cpus = pointer(fuzzer, MASK);
		start->cpus_len = 1 + below(fuzzer, 16);
	}
	start->deferred_ns = below(fuzzer, 2) ? 0 : draw(fuzzer);
	if (start->what == CPUPROBE_WHAT_SYSTEM)
		start->by = below(fuzzer, 5);
	if (start->what == CPUPROBE_WHAT_PROCESS)
		draw_process(fuzzer, start);
	if (start->what == CPUPROBE_WHAT_STACKS)
		draw_stacks(fuzzer, start);
	if (start->what != CPUPROBE_WHAT_LATE)
		start->flags |= below(fuzzer, start->jitter == CPUPROBE_JITTER_POISSON ? 2 : 4);
}

static void draw_areas(struct fuzzer *fuzzer, struct call *call)
{
	struct cpuprobe_areas *areas = &call->arg.areas;

	*areas = REQUEST(areas);
	areas->nr_areas = below(fuzzer, 2000) ? below(fuzzer, 9) : CPUPROBE_AREAS_MAX - 1 +
		below(fuzzer, 3);
	areas->flags = below(fuzzer, 2);
	areas->areas = pointer(fuzzer, AREAS);
	call->area_seed = draw(fuzzer);
	call->area_flaw = below(fuzzer, 3) ? draw(fuzzer) : 0;
}

static void draw_harvest(struct fuzzer *fuzzer, struct cpuprobe_harvest *harvest)
{
	*harvest = REQUEST(harvest);
	harvest->cpu = below(fuzzer, fuzzer->nr_cpus);
	harvest->buffer_len = below(fuzzer, 3) ? COUNTS_LEN :
		CPUPROBE_RECORDS * sizeof(struct cpuprobe_record);
	harvest->flags = !below(fuzzer, 4);
	harvest->buffer = pointer(fuzzer, BUFFER);
	harvest->ack = below(fuzzer, 4);	/* run.c corrects most numbers */
}

static void draw_open(struct fuzzer *fuzzer, struct cpuprobe_open *open)
{
	*open = REQUEST(open);
	open->cpu = below(fuzzer, fuzzer->nr_cpus);
	open->exe = below(fuzzer, 4) ? 0 : below(fuzzer, CPUPROBE_STACK_EXES + 1);
	open->seq = below(fuzzer, 4);	/* run.c corrects most numbers */
}

static void draw_calls(struct fuzzer *fuzzer, struct cpuprobe_calls *calls)
{
	static const uint32_t flags[] = {
		0, 0, CPUPROBE_CALLS_EACH, CPUPROBE_CALLS_EACH | CPUPROBE_CALLS_PATHS,
		CPUPROBE_CALLS_EACH | CPUPROBE_CALLS_PROCESSES,
		CPUPROBE_CALLS_EACH | CPUPROBE_CALLS_SYSCALLS,
	};

	*calls = REQUEST(calls, .exe_fd = -1, .cgroup_fd = -1, .functions = pointer(fuzzer, AREAS));
	calls->flags = flags[below(fuzzer, NR(flags))];
	calls->nr_functions = calls->flags & CPUPROBE_CALLS_SYSCALLS ? 0 : 1 + below(fuzzer, 3);
	calls->table_kib = below(fuzzer, 2) ? 0 : 1U << below(fuzzer, 10);
	calls->budget_ppm = below(fuzzer, 2) ? 0 : below(fuzzer, 100000);
	if (!below(fuzzer, 6))
		calls->exe_fd = some_exe(fuzzer);
	if (!below(fuzzer, 6))
		calls->pid = some_pid(fuzzer);
	if (!below(fuzzer, 6))
		calls->cgroup_fd = fuzzer->cgroup;
}

static void draw_trace(struct fuzzer *fuzzer, struct cpuprobe_trace *trace)
{
	*trace = REQUEST(trace, .exe_fd = -1, .cgroup_fd = -1, .functions = pointer(fuzzer, AREAS),
			 .start_function = CPUPROBE_NO_FUNCTION, .stop_function = CPUPROBE_NO_FUNCTION);
	trace->flags = below(fuzzer, 16) * CPUPROBE_TRACE_SYSCALLS;
	trace->nr_functions = below(fuzzer, 4);
	trace->buffer_kib = CPUPROBE_TRACE_KIB_MIN << below(fuzzer, 6);
	trace->budget_ppm = below(fuzzer, 2) ? 0 : below(fuzzer, 100000);
	if (!(trace->flags & CPUPROBE_TRACE_WRAP) && !below(fuzzer, 3))
		trace->max_events = below(fuzzer, 1000);
	if (trace->nr_functions && !below(fuzzer, 3))
		trace->stop_function = below(fuzzer, trace->nr_functions);
	if (!below(fuzzer, 3)) {
		trace->flags |= CPUPROBE_TRACE_WAIT;
		trace->start_function = below(fuzzer, 4);
		trace->start_count = below(fuzzer, 4);
		trace->start_mark[0] = below(fuzzer, 2) ? 'm' : 0;
	}
	if (!below(fuzzer, 6))
		trace->exe_fd = some_exe(fuzzer);
	if (!below(fuzzer, 6))
		trace->pid = some_pid(fuzzer);
	if (!below(fuzzer, 6))
		trace->cgroup_fd = fuzzer->cgroup;
}

static void draw_events(struct fuzzer *fuzzer, struct cpuprobe_events *events)
{
	*events = REQUEST(events, .cpu = below(fuzzer, fuzzer->nr_cpus), .from = below(fuzzer, 2) ? 0 : below(fuzzer, 100));
	events->buffer_len = below(fuzzer, 3) ? COUNTS_LEN : below(fuzzer, 200);
	events->buffer = pointer(fuzzer, BUFFER);
}

static void draw_missed(struct fuzzer *fuzzer, struct cpuprobe_missed *missed)
{
	*missed = REQUEST(missed, .nr_functions = below(fuzzer, 8), .buffer = pointer(fuzzer, BUFFER));
}

static void draw_counts(struct fuzzer *fuzzer, struct cpuprobe_counts *counts)
{
	*counts = REQUEST(counts);
	counts->cpu = below(fuzzer, fuzzer->nr_cpus);
	counts->buffer_len = below(fuzzer, 3) ? COUNTS_LEN : below(fuzzer, 200);
	counts->buffer = pointer(fuzzer, BUFFER);
}

static void draw_times(struct fuzzer *fuzzer, struct cpuprobe_times *times)
{
	*times = REQUEST(times);
	times->cpu = below(fuzzer, fuzzer->nr_cpus);
	times->buffer_len = below(fuzzer, 3) ? COUNTS_LEN : below(fuzzer, 2000);
	times->buffer = pointer(fuzzer, BUFFER);
}

/* The table is made by call_table(); run.c corrects most numbers of the object. */
static void draw_unwind(struct fuzzer *fuzzer, struct cpuprobe_unwind *unwind)
{
	*unwind = REQUEST(unwind, .object = below(fuzzer, 30), .seq = below(fuzzer, 30));
	if (!below(fuzzer, 6))
		return;
	unwind->first_page = below(fuzzer, 4);
	unwind->nr_pages = 1 + below(fuzzer, TABLE_PAGES);
	unwind->nr_rows = 1 + below(fuzzer, TABLE_ROWS);
	unwind->nr_rules = 1 + below(fuzzer, TABLE_RULES);
	unwind->pages = pointer(fuzzer, AREAS);
	unwind->rows = pointer(fuzzer, AREAS + TABLE_ROWS_AT);
	unwind->rules = pointer(fuzzer, AREAS + TABLE_RULES_AT);
}

static uint32_t odd_command(struct fuzzer *fuzzer)
{
	uint32_t nr = below(fuzzer, 10), direction = below(fuzzer, 4), size = below(fuzzer, 260);

	switch (below(fuzzer, 4)) {
	case 0:
		return draw(fuzzer);
	case 1:
		return CPUPROBE_IOC_START ^ 1u << below(fuzzer, 32);
	case 2:
		return CPUPROBE_IOC_HARVEST ^ 1u << below(fuzzer, 32);
	default:
		return _IOC(direction, CPUPROBE_IOC_MAGIC, nr, size);
	}
}

static uint8_t some_place(struct fuzzer *fuzzer)
{
	return below(fuzzer, 4) ? PLACE_GOOD : below(fuzzer, PLACES);
}

static uint8_t some_kind(struct fuzzer *fuzzer)
{
	uint32_t at = below(fuzzer, 1000);
	uint8_t kind;

	if (!below(fuzzer, 10000))
		return CALL_PASS + below(fuzzer, 2);
	for (kind = 0; kind < CALL_FILE && at >= weight[kind]; kind++)
		at -= weight[kind];
	return kind;
}

/* Give another value to a field, taken as 32 or 64 bits. */
static void change_word(struct fuzzer *fuzzer, struct call *call)
{
	static const uint8_t words[CALL_KINDS] = {
		[CALL_INFO] = 4, [CALL_START] = sizeof(struct cpuprobe_start) / 4 - 8,
		[CALL_AREAS] = sizeof(struct cpuprobe_areas) / 4,
		[CALL_HARVEST] = offsetof(struct cpuprobe_harvest, account) / 4,
		[CALL_EXE] = sizeof(struct cpuprobe_open) / 4,
		[CALL_CALLS] = sizeof(struct cpuprobe_calls) / 4,
		[CALL_COUNTS] = sizeof(struct cpuprobe_counts) / 4,
		[CALL_TIMES] = sizeof(struct cpuprobe_times) / 4,
		[CALL_NEED] = sizeof(struct cpuprobe_need) / 4,
		[CALL_UNWIND] = sizeof(struct cpuprobe_unwind) / 4,
		[CALL_TRACE] = sizeof(struct cpuprobe_trace) / 4,
		[CALL_EVENTS] = sizeof(struct cpuprobe_events) / 4,
		[CALL_MISSED] = sizeof(struct cpuprobe_missed) / 4,
	};
	uint32_t nr = words[call->kind], at = below(fuzzer, nr ? nr : 1);
	uint64_t value = 0;

	if (!nr)
		return;
	/* Skip the fields that START only answers in. */
	if (call->kind == CALL_START && at >= offsetof(struct cpuprobe_start, reason) / 4)
		at += (offsetof(struct cpuprobe_start, cgroup_fd) -
		       offsetof(struct cpuprobe_start, reason)) / 4;
	memcpy(&value, &call->arg.word[at], 8);
	switch (below(fuzzer, 5)) {
	case 0:
		value ^= 1ULL << below(fuzzer, 64);
		break;
	case 1:
		value ^= 1ULL << below(fuzzer, 12);
		break;
	case 2:
		value += below(fuzzer, 2) ? 1 : -1;
		break;
	case 3:
		value = draw(fuzzer) >> below(fuzzer, 64);
		break;
	default:
		value = interesting[below(fuzzer, NR(interesting))];
	}
	memcpy(&call->arg.word[at], &value, at % 2 || below(fuzzer, 2) ? 4 : 8);
}

void call_draw(struct fuzzer *fuzzer, struct call *call)
{
	memset(call, 0, sizeof(*call));
	call->kind = some_kind(fuzzer);
	call->file = below(fuzzer, FILES);
	call->place = some_place(fuzzer);
	call->what = draw(fuzzer);
	call->area_seed = draw(fuzzer);
	switch (call->kind) {
	case CALL_INFO:
		call->arg.info.size = below(fuzzer, 80);
		break;
	case CALL_START:
		draw_start(fuzzer, &call->arg.start);
		break;
	case CALL_AREAS:
		draw_areas(fuzzer, call);
		break;
	case CALL_HARVEST:
		draw_harvest(fuzzer, &call->arg.harvest);
		break;
	case CALL_EXE:
		draw_open(fuzzer, &call->arg.open);
		break;
	case CALL_CALLS:
		draw_calls(fuzzer, &call->arg.calls);
		break;
	case CALL_COUNTS:
		draw_counts(fuzzer, &call->arg.counts);
		break;
	case CALL_TIMES:
		draw_times(fuzzer, &call->arg.times);
		break;
	case CALL_NEED:
		call->arg.need = REQUEST(need);
		break;
	case CALL_UNWIND:
		draw_unwind(fuzzer, &call->arg.unwind);
		call->area_flaw = below(fuzzer, 2) ? draw(fuzzer) : 0;
		break;
	case CALL_TRACE:
		draw_trace(fuzzer, &call->arg.trace);
		break;
	case CALL_EVENTS:
		draw_events(fuzzer, &call->arg.events);
		break;
	case CALL_MISSED:
		draw_missed(fuzzer, &call->arg.missed);
		break;
	case CALL_ODD:
		call->command = odd_command(fuzzer);
	}
	/* Most starts should be refused: a successful one takes a hundred times as long. */
	if (call->kind == CALL_START || call->kind == CALL_CALLS || call->kind == CALL_TRACE ?
	    below(fuzzer, 40) : !below(fuzzer, 4))
		change_word(fuzzer, call);
}

void call_change(struct fuzzer *fuzzer, struct call *call)
{
	switch (below(fuzzer, 8)) {
	case 0:
		call_draw(fuzzer, call);
		break;
	case 1:
		call->place = some_place(fuzzer);
		break;
	case 2:
		call->file = below(fuzzer, FILES);
		break;
	case 3:
		call->area_flaw = draw(fuzzer);
		break;
	default:
		change_word(fuzzer, call);
	}
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

void call_table(const struct call *call)
{
	const struct cpuprobe_unwind *unwind = &call->arg.unwind;
	uint32_t state = call->area_seed, nr_rows = unwind->nr_rows % (TABLE_ROWS + 1);
	uint32_t nr_pages = unwind->nr_pages % (TABLE_PAGES + 1), page, row;
	uint32_t *pages = (void *)AREAS, *rows = (void *)(AREAS + TABLE_ROWS_AT);
	struct cpuprobe_rule *rules = (void *)(AREAS + TABLE_RULES_AT);
	uint32_t i, nr_rules = unwind->nr_rules % TABLE_RULES + 1;

	/* Each page has its share of the rows, at growing places. */
	for (page = 0; page <= nr_pages; page++)
		pages[page] = nr_pages ? page * nr_rows / nr_pages : 0;
	for (page = 0; page < nr_pages; page++)
		for (row = pages[page]; row < pages[page + 1]; row++)
			rows[row] = (row - pages[page]) * 16 | next(&state) % nr_rules << 16;
	for (i = 0; i < TABLE_RULES; i++) {
		struct cpuprobe_rule *rule = &rules[i];

		*rule = (struct cpuprobe_rule){ .kind = next(&state) % CPUPROBE_RULE_KINDS };
		if (rule->kind < CPUPROBE_RULE_CFA || rule->kind > CPUPROBE_RULE_SIGNAL)
			continue;
		rule->base = next(&state) % 2;
		rule->offset = 8 * (int)(next(&state) % 16);
		rule->add = rule->kind == CPUPROBE_RULE_CFA ? 0 : 8;
		rule->ra = CPUPROBE_SAVED_STACK;
		rule->ra_words = rule->kind == CPUPROBE_RULE_SIGNAL ? 1 : -1;
	}
	if (!call->area_flaw)
		return;
	state = call->area_flaw;
	((uint32_t *)AREAS)[next(&state) % (TABLE_BYTES / 4)] = next(&state);
}

void call_areas(const struct call *call)
{
	struct cpuprobe_area *area = (void *)AREAS;
	uint32_t nr = call->arg.areas.nr_areas, i, state = call->area_seed;
	uint32_t pid = next(&state) % 3 ? getpid() : 0;
	uint64_t start = next(&state);

	if (nr > CPUPROBE_AREAS_MAX + 1)
		nr = CPUPROBE_AREAS_MAX + 1;
	for (i = 0; i < nr; i++) {
		if (next(&state) % 16 == 0)
			pid += 1 + next(&state) % 5;
		start += next(&state) % 4096;
		area[i] = (struct cpuprobe_area){ .start = start, .bias = next(&state), .pid = pid,
			.object = CPUPROBE_OBJECT_FIRST + next(&state) % (CPUPROBE_OBJECTS - 5) };
		area[i].end = start += 1 + next(&state) % 65536;
	}
	if (!nr || !call->area_flaw)
		return;
	state = call->area_flaw;
	i = next(&state) % nr;
	((uint32_t *)&area[i])[next(&state) % 10] = interesting[next(&state) % NR(interesting)];
}

void call_functions(const struct fuzzer *fuzzer, const struct call *call)
{
	struct cpuprobe_function *function = (void *)AREAS;
	uint32_t i, state = call->area_seed;

	for (i = 0; i < 8; i++)
		function[i] = (struct cpuprobe_function){
			.address = next(&state) % 8 ? fuzzer->function[i % NR(fuzzer->function)] :
				interesting[next(&state) % NR(interesting)],
			.reserved = next(&state) % 32 == 0,
		};
}
