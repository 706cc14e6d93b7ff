// SPDX-License-Identifier: GPL-2.0-only
/* The sampler beside a trace: see trace_sampler.h. */
#include <errno.h>
#include <string.h>

#include "run/cpus.h"
#include "trace/trace_sampler.h"

#define DEFERRED_NS	100000u
#define STACK_KIB	8192u	/* stacks that find no room are lost, and hooks make many different ones */

/* Kernel code between a traced function and the recording of its call. */
static const char *const hook_prefixes[] = {
	"ftrace_", "kprobe_", "get_kprobe", "__kretprobe_", "kretprobe_", "pre_handler_kretprobe", "rethook_",
	"arch_rethook_", "arch_ftrace_", "__rethook_", "arch_prepare_kretprobe", "__fentry__",
};

static bool is_hook(const struct kernel_place *place)
{
	size_t i;

	/* The trampolines of ftrace are made when functions are hooked, and the names were read before. */
	if (!place->function_addr)
		return true;
	if (!strcmp(place->module, "cpuprobe") || !strcmp(place->module, "__builtin__ftrace"))
		return true;
	for (i = 0; i < sizeof(hook_prefixes) / sizeof(hook_prefixes[0]); i++)
		if (!strncmp(place->function, hook_prefixes[i], strlen(hook_prefixes[i])))
			return true;
	return false;
}

/* The traced function that has code at @addr; CALLS_NONE: another one, or one that could not be hooked. */
static u32 find_traced(const struct trace_sampler *sampler, u64 addr, const struct kernel_place *place)
{
	const struct call_session *calls = &sampler->session->calls;
	u64 entry = addr - place->addr + place->function_addr;
	u32 at = place->function_addr ? call_session_find(calls, entry) : CALLS_NONE;

	return at != CALLS_NONE && at < sampler->beside->nr_functions &&
		calls->functions.list[at].address == entry && !calls->asked[at].state ? at : CALLS_NONE;
}

/* The sum that a stack belongs to. */
static u64 *find_sum(struct trace_sampler *sampler, const struct cpuprobe_stack *stack)
{
	struct trace_beside *beside = sampler->beside;
	struct kernel_place place;
	bool has_hook = false;
	u32 i, at;

	for (i = 0; i < stack->nr_kernel; i++) {
		if (!kernel_names_find(&sampler->names, stack->frame[i], i > 0, 1, &place))
			break;
		has_hook |= is_hook(&place);
		if (sampler->stops_at_interrupts && (kernel_names_is_irq(place.function) ||
						     kernel_names_is_softirq(place.function)))
			break;
		at = find_traced(sampler, stack->frame[i], &place);
		if (at != CALLS_NONE)
			return has_hook ? &beside->totals.hooks : &beside->samples[at];
	}
	return has_hook ? &beside->totals.hooks : &beside->totals.outside;
}

static void add_account(void *context, u32 cpu, const struct cpuprobe_account *account, const void *entries)
{
	struct trace_sampler *sampler = context;
	struct trace_beside_totals *totals;
	const struct cpuprobe_stack *stack = NULL;
	u32 mode;

	if (!sampler->beside)
		return;
	totals = &sampler->beside->totals;
	while ((stack = run_kind_next_stack(account, entries, stack)))
		*find_sum(sampler, stack) += stack->hits;
	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		totals->lost += account->lost[mode];
		totals->outside += account->lost[mode];
	}
	totals->outside += account->other_exe + account->other_task + account->excluded;
	totals->taken += account->taken;
	totals->missed += account->missed;
	totals->period_ns = account->period_ns;
	totals->sampled_ns += account->expected * account->period_ns;
}

int trace_sampler_start(struct trace_sampler *sampler, const struct trace_session *session, u64 period_ns,
			int exe_fd, u32 pid, int cgroup_fd, struct text_error *error_ret)
{
	struct cpuprobe_start start = {
		.what = CPUPROBE_WHAT_STACKS, .period_ns = period_ns, .exe_fd = exe_fd, .pid = pid,
		.cgroup_fd = cgroup_fd, .frames = CPUPROBE_FRAMES_KERNEL, .deferred_ns = DEFERRED_NS,
		.stack_kib = STACK_KIB,
	};
	struct cpus cpus = { .nr = 0 };
	int error;

	sampler->session = session;
	sampler->stops_at_interrupts = session->options->irqs;
	kernel_names_init(&sampler->names, NULL, NULL);
	error = device_open(&sampler->device, error_ret) ?: cpus_parse("all", &cpus, error_ret);
	if (!error)
		error = device_start(&sampler->device, &start, cpus.number, cpus.nr, error_ret);
	cpus_deinit(&cpus);
	return error;
}

int trace_sampler_begin(struct trace_sampler *sampler, struct text_error *error_ret)
{
	int error = device_harvest(&sampler->device, false, add_account, sampler, error_ret);

	if (error)
		return error;
	sampler->beside = trace_beside_create(sampler->session->calls.functions.nr);
	return sampler->beside ? 0 : text_fail(error_ret, -ENOMEM, "sample: out of memory");
}

int trace_sampler_harvest(struct trace_sampler *sampler, struct text_error *error_ret)
{
	return device_harvest(&sampler->device, true, add_account, sampler, error_ret);
}

void trace_sampler_stop(struct trace_sampler *sampler)
{
	struct text_error error;

	/* If it fails, the samples tell of a longer time, and the report says so. */
	if (sampler->beside && device_stop(&sampler->device, &error))
		text_report(&error);
}

struct trace_beside *trace_sampler_read(struct trace_sampler *sampler, struct text_error *error_ret)
{
	struct trace_beside *beside = sampler->beside;

	if (device_harvest(&sampler->device, false, add_account, sampler, error_ret))
		return NULL;
	sampler->beside = NULL;
	return beside;
}

void trace_sampler_deinit(struct trace_sampler *sampler)
{
	trace_beside_destroy(sampler->beside);
	sampler->beside = NULL;
	if (sampler->session)
		kernel_names_deinit(&sampler->names);
	sampler->session = NULL;
	device_close(&sampler->device);
}
