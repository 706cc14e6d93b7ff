// SPDX-License-Identifier: GPL-2.0-only
/* One measurement of stacks: see measurement.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/blocks_save.h"
#include "profile/profile_save.h"
#include "run/cgroup.h"
#include "run/run_save.h"
#include "stacks/measurement.h"

/* A renewal costs the time to resolve all frames anew: 2.5 MiB of these are worth it, or 1 MiB of processes. */
#define FRAMES_LARGE	32768
#define SPACES_LARGE	16384

static void add_stacks(void *context, u32 cpu, const struct cpuprobe_account *account,
		       const void *entries)
{
	struct measurement *measurement = context;

	if (collector_add(measurement->collector, measurement->device, cpu, account, entries))
		fprintf(stderr, "probe: out of memory; some stacks are missing\n");
	if (measurement->counted)
		measurement->counted(measurement->context, cpu, account);
}

static void pass_stack(void *context, u32 stack, u64 hits, double ns)
{
	struct measurement *measurement = context;

	/* If out of memory, later comparisons know less about the variation. */
	blocks_add(&measurement->blocks, measurement->profile, stack, hits);
	if (measurement->counted_stack)
		measurement->counted_stack(measurement->context, stack, hits, ns);
}

static bool lacks_table(void *context, const char *name)
{
	const struct measurement *measurement = context;

	return run_lacks_table(&measurement->run, name);
}

/* Follows processes while the run is paused, when no harvest begins a round, or between the harvests of a low rate. */
static void read_events(void *context)
{
	struct measurement *measurement = context;
	bool watches_only = measurement->run.watches_only;

	for (; measurement; measurement = measurement->beside)
		if (watches_only)
			resolver_follow(measurement->resolver);
		else
			resolver_events(measurement->resolver);
}

static void end_measured_block(void *context)
{
	struct measurement *measurement;

	for (measurement = context; measurement; measurement = measurement->beside)
		blocks_end(&measurement->blocks, measurement->profile->taken);
}

/* Called before sampling begins, and after each harvest. */
static int remember_device(void *context, struct device *device, struct text_error *error_ret)
{
	struct measurement *measurement = context;
	int error;

	measurement->device = device;
	if (!measurement->begins || measurement->has_begun)
		return 0;
	error = measurement->begins(measurement->context, error_ret);
	measurement->has_begun = !error;
	return error;
}

/* After a pause it begins again. */
static void end_begun(void *context)
{
	struct measurement *measurement = context;

	if (measurement->ends && measurement->has_begun)
		measurement->ends(measurement->context);
	measurement->has_begun = false;
}

static void end_measurement(void *context)
{
	struct measurement *measurement = context;

	if (measurement->options->count_from)
		counter_end(&measurement->counter);
	end_begun(measurement);
}

static bool is_measurement_over(void *context, double elapsed_seconds, double *seconds_left_ret)
{
	struct measurement *measurement = context;

	*seconds_left_ret = 0;
	return measurement->is_over(measurement->context);
}

static void begin_executions(void *context)
{
	measurement_begin_count(context);
}

static int find_target(struct measurement *measurement, char **command,
		       struct text_error *error_ret)
{
	const struct stacks_options *options = measurement->options;
	int error;

	if (options->task) {
		error = task_find(options->task, command ? command[0] : NULL, &measurement->task,
				  error_ret);
		if (error)
			return error;
	}
	if (!options->cgroup)
		return 0;
	measurement->cgroup_fd = cgroup_open(options->cgroup, error_ret);
	return measurement->cgroup_fd < 0 ? measurement->cgroup_fd : 0;
}

static int create_parts(struct measurement *measurement, struct text_error *error_ret)
{
	const struct stacks_options *options = measurement->options;
	const struct resolver_options how = {
		.lines = options->has_lines, .cgroups = options->by_cgroup, .sideband = true, .vmlinux = options->vmlinux,
		.names_max = options->names_max, .is_compact = options->is_compact,
		.inlined = !stacks_show_inlined(options) ? RESOLVER_INLINE_NO :
			options->is_inlined ? RESOLVER_INLINE_ALL : RESOLVER_INLINE_CHEAP,
	};
	const struct collector_options what = {
		.by_pid = options->by_pid, .only_leaf = options->unwind.how == UNWIND_NONE,
		.stacks = &measurement->run.receipt.stacks, .lacks_table = lacks_table,
		.counted = pass_stack,
		.context = measurement,
	};

	measurement->profile = profile_create();
	if (!measurement->profile)
		return text_fail(error_ret, -ENOMEM, "measure: out of memory");
	measurement->resolver = resolver_create(measurement->profile, &how, error_ret);
	if (!measurement->resolver)
		return -ENOMEM;
	measurement->collector = collector_create(measurement->profile, measurement->resolver,
						  &what);
	if (!measurement->collector)
		return text_fail(error_ret, -ENOMEM, "measure: out of memory");
	return 0;
}

static void set_run(struct measurement *measurement, char **command)
{
	const struct stacks_options *options = measurement->options;
	struct run *run = &measurement->run;

	run->options = &options->sampling;
	run->start = (struct cpuprobe_start){
		.what = CPUPROBE_WHAT_STACKS, .exe_fd = measurement->task.exe_fd,
		.pid = measurement->task.pid, .cgroup_fd = measurement->cgroup_fd,
		.stack_kib = options->stack_kib,
		.frames = (options->only_kernel ? 0 : CPUPROBE_FRAMES_USER) |
			(options->only_user ? 0 : CPUPROBE_FRAMES_KERNEL),
	};
	if (!options->only_kernel)
		run->unwind = &options->unwind;
	run->command = command;
	run->task_pid = measurement->task.pid;
	run->sink = add_stacks;
	run->place = remember_device;
	run->ended = end_measurement;
	run->unplaced = end_begun;
	run->watch = read_events;
	run->block = end_measured_block;
	run->context = measurement;
	if (options->count_from)
		run->began = begin_executions;
}

int measurement_init(struct measurement *measurement, const struct stacks_options *options,
		     char **command, struct text_error *error_ret)
{
	int error;

	*measurement = (struct measurement){
		.options = options, .task.exe_fd = -1, .cgroup_fd = -1,
	};
	error = find_target(measurement, command, error_ret);
	if (!error && options->count_from)
		error = counter_init(&measurement->counter, options->count_from, error_ret);
	if (!error)
		error = create_parts(measurement, error_ret);
	if (error) {
		measurement_deinit(measurement);
		return error;
	}
	set_run(measurement, command);
	return 0;
}

void measurement_begin(struct measurement *measurement)
{
	struct measurement *each;

	if (measurement->is_over)
		measurement->run.is_precise = is_measurement_over;
	for (each = measurement; each; each = each->beside)
		resolver_begin(each->resolver);
	if (resolver_fd(measurement->resolver) >= 0)
		measurement->run.watch_fd = resolver_fd(measurement->resolver);
}

int measurement_run(struct measurement *measurement, struct text_error *error_ret)
{
	measurement_begin(measurement);
	return run_measure(&measurement->run, error_ret);
}

void measurement_reset(struct measurement *measurement)
{
	profile_forget_stacks(measurement->profile);
	blocks_deinit(&measurement->blocks);
	collector_forget_ends(measurement->collector);
	resolver_trim_cgroups(measurement->resolver);
	measurement_begin_count(measurement);
}

bool measurement_is_large(const struct measurement *measurement)
{
	return measurement->profile->nr_frames > FRAMES_LARGE ||
	       collector_spaces(measurement->collector) > SPACES_LARGE;
}

int measurement_renew(struct measurement *measurement)
{
	struct profile *profile = profile_create(), *old = measurement->profile;

	measurement_reset(measurement);
	if (!profile)
		return -ENOMEM;
	profile->stacks_max = old->stacks_max;
	profile->excess = old->excess;
	profile->counts_events = old->counts_events;
	measurement->profile = profile;
	resolver_renew(measurement->resolver, profile);
	collector_renew(measurement->collector, profile);
	profile_destroy(old);
	return 0;
}

void measurement_begin_count(struct measurement *measurement)
{
	if (measurement->options->count_from)
		counter_begin(&measurement->counter);
}

int measurement_executions(const struct measurement *measurement, u64 *count_ret,
			   struct text_error *error_ret)
{
	struct counter counter = measurement->counter;

	*count_ret = measurement->options->count;
	if (!measurement->options->count_from)
		return 0;
	/* A background run may be saved before its end. */
	if (!counter.has_after)
		counter_end(&counter);
	return counter_get(&counter, count_ret, error_ret);
}

void measurement_save(const struct measurement *measurement, const struct profile *profile,
		      struct record_writer *writer)
{
	u64 executions;

	run_save(writer, &measurement->run);
	if (!measurement_executions(measurement, &executions, NULL) && executions)
		record_add(writer, "EXEC", &executions, sizeof(executions));
	profile_save(writer, profile ? profile : measurement->profile);
	blocks_save(writer, &measurement->blocks, profile ? profile : measurement->profile);
}

/* Copies the profile without the empty stacks that a reset leaves. */
static struct profile *copy_profile(const struct profile *profile)
{
	u64 *hits = calloc(profile->nr_stacks + 1, sizeof(*hits));
	double *ns = calloc(profile->nr_stacks + 1, sizeof(*ns));
	struct profile *copy = NULL;
	u32 i;

	for (i = 0; hits && ns && i < profile->nr_stacks; i++) {
		hits[i] = profile->stacks[i].hits;
		ns[i] = profile->stacks[i].ns;
	}
	if (hits && ns)
		copy = profile_extract(profile, hits, ns);
	free(hits);
	free(ns);
	if (!copy)
		return NULL;
	copy->taken = profile->taken;
	copy->lost = profile->lost;
	copy->other = profile->other;
	copy->taken_ns = profile->taken_ns;
	copy->lost_ns = profile->lost_ns;
	copy->other_ns = profile->other_ns;
	return copy;
}

int measurement_save_now(const struct measurement *measurement, struct record_writer *writer)
{
	struct profile *copy = copy_profile(measurement->profile);

	if (!copy)
		return -ENOMEM;
	measurement_save(measurement, copy, writer);
	profile_destroy(copy);
	return 0;
}

void measurement_deinit(struct measurement *measurement)
{
	collector_destroy(measurement->collector);
	resolver_destroy(measurement->resolver);
	profile_destroy(measurement->profile);
	blocks_deinit(&measurement->blocks);
	if (measurement->options->task && measurement->task.exe_fd >= 0)
		task_deinit(&measurement->task);
	if (measurement->cgroup_fd >= 0)
		close(measurement->cgroup_fd);
	run_deinit(&measurement->run);
}
