// SPDX-License-Identifier: GPL-2.0-only
/* Lifetime of a session: allocate, start, stop, free. See session.h. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "area_table.h"
#include "calls.h"
#include "check.h"
#include "cost.h"
#include "counter_nmi.h"
#include "overflows.h"
#include "kind.h"
#include "quota.h"
#include "session.h"
#include "timers.h"
#include "traces.h"
#include "unwinding.h"

#define DEFERRED_DEFAULT_NS	100000

struct session *session_create(const struct access *access)
{
	struct session *session = kzalloc(sizeof(*session), SESSION_GFP);
	int error;

	if (!session)
		return ERR_PTR(-ENOMEM);
	mutex_init(&session->lock);
	init_waitqueue_head(&session->wait);
	session->access = *access;
	session->nr_objects = CPUPROBE_OBJECT_FIRST;
	timers_init_session(session);
	error = quota_open(session, quota_memory_of(sizeof(*session)));
	if (error) {
		kfree(session);
		return ERR_PTR(error);
	}
	return session;
}

void session_clear_bank(const struct session *session, struct bank *bank)
{
	if (session->kind->clear)
		session->kind->clear(bank);
	else
		memset(bank, 0, sizeof(*bank));
}

static void free_cpu(const struct session *session, struct cpu_sampler *sampler)
{
	if (sampler && session->kind->release)
		session->kind->release(sampler);
	kvfree(sampler);
}

static void free_cpus(struct session *session)
{
	unsigned int cpu;

	if (!session->cpu)
		return;
	overflows_release(session);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		free_cpu(session, session->cpu[cpu]);
	kfree(session->cpu);
	session->cpu = NULL;
}

static int allocate_cpus(struct session *session, struct cpuprobe_start *start)
{
	unsigned int cpu;
	int error;

	session->cpu = kcalloc(nr_cpu_ids, sizeof(*session->cpu), SESSION_GFP);
	if (!session->cpu)
		return -ENOMEM;
	for_each_cpu(cpu, &session->cpus) {
		struct cpu_sampler *sampler =
			kvzalloc_node(sizeof(*sampler), SESSION_GFP, cpu_to_node(cpu));

		if (!sampler) {
			free_cpus(session);
			return -ENOMEM;
		}
		session->cpu[cpu] = sampler;
		if (session->kind->allocate && session->kind->allocate(session, sampler)) {
			free_cpus(session);
			return -ENOMEM;
		}
		timers_init_sampler(sampler, session, start->period_ns, start->jitter, cpu);
		error = session->counts_events ? overflows_init_sampler(sampler, start, cpu) : 0;
		if (error) {
			free_cpus(session);
			return check_refuse(start, CPUPROBE_REASON_EVENT, error);
		}
	}
	return 0;
}

/* Memory that allocate_cpus() allocates. */
static u64 memory_of_cpus(const struct session *session)
{
	u64 of_cpu = quota_memory_of(sizeof(struct cpu_sampler));

	if (session->kind->memory)
		of_cpu += session->kind->memory(session);
	return quota_memory_of(nr_cpu_ids * sizeof(*session->cpu)) +
		of_cpu * cpumask_weight(&session->cpus);
}

/* Output fields of START may hold anything on input. */
static void clear_answer(struct cpuprobe_start *start)
{
	start->reason = CPUPROBE_REASON_NONE;
	start->holder_pid = 0;
	start->holder_rate_hz = 0;
	start->used_rate_hz = 0;
	start->used_overhead_ppm = 0;
	memset(start->holder_comm, 0, sizeof(start->holder_comm));
}

/* Take references to the target that START names, if this kind has one. */
static int prepare_kind(struct session *session, struct cpuprobe_start *start)
{
	session->kind = kind_of(start);
	return session->kind->prepare ? session->kind->prepare(session, start) : 0;
}

/* Copy the properties from START. */
static void copy_properties(struct session *session, const struct cpuprobe_start *start)
{
	session->by = start->by;
	session->frames = start->frames;
	session->stack_bytes = (start->stack_kib ?: CPUPROBE_STACK_KIB) * (SZ_1K / 2);
	session->excludes_deferred = start->flags & CPUPROBE_START_EXCLUDE_DEFERRED;
	session->counts_events = start->event_type;
	session->event_type = start->event_type;
	session->event_flags = start->event_flags;
	session->event_config = start->event_config;
	session->event_config1 = start->event_config1;
	session->uses_nmi = start->flags & CPUPROBE_START_NMI && !start->event_type;
	session->counts_irqs_off = start->flags & CPUPROBE_START_NMI && start->event_type;
	session->is_sleeper = start->flags & CPUPROBE_START_IDLE_SLEEP;
	session->deferred_ns = start->deferred_ns ?: DEFERRED_DEFAULT_NS;
	session->rate_hz = rate_from_period(start->period_ns);
	session->cost_ns = cost_of_sample_ns(start);
	session->budget_ns = 0;
	session->seed = start->seed ?: get_random_u64();
	session->holder_pid = task_tgid_nr(current);
	get_task_comm(session->holder_comm, current);
}

/* Claim the rate, allocate memory, start the timers. */
static int begin_sampling(struct session *session, struct cpuprobe_start *start)
{
	int error = quota_enter(session, start);

	if (error)
		return error;
	if (quota_charge(session, memory_of_cpus(session))) {
		error = check_refuse(start, CPUPROBE_REASON_MEMORY, -ENOMEM);
		goto withdraw;
	}
	error = session->counts_irqs_off ? counter_nmi_prove(session, start) : 0;
	if (!error)
		error = allocate_cpus(session, start);
	if (error)
		goto uncharge;
	error = timers_start(session);
	if (error == -EBUSY)
		start->reason = session->uses_nmi ? CPUPROBE_REASON_NMI_SESSIONS : CPUPROBE_REASON_SLEEPERS;
	if (error == -ENXIO)
		start->reason = CPUPROBE_REASON_NEIGHBOUR;
	if (error)
		goto free_cpus;
	return 0;

free_cpus:
	free_cpus(session);
uncharge:
	quota_uncharge(session, memory_of_cpus(session));
withdraw:
	quota_withdraw(session);
	return error;
}

int session_start(struct session *session, struct cpuprobe_start *start)
{
	int error;

	clear_answer(start);
	if (session_is_used(session))
		return -EBUSY;
	error = check_start(session, start);
	if (!error)
		error = prepare_kind(session, start);
	if (error)
		return error;
	copy_properties(session, start);
	if (start->flags & CPUPROBE_START_UNWIND)
		error = unwinding_create(session, start);
	if (!error)
		error = begin_sampling(session, start);
	if (error) {
		unwinding_destroy(session);
		filter_put(&session->filter);
		return error;
	}
	session->reveals_kernel |= session->kind->reveals_kernel(start);
	smp_store_release(&session->state, SESSION_RUNNING);
	start->seed = session->seed;
	return 0;
}

int session_rehearse(struct session *session, struct cpuprobe_start *start, unsigned int cpu)
{
	int error = prepare_kind(session, start);

	if (error)
		return error;
	cpumask_copy(&session->cpus, cpumask_of(cpu));
	copy_properties(session, start);
	return allocate_cpus(session, start);
}

void session_stop(struct session *session)
{
	if (session->calls)
		calls_stop(session);
	if (session->trace)
		traces_stop(session);
	if (session->state != SESSION_RUNNING)
		return;
	timers_stop(session);
	quota_leave(session);
	smp_store_release(&session->state, SESSION_STOPPED);
	wake_up_interruptible(&session->wait);
}

void session_destroy(struct session *session)
{
	if (!session)
		return;
	session_stop(session);
	calls_close(session);
	traces_close(session);
	free_cpus(session);
	unwinding_destroy(session);
	area_table_release(session);
	filter_put(&session->filter);
	quota_close(session);
	mutex_destroy(&session->lock);
	kfree(session);
}
