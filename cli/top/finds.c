// SPDX-License-Identifier: GPL-2.0-only
/* Makes rows from the counts of a target: see finds.h. */
#include <string.h>

#include "base/text.h"
#include "top/finds.h"

static struct find *add_find(struct finds *finds, u64 low, u64 high, u64 hits)
{
	struct find *find;

	if (finds->nr == FINDS_MAX)
		return NULL;
	find = &finds->find[finds->nr++];
	*find = (struct find){ .low = low, .high = high, .hits = hits };
	finds->has_addresses |= high > low;
	return find;
}

void finds_object(struct finds *finds, u32 object, const char *name, u64 hits)
{
	struct find *find = add_find(finds, 0, 0, hits);

	if (!find)
		return;
	find->object = object;
	snprintf(find->name, sizeof(find->name), "%s", name);
}

static void name_find_address(struct find *find, const struct finds_place *place,
			      const struct sym *sym, u64 addr)
{
	char function[160];

	if (!sym) {
		snprintf(find->name, sizeof(find->name), "%.120s+0x%llx", place->object,
			 addr - place->object_start);
		return;
	}
	sym_name(sym, function, sizeof(function));
	text_clean(function);
	snprintf(find->name, sizeof(find->name), "%s+0x%llx", function, addr - sym->entry);
}

void finds_slots(struct finds *finds, const struct finds_place *place)
{
	const struct slots_layout *layout = place->layout;
	u32 slot;

	for (slot = 0; slot < layout->nr_slots; slot++) {
		u64 low = slots_low(layout, slot), high = slots_high(layout, slot);
		struct find *find = place->hits[slot] ?
			add_find(finds, low, high, place->hits[slot]) : NULL;

		if (find)
			name_find_address(find, place, place->symbols ?
					  sym_index_find(place->symbols, low) : NULL, low);
	}
}

/** The functions that share a slot. */
struct sharing {
	const struct sym *first;
	const struct sym *last;
	size_t nr;
};

static struct sharing functions_of_slot(const struct finds_place *place, u32 slot)
{
	u64 low = slots_low(place->layout, slot), high = slots_high(place->layout, slot);
	struct sharing sharing = { NULL, NULL, 0 };
	size_t i, nr = place->symbols ? sym_index_size(place->symbols) : 0;

	for (i = nr ? sym_index_lower_bound(place->symbols, low) : 0; i < nr; i++) {
		const struct sym *sym = sym_index_at(place->symbols, i);

		if (sym->start >= high)
			break;
		sharing.first = sharing.first ?: sym;
		sharing.last = sym;
		sharing.nr++;
	}
	return sharing;
}

static void add_function_find(struct finds *finds, const struct sym *sym, u64 hits)
{
	struct find *last = finds->nr ? &finds->find[finds->nr - 1] : NULL, *find;

	/* Slots are in order of address: a function's slots are adjacent, except shared slots. */
	if (last && last->is_function && last->low == sym->start) {
		last->hits += hits;
		return;
	}
	find = add_find(finds, sym->start, sym->end, hits);
	if (!find)
		return;
	find->is_function = true;
	sym_name(sym, find->name, sizeof(find->name));
	text_clean(find->name);
}

/* Add a slot that functions share, extended to whole functions if the result is smaller than the
   current range. */
static void add_shared_find(struct finds *finds, const struct finds_place *place, u32 slot,
			    const struct sharing *sharing)
{
	u64 low = slots_low(place->layout, slot), high = slots_high(place->layout, slot);
	u64 whole_low = sharing->first->start < low ? sharing->first->start : low;
	u64 whole_high = sharing->last->end > high ? sharing->last->end : high;
	char first[160];
	struct find *find;

	if (whole_high - whole_low < place->layout->high - place->layout->low) {
		low = whole_low;
		high = whole_high;
	}
	find = add_find(finds, low, high, place->hits[slot]);
	if (!find)
		return;
	sym_name(sharing->first, first, sizeof(first));
	snprintf(find->name, sizeof(find->name), "%s and %zu more", first, sharing->nr - 1);
	text_clean(find->name);
}

void finds_functions(struct finds *finds, const struct finds_place *place)
{
	u32 slot;

	for (slot = 0; slot < place->layout->nr_slots; slot++) {
		u64 low = slots_low(place->layout, slot);
		struct sharing sharing;
		struct find *find;

		if (!place->hits[slot])
			continue;
		sharing = functions_of_slot(place, slot);
		if (sharing.nr == 1) {
			add_function_find(finds, sharing.first, place->hits[slot]);
			continue;
		}
		if (sharing.nr) {
			add_shared_find(finds, place, slot, &sharing);
			continue;
		}
		find = add_find(finds, low, slots_high(place->layout, slot), place->hits[slot]);
		if (find)
			name_find_address(find, place, NULL, low);
	}
}

void finds_share(struct finds *finds, u64 n, double excess)
{
	size_t i;

	finds->n = n;
	for (i = 0; i < finds->nr; i++) {
		struct find *find = &finds->find[i];

		find->share = n ? (double)find->hits / n : 0;
		find->interval = stat_wilson(find->hits, n, excess);
	}
}
