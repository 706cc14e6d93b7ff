// SPDX-License-Identifier: GPL-2.0-only
/* Lists that temporarily replace the rows: help, and the choice of columns. See draw.h. */
#include <string.h>

#include "top/draw.h"

#define KEY_COLS 14

static const struct { const char *keys, *what; } help[] = {
	{ "Enter, Right", "zoom into the row, from the machine down to an instruction" },
	{ "Esc, Left", "back to the level above; its counts are kept and continue" },
	{ "Up, Down, j, k", "move; also Page Up, Page Down, Home (g), End (G)" },
	{ "p, Space", "pause the display; sampling goes on" },
	{ "z", "restart this level from zero" },
	{ "w", "switch between the whole run and moving windows" },
	{ "+, -", "update more or less often" },
	{ "], [", "double or halve the rate; counts begin again" },
	{ "e", "the next event of -event; counts begin again" },
	{ "s, S, <, >", "sort by the next or the previous column" },
	{ "r", "reverse the order" },
	{ "o", "choose the columns" },
	{ "/, n", "search for a name; find the next one" },
	{ "f, \\", "show only names that contain a text; Esc clears the filter" },
	{ "c", "show or hide the CPUs" },
	{ "a", "restart a measurement that failed or ended" },
	{ "?, h", "this help" },
	{ "q, Ctrl-C", "quit" },
	{ "", "" },
	{ "The bar", "is filled up to the start of the share's 95% interval." },
	{ "", "The line is the interval, the mark is the share. The" },
	{ "", "interval shrinks with the square root of the number" },
	{ "", "of samples." },
	{ "samples", "samples taken" },
	{ "missed", "expected, but interrupts were off or the host ran" },
	{ "", "something else" },
	{ "lost", "taken, but the table had no room" },
	{ "late", "taken over 0.1 ms late" },
	{ "1.30%", "end of the line: share of a CPU that sampling takes" },
	{ "> / | \\", "instructions: target of a jump; the hottest loop" },
	{ "! ? @ #", "instructions: hits may be due to the previous one, which" },
	{ "", "is slow, loads, re-enables interrupts, or enters the" },
	{ "", "kernel; in an emulator, hits fall on the first" },
	{ "", "instruction of a block" },
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
