// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of call frame information: see sym_unwind.h. The functions are sorted by their place in the
 * file; then their programs run in that order, so that each row is written where it stays.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call_frames.h"
#include "internal.h"
#include "sym_unwind.h"

#define PAGE_SHIFT	16
#define VDSO_MAX	(512u << 10)	/* a larger file is no vdso */

/* A table that grows. */
struct table {
	struct sym_unwind unwind;	/* without rules */
	struct rule_set rules;
	u32 max_rows;
	u64 start;			/* of the function that is added */
	u64 last_place;			/* of the last row */
	u64 end;			/* of the last function */
};

static int grow_rows(struct table *table)
{
	u32 max = table->max_rows ? 2 * table->max_rows : 1024;
	u32 *rows = realloc(table->unwind.rows, max * sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	table->unwind.rows = rows;
	table->max_rows = max;
	return 0;
}

static bool is_last_unsupported(const struct sym_unwind *unwind)
{
	return unwind->nr_rows && unwind->rows[unwind->nr_rows - 1] >> 16 == RULE_UNSUPPORTED;
}

/* Add a row after the last one, unless it has the same rule. The last row possible ends all support. */
static int add_row(struct table *table, u64 place, u32 rule)
{
	struct sym_unwind *unwind = &table->unwind;
	u32 page = (place >> PAGE_SHIFT) - unwind->first_page;

	if (unwind->nr_rows && unwind->rows[unwind->nr_rows - 1] >> 16 == rule)
		return 0;
	if (unwind->nr_rows == CPUPROBE_UNWIND_ROWS_MAX)
		return 0;
	if (unwind->nr_rows == CPUPROBE_UNWIND_ROWS_MAX - 1)
		rule = RULE_UNSUPPORTED;
	if (unwind->nr_rows == table->max_rows && grow_rows(table))
		return -ENOMEM;
	if (is_last_unsupported(unwind))
		unwind->unsupported_len += place - table->last_place;
	unwind->nr_unsupported += rule == RULE_UNSUPPORTED;
	while (unwind->nr_pages <= page)
		unwind->pages[unwind->nr_pages++] = unwind->nr_rows;
	unwind->rows[unwind->nr_rows++] = rule << 16 | (place & 0xffff);
	table->last_place = place;
	return 0;
}

/* A row of the function that is added: a cfi_row_fn. */
static int add_function_row(void *context, u64 offset, const struct cpuprobe_rule *rule)
{
	struct table *table = context;
	int number = rule_set_add(&table->rules, rule);

	return number < 0 ? number : add_row(table, table->start + offset, number);
}

/* Add the rows of the linkage table, which has @len bytes. */
static int add_linkage(struct table *table, const struct cfi_entries *entries, u64 len)
{
	int error = 0;
	u32 i;

	for (i = 0; !error && i < entries->nr_linkage && entries->linkage[i].offset < len; i++)
		error = add_function_row(table, entries->linkage[i].offset, &entries->linkage[i].rule);
	return error;
}

static int add_function(struct table *table, const struct cfi_section *section,
			const struct cfi_entries *entries, const struct cfi_function *function)
{
	int error = 0;

	if (table->unwind.nr_rows && function->place > table->end)
		error = add_row(table, table->end, RULE_NONE);
	if (error)
		return error;
	table->start = function->place;
	table->end = function->place + function->len;
	table->unwind.nr_functions++;
	table->unwind.code_len += function->len;
	if (function->common == CFI_LINKAGE)
		return add_linkage(table, entries, function->len);
	return cfi_run(section, &entries->commons[function->common], function, function->len,
		       add_function_row, table);
}

static int begin_table(struct table *table, const struct cfi_entries *entries)
{
	const struct cfi_function *last = &entries->functions[entries->nr_functions - 1];
	u64 first_page = entries->functions[0].place >> PAGE_SHIFT;
	u64 last_page = (last->place + last->len) >> PAGE_SHIFT;

	table->unwind.first_page = first_page;
	table->unwind.pages = malloc((last_page - first_page + 2) * sizeof(*table->unwind.pages));
	return table->unwind.pages ? 0 : -ENOMEM;
}

/* Add the row after the last function, and give memory back. */
static int end_table(struct table *table)
{
	struct sym_unwind *unwind = &table->unwind;
	void *less;

	if (table->end < CFI_PLACES && add_row(table, table->end, RULE_NONE))
		return -ENOMEM;
	if (is_last_unsupported(unwind))
		unwind->unsupported_len += table->end - table->last_place;
	unwind->pages[unwind->nr_pages] = unwind->nr_rows;
	unwind->nr_rules = table->rules.nr;
	less = realloc(unwind->rows, unwind->nr_rows * sizeof(*unwind->rows));
	unwind->rows = less ?: unwind->rows;
	less = realloc(table->rules.rules, table->rules.nr * sizeof(*unwind->rules));
	unwind->rules = less ?: table->rules.rules;
	table->rules.rules = NULL;
	return 0;
}

static int build_table(const struct cfi_section *section, const struct cfi_entries *entries,
		       struct table *table)
{
	int error = begin_table(table, entries);
	size_t i;

	for (i = 0; !error && i < entries->nr_functions; i++)
		error = add_function(table, section, entries, &entries->functions[i]);
	return error ?: end_table(table);
}

static int create_table(const struct cfi_section *section, const struct cfi_entries *entries,
			struct sym_unwind **ret, struct sym_error *error_ret)
{
	struct sym_unwind *unwind = malloc(sizeof(*unwind));
	struct table table = { .unwind.nr_malformed = entries->nr_malformed };
	int error = unwind ? build_table(section, entries, &table) : -ENOMEM;

	rule_set_deinit(&table.rules);
	if (unwind)
		*unwind = table.unwind;
	if (!error)
		*ret = unwind;
	else
		sym_unwind_destroy(unwind);
	return error ? sym_fail(error_ret, error, "out of memory") : 0;
}

/* Find the code to which signal handlers return, as a function. False: it is not in the file. */
static bool find_signal_return(struct elf_file *file, const struct sym_arch *arch, struct cfi_function *function)
{
	GElf_Shdr header;
	Elf_Scn *text = elf_section(file, ".text", 0, &header);
	Elf_Data *data = text ? elf_data(file, text, &header) : NULL;
	const u8 *at = data ? memmem(data->d_buf, data->d_size, arch->signal_code, arch->signal_code_len) : NULL;

	if (!at || at - (const u8 *)data->d_buf < arch->signal_nop_len)
		return false;
	function->place = header.sh_offset + (at - (const u8 *)data->d_buf) - arch->signal_nop_len;
	function->len = arch->signal_nop_len + arch->signal_code_len;
	return true;
}

static int build_signal_table(const struct sym_arch *arch, struct cfi_function *function, struct table *table)
{
	const struct cfi_entries entries = { .functions = function, .nr_functions = 1 };
	int error = begin_table(table, &entries);

	table->start = function->place;
	table->end = function->place + function->len;
	table->unwind.nr_functions = 1;
	table->unwind.code_len = function->len;
	return error ?: add_function_row(table, 0, arch->signal_rule) ?: end_table(table);
}

/* The vdso of arm64 has no call frame information: only the return from signal handlers is known. */
static int create_signal_table(struct elf_file *file, struct sym_unwind **ret)
{
	const struct sym_arch *arch = sym_arch_of(file->header.e_machine);
	struct cfi_function function = { .place = 0 };
	struct table table = { .start = 0 };
	struct sym_unwind *unwind;
	int error;

	if (!arch || !arch->signal_code || file->len > VDSO_MAX || !find_signal_return(file, arch, &function))
		return -ENODATA;
	unwind = malloc(sizeof(*unwind));
	error = unwind ? build_signal_table(arch, &function, &table) : -ENOMEM;
	rule_set_deinit(&table.rules);
	if (unwind)
		*unwind = table.unwind;
	if (!error)
		*ret = unwind;
	else
		sym_unwind_destroy(unwind);
	return error;
}

static int create_unwind(struct elf_file *file, struct sym_unwind **ret, struct sym_error *error_ret)
{
	struct cfi_section section;
	struct cfi_entries entries;
	int error = cfi_read_file(file, &section, &entries, error_ret);

	if (error == -ENODATA && !create_signal_table(file, ret))
		return 0;
	if (error)
		return error;
	error = linkage_add(file, section.arch, &entries);
	if (error) {
		sym_fail(error_ret, error, "out of memory");
	} else {
		cfi_sort(&entries);
		error = create_table(&section, &entries, ret, error_ret);
	}
	cfi_entries_deinit(&entries);
	return error;
}

int sym_unwind_create(int fd, struct sym_unwind **ret, struct sym_error *error_ret)
{
	struct elf_file file;
	int error = elf_open(fd, &file, error_ret);

	if (error)
		return error;
	error = create_unwind(&file, ret, error_ret);
	elf_close(&file);
	return error;
}

int sym_unwind_create_memory(const void *image, size_t len, struct sym_unwind **ret,
			     struct sym_error *error_ret)
{
	struct elf_file file;
	/* libelf wants memory that may be written. */
	char *copy = malloc(len);
	int error;

	if (!copy)
		return sym_fail(error_ret, -ENOMEM, "out of memory");
	memcpy(copy, image, len);
	error = elf_open_memory(copy, len, &file, error_ret);
	if (!error) {
		error = create_unwind(&file, ret, error_ret);
		elf_close(&file);
	}
	free(copy);
	return error;
}

size_t sym_unwind_bytes(const struct sym_unwind *unwind)
{
	return (unwind->nr_pages + 1) * sizeof(*unwind->pages) + unwind->nr_rows * sizeof(*unwind->rows) +
		unwind->nr_rules * sizeof(*unwind->rules);
}

void sym_unwind_destroy(struct sym_unwind *unwind)
{
	if (!unwind)
		return;
	free(unwind->pages);
	free(unwind->rows);
	free(unwind->rules);
	free(unwind);
}
