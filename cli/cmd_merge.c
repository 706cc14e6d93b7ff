// SPDX-License-Identifier: GPL-2.0-only
/* probe merge: make one saved run of several. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/option_values.h"
#include "calls/call_save.h"
#include "command.h"
#include "profile/blocks_save.h"
#include "profile/profile_merge.h"
#include "profile/profile_save.h"
#include "run/run_events.h"
#include "stacks/stacks_fetch.h"
#include "sys/sys_merge.h"
#include "sys/sys_save.h"
#include "trace/trace_save.h"

enum merge_by { BY_PROGRAM, BY_HOST };

struct merge_command {
	const char *out;
	unsigned int by;
};

/* Contents that cannot be merged; NULL: it has a table or stacks. */
static const char *name_refused(const struct record *record)
{
	size_t len;

	return trace_is_kept(record) ? "trace" : call_is_kept(record) ? "calls" :
		record_find(record, "TASK", &len) ? "proc" : NULL;
}

static int check_contents(const struct run_merge *merge, struct text_error *error_ret)
{
	bool has_stacks = profile_is_kept(&merge->part[0].record);
	const char *refused;
	struct record other;
	size_t i;

	for (i = 0; i < merge->nr; i++) {
		const struct merge_part *part = &merge->part[i];

		refused = name_refused(&part->record);
		if (refused) {
			text_fail(error_ret, 0, "merge %s: runs of 'probe %s' cannot be merged", part->path,
				  refused);
			text_hint(error_ret, "tables of 'probe sys' and runs with stacks can");
			return -EINVAL;
		}
		if (run_events_find(&part->record, 0, &other, error_ret) != -ENOENT) {
			text_fail(error_ret, 0, "merge %s: runs of several events cannot be merged", part->path);
			text_hint(error_ret, "measure a run for each event, and merge those of one");
			return -EINVAL;
		}
		if (profile_is_kept(&part->record) != has_stacks)
			return text_fail(error_ret, -EINVAL, "merge %s with %s: only one of them has stacks",
					 merge->part[0].path, part->path);
	}
	return 0;
}

static int write_table(struct record_writer *writer, struct run_merge *merge, bool by_host,
		       struct text_error *error_ret)
{
	struct run_host *hosts = run_merge_hosts(merge);
	struct fold *fold = sys_merge(merge, by_host, error_ret);
	int error = fold ? 0 : -EINVAL;

	if (!error && !hosts)
		error = text_fail(error_ret, -ENOMEM, "merge: out of memory");
	if (!error)
		sys_save_merged(writer, fold, &merge->run, hosts, merge->nr);
	fold_destroy(fold);
	free(hosts);
	return error;
}

/* Adds the stacks of all runs. @executions_ret: of all runs; 0: one run does not know them */
static int add_stacks(struct profile_merge *sum, const struct run_merge *merge, bool by_host,
		      u64 *executions_ret, struct text_error *error_ret)
{
	bool are_known = true;
	struct stack_run run;
	size_t i;
	int error = 0;

	*executions_ret = 0;
	for (i = 0; !error && i < merge->nr; i++) {
		const struct merge_part *part = &merge->part[i];

		error = stacks_load_record(&run, "merge", part->path, &part->record, error_ret);
		if (!error && profile_merge_add(sum, run.profile, &run.blocks, by_host ? part->name : NULL))
			error = text_fail(error_ret, -ENOMEM, "merge: out of memory");
		are_known = are_known && run.executions;
		*executions_ret += run.executions;
		stacks_deinit(&run);
	}
	*executions_ret = are_known ? *executions_ret : 0;
	return error;
}

static int write_stacks(struct record_writer *writer, struct run_merge *merge, bool by_host,
			struct text_error *error_ret)
{
	struct run_host *hosts = run_merge_hosts(merge);
	struct profile_merge sum;
	u64 executions = 0;
	int error = profile_merge_init(&sum) || !hosts ?
		text_fail(error_ret, -ENOMEM, "merge: out of memory") : 0;

	error = error ?: add_stacks(&sum, merge, by_host, &executions, error_ret);
	error = error ?: run_merge_set_excess(merge, profile_merge_excess(&sum), error_ret);
	if (!error) {
		run_save_totals(writer, &merge->run);
		host_save(writer, hosts, merge->nr);
		if (executions)
			record_add(writer, "EXEC", &executions, sizeof(executions));
		profile_save(writer, sum.profile);
		blocks_save(writer, &sum.blocks, sum.profile);
	}
	profile_merge_deinit(&sum);
	free(hosts);
	return error;
}

static int write_merged(struct run_merge *merge, const struct merge_command *command,
			struct text_error *error_ret)
{
	struct record_writer writer = { 0 };
	bool by_host = command->by == BY_HOST;
	int error = run_merge_add_up(merge, error_ret) ?: record_create(&writer, command->out, error_ret);
	if (!error)
		error = profile_is_kept(&merge->part[0].record) ?
			write_stacks(&writer, merge, by_host, error_ret) :
			write_table(&writer, merge, by_host, error_ret);
	error = error ?: record_commit(&writer, error_ret);
	record_abandon(&writer);
	return error;
}

static void warn_of_unknown_hosts(const struct run_merge *merge)
{
	size_t i, nr = 0, first = 0;
	struct text_error warning;

	for (i = 0; i < merge->nr; i++)
		if (!merge->part[i].has_host && !nr++)
			first = i;
	if (!nr)
		return;
	text_fail(&warning, 0, "warning: %s%s not say on which host it was measured, and counts as one of its own",
		  merge->part[first].path, nr > 1 ? " and others do" : " does");
	text_hint(&warning, "older versions of probe did not save it; time that two such runs have in common counts twice");
	text_report(&warning);
}

/* Paths of all runs, to be freed. NULL: out of memory. */
static const char **list_paths(const struct options_rest *rest)
{
	static const char *const no_groups[] = { NULL };
	struct options_arg *args = options_args(rest, command_merge.options, no_groups);
	const char **paths = calloc(rest->nr_args + 1, sizeof(*paths));
	int i;

	for (i = 0; args && paths && i < rest->nr_args; i++)
		paths[i] = args[i].text;
	if (!args) {
		free(paths);
		paths = NULL;
	}
	free(args);
	return paths;
}

static int merge_run(void *self, const struct options_rest *rest)
{
	const struct merge_command *command = self;
	const char **paths = list_paths(rest);
	struct text_error error = { "", "" };
	struct run_merge merge = { 0 };
	char out[PATH_MAX];
	int failed = paths ? run_merge_open(&merge, "merge", paths, rest->nr_args, &error) :
		text_fail(&error, -ENOMEM, "merge: out of memory");

	failed = failed ?: check_contents(&merge, &error);
	if (!failed) {
		warn_of_unknown_hosts(&merge);
		failed = write_merged(&merge, command, &error);
	}
	snprintf(out, sizeof(out), "%s", command->out);
	text_plain(out);
	if (failed)
		text_report(&error);
	else
		printf("%s: %zu runs of %u host%s, %llu samples\n", out, merge.nr, merge.nr_hosts,
		       merge.nr_hosts == 1 ? "" : "s", merge.run.result.account.taken);
	run_merge_close(&merge);
	free(paths);
	return failed ? EXIT_FAILED : 0;
}

static void merge_init(void *self)
{
	struct merge_command *command = self;

	command->out = "merged";
}

static const char *const merge_by_names[] = { [BY_PROGRAM] = "program", [BY_HOST] = "host", NULL };

static const struct option_spec merge_specs[] = {
	{ "o", "FILE", "write the merged run to FILE (default merged)", option_file,
	  offsetof(struct merge_command, out) },
	{ "by", "UNIT", "count equal programs of all hosts together (program, the default), or of each host "
	  "(host)", option_choice, offsetof(struct merge_command, by), .choices = merge_by_names },
	{ NULL }
};

static const struct option_list merge_options[] = {
	{ merge_specs, 0 },
	{ NULL }
};

const struct command command_merge = {
	.name = "merge",
	.arguments = "RUN RUN...",
	.help = "make one saved run of several, from one host or from many",
	.options = merge_options,
	.self_len = sizeof(struct merge_command),
	.min_args = 2,
	.max_args = OPTIONS_ANY_ARGS,
	.args_hint = "two or more files of 'probe sys' or of runs with stacks, that -save has written",
	.init = merge_init,
	.run = merge_run,
};
