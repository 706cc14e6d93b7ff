/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was found in a target, as rows of the live view: objects, functions or ranges of addresses,
 * single slots. Pure.
 */
#ifndef TOP_FINDS_H
#define TOP_FINDS_H

#include "base/columns.h"
#include "base/stat.h"
#include "slots.h"
#include "symbolizer.h"

#define FINDS_MAX (CPUPROBE_OBJECTS > CPUPROBE_SLOTS ? CPUPROBE_OBJECTS : CPUPROBE_SLOTS)

/** One of them. */
struct find {
	char name[192];			/* clean */
	uint64_t hits;
	uint64_t low;			/* addresses to go into; both 0: none */
	uint64_t high;
	uint32_t object;		/* number of an object */
	bool is_function;		/* [low, high) is one, whole */
	double share;			/* of all samples of the target */
	struct stat_interval interval;
};

struct finds {
	struct find find[FINDS_MAX];
	size_t nr;
	uint64_t n;			/* samples of the target: what shares are of */
	bool has_addresses;
};

/* rows are struct find, the view struct finds */
extern const struct column_list finds_column_list;

/** Where slots lie. */
struct finds_place {
	const struct slots_layout *layout;
	const uint64_t *hits;
	const struct sym_index *symbols;	/* NULL: none */
	const char *object;		/* names what has no symbol: object+0xoffset */
	uint64_t object_start;
};

/**
 * finds_functions() - add what was hit: functions, and where a slot holds several of them, the
 * range of these. No hit is in two finds.
 */
void finds_functions(struct finds *finds, const struct finds_place *place);

/** finds_slots() - add each slot that was hit. */
void finds_slots(struct finds *finds, const struct finds_place *place);

/** finds_object() - add an object. @name: clean */
void finds_object(struct finds *finds, uint32_t object, const char *name, uint64_t hits);

/** finds_share() - work out shares and intervals: of @n samples. */
void finds_share(struct finds *finds, uint64_t n);

#endif
