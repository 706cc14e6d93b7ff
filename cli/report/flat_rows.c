// SPDX-License-Identifier: GPL-2.0-only
/* Rows of a flat profile as shown: sorted, folded, rounded and named. See flat.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/flat_rows.h"

/** Context of the sorting function. */
struct sorting {
	const struct flat *flat;
	enum flat_sort by;
};

static int compare_row_names(const struct flat *flat, const struct flat_row *a,
			     const struct flat_row *b)
{
	char name_a[512], name_b[512];
	int order = strcmp(flat_name(flat, a, name_a, sizeof(name_a)),
			   flat_name(flat, b, name_b, sizeof(name_b)));

	return order ? order : strcmp(flat_program(flat, a), flat_program(flat, b));
}

static int compare_flat_rows(const void *a_at, const void *b_at, void *sorting_at)
{
	const struct sorting *sorting = sorting_at;
	const struct flat *flat = sorting->flat;
	u32 at_a = *(const u32 *)a_at, at_b = *(const u32 *)b_at;
	const struct flat_row *a = &flat->rows[at_a], *b = &flat->rows[at_b];
	int self = (a->ns < b->ns) - (a->ns > b->ns);
	int all = (a->all_ns < b->all_ns) - (a->all_ns > b->all_ns);
	int order = sorting->by == FLAT_BY_CUMULATIVE ? all : 0;

	if (a->kind != b->kind)
		return (a->kind > b->kind) - (a->kind < b->kind);
	if (sorting->by == FLAT_BY_OBJECT)
		order = strcmp(flat_object(flat, a), flat_object(flat, b));
	if (!order && sorting->by != FLAT_BY_NAME)
		order = self ? self : all;
	if (!order)
		order = compare_row_names(flat, a, b);
	/* For equal names, by position: the same run always looks the same. */
	return order ? order : (at_a > at_b) - (at_a < at_b);
}

void flat_sort(struct flat *flat, enum flat_sort sort)
{
	struct sorting sorting = { flat, sort };

	qsort_r(flat->order, flat->nr_shown, sizeof(*flat->order), compare_flat_rows, &sorting);
}

/* Whether a "(no group)" row is one of several, one per program. */
static bool is_no_group_of_program(const struct flat *flat, const struct flat_row *row)
{
	return row->kind == FLAT_NO_GROUP && flat->options.has_program;
}

int flat_fold(struct flat *flat, enum flat_sort sort, double least, u64 nr_max)
{
	u32 i, nr_kept = 0, first = 0;

	flat_sort(flat, sort);
	for (i = 0; i < flat->nr_shown; i++) {
		struct flat_row *row = &flat->rows[flat->order[i]];
		double share = sort == FLAT_BY_CUMULATIVE ? row->all_share : row->share;

		row->is_folded = (row->kind == FLAT_ROW || is_no_group_of_program(flat, row)) &&
			(share < least || (nr_max && i >= nr_max));
		flat->nr_folded += row->is_folded;
	}
	if (!flat->nr_folded)
		return 0;
	if (flat_add_rest(flat))
		return -ENOMEM;
	/* The new row takes the place of the first folded one, after all larger rows. */
	for (i = 0; i < flat->nr_shown; i++) {
		if (!flat->rows[flat->order[i]].is_folded)
			flat->order[nr_kept++] = flat->order[i];
		else if (!first++)
			flat->order[nr_kept++] = flat->nr_rows - 1;
	}
	flat->nr_shown = nr_kept;
	return 0;
}

void flat_drop_unhit(struct flat *flat)
{
	u32 i, nr_kept = 0;

	for (i = 0; i < flat->nr_shown; i++)
		if (flat->rows[flat->order[i]].hits)
			flat->order[nr_kept++] = flat->order[i];
	flat->nr_shown = nr_kept;
}

/** The part of a share lost by rounding down. */
struct remainder {
	double lost;
	u32 place;
};

static int compare_remainders(const void *a_at, const void *b_at)
{
	const struct remainder *a = a_at, *b = b_at;

	if (a->lost != b->lost)
		return a->lost > b->lost ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

static void round_cumulative(struct flat_row *row, u64 whole)
{
	u64 nearest = llround(row->all_share * whole);

	row->all_units = row->all_ns <= row->ns || nearest < row->units ? row->units : nearest;
}

int flat_round(struct flat *flat, u64 whole)
{
	struct remainder *remainder = calloc((size_t)flat->nr_shown + 1, sizeof(*remainder));
	u64 left = whole;
	u32 i;

	if (!remainder)
		return -ENOMEM;
	for (i = 0; i < flat->nr_shown; i++) {
		struct flat_row *row = &flat->rows[flat->order[i]];

		/* Rounding errors of sums may make the share exceed the whole by a trace. */
		row->units = fmin(floor(row->share * whole), left);
		left -= row->units;
		remainder[i] = (struct remainder){ row->share * whole - row->units, i };
	}
	qsort(remainder, flat->nr_shown, sizeof(*remainder), compare_remainders);
	for (i = 0; i < flat->nr_shown && left; i++, left--)
		flat->rows[flat->order[remainder[i].place]].units++;
	for (i = 0; i < flat->nr_shown; i++)
		round_cumulative(&flat->rows[flat->order[i]], whole);
	free(remainder);
	return 0;
}

static const char *get_state_name(u32 state)
{
	static const char *const names[FLAT_STATES] = {
		[FLAT_SYSTEM] = "system", [FLAT_USER] = "user", [FLAT_GUEST] = "guest",
		[FLAT_IDLE] = "idle",
	};

	return names[state];
}

static void write_row_name(const struct flat *flat, const struct flat_row *row, char *name,
			   size_t len)
{
	const struct profile *profile = flat->profile;
	const struct flat_key *key = &row->key;

	if (flat->options.by == FLAT_STATE)
		snprintf(name, len, "%s", get_state_name(key->group));
	else if (key->group != PROFILE_NONE)
		snprintf(name, len, "%s", groups_name(flat->options.groups, key->group));
	else if (key->file)
		snprintf(name, len, "%s:%u", key->file[0] ? key->file : "?", key->line);
	else if (key->function != PROFILE_NONE)
		snprintf(name, len, "%s", profile->functions[key->function].name);
	else if (key->object != PROFILE_NONE)
		snprintf(name, len, "%s", profile->objects[key->object].name);
	else
		snprintf(name, len, "%s", flat_program(flat, row));
}

const char *flat_name(const struct flat *flat, const struct flat_row *row, char *name, size_t len)
{
	switch (row->kind) {
	case FLAT_REST:
		snprintf(name, len, flat->nr_folded == 1 ? "(%u other)" : "(%u others)",
			 flat->nr_folded);
		break;
	case FLAT_NO_GROUP:
		snprintf(name, len, "(no group)");
		break;
	case FLAT_LOST:
		snprintf(name, len, "(lost)");
		break;
	case FLAT_OTHER:
		snprintf(name, len, "(other processes)");
		break;
	default:
		write_row_name(flat, row, name, len);
		/* The end of the buffer may have cut a character in half. */
		text_clean(name);
	}
	return name;
}

const char *flat_object(const struct flat *flat, const struct flat_row *row)
{
	return row->key.object == PROFILE_NONE ? "" : flat->profile->objects[row->key.object].name;
}

const char *flat_program(const struct flat *flat, const struct flat_row *row)
{
	return row->key.process == PROFILE_NONE ? ""
						: flat->profile->processes[row->key.process].name;
}

const char *flat_kind_name(const struct flat *flat, const struct flat_row *row)
{
	static const char *const kinds[PROFILE_KINDS] = {
		[PROFILE_MARKS] = "", [PROFILE_KERNEL] = "kernel", [PROFILE_MODULE] = "module",
		[PROFILE_FILE] = "file", [PROFILE_VDSO] = "vdso", [PROFILE_JIT] = "jit",
		[PROFILE_ANON] = "anon", [PROFILE_UNKNOWN] = "unknown",
	};

	return row->key.object == PROFILE_NONE ? "" :
		kinds[flat->profile->objects[row->key.object].kind];
}

u32 flat_pid(const struct flat *flat, const struct flat_row *row)
{
	return flat->options.by == FLAT_PROCESS && row->kind == FLAT_ROW ?
		flat->profile->processes[row->key.process].pid : 0;
}
