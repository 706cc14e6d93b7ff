// SPDX-License-Identifier: GPL-2.0-only
/* The immutable index: built once from raw symbols, then only searched. See symbolizer.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define PAGE_BYTES 4096

int builder_add(struct builder *builder, const struct raw_sym *sym)
{
	/* No end can be above UINT64_MAX: the symbol would own nothing. */
	if (sym->start == UINT64_MAX)
		return 0;
	if (builder->nr_syms == builder->max_syms) {
		size_t max = builder->max_syms ? builder->max_syms * 2 : 1024;
		void *more = realloc(builder->syms, max * sizeof(*builder->syms));

		if (!more)
			return -ENOMEM;
		builder->syms = more;
		builder->max_syms = max;
	}
	builder->syms[builder->nr_syms++] = *sym;
	return 0;
}

int builder_own_copy(struct builder *builder, void *block, size_t len, int fd, u64 offset)
{
	if (!block || builder->nr_blocks == BUILDER_BLOCKS) {
		free(block);
		return -ENOMEM;
	}
	builder->blocks[builder->nr_blocks++] = (struct name_block){
		.bytes = block, .len = len, .offset = offset,
		.fd = builder->keeps_files && fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1,
	};
	return 0;
}

int builder_own(struct builder *builder, void *block, size_t len)
{
	return builder_own_copy(builder, block, len, -1, 0);
}

void builder_trim(struct builder *builder, size_t len)
{
	builder->blocks[builder->nr_blocks - 1].len = len;
}

static void free_blocks(struct name_block *blocks, size_t nr)
{
	while (nr) {
		free(blocks[--nr].bytes);
		if (blocks[nr].fd >= 0)
			close(blocks[nr].fd);
	}
}

void builder_deinit(struct builder *builder)
{
	free_blocks(builder->blocks, builder->nr_blocks);
	free(builder->syms);
	memset(builder, 0, sizeof(*builder));
}

static int compare_prefixes(const char *x, const char *y)
{
	return strncmp(x, y, NAME_COMPARED);
}

/* Leading underscores, up to 16: no real name has more. */
static size_t nr_underscores(const char *name)
{
	size_t nr = 0;

	while (nr < 16 && name[nr] == '_')
		nr++;
	return nr;
}

/* Order names of one address by raw_sym.rank, then plainer names first. */
static int compare_aliases(const struct raw_sym *x, const struct raw_sym *y)
{
	size_t under_x = nr_underscores(x->name), under_y = nr_underscores(y->name);
	size_t len_x = strnlen(x->name, NAME_COMPARED), len_y = strnlen(y->name, NAME_COMPARED);

	if (x->rank != y->rank)
		return (x->rank > y->rank) - (x->rank < y->rank);
	if (under_x != under_y)
		return (under_x > under_y) - (under_x < under_y);
	if (len_x != len_y)
		return (len_x > len_y) - (len_x < len_y);
	return compare_prefixes(x->name, y->name);
}

static int compare_raw(const void *a, const void *b)
{
	const struct raw_sym *x = a, *y = b;

	if (x->start != y->start)
		return (x->start > y->start) - (x->start < y->start);
	return compare_aliases(x, y);
}

/* Finds the first of @nr symbols, in the order of compare_raw(), at an address. NULL: none. */
static const struct raw_sym *find_first_at(const struct raw_sym *syms, size_t nr, u64 start)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (syms[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low < nr && syms[low].start == start ? &syms[low] : NULL;
}

void builder_drop_known(struct builder *builder, size_t nr_before)
{
	const struct raw_sym *known;
	size_t i, kept = nr_before;

	if (!nr_before || builder->nr_syms == nr_before)
		return;
	qsort(builder->syms, nr_before, sizeof(*builder->syms), compare_raw);
	for (i = nr_before; i < builder->nr_syms; i++) {
		known = find_first_at(builder->syms, nr_before, builder->syms[i].start);
		if (!known || known->rank > builder->syms[i].rank)
			builder->syms[kept++] = builder->syms[i];
	}
	builder->nr_syms = kept;
}

static int compare_names(const void *a, const void *b)
{
	const struct entry_name *const *x = a, *const *y = b;

	return compare_prefixes((*x)->name, (*y)->name) ?:
	       ((*x)->start > (*y)->start) - ((*x)->start < (*y)->start);
}

/* Copy one symbol per address from @raw to @syms and settle its end. Returns how many. */
static size_t settle_ends(const struct raw_sym *raw, size_t nr, struct raw_sym *syms)
{
	size_t i, kept = 0;

	for (i = 0; i < nr; i++) {
		struct raw_sym *last = kept ? &syms[kept - 1] : NULL;

		if (last && last->start == raw[i].start) {
			/* An alias may know the size. */
			if (last->end == last->start)
				last->end = raw[i].end;
			continue;
		}
		syms[kept++] = raw[i];
	}
	for (i = 0; i < kept; i++) {
		u64 limit = syms[i].limit;

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

/* State of a sweep over nested symbols; outer symbols are below inner ones on the stack. */
struct sweep {
	struct sym_index *index;
	const struct raw_sym **stack;
	size_t depth;
	u64 cursor;		/* all addresses below are emitted */
};

/* Emit the addresses from the cursor to @upto for the innermost symbol. */
static void emit_piece(struct sweep *sweep, u64 upto)
{
	const struct raw_sym *top = sweep->stack[sweep->depth - 1];

	if (sweep->cursor < upto)
		sweep->index->syms[sweep->index->nr_syms++] = (struct sym){
			sweep->cursor, upto, top->start, top->name };
	if (upto > sweep->cursor)
		sweep->cursor = upto;
}

static int flatten_symbols(struct sym_index *index, const struct raw_sym *syms, size_t nr)
{
	struct sweep sweep = { .index = index };
	size_t i;

	sweep.stack = malloc(nr * sizeof(*sweep.stack));
	index->syms = malloc(2 * nr * sizeof(*index->syms));
	if (!sweep.stack || !index->syms) {
		free(sweep.stack);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		while (sweep.depth && sweep.stack[sweep.depth - 1]->end <= syms[i].start) {
			emit_piece(&sweep, sweep.stack[sweep.depth - 1]->end);
			sweep.depth--;
		}
		if (sweep.depth)
			emit_piece(&sweep, syms[i].start);
		sweep.cursor = syms[i].start;
		sweep.stack[sweep.depth++] = &syms[i];
	}
	while (sweep.depth) {
		emit_piece(&sweep, sweep.stack[sweep.depth - 1]->end);
		sweep.depth--;
	}
	free(sweep.stack);
	return 0;
}

/* Keeps the names in place of the symbols, in the same memory. */
static void keep_names(struct builder *builder, struct sym_index *index)
{
	struct entry_name *names = (struct entry_name *)builder->syms, *smaller;
	struct entry_name one;
	size_t i;

	for (i = 0; i < builder->nr_syms; i++) {
		one = (struct entry_name){ builder->syms[i].start, builder->syms[i].name };
		memcpy(&names[i], &one, sizeof(one));
	}
	smaller = realloc(names, builder->nr_syms * sizeof(*names));
	index->raw = smaller ?: names;
	index->nr_raw = builder->nr_syms;
}

static int build_index(struct builder *builder, struct sym_index *index)
{
	struct raw_sym *syms = malloc(builder->nr_syms * sizeof(*syms));
	void *smaller;
	int error;

	if (!syms)
		return -ENOMEM;
	qsort(builder->syms, builder->nr_syms, sizeof(*builder->syms), compare_raw);
	error = flatten_symbols(index, syms, settle_ends(builder->syms, builder->nr_syms, syms));
	free(syms);
	if (error)
		return error;
	smaller = realloc(index->syms, index->nr_syms * sizeof(*index->syms));
	if (smaller)
		index->syms = smaller;
	memcpy(index->blocks, builder->blocks, sizeof(index->blocks));
	index->nr_blocks = builder->nr_blocks;
	keep_names(builder, index);
	memset(builder, 0, sizeof(*builder));
	return 0;
}

int builder_finish(struct builder *builder, struct sym_index **index_ret,
		   struct sym_error *error_ret)
{
	struct sym_index *index;
	int error;

	if (!builder->nr_syms)
		return sym_fail(error_ret, -ENODATA, "no code symbols");
	index = calloc(1, sizeof(*index));
	error = index ? build_index(builder, index) : -ENOMEM;
	if (error) {
		sym_index_destroy(index);
		return sym_fail(error_ret, error, "out of memory");
	}
	*index_ret = index;
	return 0;
}

void sym_index_destroy(struct sym_index *index)
{
	if (!index)
		return;
	free_blocks(index->blocks, index->nr_blocks);
	free(index->raw);
	free(index->syms);
	free(index);
}

void sym_index_move(struct sym_index *index, u64 delta)
{
	size_t i;

	for (i = 0; i < index->nr_syms; i++) {
		index->syms[i].start += delta;
		index->syms[i].end += delta;
		index->syms[i].entry += delta;
	}
	for (i = 0; i < index->nr_raw; i++)
		index->raw[i].start += delta;
}

size_t sym_index_size(const struct sym_index *index)
{
	return index->nr_syms;
}

const struct sym *sym_index_at(const struct sym_index *index, size_t i)
{
	return &index->syms[i];
}

size_t sym_index_lower_bound(const struct sym_index *index, u64 addr)
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

const struct sym *sym_index_find(const struct sym_index *index, u64 addr)
{
	size_t i = sym_index_lower_bound(index, addr);

	return i < index->nr_syms && index->syms[i].start <= addr ? &index->syms[i] : NULL;
}

/* The last component of a demangled name, without parameters: any mangled form contains it. */
static size_t last_part(const char *name, char *part, size_t len)
{
	const char *at = name, *start = name;
	size_t part_len;

	for (; *at && *at != '(' && *at != '<'; at++)
		if (*at == ':' || *at == ' ' || *at == '~')
			start = at + 1;
	part_len = at - start;
	snprintf(part, len, "%.*s", (int)part_len, start);
	return part_len;
}

static bool is_demangled_to(const char *mangled, const char *name)
{
	char *readable = name_demangle(mangled);
	bool is_same = readable && !strcmp(readable, name);

	free(readable);
	return is_same;
}

bool sym_index_by_name(const struct sym_index *index, const char *name, u64 *addr_ret)
{
	char part[128];
	size_t i;

	for (i = 0; i < index->nr_raw; i++) {
		if (strcmp(index->raw[i].name, name))
			continue;
		*addr_ret = index->raw[i].start;
		return true;
	}
	/* Demangling is slow: try only names that contain the last component. */
	if (!last_part(name, part, sizeof(part)))
		return false;
	for (i = 0; i < index->nr_raw; i++) {
		const char *mangled = index->raw[i].name;

		if (!name_is_mangled(mangled) || !strstr(mangled, part) ||
		    !is_demangled_to(mangled, name))
			continue;
		*addr_ret = index->raw[i].start;
		return true;
	}
	return false;
}

/* All symbols ordered by name; the caller frees the list. NULL: out of memory. */
static const struct entry_name **sort_names(const struct sym_index *index)
{
	const struct entry_name **list = malloc((index->nr_raw + 1) * sizeof(*list));
	size_t i;

	if (!list)
		return NULL;
	for (i = 0; i < index->nr_raw; i++)
		list[i] = &index->raw[i];
	qsort(list, index->nr_raw, sizeof(*list), compare_names);
	return list;
}

/* Count the names in @truth that @list has too, and those with the same address. */
static void compare_lists(const struct entry_name **list, size_t nr, const struct entry_name **truth,
			  size_t nr_truth, size_t *nr_shared, size_t *nr_same)
{
	size_t i, k = 0;

	for (i = 0; i < nr_truth; i++) {
		const char *name = truth[i]->name;

		while (k < nr && compare_names(&list[k], &truth[i]) < 0)
			k++;
		if (k < nr && !compare_names(&list[k], &truth[i])) {
			++*nr_shared;
			++*nr_same;
		} else if ((k < nr && !compare_prefixes(list[k]->name, name)) ||
			   (k && !compare_prefixes(list[k - 1]->name, name))) {
			++*nr_shared;
		}
	}
}

double sym_index_agreement(const struct sym_index *index, const struct sym_index *truth)
{
	const struct entry_name **list = sort_names(index), **true_list = sort_names(truth);
	size_t nr_shared = 0, nr_same = 0;

	if (list && true_list)
		compare_lists(list, index->nr_raw, true_list, truth->nr_raw, &nr_shared, &nr_same);
	free(list);
	free(true_list);
	if (!list || !true_list)
		return -1;
	if (!truth->nr_raw)
		return 1;
	return nr_shared ? (double)nr_same / nr_shared : 0;
}

double sym_index_coverage(const struct sym_index *index, u64 low, u64 high)
{
	u64 named = 0;
	size_t i;

	if (low >= high)
		return 0;
	for (i = sym_index_lower_bound(index, low);
	     i < index->nr_syms && index->syms[i].start < high; i++)
		named += (index->syms[i].end < high ? index->syms[i].end : high) -
			 (index->syms[i].start > low ? index->syms[i].start : low);
	return (double)named / (high - low);
}
