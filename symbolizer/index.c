// SPDX-License-Identifier: GPL-2.0-only
/* The immutable index: built once from raw symbols, then only searched. See symbolizer.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define PAGE_BYTES 4096

/** A name and where it points; sorted by name. */
struct named {
	const char *name;
	uint64_t addr;
};

struct sym_index {
	struct sym *syms;	/* disjoint, ascending */
	size_t nr_syms;
	struct named *named;
	size_t nr_named;
	char *names;		/* all names as read */
	char **demangled;	/* readable forms, one allocation each */
	size_t nr_demangled;
};

static int grow(void **array, size_t *max, size_t wanted, size_t size)
{
	size_t new_max = *max ? *max * 2 : 1024;
	void *new_array;

	if (wanted <= *max)
		return 0;
	while (new_max < wanted)
		new_max *= 2;
	new_array = realloc(*array, new_max * size);
	if (!new_array)
		return -ENOMEM;
	*array = new_array;
	*max = new_max;
	return 0;
}

int builder_add(struct builder *builder, uint64_t start, uint64_t end, uint64_t limit,
		const char *name, size_t name_len, uint8_t rank)
{
	struct raw_sym *sym;

	if (builder->names_len + name_len + 1 > UINT32_MAX)
		return -ENOMEM;
	if (grow((void **)&builder->syms, &builder->max_syms, builder->nr_syms + 1,
		 sizeof(*builder->syms)) ||
	    grow((void **)&builder->names, &builder->names_max,
		 builder->names_len + name_len + 1, 1))
		return -ENOMEM;
	sym = &builder->syms[builder->nr_syms++];
	*sym = (struct raw_sym){
		.start = start, .end = end, .limit = limit, .name = builder->names_len, .rank = rank };
	memcpy(builder->names + builder->names_len, name, name_len);
	name_clean(builder->names + builder->names_len, name_len);
	builder->names[builder->names_len + name_len] = '\0';
	builder->names_len += name_len + 1;
	return 0;
}

void builder_deinit(struct builder *builder)
{
	free(builder->syms);
	free(builder->names);
	memset(builder, 0, sizeof(*builder));
}

/* By address; at one address the one to be shown first: see raw_sym.rank, then plainer names. */
static int compare_raw(const void *a, const void *b, void *names)
{
	const struct raw_sym *x = a, *y = b;
	const char *name_x = (const char *)names + x->name, *name_y = (const char *)names + y->name;
	size_t under_x = strspn(name_x, "_"), under_y = strspn(name_y, "_");
	size_t len_x = strlen(name_x), len_y = strlen(name_y);

	if (x->start != y->start)
		return (x->start > y->start) - (x->start < y->start);
	if (x->rank != y->rank)
		return (x->rank > y->rank) - (x->rank < y->rank);
	if (under_x != under_y)
		return (under_x > under_y) - (under_x < under_y);
	if (len_x != len_y)
		return (len_x > len_y) - (len_x < len_y);
	return strcmp(name_x, name_y);
}

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strcmp(x->name, y->name) ?: (x->addr > y->addr) - (x->addr < y->addr);
}

/* One symbol per address, ends known. Returns how many are left. */
static size_t settle_ends(struct raw_sym *syms, size_t nr)
{
	size_t i, kept = 0;

	for (i = 0; i < nr; i++) {
		struct raw_sym *last = kept ? &syms[kept - 1] : NULL;

		if (last && last->start == syms[i].start) {
			/* An alias may know the size. */
			if (last->end == last->start)
				last->end = syms[i].end;
			continue;
		}
		syms[kept++] = syms[i];
	}
	for (i = 0; i < kept; i++) {
		uint64_t limit = syms[i].limit;

		if (syms[i].end > syms[i].start)
			continue;
		if (!limit)
			limit = (syms[i].start | (PAGE_BYTES - 1)) + 1 ?: UINT64_MAX;
		syms[i].end = i + 1 < kept && (syms[i + 1].start < limit || !syms[i].limit) ?
			syms[i + 1].start : limit;
		if (syms[i].end <= syms[i].start)
			syms[i].end = syms[i].start + 1 ?: UINT64_MAX;
	}
	return kept;
}

/* State of a sweep over nested symbols, outer ones waiting below inner ones. */
struct sweep {
	struct sym_index *index;
	const struct raw_sym **stack;
	size_t depth;
	uint64_t cursor;	/* all below is emitted */
};

/* The innermost symbol owns the addresses from the cursor to @upto. */
static void emit(struct sweep *sweep, uint64_t upto)
{
	const struct raw_sym *top = sweep->stack[sweep->depth - 1];

	if (sweep->cursor < upto)
		sweep->index->syms[sweep->index->nr_syms++] = (struct sym){
			sweep->cursor, upto, top->start, top->shown };
	if (upto > sweep->cursor)
		sweep->cursor = upto;
}

static int flatten(struct sym_index *index, const struct raw_sym *syms, size_t nr)
{
	struct sweep sweep = { .index = index };
	size_t i;

	sweep.stack = calloc(nr, sizeof(*sweep.stack));
	index->syms = calloc(2 * nr, sizeof(*index->syms));
	if (!sweep.stack || !index->syms) {
		free(sweep.stack);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		while (sweep.depth && sweep.stack[sweep.depth - 1]->end <= syms[i].start) {
			emit(&sweep, sweep.stack[sweep.depth - 1]->end);
			sweep.depth--;
		}
		if (sweep.depth)
			emit(&sweep, syms[i].start);
		sweep.cursor = syms[i].start;
		sweep.stack[sweep.depth++] = &syms[i];
	}
	while (sweep.depth) {
		emit(&sweep, sweep.stack[sweep.depth - 1]->end);
		sweep.depth--;
	}
	free(sweep.stack);
	return 0;
}

/* Every name, mangled and readable, points to its address. */
static int add_names(struct sym_index *index, struct raw_sym *syms, size_t nr)
{
	size_t i;

	index->named = calloc(2 * nr, sizeof(*index->named));
	index->demangled = calloc(nr, sizeof(*index->demangled));
	if (!index->named || !index->demangled)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		char *name = index->names + syms[i].name;
		char *readable = name_demangle(name);

		syms[i].shown = name;
		index->named[index->nr_named++] = (struct named){ name, syms[i].start };
		if (!readable)
			continue;
		syms[i].shown = readable;
		name_clean(readable, strlen(readable));
		index->demangled[index->nr_demangled++] = readable;
		index->named[index->nr_named++] = (struct named){ readable, syms[i].start };
	}
	return 0;
}

static int build(struct builder *builder, struct sym_index *index)
{
	size_t nr;
	int error;

	qsort_r(builder->syms, builder->nr_syms, sizeof(*builder->syms), compare_raw,
		builder->names);
	index->names = builder->names;
	builder->names = NULL;
	builder->names_len = builder->names_max = 0;
	error = add_names(index, builder->syms, builder->nr_syms);
	if (error)
		return error;
	nr = settle_ends(builder->syms, builder->nr_syms);
	error = flatten(index, builder->syms, nr);
	qsort(index->named, index->nr_named, sizeof(*index->named), compare_named);
	return error;
}

int builder_finish(struct builder *builder, struct sym_index **index_ret,
		   struct sym_error *error_ret)
{
	struct sym_index *index;
	int error;

	if (!builder->nr_syms)
		return sym_fail(error_ret, -ENODATA, "no symbols of code");
	index = calloc(1, sizeof(*index));
	error = index ? build(builder, index) : -ENOMEM;
	if (error) {
		sym_index_destroy(index);
		return sym_fail(error_ret, error, "out of memory");
	}
	*index_ret = index;
	return 0;
}

void sym_index_destroy(struct sym_index *index)
{
	size_t i;

	if (!index)
		return;
	for (i = 0; i < index->nr_demangled; i++)
		free(index->demangled[i]);
	free(index->demangled);
	free(index->named);
	free(index->names);
	free(index->syms);
	free(index);
}

size_t sym_index_size(const struct sym_index *index)
{
	return index->nr_syms;
}

const struct sym *sym_index_at(const struct sym_index *index, size_t i)
{
	return &index->syms[i];
}

size_t sym_index_lower_bound(const struct sym_index *index, uint64_t addr)
{
	size_t low = 0, high = index->nr_syms;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->syms[middle].end > addr)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

const struct sym *sym_index_find(const struct sym_index *index, uint64_t addr)
{
	size_t i = sym_index_lower_bound(index, addr);

	return i < index->nr_syms && index->syms[i].start <= addr ? &index->syms[i] : NULL;
}

/* Position of the first name not before @name (and @addr). */
static size_t named_lower_bound(const struct sym_index *index, const struct named *key)
{
	size_t low = 0, high = index->nr_named;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_named(&index->named[middle], key) >= 0)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

bool sym_index_by_name(const struct sym_index *index, const char *name, uint64_t *addr_ret)
{
	size_t i = named_lower_bound(index, &(struct named){ name, 0 });

	if (i == index->nr_named || strcmp(index->named[i].name, name))
		return false;
	*addr_ret = index->named[i].addr;
	return true;
}

double sym_index_agreement(const struct sym_index *index, const struct sym_index *truth)
{
	size_t i, k, nr_shared = 0, nr_same = 0;
	uint64_t addr;

	for (i = 0; i < truth->nr_named; i++) {
		if (!sym_index_by_name(index, truth->named[i].name, &addr))
			continue;
		nr_shared++;
		k = named_lower_bound(index, &truth->named[i]);
		nr_same += k < index->nr_named &&
			   !compare_named(&index->named[k], &truth->named[i]);
	}
	if (!truth->nr_named)
		return 1;
	return nr_shared ? (double)nr_same / nr_shared : 0;
}
