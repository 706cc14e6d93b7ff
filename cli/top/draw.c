// SPDX-License-Identifier: GPL-2.0-only
/* The whole screen, from top to bottom: see draw.h. */
#include <string.h>

#include "top/draw.h"

#define WARN_SHARE	0.0005	/* more missed or lost samples may change a share's last digit */

/** The lines of the screen that are still free: [top, bottom). */
struct frame {
	int top;
	int bottom;
};

/* The first text that fits, else the last one; @texts are ordered by falling length. */
static const char *first_fitting_text(const char *const *texts, size_t nr, int cols)
{
	size_t i;

	for (i = 0; i + 1 < nr && (int)strlen(texts[i]) > cols; i++)
		;
	return texts[i];
}

static void draw_title(struct cells *cells, int row, const struct model *model)
{
	char right[64];
	int cols;

	if (model->is_paused)
		snprintf(right, sizeof(right), " PAUSED ");
	else if (model->window_seconds > 0)
		snprintf(right, sizeof(right), " last %.1f of %g s ", model->account.seconds,
			 model->window_seconds);
	else
		snprintf(right, sizeof(right), " all of %.1f s ", model->account.seconds);
	cells_fill(cells, row, 0, cells->cols, STYLE_TITLE, ' ', ' ');
	cols = cells->cols - (int)strlen(right);
	cells_put(cells, row, 0, 10, STYLE_TITLE, "probe top ");
	if (cols - 11 > 0)
		cells_put_name(cells, row, 11, cols - 11, STYLE_TITLE, model->path);
	cells_put_right(cells, row, cols, (int)strlen(right),
			model->is_paused ? STYLE_WARNING : STYLE_TITLE, right);
}

/* The place of the samples, long and short: @on and @times have @len bytes each. */
static void describe_place(const struct model_account *account, char *on, char *times, size_t len)
{
	const char *plural = account->nr_cpus == 1 ? "" : "s";

	if (account->is_own) {
		snprintf(on, len, "in own processes, user mode only");
		snprintf(times, len, "in own processes");
		return;
	}
	snprintf(on, len, "on %zu CPU%s", account->nr_cpus, plural);
	snprintf(times, len, "x %zu CPU%s", account->nr_cpus, plural);
}

/* Samples per second and CPU: events set the pace. */
static double reached_hz(const struct model_account *account)
{
	return account->seconds > 0 && account->nr_cpus ? account->run.taken / account->seconds / account->nr_cpus : 0;
}

/* The line of expected, taken, missed, lost and deferred samples; always on the screen. */
static void draw_account(struct cells *cells, int row, const struct model *model)
{
	const struct model_account *account = &model->account;
	const struct run_account *run = &account->run;
	double asked_hz = account->period_ns ? 1e9 / account->period_ns : 0;
	const bool has_event = event_is_sampled(&account->event);
	double hz = has_event ? reached_hz(account) : run->expected ? asked_hz * run->taken / run->expected : 0;
	const char *most = has_event ? "at most " : "";
	unsigned long long taken = run->taken, expected = run->expected, missed = run->missed;
	unsigned long long lost = run->lost, late = run->deferred;
	/* Without the module lateness and cost are unknown. */
	char late_text[32] = "", cost[32] = "";
	char on[48], times[48];
	char texts[5][160];
	const char *const all[] = { texts[0], texts[1], texts[2], texts[3], texts[4] };
	bool is_bad = run->expected && (run->missed > run->expected * WARN_SHARE ||
					run->lost > run->expected * WARN_SHARE);

	if (!account->is_bpf && !has_event)
		snprintf(late_text, sizeof(late_text), ", %llu late", late);
	if (!account->is_bpf) {
		snprintf(cost, sizeof(cost), ", %.2f%%", hz * account->cost_ns / 1e7);
	}
	describe_place(account, on, times, sizeof(on));
	snprintf(texts[0], sizeof(texts[0]), "%llu samples of %llu expected, %llu missed, %llu "
		 "lost%s; %.4g of %s%.5g Hz %s%s%s", taken, expected, missed, lost,
		 late_text, hz, most, asked_hz, on, cost, cost[0] ? " overhead" : "");
	snprintf(texts[1], sizeof(texts[1]), "%llu samples, %llu missed, %llu lost%s; "
		 "%.4g of %s%.5g Hz %s%s", taken, missed, lost, late_text, hz, most, asked_hz, times, cost);
	snprintf(texts[2], sizeof(texts[2]), "%llu samples, %llu missed, %llu lost", taken, missed,
		 lost);
	snprintf(texts[3], sizeof(texts[3]), "%llu -%llu missed -%llu lost", taken, missed, lost);
	snprintf(texts[4], sizeof(texts[4]), "%llu -%llu -%llu", taken, missed, lost);
	cells_put(cells, row, 0, cells->cols, is_bad ? STYLE_WARNING : STYLE_NORMAL,
		  first_fitting_text(all, sizeof(all) / sizeof(all[0]), cells->cols));
}

static void draw_prompt(struct cells *cells, int row, const struct model *model)
{
	const char *label = model->mode == MODEL_SEARCH ? "Search: " : "Filter: ";
	int cols;

	cells_fill(cells, row, 0, cells->cols, STYLE_NORMAL, ' ', ' ');
	cols = cells_put(cells, row, 0, cells->cols, STYLE_KEY, label);
	cols += cells_put(cells, row, cols, cells->cols - cols - 1, STYLE_NORMAL, model->input);
	cells_fill(cells, row, cols, 1, STYLE_SELECTED, ' ', '_');
}

static void draw_notice(struct cells *cells, int row, const struct model *model)
{
	char text[ROSTER_NAME_LEN + 64];

	cells_fill(cells, row, 0, cells->cols, STYLE_NORMAL, ' ', ' ');
	if (model->notice[0]) {
		cells_put_name(cells, row, 0, cells->cols, model->is_warning ? STYLE_WARNING :
			       STYLE_NORMAL, model->notice);
		return;
	}
	snprintf(text, sizeof(text), "Filter '%s': %zu of %zu rows", model->outlook->filter,
		 model->outlook->nr, model->roster.nr);
	cells_put(cells, row, 0, cells->cols, STYLE_WARNING, text);
}

static void draw_hints(struct cells *cells, int row, const struct model *model)
{
	static const struct { const char *key, *what; } hints[] = {
		{ "?", "help" }, { "q", "quit" }, { "Enter", "zoom in" }, { "Esc", "back" },
		{ "s", "sort" }, { "/", "search" }, { "f", "filter" }, { "p", "pause" },
		{ "w", "window" }, { "o", "columns" }, { "z", "zero" },
	};
	int col = 0, cols;
	size_t i;

	for (i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		if (model->is_last && !strcmp(hints[i].key, "Enter"))
			continue;
		cols = strlen(hints[i].key) + 1 + strlen(hints[i].what);
		if (col + cols > cells->cols)
			return;
		cells_put(cells, row, col, cols, STYLE_KEY, hints[i].key);
		cells_put(cells, row, col + strlen(hints[i].key) + 1, cols, STYLE_DIM,
			  hints[i].what);
		col += cols + 2;
	}
}

static void draw_too_small(struct cells *cells)
{
	char text[64];

	snprintf(text, sizeof(text), "needs %dx%d", DRAW_COLS_MIN, DRAW_ROWS_MIN);
	cells_put(cells, 0, 0, cells->cols, STYLE_WARNING, text);
}

/* Draw as many clauses of the subject as fit, and always the first. */
static void draw_subject(struct cells *cells, int row, const struct model *model)
{
	char text[sizeof(model->subject)], *end;

	memcpy(text, model->subject, sizeof(text));
	while (cells_width(text, cells->is_utf8) > cells->cols && (end = strrchr(text, ';')))
		*end = '\0';
	cells_put(cells, row, 0, cells->cols, STYLE_NORMAL, text);
}

/* Draw the lines above and below the rows; a smaller screen has fewer of these lines. */
static struct frame draw_frame(struct cells *cells, struct model *model)
{
	struct frame frame = { 0, cells->rows };
	bool is_asking = model->mode == MODEL_SEARCH || model->mode == MODEL_FILTER;

	if (cells->rows >= 7)
		draw_title(cells, frame.top++, model);
	draw_account(cells, frame.top++, model);
	if (cells->rows >= 9 && model->subject[0])
		draw_subject(cells, frame.top++, model);
	/* Samples of the user's own threads are counted wherever these run; events tell nothing of how busy a CPU is. */
	if (cells->rows >= 10 && !model->hides_cpus && !model->account.is_own &&
	    !event_is_sampled(&model->account.event))
		frame.top += draw_cpus(cells, frame.top, cells->rows / 4, model);
	if (cells->rows >= 10)
		draw_hints(cells, --frame.bottom, model);
	if (is_asking)
		draw_prompt(cells, --frame.bottom, model);
	else if (model->notice[0] || model->outlook->filter[0])
		draw_notice(cells, --frame.bottom, model);
	return frame;
}

void draw(struct cells *cells, struct model *model)
{
	struct frame frame;

	cells_clear(cells);
	if (cells->rows < DRAW_ROWS_MIN || cells->cols < DRAW_COLS_MIN) {
		draw_too_small(cells);
		return;
	}
	frame = draw_frame(cells, model);
	if (model->mode == MODEL_HELP)
		draw_help(cells, frame.top, frame.bottom - frame.top, model);
	else if (model->mode == MODEL_COLUMNS)
		draw_choice(cells, frame.top, frame.bottom - frame.top, model);
	else
		draw_rows(cells, frame.top, frame.bottom - frame.top, model);
}
