// SPDX-License-Identifier: GPL-2.0-only
/* The tool's access to its engine: see device.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "run/device_parts.h"
#include "run/engine.h"
#include "run/receipt.h"

/* Opens a device with one engine. */
static int open_with(struct device *device, const struct engine *engine,
		     struct text_error *error_ret)
{
	memset(device, 0, sizeof(*device));
	device->fd = -1;
	device->engine = engine;
	return engine->open(device, error_ret);
}

int device_open(struct device *device, struct text_error *error_ret)
{
	return open_with(device, &engine_module, error_ret);
}

bool device_has_module(const struct device *device)
{
	return device->engine == &engine_module;
}

enum device_engine device_engine(const struct device *device)
{
	return device->engine == &engine_module ? DEVICE_MODULE :
	       device->engine == &engine_bpf ? DEVICE_BPF : DEVICE_PERF;
}

/* Opens one of the engines that need no module. */
static int open_other(struct device *device, enum device_engine which,
		      const struct cpuprobe_start *start, struct text_error *error_ret)
{
	const struct engine *engine = which == DEVICE_BPF ? &engine_bpf : &engine_perf;
	const char *lacking = engine->lacks(start);
	int error;

	if (lacking)
		return device_explain_lack(which, lacking, which != DEVICE_BPF && !engine_bpf.lacks(start), error_ret);
	error = open_with(device, engine, error_ret);
	if (error)
		device_close(device);
	return error;
}

static int try_other(enum device_engine which, struct text_error *error_ret)
{
	struct cpuprobe_start start = {
		.what = CPUPROBE_WHAT_SYSTEM, .period_ns = CPUPROBE_PERIOD_MAX_NS, .exe_fd = -1,
		.deferred_ns = RECEIPT_DEFERRED_NS,
	};
	struct device device = { .fd = -1 };
	const u32 first = 0;
	int error = open_other(&device, which, &start, error_ret);

	/* Opening an event is all that perf events can be refused. */
	if (!error && which == DEVICE_BPF)
		error = device_start(&device, &start, &first, 1, error_ret);
	device_close(&device);
	return error;
}

int device_try_bpf(struct text_error *error_ret)
{
	return try_other(DEVICE_BPF, error_ret);
}

int device_try_perf(struct text_error *error_ret)
{
	return try_other(DEVICE_PERF, error_ret);
}

/* Whether the rights that BPF needs are there: the programs are not loaded before the start. */
static int open_bpf_for_auto(struct device *device, const struct cpuprobe_start *start,
			     struct text_error *error_ret)
{
	return device_try_bpf(error_ret) ?: open_other(device, DEVICE_BPF, start, error_ret);
}

int device_open_for(struct device *device, enum device_engine engine,
		    const struct cpuprobe_start *start, struct text_error *why_ret,
		    struct text_error *error_ret)
{
	struct text_error module, bpf, perf;
	int result;

	why_ret->what[0] = why_ret->hint[0] = '\0';
	if (engine == DEVICE_BPF || engine == DEVICE_PERF)
		return open_other(device, engine, start, error_ret);
	result = open_with(device, &engine_module, error_ret);
	if (!result || engine == DEVICE_MODULE || engine_bpf.lacks(start))
		return result;
	module = *error_ret;
	if (!open_bpf_for_auto(device, start, &bpf)) {
		*why_ret = module;
		return 0;
	}
	if (engine_perf.lacks(start)) {
		text_fail(error_ret, 0, "%.250s; without it: %.250s", module.what, bpf.what);
		text_hint(error_ret, "%s", bpf.hint[0] ? bpf.hint : module.hint);
		return result;
	}
	if (!open_other(device, DEVICE_PERF, start, &perf)) {
		text_fail(why_ret, 0, "%.250s; without it: %.250s", module.what, bpf.what);
		return 0;
	}
	text_fail(error_ret, 0, "%.165s; without it: %.165s; %.165s", module.what, bpf.what, perf.what);
	text_hint(error_ret, "%s", perf.hint[0] ? perf.hint : bpf.hint);
	return result;
}

int device_start(struct device *device, struct cpuprobe_start *start, const u32 *cpus,
		 size_t nr_cpus, struct text_error *error_ret)
{
	size_t i;
	int error;

	/* After a refusal the caller may try again. */
	free(device->cpus);
	device->kind = run_kind_of(start->what);
	device->cpus = calloc(nr_cpus, sizeof(*device->cpus));
	if (!device->cpus)
		return text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
	for (i = 0; i < nr_cpus; i++)
		device->cpus[i].cpu = cpus[i];
	device->nr_cpus = nr_cpus;
	device->began = 0;
	error = device->engine->start(device, start, cpus, nr_cpus, error_ret);
	if (!device->began)
		device->began = clock_seconds();
	if (!error)
		device->has_tables = start->flags & CPUPROBE_START_UNWIND;
	return error;
}

int device_set_areas(struct device *device, const struct cpuprobe_area *areas, size_t nr_areas,
		     bool is_exact, struct text_error *error_ret)
{
	device->has_areas = true;
	return device->engine->set_areas(device, areas, nr_areas, is_exact, error_ret);
}

int device_open_exe(const struct device *device, u32 cpu, const struct cpuprobe_account *account,
		    u32 exe)
{
	return device->engine->open_exe(device, cpu, account, exe);
}

static int check_account_sums(const struct device *device, struct device_cpu *cpu,
			      const struct cpuprobe_account *account, const void *entries,
			      struct text_error *error_ret)
{
	const struct run_kind *kind = device->kind;
	u64 sum = kind->sum(account, entries);

	cpu->expected += account->expected;
	cpu->counted += account->taken + account->missed;
	if (sum != account->taken ||
	    (kind->others_add_up && !kind->others_add_up(account, entries)) ||
	    account->flags & CPUPROBE_ACCOUNT_DAMAGED)
		return text_fail(error_ret, -EBADMSG, "check CPU %u: %llu samples taken but %llu "
				 "accounted for; please report this", cpu->cpu,
				 account->taken, sum);
	if (cpu->counted + account->pending != cpu->expected)
		return text_fail(error_ret, -EBADMSG, "check CPU %u: %llu samples expected by the "
				 "clock but %llu taken, missed or pending; please report this",
				 cpu->cpu, cpu->expected, cpu->counted + account->pending);
	return 0;
}

static int harvest_cpu(struct device *device, struct device_cpu *cpu, bool only_due,
		       device_sink sink, void *context, struct text_error *error_ret)
{
	struct cpuprobe_account account;
	const void *entries;
	int error = device->engine->harvest(device, cpu->cpu, cpu->seq, only_due, &account,
					    &entries, error_ret);

	if (error || account.seq == cpu->seq)
		return error;
	cpu->seq = account.seq;
	sink(context, cpu->cpu, &account, entries);
	return check_account_sums(device, cpu, &account, entries, error_ret);
}

int device_harvest(struct device *device, bool only_due, device_sink sink, void *context,
		   struct text_error *error_ret)
{
	int result = 0, error;
	size_t i;

	for (i = 0; i < device->nr_cpus; i++) {
		error = harvest_cpu(device, &device->cpus[i], only_due, sink, context, error_ret);
		if (error)
			result = error;
	}
	return result;
}

void device_coverage(const struct device *device, struct receipt_own *own_ret)
{
	if (device->fd >= 0 && device->engine->coverage)
		device->engine->coverage(device, own_ret);
}

void device_restart_coverage(struct device *device)
{
	if (device->fd >= 0 && device->engine->restart_coverage)
		device->engine->restart_coverage(device);
}

int device_stop(struct device *device, struct text_error *error_ret)
{
	device->ended = clock_seconds();
	return device->engine->stop(device, error_ret);
}

void device_close(struct device *device)
{
	if (device->engine)
		device->engine->close(device);
	free(device->cpus);
	device->cpus = NULL;
	device->nr_cpus = 0;
}
