// SPDX-License-Identifier: GPL-2.0-only
/*
 * The live view: see live.h. run_measure() waits and harvests; it calls back at the end of each
 * interval and when the terminal has an event. An action that needs another session ends the run,
 * and is carried out between two runs.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/clock.h"
#include "top/live_parts.h"
#include "top/terminal.h"
#include "top/zoom.h"

#define EARLY_SECONDS	0.25	/* length of the first EARLY_LOOKS intervals of a run */
#define EARLY_LOOKS	4

/* Handle all events of the terminal. RUN_STOP: the run must end for the action in live->next. */
static enum run_order take_events(void *context)
{
	struct live *live = context;
	bool is_resetting = false;
	enum terminal_event event;
	enum action action;
	u32 key;

	while ((event = terminal_next(&key)) != TERMINAL_NOTHING) {
		if (event == TERMINAL_ENDED) {
			live->next = ACTION_QUIT;
			return RUN_STOP;
		}
		action = event == TERMINAL_KEY ? keys_take(&live->model, key) : ACTION_NONE;
		if (action == ACTION_ZERO) {
			window_clear(&live->level->window);
			live_look(live);
			is_resetting = true;
		} else if (!live_do_now(live, action)) {
			live->next = action;
			return RUN_STOP;
		}
	}
	live_redraw(live);
	return is_resetting ? RUN_RESET : RUN_GO_ON;
}

static bool end_live_interval(void *context, const struct run_result *result)
{
	struct level *level = context;
	struct live *live = level->owner;

	level_end_interval(level, result);
	if (level_check_task(level))
		live->model.notice[0] = '\0';
	if (++live->nr_looks >= EARLY_LOOKS)
		live->options->level.sampling.repeat_seconds = live->interval_seconds;
	if (!live->model.is_paused)
		live_look(live);
	live_redraw(live);
	return true;
}

/* A new rate that was refused gives way to the one before. True: measure again. */
static bool gives_way(struct live *live, int error, const struct text_error *why)
{
	bool is_refused = error && live->period_before_ns;

	if (is_refused) {
		live->options->level.sampling.period_ns = live->period_before_ns;
		live->level->why_ended[0] = '\0';
		live_warn(live, why->what);
	}
	live->period_before_ns = 0;
	return is_refused;
}

/* Note why a run ended, if no key stopped it. */
static void note_run_end(struct live *live, int error, const struct text_error *why)
{
	struct level *level = live->level;

	if (live->next != ACTION_NONE)
		return;
	live->model.notice[0] = '\0';
	if (error && error != -EBADMSG)
		snprintf(level->why_ended, sizeof(level->why_ended), "%s%s%s", why->what,
			 why->hint[0] ? "; " : "", why->hint);
	else if (live->run.end == RUN_TASK_ENDED)
		snprintf(level->why_ended, sizeof(level->why_ended), "process %d has ended: these "
			 "are its last numbers; Esc goes back", level->target->task.pid);
	else
		live->next = ACTION_QUIT;
}

static double live_seconds_left(const struct live *live)
{
	double left = live->deadline ? live->deadline - clock_seconds() : 0;

	return live->deadline && left < 0.001 ? 0.001 : left;
}

/* Sample the current level until its run ends. */
static int measure_level(struct live *live, struct text_error *error_ret)
{
	struct sampling_options *sampling = &live->options->level.sampling;
	const struct run_control control = {
		.fd = terminal_fd(), .context = live, .serve = take_events
	};
	struct level *level = live->level;
	int error;

	live->run = (struct run){ .options = sampling };
	level->owner = live;
	level->why_ended[0] = '\0';
	level_run(level, &live->run);
	live->run.interval = end_live_interval;
	live->run.control = &control;
	live->nr_looks = 0;
	sampling->seconds = live_seconds_left(live);
	sampling->repeat_seconds = live->interval_seconds < EARLY_SECONDS || level->has_looked ?
		live->interval_seconds : EARLY_SECONDS;
	error = run_measure(&live->run, error_ret);
	level_end_interval(level, &live->run.result);
	if (!live->model.is_paused)
		live_look(live);
	note_run_end(live, error, error_ret);
	run_deinit(&live->run);
	return error == -EBADMSG ? 0 : error;
}

/* Without a session: handle keys until one needs an action. */
static void wait_for_key(struct live *live)
{
	struct pollfd fd = { .fd = terminal_fd(), .events = POLLIN };
	double left;

	live_redraw(live);
	while (live->next == ACTION_NONE) {
		left = live_seconds_left(live);
		if (!poll(&fd, 1, live->deadline ? (int)(left * 1e3) + 1 : -1))
			live->next = ACTION_QUIT;
		else
			take_events(live);
	}
}

static int run_live_view(struct live *live, struct text_error *error_ret)
{
	bool is_first = true;
	int error;

	do {
		error = live->is_waiting ? 0 : measure_level(live, error_ret);
		if (gives_way(live, error, error_ret)) {
			live->next = ACTION_NONE;
			error = measure_level(live, error_ret);
		}
		/* If the first measurement fails, there is nothing to show. */
		if (error && is_first)
			return error;
		is_first = false;
		if (live->next == ACTION_NONE)
			wait_for_key(live);
	} while (live_do_between(live));
	return 0;
}

static void destroy_levels(struct live *live)
{
	struct level *level = live->level;

	while (level) {
		live->level = level->above;
		level_destroy(level);
		level = live->level;
	}
}

int live_show(struct live_options *options, struct text_error *error_ret)
{
	struct live live = {
		.options = options,
		.interval_seconds = options->level.sampling.repeat_seconds,
		.window_seconds = options->level.window_seconds > 0 ?
			options->level.window_seconds : 10,
		.deadline = options->level.sampling.seconds > 0 ?
			clock_seconds() + options->level.sampling.seconds : 0,
		.level = level_create_machine(&options->level),
	};
	struct level *task = NULL;
	int error = terminal_check(error_ret);

	if (!error && !live.level)
		error = text_fail(error_ret, -ENOMEM, "show the live view: out of memory");
	if (!error && options->task) {
		task = zoom_to_task(live.level, options->task, error_ret);
		live.level = task ?: live.level;
		error = task ? 0 : -ESRCH;
	}
	if (!error)
		error = terminal_open(options->only_ascii, error_ret);
	if (!error)
		error = run_live_view(&live, error_ret);
	terminal_close();
	destroy_levels(&live);
	cells_deinit(&live.cells);
	return error;
}
