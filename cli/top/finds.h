/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects, functions, ranges of addresses and single slots that were hit in a target: the rows of
 * the live view. No side effects.
 */
#ifndef TOP_FINDS_H
#define TOP_FINDS_H

#include "base/columns.h"
#include "base/stat.h"
#include "slots.h"
#include "symbolizer.h"

#define FINDS_MAX (CPUPROBE_OBJECTS > CPUPROBE_SLOTS ? CPUPROBE_OBJECTS : CPUPROBE_SLOTS)

/** One object, function, range or slot. */
struct find {
	char name[192];			/* clean */
	u64 hits;
	u64 low;			/* range to zoom into; both 0: none */
	u64 high;			/* exclusive */
	u32 object;			/* number of the object */
	bool is_function;		/* [low, high) is one whole function */
	double share;			/* part of all samples of the target */
	struct stat_interval interval;
};

struct finds {
	struct find find[FINDS_MAX];
	size_t nr;
	u64 n;				/* samples of the target: 100% of the shares */
	bool has_addresses;
};

/** Columns of finds: a row is a struct find, the view a struct finds. */
extern const struct column_list finds_column_list;

/** Slots with their hits and names. */
struct finds_place {
	const struct slots_layout *layout;
	const u64 *hits;
	const struct sym_index *symbols;	/* NULL: none */
	const char *object;		/* addresses without a symbol are object+0xoffset */
	u64 object_start;		/* address of the object's offset 0 */
};

/**
 * finds_functions() - add the functions that were hit; for a slot that several functions share,
 * their range. Each hit is in one find only.
 */
void finds_functions(struct finds *finds, const struct finds_place *place);

/** finds_slots() - add each slot that was hit. */
void finds_slots(struct finds *finds, const struct finds_place *place);

/** finds_object() - add an object. @name: clean */
void finds_object(struct finds *finds, u32 object, const char *name, u64 hits);

/** finds_share() - compute shares of @n samples of this @excess (stat.h), with their intervals. */
void finds_share(struct finds *finds, u64 n, double excess);

#endif
