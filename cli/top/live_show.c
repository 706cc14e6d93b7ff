// SPDX-License-Identifier: GPL-2.0-only
/* Shows the live view on the screen: see live_parts.h. */
#include "top/draw.h"
#include "top/live_parts.h"
#include "top/terminal.h"

void live_warn(struct live *live, const char *text)
{
	snprintf(live->model.notice, sizeof(live->model.notice), "%s", text);
	live->model.is_warning = true;
}

void live_look(struct live *live)
{
	if (level_look(live->level, &live->run))
		live_warn(live, "out of memory");
}

/* Show a lasting state of the level as the notice, unless an event is shown there. */
static void note_state(struct live *live)
{
	struct level *level = live->level;
	char text[400];

	if (terminal_said(text, sizeof(text)))
		live_warn(live, text);
	if (live->model.notice[0])
		return;
	if (level->why_ended[0]) {
		live_warn(live, level->why_ended);
	} else if (level->is_task_gone) {
		snprintf(text, sizeof(text),
			 "%s is no longer running: these are its last numbers; Esc goes back",
			 level->target->task.name);
		live_warn(live, text);
	} else if (level->why_no_code[0]) {
		live_warn(live, level->why_no_code);
	}
	live->has_state = live->model.notice[0];
}

void live_redraw(struct live *live)
{
	struct cells *cells = &live->cells;
	int rows, cols;
	bool is_utf8;

	terminal_size(&rows, &cols, &is_utf8);
	if (rows != cells->rows || cols != cells->cols) {
		cells_deinit(cells);
		if (cells_init(cells, rows, cols, is_utf8))
			return;
	}
	level_describe(live->level, &live->model);
	live->model.interval_seconds = live->interval_seconds;
	note_state(live);
	draw(cells, &live->model);
	terminal_show(cells);
	if (live->has_state)
		live->model.notice[0] = '\0';
	live->has_state = false;
}
