/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of the live view, whatever they are about, and how somebody looks at them: sorted,
 * filtered, with a cursor that stays with its row while numbers change. Pure.
 */
#ifndef TOP_ROSTER_H
#define TOP_ROSTER_H

#include "base/columns.h"
#include "base/stat.h"

#define ROSTER_NAME_LEN 64	/* of a filter, with its NUL */

/** One row. */
struct roster_row {
	uint64_t key[2];		/* what it is, whatever its numbers become */
	const char *name;	/* that a filter looks at; clean; belongs to the roster's owner */
	double share;			/* 0..1, of what all rows are shares of */
	struct stat_interval interval;	/* 95%, of share */
	const void *data;		/* for the columns */
	bool is_last;			/* stands behind the others, however they are sorted */
	bool is_open;			/* there is something to zoom into */
};

/** The rows as they were found, and the columns that describe them. */
struct roster {
	const struct column_list *list;
	const void *view;		/* for the columns */
	const char *sort;	/* key of the column that sorts at first; NULL: as they come */
	double scale;			/* what a share of 1 is in the columns, such as 100 */
	struct roster_row *row;
	size_t nr;
};

/** How a roster is looked at. */
struct outlook {
	char choice[512];		/* of columns, as -o takes it; "": the list's own */
	char sort[24];			/* key of a column; "": the roster's own order */
	bool is_reversed;
	char filter[ROSTER_NAME_LEN];	/* what names must contain, in any case; "": nothing */
	bool is_moved;	/* the cursor was moved; else it is on the largest open row */
	uint64_t key[2];		/* of the row with the cursor */
	size_t cursor;			/* its position among those arranged */
	size_t *order;			/* positions in the roster, as they are shown */
	size_t nr;			/* how many */
	struct columns columns;		/* shown */
};

/** roster_make_room() - so many rows, empty, instead of those before; NULL: as before. */
struct roster_row *roster_make_room(struct roster *roster, size_t nr);

/**
 * outlook_arrange() - choose columns, filter and sort, and find the cursor's row again.
 * -ENOMEM: nothing is shown. To be called whenever the roster or the outlook has changed.
 */
int outlook_arrange(struct outlook *outlook, const struct roster *roster);

void outlook_deinit(struct outlook *outlook);

/** outlook_move() - the cursor by so many rows. */
void outlook_move(struct outlook *outlook, const struct roster *roster, long rows);

/**
 * outlook_search() - the cursor to the next row whose name contains @text. False: there is none.
 */
bool outlook_search(struct outlook *outlook, const struct roster *roster, const char *text,
		    bool from_here);

/** outlook_sort_next() - sort by the shown column @by places further; the roster's order is one. */
void outlook_sort_next(struct outlook *outlook, const struct roster *roster, int by);

/** outlook_sort_column() - the number of the shown column that sorts; columns.nr: none does. */
size_t outlook_sort_column(const struct outlook *outlook, const struct roster *roster);

/** outlook_toggle() - show or hide the @column'th of the roster's columns; one always remains. */
void outlook_toggle(struct outlook *outlook, const struct roster *roster, size_t column);

/** outlook_shows() - whether it is shown. */
bool outlook_shows(const struct outlook *outlook, const struct column *column);

/** outlook_row() - the row with the cursor, or NULL. */
const struct roster_row *outlook_row(const struct outlook *outlook, const struct roster *roster);

#endif
