/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns: one list of them describes a report's rows for text, TSV, JSON, HTML and the live view,
 * and explains itself in -help and the manual. What a row is, only the callbacks of its list know.
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
 * A view that draws by itself walks shown.column[0 .. shown.nr - 1], takes .title and .cols of
 * each, and columns_text() for what is in a cell. Pure but for the printing.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/output.h"

#define COLUMN_TEXT_LEN	4096	/* room for any cell: a symbol of C++ may be long */
#define COLUMNS_MAX	64	/* columns of a list */

/** What a column holds. */
enum column_unit {
	COLUMN_TEXT,
	COLUMN_ADDRESS,		/* text that begins with 0x */
	COLUMN_COUNT,
	COLUMN_PERCENT,
	COLUMN_SECONDS,
	COLUMN_NS,
	COLUMN_PROBABILITY,
	COLUMN_YES_NO,		/* 1 or 0 */
};

/** One cell, as a callback is asked for it. */
struct column_cell {
	const struct column *column;
	unsigned int part;		/* of a column in parts: which; else 0 */
	const void *row;
	const void *view;		/* what else the list's callbacks need */
};

/** What there is to know of a column. */
struct column {
	const char *key;		/* TSV, JSON and -o */
	const char *title;		/* text, HTML and live; "": a mark that needs none */
	/* of text, over it and the next of the list, if that is beside it */
	const char *pair_title;
	const char *help;		/* one line, for -help, the manual and tooltips */
	enum column_unit unit;
	int cols;			/* width in text, at least */
	int digits;			/* decimals in text */
	int tag;			/* for its callbacks */
	bool adds_up;			/* the sum over all rows means something */
	bool is_left;			/* a number that stands on the left, as text does */
	bool fills;			/* it takes what a line of text has left */
	int rank;			/* 0: as column_rank() has it */
	/* Of a number, counts exact up to 2^53; NAN: not known. NULL: .text is the value. */
	double (*value)(const struct column_cell *cell);
	/*
	 * Clean, in @text or elsewhere. Of a number: as people read it; NULL: with .digits
	 * decimals.
	 */
	const char *(*text)(const struct column_cell *cell, char *text, size_t len);
	/* Of a text: what stands right behind it for people, and is not cut off. NULL: nothing. */
	const char *(*tail)(const struct column_cell *cell, char *text, size_t len);
	const char *unknown;		/* as people read a number not known; NULL: as nothing */
	/* Whether it is worth showing in text where -o does not name it. NULL: yes. */
	bool (*is_wanted)(const struct column *column, const void *view);
	/*
	 * Of a column that becomes one for each CPU, say: the part after @part (first: -1), or -1.
	 */
	int (*next_part)(const void *view, int part);
	const char *part_key;		/* of which the number of a part makes the key: "cpu" */
	const char *part_title;
};

/** All columns of one kind of rows. */
struct column_list {
	const char *name;	/* whose columns, as -help says where a command has several lists */
	const struct column *column;
	size_t nr;
	/* by enum output_format: what is shown, as -o takes it; NULL: all */
	const char *shown[3];
};

/** A column of one table. */
struct shown_column {
	const struct column *column;
	unsigned int part;
	char key[24];
	char title[40];			/* the view may overwrite it, before columns_fit() */
	int cols;			/* width in text; set by columns_fit() */
	double sum;			/* over the rows measured, if it adds up */
};

/** The columns of one table, in order. */
struct columns {
	struct shown_column *column;
	size_t nr;
	const void *view;		/* passed on to callbacks */
	int line_cols;			/* of columns_fit() */
	char left_out[1024];		/* keys of those that no line had room for */
};

extern const struct option_spec columns_specs[];	/* -o of a struct output_options */

/**
 * columns_check() - whether @choice, the value of -o, makes sense for a list: keys, separated
 * by commas, which are then the columns; or each with a sign: + shows it too, - does not show it.
 * @choice: NULL: -o was not given
 * -EINVAL and a reason: no such column, signs for some only, nothing left.
 */
int columns_check(const struct column_list *list, const char *choice, struct text_error *error_ret);

/**
 * columns_choose() - the columns of a table.
 * @view: for the callbacks; must live as long
 * -EINVAL: as columns_check(). -ENOMEM. Undone by columns_deinit(), which may follow a failure.
 */
int columns_choose(struct columns *columns_ret, const struct column_list *list,
		   enum output_format format, const char *choice, const void *view,
		   struct text_error *error_ret);

void columns_deinit(struct columns *columns);

/** columns_add() - one more of the list behind them, unless it is there already. -ENOMEM. */
int columns_add(struct columns *columns, const struct column_list *list, const char *key);

/** columns_are_named() - whether @choice says which columns there are, not only more or fewer. */
bool columns_are_named(const char *choice);

/** columns_find() - the column with a key, or NULL. */
const struct shown_column *columns_find(const struct columns *columns, const char *key);

/** columns_text() - a cell as people read it, not cut; in @text or elsewhere. "": nothing. */
const char *columns_text(const struct columns *columns, size_t c, const void *row, char *text,
			 size_t len);

/**
 * columns_data() - a cell as machines read it, the decimal sign being a point in any locale; in
 * @text or elsewhere. A number that is none is "null".
 */
const char *columns_data(const struct columns *columns, size_t c, const void *row, char *text,
			 size_t len);

/** columns_value() - a cell as a number; NAN: it is text, or not known. */
double columns_value(const struct columns *columns, size_t c, const void *row);

/**
 * columns_compare() - order of two rows by a column, for qsort(): the largest number first,
 * unknown ones last, texts as strcmp() has them, addresses by size. 0: alike.
 */
int columns_compare(const struct columns *columns, size_t c, const void *row_a, const void *row_b);

/** column_rank() - how late a line too long loses a column: 0 first, the right one of these. */
int column_rank(const char *key);

/** columns_measure() - take a row that will be shown into account: width and sums. */
void columns_measure(struct columns *columns, const void *row);

/**
 * columns_fit() - settle the widths for lines of @line_cols: texts give way, the first most. What
 * even so has no room is taken away, by column_rank(), and columns_print_titles() says so.
 * For text: the other forms have all columns, of any width.
 */
void columns_fit(struct columns *columns, int line_cols);

/** columns_print_titles() - the line of titles, and a rule under it. */
void columns_print_titles(FILE *out, const struct columns *columns);

/** columns_print_rule() - a line of @line under each column. */
void columns_print_rule(FILE *out, const struct columns *columns, char line);

/** columns_print_row() - a line of text; no blanks at its end. */
void columns_print_row(FILE *out, const struct columns *columns, const void *row);

/** columns_print_note() - a line of text, which begins where the column with a key does, if any. */
void columns_print_note(FILE *out, const struct columns *columns, const char *key,
			const char *note);

/** columns_print_sums() - the sums of what adds up; @label in the first column, if that is text. */
void columns_print_sums(FILE *out, const struct columns *columns, const char *label);

/** columns_print_keys(), columns_print_tsv() - the lines of TSV: keys, and a row. */
void columns_print_keys(FILE *out, const struct columns *columns);
void columns_print_tsv(FILE *out, const struct columns *columns, const void *row);

/**
 * columns_print_json() - a row as an object of JSON, on one line without an end.
 * columns_print_members() - without the braces.
 */
void columns_print_json(FILE *out, const struct columns *columns, const void *row);
void columns_print_members(FILE *out, const struct columns *columns, const void *row);

/** columns_print_help() - for -help: each column of a list with its help, in lines of @cols. */
void columns_print_help(FILE *out, const struct column_list *list, int cols);

/** column_unit_name() - what a unit is called: "%", "s", "ns"; "" where none need be told. */
const char *column_unit_name(enum column_unit unit);

#endif
