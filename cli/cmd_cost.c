// SPDX-License-Identifier: GPL-2.0-only
/* probe cost: how much sampling slows work down here, measured as in the 1992 paper. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option_values.h"
#include "command.h"
#include "run/cpus.h"
#include "run/device.h"
#include "run/work.h"
#include "sys/costs.h"

#define DEFAULT_SECONDS	10.0
#define DEFAULT_ROUNDS	20
#define ROUNDS_MAX	1000
#define WORK_SECONDS_MIN	0.01
#define NO_CPU	UINT64_MAX

enum { KIND_SYS, KIND_PROC, KIND_LATE, KIND_FLAT };

static const char *const kinds[] = { "sys", "proc", "late", "flat", NULL };

struct cost_options {
	double seconds;
	u64 period_ns;
	u64 nr_rounds;
	u64 cpu;
	unsigned int kind;
	struct output_options output;
};

#define COST(field)	offsetof(struct cost_options, field)

static const struct option_spec cost_specs[] = {
	{ "kind", "KIND", "sampling like that of sys, proc, late or flat (default sys)",
	  option_choice, COST(kind), kinds },
	{ "sec", "T", "time for all rounds together (default 10 s)", option_seconds,
	  COST(seconds) },
	{ "rate", "HZ", "samples per second, 1 to 20000 (default 1000)", option_rate,
	  COST(period_ns) },
	{ "rounds", "N", "rounds, 2 to 1000 (default 20)", option_range, COST(nr_rounds),
	  .min = 2, .max = ROUNDS_MAX },
	{ "cpu", "N", "CPU of the work (default: the last one that is not isolated)",
	  option_range, COST(cpu), .max = CPUS_MAX - 1 },
	{ NULL }
};

static double get_work_seconds(const struct cost_options *options)
{
	return options->seconds / (2 * options->nr_rounds);
}

/* Without -cpu: the last CPU that is sampled by default and that this process may use. */
static int choose_cpu(u64 asked, u32 *cpu_ret, struct text_error *error_ret)
{
	struct cpus cpus, quiet;
	size_t i;
	int error;

	if (asked != NO_CPU) {
		*cpu_ret = asked;
		return cpus_check(&(struct cpus){ cpu_ret, 1 }, error_ret);
	}
	error = cpus_default(&cpus, &quiet, error_ret);
	if (error)
		return error;
	for (i = cpus.nr; i > 1 && !work_may_use(cpus.number[i - 1]); i--)
		;
	*cpu_ret = cpus.number[i - 1];
	cpus_deinit(&cpus);
	cpus_deinit(&quiet);
	return 0;
}

/* start->exe_fd is to be closed. */
static void prepare_session(struct cpuprobe_start *start, const struct cost_options *options,
			    const struct work *work)
{
	static const u32 whats[] = {
		[KIND_SYS] = CPUPROBE_WHAT_SYSTEM, [KIND_PROC] = CPUPROBE_WHAT_PROCESS,
		[KIND_LATE] = CPUPROBE_WHAT_LATE, [KIND_FLAT] = CPUPROBE_WHAT_STACKS,
	};

	*start = (struct cpuprobe_start){
		.what = whats[options->kind], .period_ns = options->period_ns, .exe_fd = -1,
		.cgroup_fd = -1,
	};
	if (options->kind == KIND_PROC) {
		start->pid = work->pid;
		start->exe_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		start->mode = CPUPROBE_MODE_USER;
		start->high = UINT64_MAX;
	} else if (options->kind == KIND_FLAT) {
		start->frames = CPUPROBE_FRAMES_USER | CPUPROBE_FRAMES_KERNEL;
	}
}

/* A sink: adds the samples of an account to the round. */
static void add_to_round(void *context, u32 cpu, const struct cpuprobe_account *account,
			 const void *entries)
{
	struct cost_round *round = context;

	round->taken += account->taken;
	round->missed += account->missed;
	round->session_ns += account->expected * account->period_ns;
}

/* One piece of work with sampling. The session is its own, and empty at its start. */
static int work_sampled(const struct cost_options *options, const struct work *work, u32 cpu,
			struct cost *cost, struct cost_round *round, struct text_error *error_ret)
{
	struct cpuprobe_start start;
	struct device device;
	int error = device_open(&device, error_ret);

	if (error)
		return error;
	prepare_session(&start, options, work);
	error = device_start(&device, &start, &cpu, 1, error_ret);
	if (start.exe_fd >= 0)
		close(start.exe_fd);
	if (!error)
		error = work_do(work, &round->sampled_seconds, error_ret);
	if (!error)
		error = device_stop(&device, error_ret);
	if (!error)
		error = device_harvest(&device, false, add_to_round, round, error_ret);
	cost->claim_ns = run_kind_cost_ns(&device.info, &start);
	device_close(&device);
	return error;
}

/* The order alternates, so that a steady drift of the speed cancels out. */
static int measure_round(const struct cost_options *options, const struct work *work, size_t i,
			 struct cost *cost, struct cost_round *round, struct text_error *error_ret)
{
	int error = 0;

	*round = (struct cost_round){ .taken = 0 };
	if (i % 2 == 0)
		error = work_do(work, &round->plain_seconds, error_ret);
	if (!error)
		error = work_sampled(options, work, cost->cpu, cost, round, error_ret);
	if (!error && i % 2)
		error = work_do(work, &round->plain_seconds, error_ret);
	return error;
}

static int measure_cost(const struct cost_options *options, struct cost *cost,
			struct text_error *error_ret)
{
	struct cost_round *rounds = calloc(options->nr_rounds, sizeof(*rounds));
	struct work work = { .pid = 0 };
	size_t i;
	int error = rounds ? choose_cpu(options->cpu, &cost->cpu, error_ret) :
			     text_fail(error_ret, -ENOMEM, "measure: out of memory");

	if (!error)
		error = work_start(&work, cost->cpu, get_work_seconds(options), error_ret);
	/* The first round warms up the caches; only its errors count. */
	if (!error)
		error = measure_round(options, &work, 0, cost, &rounds[0], error_ret);
	for (i = 0; !error && i < options->nr_rounds; i++)
		error = measure_round(options, &work, i, cost, &rounds[i], error_ret);
	work_end(&work);
	if (!error && cost_compute(cost, rounds, options->nr_rounds)) {
		text_fail(error_ret, 0, "measure: a round without a sample");
		text_hint(error_ret, "work longer (-sec), in fewer -rounds, or at a higher -rate");
		error = -ENODATA;
	}
	free(rounds);
	return error;
}

static int cost_run(void *self, const struct options_rest *rest)
{
	const struct cost_options *options = self;
	struct cost cost = { .kind = kinds[options->kind], .period_ns = options->period_ns };
	struct text_error error;

	if (measure_cost(options, &cost, &error)) {
		text_report(&error);
		return EXIT_FAILED;
	}
	if (cost_show(stdout, &cost, &options->output))
		return EXIT_FAILED;
	cost_warn(stderr, &cost);
	return 0;
}

static void cost_init(void *self)
{
	struct cost_options *options = self;

	options->seconds = DEFAULT_SECONDS;
	options->period_ns = 1000000;
	options->nr_rounds = DEFAULT_ROUNDS;
	options->cpu = NO_CPU;
}

static int cost_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct cost_options *options = self;

	if (get_work_seconds(options) < WORK_SECONDS_MIN)
		return text_fail(error_ret, -EINVAL, "-sec %g is too short for %llu rounds of work "
				 "with and without sampling", options->seconds,
				 options->nr_rounds);
	return columns_check(&cost_column_list, options->output.columns, error_ret);
}

static const struct option_list cost_options[] = {
	{ cost_specs, 0 },
	{ columns_specs, COST(output) },
	{ form_specs, COST(output) },
	{ NULL }
};

static const struct column_list *const cost_columns[] = { &cost_column_list, NULL };

const struct command command_cost = {
	.name = "cost",
	.arguments = "",
	.help = "how much sampling slows work down on this machine",
	.options = cost_options,
	.columns = cost_columns,
	.self_len = sizeof(struct cost_options),
	.init = cost_init,
	.check = cost_check,
	.run = cost_run,
};
