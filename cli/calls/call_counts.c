// SPDX-License-Identifier: GPL-2.0-only
/* Counted calls: see call_counts.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "calls/call_counts.h"

/** Identity of a function. */
struct function_key {
	const char *module, *name;
	u64 addr;
};

struct call_counts *call_counts_create(void)
{
	struct call_counts *counts = calloc(1, sizeof(*counts));

	if (!counts)
		return NULL;
	counts->texts = calloc(1, 1);
	counts->texts_len = 1;
	if (counts->texts)
		return counts;
	free(counts);
	return NULL;
}

void call_counts_destroy(struct call_counts *counts)
{
	if (!counts)
		return;
	intern_deinit(&counts->function_index);
	intern_deinit(&counts->arc_index);
	free(counts->functions);
	free(counts->arcs);
	free(counts->texts);
	free(counts);
}

const char *call_counts_name(const struct call_counts *counts, u32 function)
{
	return counts->texts + counts->functions[function].name;
}

const char *call_counts_module(const struct call_counts *counts, u32 function)
{
	return counts->texts + counts->functions[function].module;
}

/* Position of a text in texts, where it is appended; 0: empty, or out of memory. */
static u32 add_text(struct call_counts *counts, const char *text)
{
	u32 len = strlen(text) + 1, at = counts->texts_len;
	char *texts;

	if (len == 1 || at > UINT32_MAX / 2)
		return 0;
	texts = realloc(counts->texts, (size_t)at + len);
	if (!texts)
		return 0;
	memcpy(texts + at, text, len);
	counts->texts = texts;
	counts->texts_len += len;
	return at;
}

static bool is_same_function(const void *owner, u32 position, const void *key)
{
	const struct call_counts *counts = owner;
	const struct function_key *wanted = key;

	return counts->functions[position].addr == wanted->addr &&
		!strcmp(call_counts_module(counts, position), wanted->module) &&
		(wanted->addr || !strcmp(call_counts_name(counts, position), wanted->name));
}

static u64 hash_function(const struct function_key *key)
{
	u64 hash = intern_hash(key->addr, key->module, strlen(key->module));

	return key->addr ? hash : intern_hash(hash, key->name, strlen(key->name));
}

u32 call_counts_function(struct call_counts *counts, const char *module, const char *name, u64 addr,
			 enum call_state state)
{
	const struct function_key key = { module, name, addr };
	u64 hash = hash_function(&key);
	u32 at = intern_find(&counts->function_index, hash, is_same_function, counts, &key);

	if (at != INTERN_NONE)
		return at;
	at = counts->nr_functions;
	if (!array_has_room(&counts->functions, at, sizeof(*counts->functions)) ||
	    intern_add(&counts->function_index, hash, at))
		return CALLS_NONE;
	counts->functions[at] = (struct call_function){
		.addr = addr, .name = add_text(counts, name), .module = add_text(counts, module),
		.state = state,
	};
	counts->nr_functions++;
	return at;
}

static bool is_same_arc(const void *owner, u32 position, const void *key)
{
	const struct call_arc *arc = &((const struct call_counts *)owner)->arcs[position];
	const u32 *wanted = key;

	return arc->function == wanted[0] && arc->caller == wanted[1];
}

int call_counts_add(struct call_counts *counts, u32 function, u32 caller,
		    const u64 calls[CPUPROBE_CONTEXTS])
{
	const u32 key[2] = { function, caller };
	u64 hash = intern_hash(0, key, sizeof(key));
	u32 at = intern_find(&counts->arc_index, hash, is_same_arc, counts, key), context;

	if (at == INTERN_NONE) {
		at = counts->nr_arcs;
		if (!array_has_room(&counts->arcs, at, sizeof(*counts->arcs)) ||
		    intern_add(&counts->arc_index, hash, at))
			return -ENOMEM;
		counts->arcs[at] = (struct call_arc){ .function = function, .caller = caller };
		counts->nr_arcs++;
	}
	for (context = 0; context < CPUPROBE_CONTEXTS; context++)
		counts->arcs[at].calls[context] += calls[context];
	return 0;
}

static void merge_totals(struct call_totals *totals, const struct call_totals *from)
{
	totals->counted_ns += from->counted_ns;
	totals->lost += from->lost;
	totals->others += from->others;
	totals->is_over |= from->is_over;
	totals->is_switched_off |= from->is_switched_off;
	if (totals->nr_cpus)
		return;
	totals->cost_ps = from->cost_ps;
	totals->budget_ppm = from->budget_ppm;
	totals->nr_cpus = from->nr_cpus;
}

static int merge_functions(struct call_counts *counts, const struct call_counts *from, u32 *moved)
{
	u32 i;

	for (i = 0; i < from->nr_functions; i++) {
		const struct call_function *function = &from->functions[i];

		moved[i] = call_counts_function(counts, call_counts_module(from, i),
						call_counts_name(from, i), function->addr,
						function->state);
		if (moved[i] == CALLS_NONE)
			return -ENOMEM;
	}
	return 0;
}

int call_counts_merge(struct call_counts *counts, const struct call_counts *from, u32 *moved)
{
	u32 *position = moved ?: calloc(from->nr_functions + 1, sizeof(*position)), i;
	int error = position ? merge_functions(counts, from, position) : -ENOMEM;

	for (i = 0; i < from->nr_arcs && !error; i++) {
		const struct call_arc *arc = &from->arcs[i];

		error = call_counts_add(counts, position[arc->function], position[arc->caller],
					arc->calls);
	}
	if (!error)
		merge_totals(&counts->totals, &from->totals);
	if (!moved)
		free(position);
	return error;
}

u64 call_arc_calls(const struct call_arc *arc)
{
	u64 sum = 0;
	u32 context;

	for (context = 0; context < CPUPROBE_CONTEXTS; context++)
		sum += arc->calls[context];
	return sum;
}

int call_counts_decimals(const struct call_counts *counts)
{
	return counts->totals.counted_ns < 1000000000 ? 3 : 1;
}

u64 call_counts_sum(const struct call_counts *counts)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < counts->nr_arcs; i++)
		sum += call_arc_calls(&counts->arcs[i]);
	return sum;
}
