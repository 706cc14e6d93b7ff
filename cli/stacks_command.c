// SPDX-License-Identifier: GPL-2.0-only
/* Shared by the commands that show stacks: see stacks_command.h. */
#include <errno.h>

#include "stacks_command.h"

void stacks_command_init(void *self, const struct output_options *output)
{
	struct stacks_command *command = self;

	stacks_options_init(&command->stacks);
	command->output = output;
}

/* A file for other tools, and a table without headings, are of one event. @first: of @nr. */
static int check_events(const struct stacks_command *command, unsigned int nr, const struct event *first,
			struct text_error *error_ret)
{
	const bool is_export = export_is_asked(&command->exports);

	if (nr < 2 || (!is_export && command->output->format != FORMAT_TSV))
		return 0;
	text_fail(error_ret, 0, "%s of one event; the run has %u", is_export ? "files for other tools are" : "-tsv is", nr);
	if (is_export)
		text_hint(error_ret, "'probe export FILE -event %s' writes one of a run that was saved", first->name);
	else
		text_hint(error_ret, "use -json");
	return -EINVAL;
}

int stacks_command_check(void *self, const struct options_rest *rest,
			 struct text_error *error_ret)
{
	const struct stacks_command *command = self;
	const char *measures = options_first(rest, sec_specs) ?:
		options_first(rest, sampling_specs) ?:
		options_first(rest, stacks_specs) ?:
		options_first(rest, events_specs) ?: options_first(rest, nmi_specs) ?: options_first(rest, unwind_specs);

	if (export_check(&command->exports, command->stacks.sampling.save, false, error_ret))
		return -EINVAL;
	if (!rest->nr_args)
		return stacks_check(&command->stacks, error_ret) ?:
			check_events(command, command->stacks.sampling.nr_others + 1, &command->stacks.sampling.event,
				     error_ret);
	if (command->stacks.is_inlined && command->stacks.is_whole)
		return text_fail(error_ret, -EINVAL, "-inline cannot be combined with -no-inline");
	if (rest->command)
		return text_fail(error_ret, -EINVAL,
				 "a FILE cannot be combined with a COMMAND");
	if (measures)
		return text_fail(error_ret, -EINVAL, "-%s cannot be combined with a saved run (%s)",
				 measures, rest->args[0]);
	return 0;
}

/* Shows the run of one event. Returns an exit status. */
static int show_one(void *self, const struct stack_run *stacks, struct export *exports, stacks_command_show *show)
{
	struct text_error error = { "", "" };
	int result = show(self, stacks, &error);

	if (!result)
		result = export_write(exports, stacks, &error);
	/* The warnings of a saved run were printed when it was measured. */
	if (!result && stacks->resolver)
		stacks_warn(stacks);
	if (!result)
		return 0;
	text_report(&error);
	return EXIT_FAILED;
}

static int show_set(void *self, const struct stack_set *set, struct export *exports, stacks_command_show *show)
{
	unsigned int i;
	int status = 0;

	for (i = 0; !status && i < set->nr; i++) {
		if (i)
			putchar('\n');
		status = show_one(self, &set->run[i], exports, show);
	}
	return status ? EXIT_FAILED : set->status;
}

int stacks_command_run(void *self, const struct options_rest *rest, stacks_command_show *show)
{
	struct stacks_command *command = self;
	const char *verb = rest->argv[0];	/* may be "show", which calls flat */
	struct text_error error;
	struct export exports;
	struct stack_set set;
	unsigned int i;
	int status;

	if (export_open(&exports, &command->exports, rest->args[0], &error)) {
		text_report(&error);
		return rest->command ? 125 : EXIT_FAILED;
	}
	command->stacks.sampling.has_exports = export_is_asked(&command->exports);
	status = stacks_fetch(&set, &command->stacks, verb, rest->args[0], rest->command);
	if (!status) {
		for (i = 0; command->stacks.count && i < set.nr; i++)
			set.run[i].executions = command->stacks.count;
		if (check_events(command, set.nr, &set.run[0].result.event, &error))
			status = command_misused(command_find(verb), &error);
		else
			status = show_set(self, &set, &exports, show);
		stack_set_deinit(&set);
	}
	export_abandon(&exports);
	return status;
}

void stacks_command_deinit(void *self)
{
	struct stacks_command *command = self;

	stacks_options_deinit(&command->stacks);
}
