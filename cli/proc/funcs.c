// SPDX-License-Identifier: GPL-2.0-only
/* Sums of slots by function: see funcs.h. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "proc/funcs.h"

#define OVERLAPS_MAX 4096	/* functions examined in one slot */

/* The symbol with the most bytes in [low, high). @is_shared: other symbols have bytes there too. */
static const struct sym *
largest_function(const struct sym_index *symbols, u64 low, u64 high, bool *is_shared)
{
	const struct sym *best = NULL;
	u64 best_bytes = 0, covered = 0;
	size_t i, n;

	if (!symbols)
		return NULL;
	i = sym_index_lower_bound(symbols, low);
	for (n = 0; i < sym_index_size(symbols) && n < OVERLAPS_MAX; i++, n++) {
		const struct sym *sym = sym_index_at(symbols, i);
		u64 from = sym->start > low ? sym->start : low;
		u64 to = sym->end < high ? sym->end : high;

		if (sym->start >= high)
			break;
		if (to <= from)
			continue;
		covered += to - from;
		if (to - from > best_bytes) {
			best_bytes = to - from;
			best = sym;
		}
	}
	*is_shared = best && covered > best_bytes;
	return best;
}

static u16 get_func(struct funcs *funcs, const char *name)
{
	u32 i;

	for (i = 0; i < funcs->nr; i++)
		if (!strcmp(funcs->func[i].name, name))
			return i;
	snprintf(funcs->func[funcs->nr].name, sizeof(funcs->func[0].name), "%s", name);
	return funcs->nr++;
}

void funcs_init(struct funcs *funcs, const struct slots_layout *layout,
		const struct sym_index *symbols, const char *object)
{
	char name[sizeof(funcs->func[0].name)];
	u32 slot;

	memset(funcs, 0, sizeof(*funcs));
	for (slot = 0; slot < layout->nr_slots; slot++) {
		bool is_shared = false;
		const struct sym *sym = largest_function(symbols, slots_low(layout, slot),
							 slots_high(layout, slot), &is_shared);

		if (sym)
			sym_name(sym, name, sizeof(name));
		else
			snprintf(name, sizeof(name), "[%s]", object);
		text_clean(name);
		funcs->is_shared[slot] = is_shared;
		funcs->of_slot[slot] = get_func(funcs, name);
	}
}

void funcs_end_block(struct funcs *funcs, const u64 *hits, u64 taken)
{
	u64 of_func[CPUPROBE_SLOTS] = { 0 }, n = taken - funcs->taken_before;
	u32 i;

	if (taken <= funcs->taken_before)
		return;
	for (i = 0; i < CPUPROBE_SLOTS; i++) {
		of_func[funcs->of_slot[i]] += hits[i] - funcs->hits_before[i];
		funcs->hits_before[i] = hits[i];
	}
	for (i = 0; i < funcs->nr; i++) {
		double share = (double)of_func[i] / n;

		funcs->func[i].sum += share;
		funcs->func[i].sum2 += share * share;
	}
	funcs->taken_before = taken;
	funcs->nr_blocks++;
}

void funcs_finish(struct funcs *funcs, const struct slots_layout *layout, const u64 *hits)
{
	u32 i;

	funcs->shared_hits = 0;
	for (i = 0; i < funcs->nr; i++)
		funcs->func[i].hits = 0;
	for (i = 0; i < layout->nr_slots; i++) {
		funcs->func[funcs->of_slot[i]].hits += hits[i];
		funcs->shared_hits += funcs->is_shared[i] ? hits[i] : 0;
	}
}
