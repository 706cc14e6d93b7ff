// SPDX-License-Identifier: GPL-2.0-only
/* probe push: deliver the stacks of a run to a store of profiles. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "background/control.h"
#include "base/option_values.h"
#include "command.h"
#include "push/push_options.h"
#include "run/run_events.h"
#include "stacks/stacks_fetch.h"

#define WAIT_SECONDS	30

struct push_command {
	struct push_options push;
	double wait_seconds;
	const char *event;	/* of a saved run with several; NULL: the first */
};

static int load_saved_run(struct stack_run *stacks, const char *path, const char *event, struct text_error *error_ret)
{
	struct record record;
	int error = record_read(path, &record, error_ret);

	if (error)
		return error;
	error = stacks_load_event(stacks, "push", path, &record, event, error_ret);
	if (!error && !event)
		run_events_tell_others(&record, "pushing");
	record_deinit(&record);
	return error;
}

/* Whether an argument is a file, not the name of a background run. NULL: not given. */
static bool is_saved_run(const char *run)
{
	struct text_error no_name;

	return run && (!access(run, F_OK) || control_check_name(run, &no_name));
}

/* Read a saved run; or else ask the background run of this name what it has counted so far. */
static int load_run(struct stack_run *stacks, const char *run, const char *event, struct text_error *error_ret)
{
	char *bytes;
	size_t len;
	int error;

	if (is_saved_run(run))
		return load_saved_run(stacks, run, event, error_ret);
	memset(stacks, 0, sizeof(*stacks));
	run = run ? run : CONTROL_NAME_DEFAULT;
	error = control_ask(run, "dump", &bytes, &len, error_ret);
	if (error)
		return error;
	error = stacks_load_bytes(stacks, bytes, len, run, error_ret);
	free(bytes);
	return error;
}

static void print_messages(struct push *push)
{
	char line[512];

	while (push_message(push, line, sizeof(line)))
		fprintf(stderr, "probe: %s\n", line);
}

/* Print the account. Returns the exit status. */
static int print_account(const struct push_counts *counts, const struct push_config *config)
{
	u64 undone = counts->refused + counts->dropped + counts->waiting + counts->damaged;

	printf("pushed %llu samples to %s (%s) in %llu request%s, %llu bytes; %llu repeated, %llu perhaps "
	       "doubled; "
	       "%llu refused, %llu dropped, %llu waiting in the spool",
	       counts->delivered_samples, config->url.base, push_format_names[config->url.format],
	       counts->delivered, counts->delivered == 1 ? "" : "s", counts->delivered_bytes,
	       counts->repeated, counts->doubled, counts->refused, counts->dropped, counts->waiting);
	if (counts->damaged)
		printf(", %llu damaged", counts->damaged);
	putchar('\n');
	return undone ? EXIT_FAILED : 0;
}

static int deliver_run(const struct push_command *command, const struct push_config *config,
		       const struct stack_run *stacks, struct text_error *error_ret)
{
	struct push *push = push_open(config, error_ret);
	struct push_counts counts;
	int error;

	if (!push)
		return EXIT_FAILED;
	error = push_submit(push, stacks, error_ret);
	if (!error)
		push_wait(push, command->wait_seconds ? command->wait_seconds : WAIT_SECONDS);
	print_messages(push);
	push_close(push, &counts);
	return error ? EXIT_FAILED : print_account(&counts, config);
}

static int push_run(void *self, const struct options_rest *rest)
{
	static struct push_setup setup;	/* large */
	const struct push_command *command = self;
	struct text_error error = { "", "" };
	struct stack_run stacks = { 0 };
	int status = EXIT_FAILED;

	if (!push_options_read(&command->push, rest->args[0], &setup, &error) &&
	    !load_run(&stacks, rest->args[1], command->event, &error))
		status = deliver_run(command, &setup.config, &stacks, &error);
	if (error.what[0])
		text_report(&error);
	push_setup_forget(&setup);
	stacks_deinit(&stacks);
	return status;
}

static int push_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct push_command *command = self;
	struct push_url url;

	if (command->event && !is_saved_run(rest->args[1]))
		return text_fail(error_ret, -EINVAL, "-event needs a saved run");
	return push_options_check(&command->push, rest, error_ret) ?:
		push_url_parse(rest->args[0], command->push.to, &url, error_ret);
}

static const struct option_spec push_run_specs[] = {
	{ "event", "EVENT", "of a saved run with several events, push this one (default the first)", option_text,
	  offsetof(struct push_command, event) },
	{ "wait", "TIME", "how long to try (default: 30s)", option_seconds,
	  offsetof(struct push_command, wait_seconds) },
	{ NULL }
};

static const struct option_list push_options_lists[] = {
	{ push_specs, offsetof(struct push_command, push) },
	{ push_run_specs, 0 },
	{ NULL }
};

const struct command command_push = {
	.name = "push",
	.arguments = "URL [RUN]",
	.help = "push the stacks of a run to Pyroscope or Parca",
	.options = push_options_lists,
	.self_len = sizeof(struct push_command),
	.min_args = 1,
	.max_args = 2,
	.args_hint = "the URL of a store, and a saved run or the name of a background run",
	.check = push_check,
	.run = push_run,
};
