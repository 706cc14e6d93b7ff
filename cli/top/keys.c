// SPDX-License-Identifier: GPL-2.0-only
/* The meaning of keys: see keys.h. */
#include <string.h>

#include "top/cells.h"
#include "top/keys.h"
#include "utf8.h"

#define CTRL(letter) ((letter) & 0x1f)

static void arrange_rows(struct model *model)
{
	outlook_arrange(model->outlook, &model->roster);
}

static void set_notice(struct model *model, const char *text)
{
	snprintf(model->notice, sizeof(model->notice), "%s", text);
	model->is_warning = false;
}

static void erase_last_char(char *text)
{
	size_t len = strlen(text);

	if (len)
		text[utf8_cut(text, len - 1)] = '\0';
}

static void begin_text_input(struct model *model, enum model_mode mode)
{
	model->mode = mode;
	snprintf(model->input, sizeof(model->input), "%s", mode == MODEL_FILTER ?
		 model->outlook->filter : "");
}

static void search_rows(struct model *model, bool from_here)
{
	char text[ROSTER_NAME_LEN + 32];

	if (!model->search[0] || !model->outlook->nr)
		return;
	if (!outlook_search(model->outlook, &model->roster, model->search, from_here)) {
		snprintf(text, sizeof(text), "no name contains '%s'", model->search);
		set_notice(model, text);
	}
}

/* Each typed character takes effect at once; Enter keeps the input, Esc discards a filter. */
static enum action take_input_key(struct model *model, u32 key)
{
	size_t len = strlen(model->input), nr;

	if (key == TOP_ENTER || key == TOP_ESCAPE || key == CTRL('g')) {
		if (model->mode == MODEL_FILTER && key != TOP_ENTER)
			model->outlook->filter[0] = '\0';
		model->mode = MODEL_ROWS;
		arrange_rows(model);
		return ACTION_NONE;
	}
	if (key == TOP_ERASE || key == CTRL('h') || key == 0x7f) {
		erase_last_char(model->input);
	} else if (key == CTRL('u')) {
		model->input[0] = '\0';
	} else if (key >= ' ' && key < TOP_ENTER) {
		nr = cells_utf8(key, model->input + len, sizeof(model->input) - 1 - len);
		model->input[len + nr] = '\0';
	}
	model->notice[0] = '\0';
	if (model->mode == MODEL_FILTER) {
		memcpy(model->outlook->filter, model->input, sizeof(model->input));
		arrange_rows(model);
	} else {
		memcpy(model->search, model->input, sizeof(model->input));
		search_rows(model, true);
	}
	return ACTION_NONE;
}

static enum action take_help_key(struct model *model, u32 key)
{
	if (key == TOP_DOWN || key == 'j' || key == TOP_PAGE_DOWN || key == ' ')
		model->help_row += key == TOP_DOWN || key == 'j' ? 1 : 10;
	else if (key == TOP_UP || key == 'k' || key == TOP_PAGE_UP)
		model->help_row -= key == TOP_PAGE_UP && model->help_row > 10 ? 10 :
			model->help_row > 0;
	else
		model->mode = MODEL_ROWS;
	return ACTION_NONE;
}

static enum action take_choice_key(struct model *model, u32 key)
{
	size_t nr = model->roster.list->nr;

	if (key == TOP_DOWN || key == 'j') {
		model->chosen += model->chosen + 1 < nr;
	} else if (key == TOP_UP || key == 'k') {
		model->chosen -= model->chosen > 0;
	} else if (key == ' ' || key == TOP_ENTER) {
		outlook_toggle(model->outlook, &model->roster, model->chosen);
		arrange_rows(model);
	} else {
		model->mode = MODEL_ROWS;
	}
	return ACTION_NONE;
}

static void change_sort(struct model *model, u32 key)
{
	struct outlook *outlook = model->outlook;
	const char *key_name;
	char text[96];
	size_t c;

	if (key == 'r')
		outlook->is_reversed = !outlook->is_reversed;
	else
		outlook_sort_next(outlook, &model->roster, key == 's' || key == '>' ? 1 : -1);
	arrange_rows(model);
	c = outlook_sort_column(outlook, &model->roster);
	key_name = c < outlook->columns.nr ? outlook->columns.column[c].key :
		model->roster.sort ? "share" : "place";
	snprintf(text, sizeof(text), "sorted by %s%s", key_name,
		 outlook->is_reversed ? ", reversed" : "");
	set_notice(model, text);
}

/* False: the key does not move the cursor. */
static bool move_cursor(struct model *model, u32 key)
{
	long page = model->page_rows > 1 ? model->page_rows - 1 : 1, rows = 0;
	const long all = 1000000000;

	if (key == TOP_UP || key == 'k')
		rows = -1;
	else if (key == TOP_DOWN || key == 'j')
		rows = 1;
	else if (key == TOP_PAGE_UP || key == CTRL('b'))
		rows = -page;
	else if (key == TOP_PAGE_DOWN || key == CTRL('f'))
		rows = page;
	else if (key == TOP_HOME || key == 'g')
		rows = -all;
	else if (key == TOP_END || key == 'G')
		rows = all;
	else
		return false;
	outlook_move(model->outlook, &model->roster, rows);
	return true;
}

/* Esc clears the filter if there is one, otherwise goes back. */
static enum action take_escape(struct model *model)
{
	if (!model->outlook->filter[0])
		return ACTION_BACK;
	model->outlook->filter[0] = '\0';
	arrange_rows(model);
	return ACTION_NONE;
}

/* Handle the keys that change only the view. False: another key. */
static bool take_view_key(struct model *model, u32 key)
{
	switch (key) {
	case 's': case 'S': case '<': case '>': case 'r':
		change_sort(model, key);
		return true;
	case 'o':
		model->mode = MODEL_COLUMNS;
		model->chosen = 0;
		return true;
	case '/':
		begin_text_input(model, MODEL_SEARCH);
		return true;
	case 'n':
		search_rows(model, false);
		return true;
	case 'f': case '\\':
		begin_text_input(model, MODEL_FILTER);
		return true;
	case 'c':
		model->hides_cpus = !model->hides_cpus;
		return true;
	case '?': case 'h':
		model->mode = MODEL_HELP;
		model->help_row = 0;
		return true;
	default:
		return move_cursor(model, key);
	}
}

enum action keys_take(struct model *model, u32 key)
{
	static enum action (*const take[])(struct model *, u32) = {
		[MODEL_HELP] = take_help_key, [MODEL_COLUMNS] = take_choice_key,
		[MODEL_SEARCH] = take_input_key, [MODEL_FILTER] = take_input_key,
	};

	if (key == CTRL('c'))
		return ACTION_QUIT;
	if (model->mode != MODEL_ROWS)
		return take[model->mode](model, key);
	model->notice[0] = '\0';
	if (take_view_key(model, key))
		return ACTION_NONE;
	switch (key) {
	case TOP_ENTER: case TOP_RIGHT:
		return ACTION_ZOOM;
	case TOP_ESCAPE:
		return take_escape(model);
	case TOP_LEFT: case TOP_ERASE: case CTRL('h'): case 0x7f:
		return ACTION_BACK;
	case 'p': case ' ':
		return ACTION_PAUSE;
	case 'z':
		return ACTION_ZERO;
	case 'w':
		return ACTION_WINDOW;
	case '+': case '=':
		return ACTION_FASTER;
	case '-':
		return ACTION_SLOWER;
	case ']':
		return ACTION_RATE_UP;
	case '[':
		return ACTION_RATE_DOWN;
	case 'e':
		return ACTION_EVENT;
	case 'a':
		return ACTION_AGAIN;
	case 'q':
		return ACTION_QUIT;
	default:
		return ACTION_NONE;
	}
}
