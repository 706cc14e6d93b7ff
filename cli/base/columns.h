/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns. One list describes a report's rows for text, TSV, JSON, HTML and the live view, and
 * provides the text of -help and the manual. Only the callbacks of a list know what a row is.
 *
 *	static const struct column_list list = {
 *		"sys", columns, ARRAY_SIZE(columns), { "name,total" }
 *	};
 *	columns_choose(&shown, &list, FORMAT_TEXT, "+pid", view, &error);
 *	for each row: columns_measure(&shown, row);
 *	columns_fit(&shown, 80);
 *	columns_print_titles(out, &shown);
 *	for each row: columns_print_row(out, &shown, row);
 *	columns_deinit(&shown);
 *
 * A view that draws cells itself uses .title and .cols of shown.column[0 .. shown.nr - 1], and
 * columns_text() for the cells. Only the print functions have side effects.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/output.h"

#define COLUMN_TEXT_LEN	4096	/* room for any cell; C++ symbols are long */
#define COLUMNS_MAX	64	/* columns of a list */

/** Unit of a column's values. */
enum column_unit {
	COLUMN_TEXT,
	COLUMN_ADDRESS,		/* text that begins with 0x */
	COLUMN_COUNT,
	COLUMN_PERCENT,
	COLUMN_SECONDS,
	COLUMN_NS,
	COLUMN_EACH_NS,		/* time of one execution; text may have another unit */
	COLUMN_PROBABILITY,
	COLUMN_RATIO,
	COLUMN_RATE,		/* of any magnitude */
	COLUMN_YES_NO,		/* 1 or 0 */
};

/** One cell; the argument of callbacks. */
struct column_cell {
	const struct column *column;
	unsigned int part;		/* number of the part, see next_part(); 0: not in parts */
	const void *row;
	const void *view;		/* other data for the list's callbacks */
};

/** Description of a column. */
struct column {
	const char *key;		/* TSV, JSON and -o */
	const char *title;		/* text, HTML and live view; "": a mark without a title */
	/* title in text for this column and the next of the list, if they are adjacent */
	const char *pair_title;
	const char *help;		/* one line, for -help, the manual and tooltips */
	enum column_unit unit;
	int cols;			/* least width in text */
	int digits;			/* decimals in text */
	int tag;			/* for its callbacks */
	bool adds_up;			/* the sum over all rows is meaningful */
	bool is_left;			/* a number aligned left, like text */
	bool fills;			/* takes the free columns of a line of text */
	int rank;			/* order of omission; 0: column_rank() */
	/* Value of a number, exact for counts up to 2^53; NAN: unknown. NULL: use .text. */
	double (*value)(const struct column_cell *cell);
	/* For the callbacks of share.h: the share of a row, and which of its numbers to show. */
	struct share (*share)(const struct column_cell *cell);
	enum column_end { COLUMN_SHARE, COLUMN_ERROR, COLUMN_LO, COLUMN_HI } end;
	/*
	 * Clean text for display, in @text or elsewhere. NULL for a number: print the value with
	 * .digits decimals.
	 */
	const char *(*text)(const struct column_cell *cell, char *text, size_t len);
	/* Text directly after a cell of text, for display only, which is never cut. NULL: none. */
	const char *(*tail)(const struct column_cell *cell, char *text, size_t len);
	const char *unknown;		/* display of an unknown number; NULL: an empty cell */
	/* Whether to show the column in text if -o does not name it. NULL: yes. */
	bool (*is_wanted)(const struct column *column, const void *view);
	/* Whether the rows have such a value at all; if not, only -o shows the column. NULL: yes. */
	bool (*exists)(const struct column *column, const void *view);
	/*
	 * A column may have parts, one for each CPU for instance. Returns the part after @part (-1:
	 * the first), or -1 after the last.
	 */
	int (*next_part)(const void *view, int part);
	const char *part_key;		/* with the number of a part its key: "cpu" */
	const char *part_title;
};

/** All columns of one kind of rows. */
struct column_list {
	const char *name;	/* for -help, if a command has several lists */
	const struct column *column;
	size_t nr;
	/* by enum output_format: default columns, in the form of -o; NULL: all */
	const char *shown[3];
};

/** A column of one table. */
struct shown_column {
	const struct column *column;
	unsigned int part;
	char key[48];
	char title[40];			/* the view may change it before columns_fit() */
	int cols;			/* width in text; set by columns_fit() */
	double sum;			/* over the measured rows, if the column adds up */
};

/** The columns of one table, in order. */
struct columns {
	struct shown_column *column;
	size_t nr;
	const void *view;		/* passed on to callbacks */
	int line_cols;			/* width passed to columns_fit() */
	char left_out[1024];		/* keys of columns that had no room */
};

extern const struct option_spec columns_specs[];	/* -o of a struct output_options */

/**
 * columns_check() - check @choice, the value of -o: keys separated by commas choose the columns;
 * keys with + or - are added to the default columns or removed from them.
 * @choice: NULL: -o was not given
 * -EINVAL with a reason: unknown column, signs on some keys only, no column left.
 */
int columns_check(const struct column_list *list, const char *choice, struct text_error *error_ret);

/**
 * columns_choose() - choose the columns of a table.
 * @view: for the callbacks; must live as long as the columns
 * -EINVAL: as for columns_check(). -ENOMEM. Call columns_deinit() after success or failure.
 */
int columns_choose(struct columns *columns_ret, const struct column_list *list,
		   enum output_format format, const char *choice, const void *view,
		   struct text_error *error_ret);

void columns_deinit(struct columns *columns);

/** columns_add() - append a column of the list, unless it is there already. -ENOMEM. */
int columns_add(struct columns *columns, const struct column_list *list, const char *key);

/** columns_want() - whether @choice, the value of -o or NULL, asks for the column of this key. */
bool columns_want(const char *choice, const char *key);

/** columns_are_named() - whether @choice names all columns, without + and -. */
bool columns_are_named(const char *choice);

/** columns_find() - the column with a key, or NULL. */
const struct shown_column *columns_find(const struct columns *columns, const char *key);

/** columns_text() - a cell for display, not cut; in @text or elsewhere. "": empty. */
const char *columns_text(const struct columns *columns, size_t c, const void *row, char *text,
			 size_t len);

/**
 * columns_data() - a cell for programs, with a decimal point in any locale; in @text or elsewhere.
 * "null": an unknown number.
 */
const char *columns_data(const struct columns *columns, size_t c, const void *row, char *text,
			 size_t len);

/** columns_value() - a cell as a number; NAN: text, or unknown. */
double columns_value(const struct columns *columns, size_t c, const void *row);

/**
 * columns_compare() - compare two rows by a column, for qsort(): largest numbers first, unknown
 * ones last, texts by strcmp(), addresses by value. 0: equal.
 */
int columns_compare(const struct columns *columns, size_t c, const void *row_a, const void *row_b);

/** column_rank() - order in which a line too long omits columns: 0 first, from right to left. */
int column_rank(const char *key);

/** columns_measure() - add a row that will be shown to widths and sums. */
void columns_measure(struct columns *columns, const void *row);

/**
 * columns_fit() - set the widths for lines of text of @line_cols columns. Texts are cut, the first
 * column most. Columns that still have no room are omitted in the order of column_rank(), and
 * columns_print_titles() names them. Other formats have no limit.
 */
void columns_fit(struct columns *columns, int line_cols);

/** columns_print_titles() - print a line of titles, and a rule under it. */
void columns_print_titles(FILE *out, const struct columns *columns);

/** columns_print_rule() - print a rule of @line characters under each column. */
void columns_print_rule(FILE *out, const struct columns *columns, char line);

/** columns_print_row() - print a row as text, without trailing blanks. */
void columns_print_row(FILE *out, const struct columns *columns, const void *row);

/**
 * columns_print_note() - print a line that begins at the column @key, if that is shown, or further left
 * to fit the line.
 */
void columns_print_note(FILE *out, const struct columns *columns, const char *key,
			const char *note);

/** columns_print_sums() - print the sums; @label goes into the first column, if that is text. */
void columns_print_sums(FILE *out, const struct columns *columns, const char *label);

/** columns_print_keys(), columns_print_tsv() - print a line of TSV: the keys, or a row. */
void columns_print_keys(FILE *out, const struct columns *columns);
void columns_print_tsv(FILE *out, const struct columns *columns, const void *row);

/**
 * columns_print_json() - print a row as a JSON object on one line, without a newline.
 * columns_print_members() - print its members without the braces.
 */
void columns_print_json(FILE *out, const struct columns *columns, const void *row);
void columns_print_members(FILE *out, const struct columns *columns, const void *row);

/** Rows of one table, in an array. */
struct row_array {
	const void *row;
	size_t size;	/* of a row, in bytes */
	size_t nr;
};

/** columns_print_rows() - print a table as text: measure and fit to @line_cols, then titles and rows. */
void columns_print_rows(FILE *out, struct columns *columns, struct row_array rows, int line_cols);

/**
 * columns_print_tsv_rows() - print the rows, without the keys.
 * columns_print_json_rows() - print the rows as objects, separated by commas, each on its own line;
 * the brackets of the array are the caller's.
 */
void columns_print_tsv_rows(FILE *out, const struct columns *columns, struct row_array rows);
void columns_print_json_rows(FILE *out, const struct columns *columns, struct row_array rows);

/** columns_print_help() - print each column with its help for -help, in lines of @cols. */
void columns_print_help(FILE *out, const struct column_list *list, int cols);

/** column_unit_name() - name of a unit: "%", "s", "ns"; "": none. */
const char *column_unit_name(enum column_unit unit);

#endif
