/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of the live view, independent of their subject, and the user's outlook on them: sorted,
 * filtered, with a cursor that stays with its row while numbers change. No side effects.
 */
#ifndef TOP_ROSTER_H
#define TOP_ROSTER_H

#include "base/columns.h"
#include "base/stat.h"

#define ROSTER_NAME_LEN 64	/* bytes of a filter, with its NUL */

/** One row. */
struct roster_row {
	u64 key[2];			/* identity of the row from one look to the next */
	const char *name;		/* for filter and search; clean; belongs to the owner */
	double share;			/* 0..1 */
	struct stat_interval interval;	/* 95%, of share */
	const void *data;		/* for the columns */
	bool is_last;			/* listed after the other rows in every sort order */
	bool is_open;			/* can be zoomed into */
};

/** The rows as they were found, and the columns that describe them. */
struct roster {
	const struct column_list *list;
	const void *view;		/* for the columns */
	const char *sort;		/* key of the default sort column; NULL: unsorted */
	double scale;			/* value of a share of 1 in the columns, such as 100 */
	struct roster_row *row;
	size_t nr;
};

/** Columns, order, filter and cursor for a roster. */
struct outlook {
	char choice[512];		/* columns in the syntax of -o; "": the list's default */
	char sort[24];			/* key of a column; "": the roster's default */
	bool is_reversed;
	char filter[ROSTER_NAME_LEN];	/* show only names that contain it; "": all */
	bool is_moved;			/* false: the cursor follows the largest open row */
	u64 key[2];			/* key of the row with the cursor */
	size_t cursor;			/* index into order */
	size_t *order;			/* indices into the roster, in the order shown */
	size_t nr;			/* rows shown: length of order */
	struct columns columns;		/* shown */
};

/** roster_make_room() - replace the rows by @nr empty ones. NULL: out of memory, no change. */
struct roster_row *roster_make_room(struct roster *roster, size_t nr);

/**
 * outlook_arrange() - choose columns, filter and sort, and find the cursor's row again. Call this
 * after each change of the roster or the outlook. -ENOMEM: no rows are shown.
 */
int outlook_arrange(struct outlook *outlook, const struct roster *roster);

void outlook_deinit(struct outlook *outlook);

/** outlook_move() - move the cursor by @rows, down if positive. */
void outlook_move(struct outlook *outlook, const struct roster *roster, long rows);

/**
 * outlook_search() - move the cursor to the next row whose name contains @text.
 * @from_here: start with the cursor's own row
 * False: no such row.
 */
bool outlook_search(struct outlook *outlook, const struct roster *roster, const char *text,
		    bool from_here);

/**
 * outlook_sort_next() - sort by the shown column @by places further on, cyclically. If the roster
 * is unsorted by default, its own order is one of the choices.
 */
void outlook_sort_next(struct outlook *outlook, const struct roster *roster, int by);

/** outlook_sort_column() - index of the shown column to sort by; columns.nr: none. */
size_t outlook_sort_column(const struct outlook *outlook, const struct roster *roster);

/** outlook_toggle() - show or hide a column, by index in the list; the last one stays shown. */
void outlook_toggle(struct outlook *outlook, const struct roster *roster, size_t column);

/** outlook_shows() - whether a column is shown. */
bool outlook_shows(const struct outlook *outlook, const struct column *column);

/** outlook_row() - the row with the cursor; NULL: no rows. */
const struct roster_row *outlook_row(const struct outlook *outlook, const struct roster *roster);

#endif
