// SPDX-License-Identifier: GPL-2.0-only
/* Sorts, filters and searches rows: see roster.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "top/roster.h"

struct roster_row *roster_make_room(struct roster *roster, size_t nr)
{
	struct roster_row *row = calloc(nr + 1, sizeof(*row));

	if (!row)
		return NULL;
	free(roster->row);
	roster->row = row;
	roster->nr = nr;
	return row;
}

/* Whether a name contains a text, ignoring the case of ASCII letters. Every name contains "". */
static bool contains_text(const char *name, const char *text)
{
	size_t len = strlen(text);

	for (; strlen(name) >= len; name++)
		if (!strncasecmp(name, text, len))
			return true;
	return false;
}

void outlook_deinit(struct outlook *outlook)
{
	free(outlook->order);
	columns_deinit(&outlook->columns);
	outlook->order = NULL;
	outlook->nr = 0;
}

size_t outlook_sort_column(const struct outlook *outlook, const struct roster *roster)
{
	const char *key = outlook->sort[0] ? outlook->sort : roster->sort;
	size_t c;

	for (c = 0; c < outlook->columns.nr; c++)
		if (key && !strcmp(outlook->columns.column[c].key, key))
			return c;
	return c;
}

/** Context for comparing two rows. */
struct order {
	const struct outlook *outlook;
	const struct roster *roster;
	size_t column;
	bool is_natural;	/* keep the order of the roster */
};

static int compare_roster_rows(const void *a, const void *b, void *context)
{
	const struct order *order = context;
	const struct roster_row *x = &order->roster->row[*(const size_t *)a];
	const struct roster_row *y = &order->roster->row[*(const size_t *)b];
	int result = (x > y) - (x < y);

	if (order->is_natural)
		return order->outlook->is_reversed ? -result : result;
	if (x->is_last != y->is_last)
		return x->is_last - y->is_last;
	/* If the sort column is hidden, sort by share. */
	result = order->column == order->outlook->columns.nr ?
		(x->share < y->share) - (x->share > y->share) :
		columns_compare(&order->outlook->columns, order->column, x->data, y->data);
	if (order->outlook->is_reversed)
		result = -result;
	/* Equal rows keep their order from one look to the next. */
	return result ?: strcmp(x->name, y->name) ?: memcmp(x->key, y->key, sizeof(x->key));
}

/* Choose the columns of the outlook; the default columns if the list does not know one of them. */
static int choose_outlook_columns(struct outlook *outlook, const struct roster *roster)
{
	const char *choice = outlook->choice[0] ? outlook->choice : NULL;
	struct columns columns;
	int error = columns_choose(&columns, roster->list, FORMAT_TEXT, choice, roster->view, NULL);

	if (error == -EINVAL && choice) {
		columns_deinit(&columns);
		outlook->choice[0] = '\0';
		error = columns_choose(&columns, roster->list, FORMAT_TEXT, NULL, roster->view,
				       NULL);
	}
	if (error) {
		columns_deinit(&columns);
		return error;
	}
	columns_deinit(&outlook->columns);
	outlook->columns = columns;
	return 0;
}

const struct roster_row *outlook_row(const struct outlook *outlook, const struct roster *roster)
{
	return outlook->cursor < outlook->nr ? &roster->row[outlook->order[outlook->cursor]] : NULL;
}

static void set_cursor(struct outlook *outlook, const struct roster *roster, size_t cursor)
{
	const struct roster_row *row;

	outlook->cursor = cursor;
	row = outlook_row(outlook, roster);
	if (row)
		memcpy(outlook->key, row->key, sizeof(outlook->key));
}

/* Find the row that had the cursor. False: the row is gone. */
static bool find_cursor_row(const struct outlook *outlook, const struct roster *roster,
			    size_t *at_ret)
{
	size_t i;

	for (i = 0; i < outlook->nr; i++) {
		if (memcmp(roster->row[outlook->order[i]].key, outlook->key, sizeof(outlook->key)))
			continue;
		*at_ret = i;
		return true;
	}
	return false;
}

/* The largest row to zoom into; if there is none, the largest row. */
static size_t find_largest(const struct outlook *outlook, const struct roster *roster)
{
	const struct roster_row *best = NULL;
	size_t i, at = 0;

	for (i = 0; i < outlook->nr; i++) {
		const struct roster_row *row = &roster->row[outlook->order[i]];

		if (best && (row->is_open < best->is_open ||
			     (row->is_open == best->is_open && row->share <= best->share)))
			continue;
		best = row;
		at = i;
	}
	return at;
}

static void find_cursor(struct outlook *outlook, const struct roster *roster)
{
	size_t at = outlook->cursor;

	if (!outlook->is_moved)
		at = find_largest(outlook, roster);
	else if (!find_cursor_row(outlook, roster, &at) && at >= outlook->nr)
		at = outlook->nr ? outlook->nr - 1 : 0;
	set_cursor(outlook, roster, at);
}

int outlook_arrange(struct outlook *outlook, const struct roster *roster)
{
	size_t *order = malloc((roster->nr + 1) * sizeof(*order));
	struct order how = { outlook, roster, 0, !roster->sort && !outlook->sort[0] };
	size_t i, nr = 0;

	if (!order || choose_outlook_columns(outlook, roster)) {
		free(order);
		outlook->nr = 0;	/* the old rows may have been freed */
		return -ENOMEM;
	}
	for (i = 0; i < roster->nr; i++)
		if (contains_text(roster->row[i].name, outlook->filter))
			order[nr++] = i;
	how.column = outlook_sort_column(outlook, roster);
	qsort_r(order, nr, sizeof(*order), compare_roster_rows, &how);
	free(outlook->order);
	outlook->order = order;
	outlook->nr = nr;
	find_cursor(outlook, roster);
	return 0;
}

void outlook_move(struct outlook *outlook, const struct roster *roster, long rows)
{
	size_t last = outlook->nr ? outlook->nr - 1 : 0, cursor = outlook->cursor;

	if (rows < 0)
		cursor = (size_t)-rows > cursor ? 0 : cursor - (size_t)-rows;
	else
		cursor = (size_t)rows > last - cursor ? last : cursor + rows;
	outlook->is_moved = true;
	set_cursor(outlook, roster, cursor);
}

bool outlook_search(struct outlook *outlook, const struct roster *roster, const char *text,
		    bool from_here)
{
	size_t i, at;

	for (i = !from_here; i < outlook->nr + !from_here; i++) {
		at = (outlook->cursor + i) % outlook->nr;
		if (!contains_text(roster->row[outlook->order[at]].name, text))
			continue;
		outlook->is_moved = true;
		set_cursor(outlook, roster, at);
		return true;
	}
	return false;
}

void outlook_sort_next(struct outlook *outlook, const struct roster *roster, int by)
{
	size_t nr = outlook->columns.nr, at = outlook_sort_column(outlook, roster);
	size_t nr_orders = nr + !roster->sort;

	outlook->is_reversed = false;
	if (!nr)
		return;
	at = at == nr && roster->sort ? 0 : (at + nr_orders + by) % nr_orders;
	snprintf(outlook->sort, sizeof(outlook->sort), "%s",
		 at < nr ? outlook->columns.column[at].key : "");
}

bool outlook_shows(const struct outlook *outlook, const struct column *column)
{
	size_t c;

	for (c = 0; c < outlook->columns.nr; c++)
		if (outlook->columns.column[c].column == column)
			return true;
	return false;
}

void outlook_toggle(struct outlook *outlook, const struct roster *roster, size_t column)
{
	char choice[sizeof(outlook->choice)] = "";
	size_t c, len = 0;

	for (c = 0; c < roster->list->nr && len < sizeof(choice); c++) {
		const struct column *each = &roster->list->column[c];

		if (outlook_shows(outlook, each) != (c == column))
			len += snprintf(choice + len, sizeof(choice) - len, "%s%s", len ? "," : "",
					each->key);
	}
	if (len && len < sizeof(choice))
		memcpy(outlook->choice, choice, sizeof(choice));
}
