// SPDX-License-Identifier: GPL-2.0-only
/* Names of events that every kernel knows: see event_names.h. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "events/event_names.h"

#define HARD(name_, other_, config_, period_, help_) \
	{ name_, other_, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config_, period_, help_ }
#define SOFT(name_, other_, config_, period_, help_) \
	{ name_, other_, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config_, period_, help_ }

static const struct known {
	const char *name, *other;	/* @other: another name; NULL: none */
	u32 type;
	u64 config, period;
	const char *help;
} known[] = {
	HARD("cycles", "cpu-cycles", CPU_CYCLES, 5000011, "processor cycles while not halted"),
	HARD("instructions", NULL, INSTRUCTIONS, 10000019, "completed instructions"),
	HARD("cache-references", NULL, CACHE_REFERENCES, 100003, "accesses to the last cache"),
	HARD("cache-misses", NULL, CACHE_MISSES, 10007, "accesses missed by the last cache"),
	HARD("branches", "branch-instructions", BRANCH_INSTRUCTIONS, 2000003, "completed branches"),
	HARD("branch-misses", NULL, BRANCH_MISSES, 100003, "wrongly predicted branches"),
	HARD("bus-cycles", NULL, BUS_CYCLES, 100003, "bus cycles"),
	HARD("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND, 5000011,
	     "cycles waiting for instructions"),
	HARD("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND, 5000011,
	     "cycles waiting for results"),
	HARD("ref-cycles", NULL, REF_CPU_CYCLES, 5000011, "cycles at a fixed rate"),
	SOFT("page-faults", "faults", PAGE_FAULTS, 101, "page faults"),
	SOFT("minor-faults", NULL, PAGE_FAULTS_MIN, 101, "page faults that read no disk"),
	SOFT("major-faults", NULL, PAGE_FAULTS_MAJ, 1, "page faults that read a disk"),
	SOFT("context-switches", "cs", CONTEXT_SWITCHES, 101, "switches to another task"),
	SOFT("cpu-migrations", "migrations", CPU_MIGRATIONS, 1, "tasks moved to another CPU"),
	SOFT("alignment-faults", NULL, ALIGNMENT_FAULTS, 1, "unaligned accesses, handled"),
	SOFT("emulation-faults", NULL, EMULATION_FAULTS, 1, "emulated instructions"),
	SOFT("cgroup-switches", NULL, CGROUP_SWITCHES, 101, "switches to another control group"),
};

static const struct { const char *name, *what; u64 id; } caches[] = {
	{ "L1-dcache", "L1 data", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-icache", "L1 code", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC", "last cache", PERF_COUNT_HW_CACHE_LL },
	{ "dTLB", "data addresses", PERF_COUNT_HW_CACHE_DTLB },
	{ "iTLB", "code addresses", PERF_COUNT_HW_CACHE_ITLB },
	{ "branch", "branches", PERF_COUNT_HW_CACHE_BPU },
	{ "node", "own node", PERF_COUNT_HW_CACHE_NODE },
};

static const struct { const char *all, *misses, *what; u64 id; } ops[] = {
	{ "loads", "load-misses", "loads", PERF_COUNT_HW_CACHE_OP_READ },
	{ "stores", "store-misses", "stores", PERF_COUNT_HW_CACHE_OP_WRITE },
	{ "prefetches", "prefetch-misses", "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH },
};

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static void fill_known(const struct known *from, struct event_name *name_ret)
{
	*name_ret = (struct event_name){
		.kind = from->type == PERF_TYPE_SOFTWARE ? "software" : "hardware",
		.type = from->type, .config = from->config, .period = from->period,
	};
	snprintf(name_ret->name, sizeof(name_ret->name), "%s", from->name);
	snprintf(name_ret->help, sizeof(name_ret->help), "%s", from->help);
}

/* Each cache has accesses and misses of each kind of operation. */
static void fill_cache(size_t at, struct event_name *name_ret)
{
	const size_t cache = at / (2 * NR(ops)), op = at / 2 % NR(ops);
	const bool is_miss = at % 2;

	*name_ret = (struct event_name){
		.kind = "cache", .type = PERF_TYPE_HW_CACHE, .period = is_miss ? 10007 : 2000003,
		.config = caches[cache].id | ops[op].id << 8 |
			(u64)(is_miss ? PERF_COUNT_HW_CACHE_RESULT_MISS : PERF_COUNT_HW_CACHE_RESULT_ACCESS) << 16,
	};
	snprintf(name_ret->name, sizeof(name_ret->name), "%s-%s", caches[cache].name,
		 is_miss ? ops[op].misses : ops[op].all);
	snprintf(name_ret->help, sizeof(name_ret->help), "%s%s, %s", ops[op].what,
		 is_miss ? " missed" : "", caches[cache].what);
}

bool event_name_at(size_t at, struct event_name *name_ret)
{
	if (at < NR(known))
		fill_known(&known[at], name_ret);
	else if (at - NR(known) < NR(caches) * NR(ops) * 2)
		fill_cache(at - NR(known), name_ret);
	else
		return false;
	return true;
}

bool event_name_find(const char *name, struct event_name *name_ret)
{
	size_t i;

	for (i = 0; event_name_at(i, name_ret); i++)
		if (!strcmp(name_ret->name, name) ||
		    (i < NR(known) && known[i].other && !strcmp(known[i].other, name)))
			return true;
	return false;
}
