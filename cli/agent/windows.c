// SPDX-License-Identifier: GPL-2.0-only
/* The windows of an agent: see windows.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agent/windows.h"
#include "profile/profile_join.h"
#include "profile/profile_save.h"
#include "run/run_save.h"

#define LOSS_SHARE	0.01	/* of the samples: a fault */

static struct run_result add_result(const struct run_result *sum, const struct run_result *result)
{
	struct run_result all = *result;

	all.account = sum->account;
	run_account_add(&all.account, &result->account);
	all.elapsed_seconds += sum->elapsed_seconds;
	if (sum->elapsed_seconds > 0)
		all.began = sum->began;
	return all;
}

static void pass_between(const struct windows *windows)
{
	if (windows->between)
		windows->between(windows->context);
}

/* The profile's loss contains that of the account, and stacks that the agent had no memory for. */
static void tell_loss(struct windows *windows, const struct profile *profile, u64 taken, const struct window_now *now)
{
	if (profile->lost > LOSS_SHARE * taken)
		journal_fault(&windows->journal, JOURNAL_LOSS, now->since_boot,
			      "%llu of %llu samples found no room", profile->lost, taken);
}

bool windows_end_table(struct windows *windows, const struct fold *fold, const struct run_result *result,
		       const struct receipt *receipt, const struct window_now *now)
{
	const struct agent_table_window table = {
		.began = result->began, .seconds = result->elapsed_seconds, .fold = fold,
		.result = result, .receipt = receipt,
	};
	struct text_error error;
	size_t i;

	for (i = 0; i < windows->nr_sinks; i++) {
		const struct agent_sink *sink = &windows->sinks[i];
		int told = sink->take_table ? sink->take_table(sink->self, &table, &error) : 0;

		if (told == AGENT_SINK_WORKS)
			journal_end(&windows->journal, JOURNAL_SINK, "%s: %.200s", sink->name, error.what);
		else if (told)
			journal_fault(&windows->journal, told == AGENT_SINK_REFUSED ? JOURNAL_REFUSED : JOURNAL_SINK,
				      now->since_boot, "%s: %.200s", sink->name, error.what);
		pass_between(windows);
	}
	windows->nr_tables_ended++;
	windows->result = add_result(&windows->result, result);
	return ++windows->nr_tables >= windows->per_stacks;
}

/* Writes the run into memory. NULL: out of memory. */
static void *pack(const struct run *run, const struct profile *profile, const struct window *window,
		  size_t *len_ret)
{
	struct record_writer writer = { 0 };
	char *bytes = NULL;
	FILE *memory = open_memstream(&bytes, len_ret);
	struct text_error error;
	bool is_good;

	if (!memory)
		return NULL;
	record_begin(&writer, memory);
	run_save(&writer, run);
	profile_save(&writer, profile);
	record_add(&writer, "WNDW", window, sizeof(*window));
	is_good = !record_commit(&writer, &error);
	record_abandon(&writer);
	if (is_good)
		return bytes;
	free(bytes);
	return NULL;
}

/*
 * The end of a window. It is told some time after, when a harvest is done: a window that follows the last one ends
 * as much later as it is long.
 */
static double find_end(const struct windows *windows, double seconds, const struct window_now *now)
{
	const struct window *last = &windows->last;
	double late = now->since_boot - seconds - last->ended;

	return last->number && last->boot == now->boot && fabs(late) < WINDOW_GAP_SECONDS ?
		last->ended + seconds : now->since_boot;
}

/* The agent's profile has the functions of all windows, a copy those of this one. NULL: out of memory. */
static struct profile *copy_window(const struct profile *profile)
{
	struct profile *own = profile_create();

	if (own && !profile_join(own, profile))
		return own;
	profile_destroy(own);
	return NULL;
}

/* As windows_pack(), of a copy; NULL: out of memory. */
static void *pack_copy(const struct windows *windows, const struct run *run, const struct profile *own,
		       const struct run_result *part, const struct window_now *now, struct window *window_ret,
		       size_t *len_ret)
{
	struct run whole = *run;

	whole.result = part ? add_result(&windows->result, part) : windows->result;
	*window_ret = (struct window){
		.number = windows->ring.next_number, .boot = now->boot, .began = whole.result.began,
		.seconds = whole.result.elapsed_seconds, .ended = find_end(windows, whole.result.elapsed_seconds, now),
	};
	return own ? pack(&whole, own, window_ret, len_ret) : NULL;
}

void *windows_pack(const struct windows *windows, const struct run *run, const struct profile *profile,
		   const struct run_result *part, const struct window_now *now, struct window *window_ret,
		   size_t *len_ret)
{
	struct profile *own = copy_window(profile);
	void *bytes = pack_copy(windows, run, own, part, now, window_ret, len_ret);

	profile_destroy(own);
	return bytes;
}

static void hand_to_sinks(struct windows *windows, const struct agent_stacks_window *window,
			  const struct window_now *now)
{
	struct text_error error;
	size_t i;

	for (i = 0; i < windows->nr_sinks; i++) {
		const struct agent_sink *sink = &windows->sinks[i];

		if (sink->take_stacks && sink->take_stacks(sink->self, window, &error))
			journal_fault(&windows->journal, JOURNAL_SINK, now->since_boot, "%s: %.200s",
				      sink->name, error.what);
		pass_between(windows);
	}
}

static void keep_window(struct windows *windows, const struct window *window, const void *bytes, size_t len,
			const struct window_now *now)
{
	struct text_error error;

	if (!bytes)
		text_fail(&error, 0, "keep a window: out of memory");
	if (bytes && !window_ring_add(&windows->ring, window, bytes, len, now, &error)) {
		windows->nr_gaps += windows->last.number && window_gap(&windows->last, window) > 0;
		windows->last = *window;
		windows->nr_written++;
		return;
	}
	windows->nr_unwritten++;
	journal_fault(&windows->journal, JOURNAL_RING, now->since_boot, "%.250s", error.what);
}

void windows_end_stacks(struct windows *windows, const struct run *run, const struct profile *profile,
			const struct run_result *part, const struct window_now *now)
{
	struct run_result result = part ? add_result(&windows->result, part) : windows->result;
	struct profile *own = copy_window(profile);
	struct agent_stacks_window window = {
		.profile = own, .result = &result, .receipt = &run->receipt,
	};
	void *bytes;

	/* The saved run has the account of the engine and the profile's loss; others are told all. */
	result.account.lost = profile->lost;
	bytes = pack_copy(windows, run, own, part, now, &window.window, &window.len);

	window.bytes = bytes;
	pass_between(windows);
	keep_window(windows, &window.window, bytes, window.len, now);
	pass_between(windows);
	if (bytes)
		hand_to_sinks(windows, &window, now);
	tell_loss(windows, profile, result.account.taken, now);
	run_account_add(&windows->total, &result.account);
	free(bytes);
	profile_destroy(own);
	windows->nr_tables = 0;
	windows->result = (struct run_result){ 0 };
}
