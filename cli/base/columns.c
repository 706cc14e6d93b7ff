// SPDX-License-Identifier: GPL-2.0-only
/* The choice of columns: see columns.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/columns.h"
#include "base/option_values.h"

const struct option_spec columns_specs[] = {
	{ "o", "COLUMNS", "columns: KEY,KEY or, to change the default ones, +KEY,-KEY", option_text,
	  offsetof(struct output_options, columns) },
	{ NULL }
};

/** A choice of columns in progress. */
struct choice {
	const struct column_list *list;
	struct pick { const struct column *column; bool is_named; } pick[COLUMNS_MAX];
	size_t nr;
};

static const struct column *find_column(const struct column_list *list, const char *key)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (!strcmp(list->column[i].key, key))
			return &list->column[i];
	return NULL;
}

static int report_unknown_column(const struct column_list *list, const char *key,
				 struct text_error *error_ret)
{
	const char *keys[COLUMNS_MAX], *near;
	char all[sizeof(error_ret->hint)] = "";
	size_t i, used = 0;

	for (i = 0; i < list->nr; i++) {
		keys[i] = list->column[i].key;
		if (used < sizeof(all))
			used += snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "",
					 keys[i]);
	}
	near = options_suggest(key, keys, list->nr);
	text_fail(error_ret, 0, *key ? "unknown column '%s'" : "empty column name%s", key);
	text_hint(error_ret, near ? "did you mean %s? There are %s" : "%sthere are %s",
		  near ? near : "", all);
	return -EINVAL;
}

static void remove_pick(struct choice *choice, const struct column *column)
{
	size_t i, nr = 0;

	for (i = 0; i < choice->nr; i++)
		if (choice->pick[i].column != column)
			choice->pick[nr++] = choice->pick[i];
	choice->nr = nr;
}

/* A column already picked keeps its position. */
static void add_pick(struct choice *choice, const struct column *column, bool is_named)
{
	size_t i;

	for (i = 0; i < choice->nr && choice->pick[i].column != column; i++)
		;
	choice->pick[i].column = column;
	choice->pick[i].is_named = is_named;
	choice->nr += i == choice->nr;
}

/* @is_named: show the named columns even if is_wanted() is false. */
static int apply_choice(struct choice *choice, const char *text, bool is_named,
			struct text_error *error_ret)
{
	bool is_signed = !columns_are_named(text);
	const struct column *column;
	char key[64];
	size_t len;

	if (!is_signed)
		choice->nr = 0;
	for (;; text += len + 1) {
		char sign = *text == '+' || *text == '-' ? *text : '\0';

		text += sign != '\0';
		len = strcspn(text, ",");
		snprintf(key, sizeof(key), "%.*s", (int)len, text);
		if (is_signed != (sign != '\0'))
			return text_fail(error_ret, -EINVAL,
					 "'%s' has %s + or -; use signs on all columns or on none",
					 key, sign ? "a" : "no");
		column = find_column(choice->list, key);
		if (!column)
			return report_unknown_column(choice->list, key, error_ret);
		if (sign == '-')
			remove_pick(choice, column);
		else
			add_pick(choice, column, is_named);
		if (!text[len])
			break;
	}
	return choice->nr ? 0 : text_fail(error_ret, -EINVAL, "no column is left");
}

static int make_choice(struct choice *choice, const struct column_list *list,
		       enum output_format format, const char *text, struct text_error *error_ret)
{
	size_t i;
	int error;

	choice->list = list;
	choice->nr = 0;
	for (i = 0; i < list->nr; i++)
		add_pick(choice, &list->column[i], false);
	error = list->shown[format] ?
		apply_choice(choice, list->shown[format], false, error_ret) : 0;
	return error || !text ? error : apply_choice(choice, text, true, error_ret);
}

int columns_check(const struct column_list *list, const char *choice, struct text_error *error_ret)
{
	struct text_error reason = { "", "" };
	enum output_format format;
	struct choice made;
	int error = 0;

	for (format = FORMAT_TEXT; choice && !error && format <= FORMAT_JSON; format++)
		error = make_choice(&made, list, format, choice, &reason);
	if (error) {
		text_fail(error_ret, 0, "option -o: %s", reason.what);
		text_hint(error_ret, "%s", reason.hint);
	}
	return error;
}

static int add_shown(struct columns *columns, const struct column *column, int part)
{
	struct shown_column *shown = reallocarray(columns->column, columns->nr + 1, sizeof(*shown));

	if (!shown)
		return -ENOMEM;
	columns->column = shown;
	shown += columns->nr++;
	*shown = (struct shown_column){ .column = column, .part = part < 0 ? 0 : part };
	snprintf(shown->key, sizeof(shown->key), "%s", column->key);
	snprintf(shown->title, sizeof(shown->title), "%s", column->title);
	if (part >= 0) {
		snprintf(shown->key, sizeof(shown->key), "%s%d", column->part_key, part);
		snprintf(shown->title, sizeof(shown->title), "%s%d", column->part_title, part);
	}
	shown->cols = text_width(shown->title) > column->cols ?
		text_width(shown->title) : column->cols;
	return 0;
}

static int add_column_parts(struct columns *columns, const struct column *column)
{
	int part, error = 0;

	if (!column->next_part)
		return add_shown(columns, column, -1);
	for (part = column->next_part(columns->view, -1); !error && part >= 0;
	     part = column->next_part(columns->view, part))
		error = add_shown(columns, column, part);
	return error;
}

int columns_choose(struct columns *columns_ret, const struct column_list *list,
		   enum output_format format, const char *choice, const void *view,
		   struct text_error *error_ret)
{
	struct choice made;
	int error;
	size_t i;

	*columns_ret = (struct columns){ .view = view };
	error = make_choice(&made, list, format, choice, error_ret);
	for (i = 0; !error && i < made.nr; i++) {
		const struct column *column = made.pick[i].column;

		if (!made.pick[i].is_named && column->exists && !column->exists(column, view))
			continue;
		if (format == FORMAT_TEXT && !made.pick[i].is_named && column->is_wanted &&
		    !column->is_wanted(column, view))
			continue;
		error = add_column_parts(columns_ret, column);
		if (error)
			text_fail(error_ret, error, "out of memory");
	}
	return error;
}

int columns_add(struct columns *columns, const struct column_list *list, const char *key)
{
	const struct column *column = find_column(list, key);
	size_t c;

	for (c = 0; c < columns->nr; c++)
		if (columns->column[c].column == column)
			return 0;
	return add_column_parts(columns, column);
}

bool columns_want(const char *choice, const char *key)
{
	size_t len;

	for (; choice; choice = choice[len] ? choice + len + 1 : NULL) {
		choice += *choice == '+';
		len = strcspn(choice, ",");
		if (len == strlen(key) && !memcmp(choice, key, len))
			return true;
	}
	return false;
}

bool columns_are_named(const char *choice)
{
	return choice && *choice != '+' && *choice != '-';
}

void columns_deinit(struct columns *columns)
{
	free(columns->column);
	columns->column = NULL;
	columns->nr = 0;
}

const struct shown_column *columns_find(const struct columns *columns, const char *key)
{
	size_t c;

	for (c = 0; c < columns->nr; c++)
		if (!strcmp(columns->column[c].key, key))
			return &columns->column[c];
	return NULL;
}
