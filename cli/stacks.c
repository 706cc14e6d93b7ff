// SPDX-License-Identifier: GPL-2.0-only
/* Where stacks come from: see stacks.h. */
#include <errno.h>
#include <string.h>

#include "measurement.h"
#include "profile/profile_save.h"
#include "save.h"
#include "stacks.h"
#include "status.h"

const struct option_spec stacks_specs[] = {
	{ "task", "TASK", "only this process or executable: a pid, a path or a name" },
	{ "cgroup", "PATH", "only processes of this control group and those below it" },
	{ "user", NULL, "only user code; the kernel is one leaf, [kernel]" },
	{ "kernel", NULL, "only kernel code; user code is one leaf, [user]" },
	{ "pids", NULL, "keep the processes of a program apart" },
	{ "lines", NULL, "source lines, where there is debug information" },
	{ "memory", "KIB", "for stacks, per CPU: 64 to 65536 (default 1984)" },
	{ "save", "FILE", "keep the run in FILE" },
	{ NULL, NULL, NULL }
};

void stacks_options_init(struct stacks_options *options)
{
	memset(options, 0, sizeof(*options));
	sampling_init(&options->sampling);
}

void stacks_options_deinit(struct stacks_options *options)
{
	sampling_deinit(&options->sampling);
}

static int set_flag(struct stacks_options *options, const char *name)
{
	const struct { const char *name; bool *flag; } flags[] = {
		{ "user", &options->only_user }, { "kernel", &options->only_kernel },
		{ "pids", &options->by_pid }, { "lines", &options->has_lines },
	};
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strcmp(name, flags[i].name))
			continue;
		*flags[i].flag = true;
		return 0;
	}
	return 1;
}

static int set_memory(struct stacks_options *options, const char *value,
		      struct text_error *error_ret)
{
	int error = parse_count(value, &options->stack_kib, error_ret);

	if (!error && (options->stack_kib < CPUPROBE_STACK_KIB_MIN ||
		       options->stack_kib > CPUPROBE_STACK_KIB_MAX))
		error = text_fail(error_ret, -EINVAL, "%s is not between %d and %d", value,
				  CPUPROBE_STACK_KIB_MIN, CPUPROBE_STACK_KIB_MAX);
	return error;
}

int stacks_set(struct stacks_options *options, const char *name, const char *value,
	       struct text_error *error_ret)
{
	int result = sampling_set(&options->sampling, name, value, error_ret);

	if (result > 0)
		result = set_flag(options, name);
	if (result > 0 && !strcmp(name, "task")) {
		options->task = value;
		result = 0;
	} else if (result > 0 && !strcmp(name, "cgroup")) {
		options->cgroup = value;
		result = 0;
	} else if (result > 0 && !strcmp(name, "memory")) {
		result = set_memory(options, value, error_ret);
	}
	if (result <= 0 && !options->first)
		options->first = name;
	return result;
}

int stacks_check(const struct stacks_options *options, struct text_error *error_ret)
{
	if (options->only_user && options->only_kernel)
		return text_fail(error_ret, -EINVAL, "-user and -kernel leave nothing to look at");
	return sampling_check(&options->sampling, error_ret);
}

static int load(struct stacks *stacks, const struct record *record, struct text_error *error_ret)
{
	if (!profile_is_kept(record)) {
		text_fail(error_ret, 0, "it keeps a run without stacks");
		text_hint(error_ret, "'probe show' shows it");
		return -EBADMSG;
	}
	if (record_get_result(record, &stacks->result, error_ret))
		return -EBADMSG;
	stacks->has_receipt = !load_receipt(record, &stacks->receipt);
	stacks->profile = profile_load(record, error_ret);
	return stacks->profile ? 0 : -EBADMSG;
}

/* Complete the error: so far it holds only @why. */
static int load_failed(int error, const char *verb, const char *name,
		       const struct text_error *why, struct text_error *error_ret)
{
	text_fail(error_ret, 0, "%s %s: %s", verb, name, why->what);
	if (why->hint[0])
		text_hint(error_ret, "%s", why->hint);
	return error;
}

int stacks_load(struct stacks *stacks, const char *verb, const char *path,
		struct text_error *error_ret)
{
	struct text_error why;
	struct record record;
	int error;

	memset(stacks, 0, sizeof(*stacks));
	error = record_read(path, &record, error_ret);
	if (error)
		return error;
	error = load(stacks, &record, &why);
	record_deinit(&record);
	return error ? load_failed(error, verb, path, &why, error_ret) : 0;
}

int stacks_load_bytes(struct stacks *stacks, char *bytes, size_t len, const char *name,
		      struct text_error *error_ret)
{
	const struct record record = { bytes, len };
	struct text_error why;
	int error;

	memset(stacks, 0, sizeof(*stacks));
	error = record_check(&record, name, error_ret);
	if (error)
		return error;
	error = load(stacks, &record, &why);
	return error ? load_failed(error, "show", name, &why, error_ret) : 0;
}

/* What there is to say of a measurement that came to its end. */
static int finish(struct stacks *stacks, struct measurement *measurement,
		  struct record_writer *writer)
{
	struct text_error error;

	stacks->result = measurement->run.result;
	stacks->receipt = measurement->run.receipt;
	stacks->has_receipt = true;
	if (!stacks->result.account.taken)
		return run_no_samples(&stacks->result);
	if (writer->out.file) {
		measurement_save(measurement, NULL, writer);
		if (record_commit(writer, &error)) {
			text_report(&error);
			return -EIO;
		}
	}
	/* From here on they are the caller's. */
	stacks->profile = measurement->profile;
	stacks->resolver = measurement->resolver;
	measurement->profile = NULL;
	measurement->resolver = NULL;
	return 0;
}

static int measure(struct stacks *stacks, struct measurement *measurement,
		   const struct stacks_options *options)
{
	struct record_writer writer = { 0 };
	struct text_error error;
	int result = 0, shown;

	if (options->sampling.save)
		result = record_create(&writer, options->sampling.save, &error);
	if (!result)
		result = measurement_run(measurement, &error);
	if (result && result != -EBADMSG) {
		text_report(&error);
	} else {
		shown = finish(stacks, measurement, &writer);
		result = result ? result : shown;
	}
	record_abandon(&writer);
	return result;
}

static int get_by_measuring(struct stacks *stacks, const struct stacks_options *options,
			    char **command)
{
	struct measurement measurement;
	struct text_error error;
	int result;

	memset(stacks, 0, sizeof(*stacks));
	if (measurement_init(&measurement, options, command, &error)) {
		text_report(&error);
		return command ? 125 : EXIT_FAILED;
	}
	result = measure(stacks, &measurement, options);
	stacks->status = run_exit_status(&measurement.run, result);
	measurement_deinit(&measurement);
	/* What does not add up is shown all the same. */
	return stacks->profile ? 0 : stacks->status;
}

int stacks_fetch(struct stacks *stacks, const struct stacks_options *options, const char *verb,
		 const char *file, char **command)
{
	struct text_error error;

	if (!file)
		return get_by_measuring(stacks, options, command);
	if (!stacks_load(stacks, verb, file, &error))
		return 0;
	text_report(&error);
	return EXIT_FAILED;
}

void stacks_deinit(struct stacks *stacks)
{
	profile_destroy(stacks->profile);
	resolver_destroy(stacks->resolver);
	memset(stacks, 0, sizeof(*stacks));
}
