// SPDX-License-Identifier: GPL-2.0-only
/* The actions of keys: see live_parts.h. */
#include <math.h>

#include "top/live_parts.h"
#include "top/zoom.h"

/* Cycle through: no window, the window asked for or 10 s, a minute. */
static double next_window(const struct live *live, double seconds)
{
	if (!(seconds > 0))
		return live->window_seconds;
	return seconds < 60 ? 60 : 0;
}

static void scale_interval(struct live *live, double factor)
{
	double seconds = live->interval_seconds * factor;
	char text[64];

	if (seconds < LIVE_INTERVAL_MIN)
		seconds = LIVE_INTERVAL_MIN;
	live->interval_seconds = seconds > LIVE_INTERVAL_MAX ? LIVE_INTERVAL_MAX : seconds;
	live->options->level.sampling.repeat_seconds = live->interval_seconds;
	snprintf(text, sizeof(text), "update every %.3g s", live->interval_seconds);
	live_warn(live, text);
	live->model.is_warning = false;
}

bool live_do_now(struct live *live, enum action action)
{
	struct level *level = live->level;

	switch (action) {
	case ACTION_NONE:
		return true;
	case ACTION_PAUSE:
		live->model.is_paused = !live->model.is_paused;
		if (!live->model.is_paused)
			live_look(live);
		return true;
	case ACTION_WINDOW:
		window_set(&level->window, next_window(live, level->window.seconds));
		live_look(live);
		return true;
	case ACTION_FASTER:
		scale_interval(live, 0.5);
		return true;
	case ACTION_SLOWER:
		scale_interval(live, 2);
		return true;
	case ACTION_AGAIN:
		return !level->why_ended[0];
	default:
		live->next = action;
		return false;
	}
}

static void zoom_into_row(struct live *live)
{
	const struct roster_row *row = outlook_row(&live->level->outlook, &live->level->roster);
	struct text_error error = { "", "" };
	char text[sizeof(error.what) + sizeof(error.hint)];
	struct level *below;

	if (!row)
		return;
	/* Reading the symbols of a large program takes seconds. */
	snprintf(text, sizeof(text), "looking into %s...", row->name);
	live_warn(live, text);
	live_redraw(live);
	live->model.notice[0] = '\0';
	below = zoom_in(live->level, row, &error);
	if (below) {
		live->level = below;
	} else {
		snprintf(text, sizeof(text), "%s%s%s", error.what, error.hint[0] ? "; " : "",
			 error.hint);
		live_warn(live, text);
	}
}

static void go_to_level_above(struct live *live)
{
	struct level *level = live->level;

	if (!level->above) {
		live_warn(live, "this is the machine; 'q' quits");
		live->model.is_warning = false;
		return;
	}
	live->level = level->above;
	level_destroy(level);
}

/* Drops the counts of all levels. @what: is sampled from now on */
static void begin_again(struct live *live, const char *what)
{
	struct level *level;
	char text[EVENT_NAME_LEN + 32];

	for (level = live->level; level; level = level->above) {
		window_clear(&level->window);
		level->has_looked = false;
	}
	snprintf(text, sizeof(text), "%s; all counts begin again", what);
	live_warn(live, text);
	live->model.is_warning = false;
}

/* Each event in turn, as its counts on all levels would need sessions of their own. */
static void change_event(struct live *live)
{
	struct sampling_options *sampling = &live->options->level.sampling;

	if (!sampling->nr_others) {
		live_warn(live, event_is_sampled(&sampling->event) ? "-event has no other event" :
			  "time is sampled; -event A,B samples events in turn");
		return;
	}
	sampling_turn(sampling);
	begin_again(live, sampling->event.name);
}

/* Samples of two rates are not mixed: a target's counts do not tell their time. */
static void change_rate(struct live *live, double factor)
{
	struct sampling_options *sampling = &live->options->level.sampling;
	const u64 before_ns = sampling->period_ns;
	char text[32];

	if (event_is_sampled(&sampling->event)) {
		live_warn(live, "samples of an event have no rate");
		return;
	}
	sampling->period_ns = fmin(fmax(sampling->period_ns / factor, 1e9 / LIVE_RATE_MAX), 1e9 / LIVE_RATE_MIN);
	if (sampling->period_ns == before_ns) {
		live_warn(live, factor > 1 ? "this is the highest rate" : "this is the lowest rate");
		return;
	}
	live->period_before_ns = before_ns;
	snprintf(text, sizeof(text), "%.4g Hz", 1e9 / sampling->period_ns);
	begin_again(live, text);
}

bool live_do_between(struct live *live)
{
	const struct level *level = live->level;
	enum action next = live->next;

	live->next = ACTION_NONE;
	live->model.notice[0] = '\0';
	if (next == ACTION_QUIT)
		return false;
	if (next == ACTION_RATE_UP || next == ACTION_RATE_DOWN)
		change_rate(live, next == ACTION_RATE_UP ? 2 : 0.5);
	if (next == ACTION_EVENT)
		change_event(live);
	if (next == ACTION_ZOOM || next == ACTION_BACK) {
		live->model.is_paused = false;
		next == ACTION_ZOOM ? zoom_into_row(live) : go_to_level_above(live);
	}
	/* A level that has ended is not measured again unless asked for. */
	live->is_waiting = next != ACTION_AGAIN && live->level == level && level->why_ended[0];
	return true;
}
