// SPDX-License-Identifier: GPL-2.0-only
/* Lists that temporarily replace the rows: help, and the choice of columns. See draw.h. */
#include <string.h>

#include "top/draw.h"

#define KEY_COLS 14

static const struct { const char *keys, *what; } help[] = {
	{ "Enter, Right", "zoom into the row, from the machine down to an instruction" },
	{ "Esc, Left", "back to where you came from; its numbers are kept and go on" },
	{ "Up, Down, j, k", "move; also Page Up, Page Down, Home (g), End (G)" },
	{ "p, Space", "pause: what is shown stays; sampling goes on" },
	{ "z", "zero: forget what was counted, begin anew" },
	{ "w", "all since the beginning, or a moving window: next length" },
	{ "+, -", "look more or less often" },
	{ "s, S, <, >", "sort by the next column, by the one before" },
	{ "r", "reverse the order" },
	{ "o", "choose the columns" },
	{ "/, n", "search a name; the next one" },
	{ "f, \\", "show only names that contain a text; Esc ends it" },
	{ "c", "show or hide the CPUs" },
	{ "a", "measure again what has failed or ended" },
	{ "?, h", "this help" },
	{ "q, Ctrl-C", "quit" },
	{ "", "" },
	{ "The bar", "is full up to where the 95% interval of the share" },
	{ "", "begins. The line goes through the interval, the mark" },
	{ "", "stands at the share. It shrinks with the square root" },
	{ "", "of the samples." },
	{ "samples", "taken; of those expected, some are missed where" },
	{ "", "interrupts were off or a host ran something else, and" },
	{ "", "some lost: no room in the table" },
	{ "late", "samples that came over 0.1 ms after their time" },
	{ "1.30%", "last of the line: the part of a CPU that sampling takes" },
	{ "> / | \\", "instructions: jumped to; the hottest loop" },
	{ "! ? @ #", "instructions: hits may be of the one before, since that" },
	{ "", "lets interrupts in again, loads, or takes long; in an" },
	{ "", "emulator they stand at the first one of a block" },
};

void draw_help(struct cells *cells, int row, int rows, struct model *model)
{
	size_t nr = sizeof(help) / sizeof(help[0]), i;
	int key_cols = cells->cols < 40 ? cells->cols / 3 : KEY_COLS, line;

	if (model->help_row + rows > nr)
		model->help_row = nr > (size_t)rows ? nr - rows : 0;
	for (line = 0; line < rows && model->help_row + line < nr; line++) {
		i = model->help_row + line;
		cells_put(cells, row + line, 0, key_cols, STYLE_KEY, help[i].keys);
		cells_put(cells, row + line, key_cols + 1, cells->cols, STYLE_NORMAL, help[i].what);
	}
	if (rows < 2 || model->help_row + rows >= nr)
		return;
	cells_fill(cells, row + rows - 1, 0, cells->cols, STYLE_DIM, ' ', ' ');
	cells_put(cells, row + rows - 1, 0, cells->cols, STYLE_DIM, "Down: more");
}

void draw_choice(struct cells *cells, int row, int rows, const struct model *model)
{
	const struct column_list *list = model->roster.list;
	size_t top = 0, i;
	char text[320];
	int line;

	cells_fill(cells, row, 0, cells->cols, STYLE_HEAD, ' ', ' ');
	cells_put(cells, row, 0, cells->cols, STYLE_HEAD,
		  "Columns: Space shows or hides, Esc ends");
	if (model->chosen >= (size_t)rows - 1)
		top = model->chosen - rows + 2;
	for (line = 1; line < rows && top + line - 1 < list->nr; line++) {
		i = top + line - 1;
		snprintf(text, sizeof(text), "[%c] %-13s %s", outlook_shows(model->outlook,
			 &list->column[i]) ? 'x' : ' ', list->column[i].key, list->column[i].help);
		cells_put(cells, row + line, 0, cells->cols, STYLE_NORMAL, text);
		if (i == model->chosen)
			cells_restyle(cells, row + line, STYLE_SELECTED);
	}
}
