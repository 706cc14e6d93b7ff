// SPDX-License-Identifier: GPL-2.0-only
/* Life of a session: allocate, start, stop, free. See session.h. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "calibrate.h"
#include "check.h"
#include "timers.h"
#include "kind.h"
#include "quota.h"
#include "session.h"

#define DEFERRED_DEFAULT_NS	100000

/* Upper bound of an allocation's memory: the kernel rounds up to a power of two. */
static u64 memory_of(size_t bytes)
{
	return roundup_pow_of_two(bytes);
}

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
	error = quota_open(session, memory_of(sizeof(*session)));
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
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		free_cpu(session, session->cpu[cpu]);
	kfree(session->cpu);
	session->cpu = NULL;
}

static int allocate_cpus(struct session *session, const struct cpuprobe_start *start)
{
	unsigned int cpu;

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
		timers_init(sampler, session, start->period_ns, start->jitter, cpu);
	}
	return 0;
}

/* Memory that allocate_cpus() allocates. */
static u64 memory_of_cpus(const struct session *session)
{
	u64 of_cpu = memory_of(sizeof(struct cpu_sampler));

	if (session->kind->memory)
		of_cpu += session->kind->memory(session);
	return memory_of(nr_cpu_ids * sizeof(*session->cpu)) +
		of_cpu * cpumask_weight(&session->cpus);
}

/* Areas are sorted by pid, and that of the kernel is 0. */
static bool has_kernel_area(const struct area_table *table)
{
	return table->nr && !table->area[0].pid;
}

static int check_areas(const struct session *session, const struct area_table *table,
		       u32 *nr_objects_ret)
{
	int error = areas_check(table->area, table->nr, nr_objects_ret);

	if (error)
		return error;
	/* Counts by area tell where the kernel's code lies. */
	return has_kernel_area(table) && access_kernel(&session->access) ? -EPERM : 0;
}

void session_update_fast_path(struct session *session)
{
	WRITE_ONCE(session->filter.usual_inode,
		   session->are_areas_exact || !session->access.is_full ? NULL :
		   session->filter.inode);
}

static u64 memory_of_areas(u32 nr)
{
	return memory_of(sizeof(struct area_table) + nr * sizeof(struct cpuprobe_area));
}

/* NULL: out of memory, or *error_ret says more. */
static struct area_table *areas_create(struct session *session, u32 nr, int *error_ret)
{
	struct area_table *table;

	*error_ret = quota_charge(session, memory_of_areas(nr));
	if (*error_ret)
		return NULL;
	table = kvmalloc(struct_size(table, area, nr), SESSION_GFP);
	if (!table) {
		quota_uncharge(session, memory_of_areas(nr));
		*error_ret = -ENOMEM;
		return NULL;
	}
	table->nr = nr;
	return table;
}

/* NULL is allowed. */
static void areas_destroy(struct session *session, struct area_table *table)
{
	if (!table)
		return;
	quota_uncharge(session, memory_of_areas(table->nr));
	kvfree(table);
}

/*
 * At most one table waits for its readers, however fast areas are replaced: kfree_rcu() would
 * let hundreds of them pile up. Where no timer runs there are no readers.
 */
static void retire_areas(struct session *session, struct area_table *old)
{
	if (session->state != SESSION_RUNNING) {
		areas_destroy(session, old);
		return;
	}
	if (session->old_areas)
		cond_synchronize_rcu(session->old_areas_readers);
	areas_destroy(session, session->old_areas);
	session->old_areas = old;
	session->old_areas_readers = start_poll_synchronize_rcu();
}

int session_set_areas(struct session *session, const struct cpuprobe_areas *request)
{
	struct area_table *table, *old;
	u32 nr_objects;
	int error;

	if (request->flags & ~CPUPROBE_AREAS_EXACT || request->nr_areas > CPUPROBE_AREAS_MAX)
		return -EINVAL;
	table = areas_create(session, request->nr_areas, &error);
	if (!table)
		return error;
	if (copy_from_user(table->area, u64_to_user_ptr(request->areas),
			   flex_array_size(table, area, table->nr)))
		error = -EFAULT;
	else
		error = check_areas(session, table, &nr_objects);
	if (error) {
		areas_destroy(session, table);
		return error;
	}
	session->nr_objects = max(session->nr_objects, nr_objects);
	session->tells_kernel |= has_kernel_area(table);
	old = rcu_replace_pointer(session->areas, table, lockdep_is_held(&session->lock));
	if (old)
		retire_areas(session, old);
	session->are_areas_exact = request->flags & CPUPROBE_AREAS_EXACT;
	session_update_fast_path(session);
	return 0;
}

/* What START answers is the module's to say. */
static void clear_answer(struct cpuprobe_start *start)
{
	start->reason = CPUPROBE_REASON_NONE;
	start->holder_pid = 0;
	start->holder_rate_hz = 0;
	start->used_rate_hz = 0;
	start->used_overhead_ppm = 0;
	memset(start->holder_comm, 0, sizeof(start->holder_comm));
}

/* Take what only this kind of session is told: whom and where to count. */
static int prepare(struct session *session, struct cpuprobe_start *start)
{
	session->kind = kind_of(start);
	return session->kind->prepare ? session->kind->prepare(session, start) : 0;
}

/* Keep the properties that START names. */
static void adopt(struct session *session, const struct cpuprobe_start *start)
{
	session->by = start->by;
	session->frames = start->frames;
	session->stack_bytes = (start->stack_kib ?: CPUPROBE_STACK_KIB) * (SZ_1K / 2);
	session->excludes_deferred = start->flags & CPUPROBE_START_EXCLUDE_DEFERRED;
	session->is_sleeper = start->flags & CPUPROBE_START_IDLE_SLEEP;
	session->deferred_ns = start->deferred_ns ?: DEFERRED_DEFAULT_NS;
	session->rate_hz = rate_from_period(start->period_ns);
	session->cost_ns = calibrate_cost_ns(start);
	session->seed = start->seed ?: get_random_u64();
	session->holder_pid = task_tgid_nr(current);
	get_task_comm(session->holder_comm, current);
}

/* Claims, memory, timers. */
static int begin(struct session *session, struct cpuprobe_start *start)
{
	int error = quota_enter(session, start);

	if (error)
		return error;
	if (quota_charge(session, memory_of_cpus(session))) {
		error = check_refuse(start, CPUPROBE_REASON_MEMORY, -ENOMEM);
		goto withdraw;
	}
	error = allocate_cpus(session, start);
	if (error)
		goto uncharge;
	error = timers_start(session);
	if (error == -EBUSY)
		start->reason = CPUPROBE_REASON_SLEEPERS;
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
	if (session->state != SESSION_NEW)
		return -EBUSY;
	error = check_start(session, start);
	if (!error)
		error = prepare(session, start);
	if (error)
		return error;
	adopt(session, start);
	error = begin(session, start);
	if (error) {
		filter_put(&session->filter);
		return error;
	}
	session->tells_kernel |= session->kind->tells_kernel(start);
	smp_store_release(&session->state, SESSION_RUNNING);
	start->seed = session->seed;
	return 0;
}

int session_rehearse(struct session *session, struct cpuprobe_start *start, unsigned int cpu)
{
	int error = prepare(session, start);

	if (error)
		return error;
	cpumask_copy(&session->cpus, cpumask_of(cpu));
	adopt(session, start);
	return allocate_cpus(session, start);
}

void session_stop(struct session *session)
{
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
	free_cpus(session);
	/* No timer is left that could read them. */
	areas_destroy(session, rcu_dereference_protected(session->areas, true));
	areas_destroy(session, session->old_areas);
	filter_put(&session->filter);
	quota_close(session);
	mutex_destroy(&session->lock);
	kfree(session);
}
