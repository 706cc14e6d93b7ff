// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile as a table: see flat_view.h. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "profile/flat_columns.h"
#include "text.h"

#define NAME_LEN	4096
#define NAME_COLS_MIN	12
#define WHERE_COLS_MIN	10	/* less only where less is enough */

/** The two columns of names: title of the first, NULL for none, and of the second. */
static const struct {
	const char *what, *where, *name;
} titles[] = {
	[FLAT_FUNCTION] = { "Function", "Object", "Function" },
	[FLAT_OBJECT] = { "Object", "Kind", "Object" },
	[FLAT_PROGRAM] = { "Program", NULL, "Program" },
	[FLAT_PROCESS] = { "Process", "PID", "Process" },
	[FLAT_PROGRAM_OBJECT] = { "Program and Object", "Program", "Object" },
	[FLAT_LINE] = { "Line", "Object", "Line" },
	[FLAT_GROUP] = { "Group", NULL, "Group" },
};

/** The table as it is being written. */
struct table {
	FILE *out;
	const struct flat *flat;
	const struct flat_view *view;
	int cols[FLAT_COLUMNS];	/* widths; 0: not shown */
	int where_cols;		/* 0: there is no such column */
	int name_cols;
};

static const char *where(const struct table *table, const struct flat_row *row, char pid[16])
{
	switch (table->flat->options.by) {
	case FLAT_OBJECT:
		return flat_kind_name(table->flat, row);
	case FLAT_PROCESS:
		pid[0] = '\0';
		if (flat_pid(table->flat, row))
			snprintf(pid, 16, "%u", flat_pid(table->flat, row));
		return pid;
	case FLAT_PROGRAM_OBJECT:
		return flat_program(table->flat, row);
	default:
		return flat_object(table->flat, row);
	}
}

/* Cumulative counts of a whole process are its own. */
static bool has_cumulative(const struct flat *flat)
{
	return flat->options.by != FLAT_PROGRAM && flat->options.by != FLAT_PROCESS;
}

/* Numbers are as wide as the largest in them, which is their sum. */
static int number_cols(const struct flat *flat, const struct flat_column *column)
{
	double most = column->unit == FLAT_COUNT ? flat->hits :
		column->unit == FLAT_SECONDS ? flat->ns / 1e9 : 0;
	int width = snprintf(NULL, 0, "%.*f", column->digits, most);

	return width > column->cols ? width : column->cols;
}

/* Names have what room the numbers leave; those in the first column less than those in the last. */
static void find_widths(struct table *table)
{
	const struct flat *flat = table->flat;
	const char *title = titles[flat->options.by].where;
	int room = table->view->cols, where_cols = title ? strlen(title) : 0;
	int name_cols = NAME_COLS_MIN, width;
	char pid[16], name[NAME_LEN];
	uint32_t i;
	size_t c;

	for (c = 0; c < FLAT_COLUMNS; c++) {
		if (!flat_columns[c].title ||
		    (flat_columns[c].is_cumulative && !has_cumulative(flat)))
			continue;
		table->cols[c] = number_cols(flat, &flat_columns[c]);
		room -= table->cols[c] + 2;
	}
	for (i = 0; i < flat->nr_shown; i++) {
		width = title ? text_width(where(table, flat_row_at(flat, i), pid)) : 0;
		where_cols = width > where_cols ? width : where_cols;
		width = text_width(flat_name(flat, flat_row_at(flat, i), name, sizeof(name)));
		name_cols = width > name_cols ? width : name_cols;
	}
	room -= title ? 2 : 0;
	if (where_cols > room - name_cols)
		where_cols = room - name_cols > WHERE_COLS_MIN ? room - name_cols :
			where_cols > WHERE_COLS_MIN ? WHERE_COLS_MIN : where_cols;
	table->where_cols = where_cols;
	if (name_cols > room - where_cols)
		name_cols = room - where_cols;
	table->name_cols = name_cols < NAME_COLS_MIN ? NAME_COLS_MIN : name_cols;
}

/* Two blanks stand between columns. */
static const char *gap(size_t column)
{
	return column ? "  " : "";
}

/* Of a column that is shown. */
static void render_line(FILE *out, size_t column, char line, int cols)
{
	fputs(gap(column && cols), out);
	while (cols-- > 0)
		fputc(line, out);
}

static void render_rule(const struct table *table, char line)
{
	size_t c;

	for (c = 0; c < FLAT_COLUMNS; c++)
		render_line(table->out, c, line, table->cols[c]);
	render_line(table->out, FLAT_COLUMNS, line, table->where_cols);
	render_line(table->out, FLAT_COLUMNS, line, table->name_cols);
	fputc('\n', table->out);
}

static void render_titles(const struct table *table)
{
	enum flat_by by = table->flat->options.by;
	size_t c;

	for (c = 0; c < FLAT_COLUMNS; c++)
		if (table->cols[c])
			fprintf(table->out, "%s%*s", gap(c), table->cols[c], flat_columns[c].title);
	if (table->where_cols)
		fprintf(table->out, "  %-*s", table->where_cols, titles[by].where);
	fprintf(table->out, "  %s\n", titles[by].name);
	render_rule(table, '=');
}

static void render_names(const struct table *table, const struct flat_row *row)
{
	char name[NAME_LEN], text[NAME_LEN], pid[16], *from = name;
	int more;

	if (table->where_cols) {
		snprintf(text, sizeof(text), "%s", where(table, row, pid));
		text_cut(text, table->where_cols);
		fprintf(table->out, "  %s%*s", text, table->where_cols - text_width(text), "");
	}
	flat_name(table->flat, row, name, sizeof(name));
	/* Of a path and a line the end matters. */
	more = row->key.file ? text_width(name) - table->name_cols : 0;
	for (; more > 0; more -= ((unsigned char)*from & 0xc0) != 0x80)
		from++;
	while (((unsigned char)*from & 0xc0) == 0x80)
		from++;
	text_cut(from, table->name_cols);
	fprintf(table->out, "  %s\n", from);
}

static void render_row(const struct table *table, const struct flat_row *row)
{
	size_t c;

	for (c = 0; c < FLAT_COLUMNS; c++)
		if (table->cols[c])
			fprintf(table->out, "%s%*.*f", gap(c), table->cols[c],
				flat_columns[c].digits,
				flat_column_value(&flat_columns[c], row, FLAT_TEXT_WHOLE));
	render_names(table, row);
}

/* What adds up: shares, samples, time. */
static void render_total(const struct table *table)
{
	const struct flat *flat = table->flat;
	uint64_t units = 0;
	uint32_t i;
	size_t c;

	for (i = 0; i < flat->nr_shown; i++)
		units += flat_row_at(flat, i)->units;
	render_rule(table, '-');
	for (c = 0; c < FLAT_COLUMNS && !flat_columns[c].is_cumulative; c++) {
		if (!flat_columns[c].value)
			fprintf(table->out, "%s%*.1f", gap(c), table->cols[c],
				units * 100.0 / FLAT_TEXT_WHOLE);
		else if (flat_columns[c].unit == FLAT_COUNT)
			fprintf(table->out, "%s%*llu", gap(c), table->cols[c],
				(unsigned long long)flat->hits);
		else if (flat_columns[c].unit == FLAT_SECONDS)
			fprintf(table->out, "%s%*.3f", gap(c), table->cols[c], flat->ns / 1e9);
		else if (table->cols[c])
			fprintf(table->out, "%s%*s", gap(c), table->cols[c], "");
	}
	fputc('\n', table->out);
}

void flat_view_head(FILE *out, const struct flat *flat, const struct flat_view *view)
{
	static const char *const bases[] = {
		[FLAT_BASE_MACHINE] = "all that were taken",
		[FLAT_BASE_KERNEL] = "the kernel at work, without idle",
		[FLAT_BASE_TARGET] = "all stacks but idle ones",
	};
	uint64_t left_out = flat->profile->taken - flat->hits;
	char line[256];
	size_t used;

	used = snprintf(line, sizeof(line), "(%llu samples are 100%%: %s",
			(unsigned long long)flat->hits, bases[flat->options.base]);
	snprintf(line + used, sizeof(line) - used, left_out ? "; %llu others left out)" : ")",
		 (unsigned long long)left_out);
	fprintf(out, "Flat Profile by %s\n", titles[flat->options.by].what);
	text_wrap(out, line, view->cols);
	fputc('\n', out);
}

static void render_text(struct table *table)
{
	uint32_t i;

	find_widths(table);
	flat_view_head(table->out, table->flat, table->view);
	render_titles(table);
	for (i = 0; i < table->flat->nr_shown; i++)
		render_row(table, flat_row_at(table->flat, i));
	render_total(table);
	flat_view_end(table->out, table->flat, table->view);
}

void flat_view_end(FILE *out, const struct flat *flat, const struct flat_view *view)
{
	if (view->unsampled)
		unsampled_print(out, view->unsampled, flat->hits, view->cols);
	if (!view->receipt)
		return;
	fputc('\n', out);
	receipt_print(out, view->receipt, view->cols);
}

int flat_view_show(FILE *out, const struct profile *profile, const struct flat_view *view,
		   struct text_error *error_ret)
{
	struct flat *flat = flat_create(profile, &view->flat, error_ret);
	enum flat_sort by = view->sort == FLAT_BY_CUMULATIVE ? FLAT_BY_CUMULATIVE : FLAT_BY_SELF;
	struct table table = { .out = out, .flat = flat, .view = view };

	if (!flat)
		return -ENODATA;
	if (flat_fold(flat, by, view->least, view->nr_rows) ||
	    flat_round(flat, view->format == FORMAT_TEXT ? FLAT_TEXT_WHOLE : FLAT_DATA_WHOLE)) {
		flat_destroy(flat);
		return text_fail(error_ret, -ENOMEM, "out of memory");
	}
	flat_sort(flat, view->sort);
	if (view->format == FORMAT_JSON)
		flat_data_json(out, flat, view);
	else if (view->format == FORMAT_TSV)
		flat_data_tsv(out, flat, view);
	else
		render_text(&table);
	flat_destroy(flat);
	return 0;
}
