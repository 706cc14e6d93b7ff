// SPDX-License-Identifier: GPL-2.0-only
/* A store of profiles as a sink of an agent: see sink_push.h. */
#include <errno.h>
#include <string.h>

#include "agent/sink_push.h"

static int take_stacks(void *self, const struct agent_stacks_window *window, struct text_error *error_ret)
{
	struct sink_push *sink = self;
	const struct stack_run stacks = {
		.profile = (struct profile *)window->profile, .result = *window->result,
		.receipt = *window->receipt, .has_receipt = true,
	};
	int error = push_submit(sink->push, &stacks, error_ret);

	return error == -ENODATA ? 0 : error;
}

/* Hands on what the thread has to say: one line at a time. */
static int take_table(void *self, const struct agent_table_window *window, struct text_error *error_ret)
{
	struct sink_push *sink = self;
	char line[sizeof(error_ret->what)];

	switch (push_message(sink->push, line, sizeof(line))) {
	case PUSH_NO_LINE:
		return 0;
	case PUSH_LINE_WORKS:
		text_fail(error_ret, 0, "%s", line);
		return AGENT_SINK_WORKS;
	case PUSH_LINE_REFUSED:
		return text_fail(error_ret, AGENT_SINK_REFUSED, "%s", line);
	case PUSH_LINE_FAULT:
		break;
	}
	return text_fail(error_ret, -EIO, "%s", line);
}

static void put_status(void *self, FILE *out)
{
	struct sink_push *sink = self;
	struct push_counts counts;

	push_counts(sink->push, &counts);
	fprintf(out, "push\t%s\npush windows\t%llu\npushed\t%llu requests, %llu samples, %llu bytes\n",
		sink->setup.config.url.base, counts.windows, counts.delivered, counts.delivered_samples,
		counts.delivered_bytes);
	fprintf(out, "push repeats\t%llu, %llu perhaps doubled\n"
		"push losses\t%llu refused, %llu dropped, %llu damaged\n"
		"push waiting\t%llu, %llu in the spool\n", counts.repeated, counts.doubled, counts.refused,
		counts.dropped, counts.damaged, counts.waiting, counts.waiting_spool);
}

int sink_push_open(struct sink_push *sink, const struct push_options *options, const char *url,
		   struct agent_sink *sink_ret, struct text_error *error_ret)
{
	int error;

	memset(sink, 0, sizeof(*sink));
	if (!url)
		return 0;
	error = push_options_read(options, url, &sink->setup, error_ret);
	if (error)
		return error;
	sink->push = push_open(&sink->setup.config, error_ret);
	if (!sink->push) {
		push_setup_forget(&sink->setup);
		return -EIO;
	}
	*sink_ret = (struct agent_sink){
		.name = "push", .self = sink, .take_table = take_table, .take_stacks = take_stacks,
		.put_status = put_status,
	};
	return 1;
}

void sink_push_close(struct sink_push *sink)
{
	if (!sink->push)
		return;
	push_close(sink->push, NULL);
	push_setup_forget(&sink->setup);
	sink->push = NULL;
}
