// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses to inlined calls, through libdw. A compilation unit is read once: its inlined calls and
 * their addresses become arrays of our own, which are searched for each address. See symbolizer.h.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lines_parts.h"

#define UNITS_MAX	1024		/* units in the cache */
#define WAYS		8		/* places in the cache that a unit can have */
#define SPANS_MAX	(1u << 20)	/* spans of a unit, and as many of its calls and functions */
#define PARTS_MAX	(1u << 20)	/* all of these, of all units in the cache; one alone may have more */
#define ENTRIES_MAX	(1u << 23)	/* entries of a unit that are read */
#define DEPTH_MAX	128		/* entries within each other */
#define STEPS_MAX	(1u << 16)	/* spans searched for one address */
#define NO_CALL		UINT32_MAX

/** An inlined call. */
struct call {
	Dwarf_Off callee;	/* entry of the function that was inlined */
	u32 outer;		/* inlined call that contains this one, or NO_CALL */
	u32 depth;		/* number of inlined calls that contain it */
	u32 file;		/* source of the call; the file by its number in the unit */
	u32 line;
};

/** Addresses of an inlined call. */
struct span {
	u64 start;
	u64 end;
	u64 reach;		/* highest end of this span and those before it */
	u32 call;
};

/** A function of the unit that also has code of its own. */
struct own_code {
	Dwarf_Off callee;
	u64 entry;
};

/** Inlined calls of a compilation unit. */
struct unit_inlines {
	Dwarf_Off unit;
	u64 used;		/* time of last use, by the cache's clock; 0: free */
	struct call *calls;
	struct span *spans;		/* by start */
	struct own_code *own_codes;	/* by callee */
	u32 nr_calls, nr_spans, nr_own_codes;
	u32 max_calls, max_spans, max_own_codes;
};

struct inlines {
	struct unit_inlines units[UNITS_MAX];	/* each near the place of its hash */
	u64 clock;
};

/** A walk over the entries of a unit: the current entry, and those that contain it. */
struct walk {
	struct unit_inlines *unit;
	u64 code_start;			/* lowest address of code: below are functions that the linker dropped */
	Dwarf_Die entry[DEPTH_MAX];
	u32 call[DEPTH_MAX];		/* inlined call that contains the entry, or NO_CALL */
	int depth;
	u32 nr_ranges;			/* seen so far, empty ones too: many entries can share one list */
	bool is_full;			/* a limit was reached, or out of memory */
};

static void drop_unit(struct unit_inlines *unit)
{
	free(unit->calls);
	free(unit->spans);
	free(unit->own_codes);
	memset(unit, 0, sizeof(*unit));
}

void inlines_destroy(struct inlines *inlines)
{
	size_t i;

	if (!inlines)
		return;
	for (i = 0; i < UNITS_MAX; i++)
		drop_unit(&inlines->units[i]);
	free(inlines);
}

/* Makes room for one more element. False: too many, or out of memory. */
static bool has_room(void *array_at, u32 nr, u32 *max, size_t len)
{
	u32 wanted = *max ? 2 * *max : 64;
	void **array = array_at, *more;

	if (nr < *max)
		return true;
	more = wanted > SPANS_MAX ? NULL : reallocarray(*array, wanted, len);
	if (!more)
		return false;
	*array = more;
	*max = wanted;
	return true;
}

/* 0: unknown, or not in .debug_info of the file itself, where its offset would lead to another function. */
static Dwarf_Off get_callee(Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;
	Dwarf_Die callee, same;
	Dwarf_Off offset;

	if (!dwarf_attr(entry, DW_AT_abstract_origin, &attribute) || !dwarf_formref_die(&attribute, &callee))
		return 0;
	offset = dwarf_dieoffset(&callee);
	return dwarf_offdie(dwarf_cu_getdwarf(entry->cu), offset, &same) && same.addr == callee.addr ? offset : 0;
}

static u32 get_number(Dwarf_Die *entry, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	return dwarf_attr(entry, name, &attribute) && !dwarf_formudata(&attribute, &value) &&
	       value <= INT32_MAX ? value : 0;
}

static void add_spans(struct walk *walk, Dwarf_Die *entry, u32 call)
{
	struct unit_inlines *unit = walk->unit;
	Dwarf_Addr base = 0, start, end;
	ptrdiff_t step = 0;

	while (!walk->is_full && (step = dwarf_ranges(entry, step, &base, &start, &end)) > 0) {
		walk->is_full = ++walk->nr_ranges > SPANS_MAX ||
			!has_room(&unit->spans, unit->nr_spans, &unit->max_spans, sizeof(*unit->spans));
		if (walk->is_full || start >= end || start < walk->code_start)
			continue;
		unit->spans[unit->nr_spans++] = (struct span){
			.start = start, .end = end, .call = call };
	}
}

/* Adds an inlined call. Returns its position. */
static u32 add_call(struct walk *walk, Dwarf_Die *entry, u32 outer)
{
	struct unit_inlines *unit = walk->unit;
	u32 at = unit->nr_calls;

	if (!has_room(&unit->calls, at, &unit->max_calls, sizeof(*unit->calls))) {
		walk->is_full = true;
		return outer;
	}
	unit->calls[at] = (struct call){
		.callee = get_callee(entry), .outer = outer,
		.depth = outer == NO_CALL ? 0 : unit->calls[outer].depth + 1,
		.file = get_number(entry, DW_AT_call_file),
		.line = get_number(entry, DW_AT_call_line),
	};
	unit->nr_calls++;
	add_spans(walk, entry, at);
	return at;
}

/* Remembers where the code of a function is that was also inlined. */
static void add_own_code(struct walk *walk, Dwarf_Die *entry)
{
	struct unit_inlines *unit = walk->unit;
	Dwarf_Off callee = get_callee(entry);
	Dwarf_Addr addr;

	/* Address 0: the linker dropped it, perhaps for an equal one of another unit. */
	if (!callee || dwarf_entrypc(entry, &addr) || !addr || addr < walk->code_start)
		return;
	if (!has_room(&unit->own_codes, unit->nr_own_codes, &unit->max_own_codes,
		      sizeof(*unit->own_codes))) {
		walk->is_full = true;
		return;
	}
	unit->own_codes[unit->nr_own_codes++] = (struct own_code){ callee, addr };
}

/* Takes what matters of an entry. Returns whether there may be inlined calls in it. */
static bool take_entry(struct walk *walk, Dwarf_Die *entry, u32 outer, u32 *call_ret)
{
	*call_ret = outer;
	switch (dwarf_tag(entry)) {
	case DW_TAG_inlined_subroutine:
		*call_ret = add_call(walk, entry, outer);
		return true;
	case DW_TAG_subprogram:
		*call_ret = NO_CALL;
		/* A declaration, or the model of inlined calls, has no code. */
		if (!dwarf_hasattr(entry, DW_AT_low_pc) && !dwarf_hasattr(entry, DW_AT_ranges))
			return false;
		add_own_code(walk, entry);
		return true;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* Goes to the next entry that is not in the current one. False: there is none. */
static bool leave_entry(struct walk *walk)
{
	Dwarf_Die *entry;

	for (; walk->depth >= 0; walk->depth--) {
		entry = &walk->entry[walk->depth];
		if (!dwarf_siblingof(entry, entry))
			return true;
	}
	return false;
}

static void walk_unit(struct walk *walk, Dwarf_Die *die)
{
	u32 left = ENTRIES_MAX, call;
	bool is_parent;

	walk->call[0] = NO_CALL;
	if (dwarf_child(die, &walk->entry[0]))
		return;
	while (left-- && !walk->is_full) {
		int depth = walk->depth;

		is_parent = take_entry(walk, &walk->entry[depth], walk->call[depth], &call);
		if (is_parent && depth + 1 < DEPTH_MAX &&
		    !dwarf_child(&walk->entry[depth], &walk->entry[depth + 1])) {
			walk->call[depth + 1] = call;
			walk->depth++;
		} else if (!leave_entry(walk)) {
			return;
		}
	}
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int compare_own_codes(const void *a, const void *b)
{
	const struct own_code *x = a, *y = b;

	return (x->callee > y->callee) - (x->callee < y->callee);
}

static void read_unit(struct unit_inlines *unit, u64 code_start, Dwarf_Die *die)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	u64 reach = 0;
	u32 i;

	if (!walk)
		return;
	walk->unit = unit;
	walk->code_start = code_start;
	walk_unit(walk, die);
	free(walk);
	if (unit->nr_spans)
		qsort(unit->spans, unit->nr_spans, sizeof(*unit->spans), compare_spans);
	if (unit->nr_own_codes)
		qsort(unit->own_codes, unit->nr_own_codes, sizeof(*unit->own_codes),
		      compare_own_codes);
	for (i = 0; i < unit->nr_spans; i++) {
		reach = unit->spans[i].end > reach ? unit->spans[i].end : reach;
		unit->spans[i].reach = reach;
	}
}

/* Drops the units that were not used for the longest time, until the others are few enough. */
static void limit_cached_units(struct inlines *inlines, const struct unit_inlines *keep)
{
	struct unit_inlines *oldest;
	u64 nr_parts;
	size_t i;

	do {
		oldest = NULL;
		nr_parts = 0;
		for (i = 0; i < UNITS_MAX; i++) {
			struct unit_inlines *unit = &inlines->units[i];

			nr_parts += (u64)unit->max_spans + unit->max_calls + unit->max_own_codes;
			if (unit != keep && unit->used && (!oldest || unit->used < oldest->used))
				oldest = unit;
		}
		if (nr_parts > PARTS_MAX && oldest)
			drop_unit(oldest);
	} while (nr_parts > PARTS_MAX && oldest);
}

static struct unit_inlines *get_unit(struct sym_lines *lines, Dwarf_Die *die)
{
	struct inlines *inlines = lines->inlines;
	Dwarf_Off offset = dwarf_dieoffset(die);
	u64 hash = offset * 0x9e3779b97f4a7c15 >> 32;
	struct unit_inlines *unit = &inlines->units[hash % UNITS_MAX], *each;
	size_t i;

	for (i = 0; i < WAYS; i++) {
		each = &inlines->units[(hash + i) % UNITS_MAX];
		if (each->used && each->unit == offset) {
			each->used = ++inlines->clock;
			return each;
		}
		if (each->used < unit->used)
			unit = each;
	}
	drop_unit(unit);
	unit->unit = offset;
	unit->used = ++inlines->clock;
	read_unit(unit, lines->code_start, die);
	limit_cached_units(inlines, unit);
	return unit;
}

/* Finds the innermost inlined call at an address. NO_CALL: none. */
static u32 find_call(const struct unit_inlines *unit, u64 addr)
{
	u32 low = 0, high = unit->nr_spans, left = STEPS_MAX, found = NO_CALL;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (unit->spans[middle].start > addr)
			high = middle;
		else
			low = middle + 1;
	}
	for (; low && unit->spans[low - 1].reach > addr && left--; low--) {
		const struct span *span = &unit->spans[low - 1];

		if (span->end > addr && (found == NO_CALL ||
		    unit->calls[span->call].depth > unit->calls[found].depth))
			found = span->call;
	}
	return found;
}

static u64 find_entry(const struct unit_inlines *unit, Dwarf_Off callee)
{
	const struct own_code key = { .callee = callee };
	const struct own_code *found = unit->nr_own_codes ?
		bsearch(&key, unit->own_codes, unit->nr_own_codes, sizeof(key),
			compare_own_codes) : NULL;

	return found ? found->entry : 0;
}

/* Fills in the names of the function that was called. False: it has none. */
static bool describe_callee(struct sym_lines *lines, Dwarf_Off callee,
			    struct sym_inlined *inlined_ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Die die;

	if (!callee || !dwarf_offdie(lines->dwarf, callee, &die))
		return false;
	inlined_ret->name =
		dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute)) ?:
		dwarf_diename(&die);
	inlined_ret->is_global = dwarf_hasattr_integrate(&die, DW_AT_external);
	return inlined_ret->name && inlined_ret->name[0];
}

static void describe_source(Dwarf_Die *die, const struct call *call,
			    struct sym_inlined *inlined_ret)
{
	Dwarf_Files *files;
	size_t nr;

	inlined_ret->file = "";
	if (!call->line || dwarf_getsrcfiles(die, &files, &nr) || call->file >= nr)
		return;
	inlined_ret->file = dwarf_filesrc(files, call->file, NULL, NULL) ?: "";
	inlined_ret->line = inlined_ret->file[0] ? call->line : 0;
}

size_t sym_lines_inlined(struct sym_lines *lines, u64 addr, bool with_source,
			 struct sym_inlined list_ret[SYM_INLINED_MAX])
{
	struct unit_inlines *unit;
	size_t nr = 0;
	Dwarf_Die die;
	u32 at;

	if (!lines->inlines)
		lines->inlines = calloc(1, sizeof(*lines->inlines));
	if (!lines->inlines || !lines_open_unit(lines, addr, &die))
		return 0;
	unit = get_unit(lines, &die);
	for (at = find_call(unit, addr); at != NO_CALL && nr < SYM_INLINED_MAX;
	     at = unit->calls[at].outer) {
		struct sym_inlined *inlined = &list_ret[nr];

		*inlined = (struct sym_inlined){ .file = "" };
		if (!describe_callee(lines, unit->calls[at].callee, inlined))
			continue;
		inlined->entry = find_entry(unit, unit->calls[at].callee);
		if (with_source)
			describe_source(&die, &unit->calls[at], inlined);
		nr++;
	}
	return nr;
}
