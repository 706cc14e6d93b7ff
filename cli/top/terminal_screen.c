// SPDX-License-Identifier: GPL-2.0-only
/* Shows cells on the terminal's screen, with colours if available: see terminal_parts.h. */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "top/terminal_parts.h"

static struct {
	bool has_color;
	struct cells shown;		/* contents of the screen; no cells: unknown */
} screen;

/* Colours and attributes by style, for terminals with 256 colours, 8 colours, and none. */
static const struct look {
	short color256, back256;
	short color8, back8;
	attr_t attributes;		/* with colours */
	attr_t plain;
} looks[NR_STYLES] = {
	[STYLE_NORMAL] = { -1, -1, -1, -1, A_NORMAL, A_NORMAL },
	[STYLE_TITLE] = { 231, 24, COLOR_WHITE, COLOR_BLUE, A_BOLD, A_REVERSE },
	[STYLE_HEAD] = { 250, 236, COLOR_BLACK, COLOR_WHITE, A_NORMAL, A_UNDERLINE },
	[STYLE_SORT] = { 231, 236, COLOR_BLUE, COLOR_WHITE, A_BOLD, A_UNDERLINE | A_BOLD },
	[STYLE_SELECTED] = { 16, 153, COLOR_BLACK, COLOR_CYAN, A_NORMAL, A_REVERSE },
	[STYLE_DIM] = { 245, -1, -1, -1, A_NORMAL, A_NORMAL },
	[STYLE_KEY] = { 75, -1, COLOR_CYAN, -1, A_BOLD, A_BOLD },
	[STYLE_USER] = { 71, -1, COLOR_GREEN, -1, A_NORMAL, A_NORMAL },
	[STYLE_KERNEL] = { 167, -1, COLOR_RED, -1, A_NORMAL, A_NORMAL },
	[STYLE_SOFTIRQ] = { 133, -1, COLOR_MAGENTA, -1, A_NORMAL, A_NORMAL },
	[STYLE_INTERVAL] = { 221, -1, COLOR_YELLOW, -1, A_BOLD, A_BOLD },
	[STYLE_WARNING] = { 215, -1, COLOR_YELLOW, -1, A_BOLD, A_BOLD },
};

void terminal_begin_screen(void)
{
	const char *no_color = getenv("NO_COLOR");
	int style;

	screen.has_color = !(no_color && *no_color) && has_colors() && start_color() == OK &&
		COLORS >= 8;
	if (!screen.has_color)
		return;
	use_default_colors();
	for (style = 0; style < NR_STYLES; style++)
		init_pair(style + 1, COLORS >= 256 ? looks[style].color256 : looks[style].color8,
			  COLORS >= 256 ? looks[style].back256 : looks[style].back8);
}

void terminal_forget_screen(void)
{
	cells_deinit(&screen.shown);
}

static void show_cell(int row, int col, const struct cell *cell)
{
	const struct look *look = &looks[cell->style];
	wchar_t text[CELL_CHARS + 1] = { 0 };
	cchar_t shown;
	size_t i;

	for (i = 0; i < CELL_CHARS; i++)
		text[i] = cell->chars[i];
	/* If wcwidth() disagrees with our width, ncurses would misplace the following cells. */
	if (wcwidth(text[0]) != cell->cols) {
		mvaddnstr(row, col, "??", cell->cols);
		return;
	}
	if (setcchar(&shown, text, screen.has_color ? look->attributes : look->plain,
		     screen.has_color ? cell->style + 1 : 0, NULL) == OK)
		mvadd_wch(row, col, &shown);
}

void terminal_show(const struct cells *cells)
{
	size_t len = cells->cols * sizeof(*cells->cell);
	bool is_known = screen.shown.rows == cells->rows && screen.shown.cols == cells->cols;
	int row, col;

	if (!is_known) {
		cells_deinit(&screen.shown);
		if (cells_init(&screen.shown, cells->rows, cells->cols, cells->is_utf8))
			return;
		erase();
	}
	for (row = 0; row < cells->rows; row++) {
		const struct cell *line = &cells->cell[row * cells->cols];
		struct cell *old = &screen.shown.cell[row * cells->cols];

		if (is_known && !memcmp(line, old, len))
			continue;
		for (col = 0; col < cells->cols; col++)
			if (line[col].cols)
				show_cell(row, col, &line[col]);
		memcpy(old, line, len);
	}
	refresh();
}
