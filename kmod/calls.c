// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that count calls: see calls.h. */
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "arch.h"
#include "calls.h"
#include "check.h"
#include "functions.h"
#include "hook.h"
#include "quota.h"
#include "rounds.h"
#include "timed_calls.h"
#include "unhooking.h"

/* Places read at a time. */
#define PLACES_READ	64

/** Hooks and counts: they live until the session is closed and the hooks are removed. */
struct calls {
	struct hook hook;
	struct hook trial;	/* measures the cost of a call */
	struct timed_calls timed;	/* if each call is timed; @hook then only keeps ftrace on */
	bool is_timed;
	struct unhooking unhooking;
};

static struct gate *gate_of(struct calls *calls)
{
	return calls->is_timed ? &calls->timed.timing.gate : &calls->hook.gate;
}

static void free_calls(struct unhooking *unhooking)
{
	struct calls *calls = container_of(unhooking, struct calls, unhooking);

	filter_put(&gate_of(calls)->filter);
	hook_free(&calls->hook);
	hook_free(&calls->trial);
	timed_calls_free(&calls->timed);
	kfree(calls);
}

static void detach(struct unhooking *unhooking)
{
	struct calls *calls = container_of(unhooking, struct calls, unhooking);

	hook_detach(&calls->hook);
	hook_detach(&calls->trial);
	timed_calls_detach(&calls->timed);
}

static struct calls *create_calls(bool is_timed)
{
	struct calls *calls = kzalloc(sizeof(*calls), SESSION_GFP);

	if (!calls)
		return NULL;
	calls->unhooking.detach = detach;
	calls->unhooking.free = free_calls;
	unhooking_init(&calls->unhooking);
	calls->is_timed = is_timed;
	gate_of(calls)->over = calls->trial.gate.over = &calls->unhooking.over;
	return calls;
}

static int refuse(struct cpuprobe_calls *request, u32 reason, int error)
{
	request->reason = reason;
	return error;
}

#define ALL_FLAGS (CPUPROBE_CALLS_DISTURB | CPUPROBE_CALLS_EACH | CPUPROBE_CALLS_PATHS | \
		   CPUPROBE_CALLS_PROCESSES | CPUPROBE_CALLS_SYSCALLS)

static bool are_flags_valid(u32 flags)
{
	if (flags & ~ALL_FLAGS)
		return false;
	if (!(flags & CPUPROBE_CALLS_EACH))
		return !(flags & ~CPUPROBE_CALLS_DISTURB);
	return !(flags & CPUPROBE_CALLS_PATHS) || !(flags & CPUPROBE_CALLS_SYSCALLS);
}

static bool is_number_valid(const struct cpuprobe_calls *request)
{
	if (request->flags & CPUPROBE_CALLS_SYSCALLS)
		return !request->nr_functions;
	return request->nr_functions && request->nr_functions <= CPUPROBE_FUNCTIONS_MAX;
}

/* Bytes of the tables, and of the hooks where each call is timed. */
static u64 memory_of(const struct cpuprobe_calls *request)
{
	u64 table = (request->table_kib ?: CPUPROBE_CALLS_KIB) * (u64)SZ_1K * num_possible_cpus();

	return table + (request->flags & CPUPROBE_CALLS_EACH ?
			returns_memory(request->nr_functions, sizeof(struct open_call)) : 0);
}

static int check_request(const struct session *session, struct cpuprobe_calls *request)
{
	u32 kib = request->table_kib ?: CPUPROBE_CALLS_KIB, reason;

	if (!are_flags_valid(request->flags) || !is_number_valid(request) ||
	    kib < CPUPROBE_CALLS_KIB_MIN || kib > CPUPROBE_CALLS_KIB_MAX ||
	    request->exe_fd < -1 || request->cgroup_fd < -1 || request->reserved)
		return refuse(request, CPUPROBE_REASON_FIELD, -EINVAL);
	reason = access_kernel(&session->access);
	if (reason)
		return refuse(request, reason, -EPERM);
	if (!(request->flags & CPUPROBE_CALLS_DISTURB) && check_has_quiet_cpus())
		return refuse(request, CPUPROBE_REASON_QUIET, -EPERM);
	if (!check_fits(memory_of(request)))
		return refuse(request, CPUPROBE_REASON_MEMORY, -ENOMEM);
	return 0;
}

static int await_unhooking(struct cpuprobe_calls *request)
{
	int error = unhooking_await();

	return error == -EBUSY ? refuse(request, CPUPROBE_REASON_UNHOOKING, error) : error;
}

/* Get the tasks whose calls count, which CALLS names as START does. */
static int get_target(struct calls *calls, const struct session *session,
		      struct cpuprobe_calls *request)
{
	struct cpuprobe_start start = {
		.exe_fd = request->exe_fd, .pid = request->pid, .cgroup_fd = request->cgroup_fd,
	};
	int error = filter_get(&gate_of(calls)->filter, &session->access, false, &start);

	request->reason = start.reason;
	return error;
}

static int claim_budget(struct session *session, struct cpuprobe_calls *request)
{
	struct cpuprobe_start start = { .size = 0 };
	int error = unhooking_claim(session, &request->budget_ppm, &start);

	request->reason = start.reason;
	request->holder_pid = start.holder_pid;
	request->used_overhead_ppm = start.used_overhead_ppm;
	memcpy(request->holder_comm, start.holder_comm, sizeof(request->holder_comm));
	return error;
}

/*
 * Hook for counting the @nr functions that were chosen. Choosing many takes seconds: if a module has been unloaded since,
 * choose again, without its functions. Returns the number of hooks; -ENODEV, -ENOMEM.
 */
static int attach_counted(struct calls *calls, struct cpuprobe_function *function, u32 nr_functions,
			  unsigned long *ips, u32 nr)
{
	bool is_filtered = !filter_is_everybody(&calls->hook.gate.filter);
	u32 nr_before;
	int error;

	do {
		error = nr ? hook_attach(&calls->hook, ips, nr, is_filtered) : 0;
		if (error != -EINVAL)
			return error ?: nr;
		nr_before = nr;
		nr = hook_choose(function, nr_functions, ips);
	} while (nr < nr_before);
	return -ENODEV;
}

/* Hook the functions that ftrace can hook, or system calls. */
static int attach(struct calls *calls, struct cpuprobe_function *function, unsigned long *ips,
		  struct cpuprobe_calls *request)
{
	int nr = hook_choose(function, request->nr_functions, ips);

	if (fatal_signal_pending(current))
		return -EINTR;
	if (calls->is_timed)
		nr = timed_calls_attach(&calls->timed, function);
	else
		nr = attach_counted(calls, function, request->nr_functions, ips, nr);
	if (nr == -ENODEV)
		return refuse(request, CPUPROBE_REASON_NO_HOOKS, -EOPNOTSUPP);
	if (nr < 0)
		return nr;
	request->nr_hooked = nr;
	if (functions_tell(request->functions, function, request->nr_functions, sizeof(*function)))
		return -EFAULT;
	return nr ? 0 : refuse(request, CPUPROBE_REASON_FUNCTIONS, -EINVAL);
}

/* As attach(), with the functions that the caller's memory names. */
static int attach_named(struct calls *calls, struct cpuprobe_calls *request)
{
	struct functions named;
	int error = functions_get(&named, request->functions, request->nr_functions, &request->reason);

	if (error)
		return error;
	error = attach(calls, named.function, named.ips, request);
	functions_put(&named);
	return error;
}

/*
 * Hook a function of our own and measure what a call of it costs. A hook that nobody calls stays as long as the others:
 * removing it waits, too.
 */
static int measure(struct hook *trial, bool is_filtered)
{
	unsigned long ips[] = { hook_own(), rounds_resting() };
	int error = hook_allocate(trial, CPUPROBE_CALLS_KIB_MIN * SZ_1K) ?: rounds_begin();

	if (error)
		return error;
	/* Another session may have measured while this one waited. */
	if (!hook_cost_ps(is_filtered)) {
		error = hook_attach(trial, ips, ARRAY_SIZE(ips), is_filtered) ?:
			hook_measure(trial, is_filtered);
		if (trial->is_attached)
			error = hook_remove(trial, hook_own()) ?: error;
	}
	rounds_end();
	/* -EINVAL: ftrace does not know our own functions. */
	return error == -EINVAL ? -ENODEV : error;
}

/* The limits on cost need a known cost of a call. */
static int settle_cost(struct calls *calls, struct cpuprobe_calls *request)
{
	bool is_filtered = !filter_is_everybody(&calls->hook.gate.filter);
	int error = hook_cost_ps(is_filtered) ? 0 : measure(&calls->trial, is_filtered);

	if (error == -ENODEV || error == -ERANGE)
		return refuse(request, error == -ENODEV ? CPUPROBE_REASON_NO_HOOKS :
			      CPUPROBE_REASON_CLOCK, -EOPNOTSUPP);
	calls->hook.gate.cost_ps = hook_cost_ps(is_filtered);
	request->cost_ps = min_t(u64, calls->hook.gate.cost_ps, U32_MAX);
	return error;
}

/* Allocate memory and measure the cost of counting a call. */
static int prepare_counting(struct calls *calls, struct cpuprobe_calls *request, u64 table_bytes)
{
	return settle_cost(calls, request) ?: hook_allocate(&calls->hook, table_bytes);
}

/* The same for timing each call. */
static int prepare_timing(struct calls *calls, struct cpuprobe_calls *request, u64 table_bytes)
{
	const struct timing_cost *cost = &calls->timed.cost;
	int error = timed_calls_prepare(&calls->timed, request->flags, request->nr_functions, table_bytes);

	if (error == -ENOSPC)
		return refuse(request, CPUPROBE_REASON_TABLE, -EINVAL);
	if (error == -ENODEV || error == -ERANGE)
		return refuse(request, error == -ENODEV ? CPUPROBE_REASON_NO_HOOKS :
			      CPUPROBE_REASON_CLOCK, -EOPNOTSUPP);
	if (error)
		return error;
	request->cost_ps = cost->cost_ps;
	request->own_ps = cost->own_ps;
	request->seen_ps = cost->seen_ps;
	/* Half as much again, as hook_measure() assumes. */
	gate_of(calls)->cost_ps = cost->cost_ps + cost->cost_ps / 2;
	return 0;
}

/* On failure, hooks that are in place remain for the worker. */
static int hook_and_begin(struct session *session, struct calls *calls,
			  struct cpuprobe_calls *request)
{
	u64 table_bytes = (request->table_kib ?: CPUPROBE_CALLS_KIB) * (u64)SZ_1K;
	int error;

	if (calls->is_timed)
		error = prepare_timing(calls, request, table_bytes);
	else
		error = prepare_counting(calls, request, table_bytes);
	if (!error)
		error = attach_named(calls, request);
	if (error)
		return error;
	gate_of(calls)->budget_ns = session->budget_ns;
	if (calls->is_timed)
		timed_calls_begin(&calls->timed);
	else
		hook_begin(&calls->hook);
	return 0;
}

/* Output fields of CALLS may hold anything on input. */
static void clear_answer(struct cpuprobe_calls *request)
{
	request->reason = CPUPROBE_REASON_NONE;
	request->nr_hooked = 0;
	request->cost_ps = 0;
	request->own_ps = 0;
	request->seen_ps = 0;
	request->holder_pid = 0;
	request->used_overhead_ppm = 0;
	memset(request->holder_comm, 0, sizeof(request->holder_comm));
}

int calls_start(struct session *session, struct cpuprobe_calls *request)
{
	struct calls *calls;
	int error;

	clear_answer(request);
	if (session_is_used(session))
		return -EBUSY;
	error = check_request(session, request) ?: await_unhooking(request);
	if (error)
		return error;
	calls = create_calls(request->flags & CPUPROBE_CALLS_EACH);
	if (!calls)
		return -ENOMEM;
	error = get_target(calls, session, request);
	if (!error)
		error = claim_budget(session, request);
	if (error)
		goto put;
	refcount_inc(&calls->unhooking.users);
	error = hook_and_begin(session, calls, request);
	if (!error) {
		session->calls = calls;
		return 0;
	}
	unhooking_queue(&calls->unhooking);
	quota_withdraw(session);
	session->budget_ns = 0;
put:
	unhooking_put(&calls->unhooking);
	return error;
}

void calls_stop(struct session *session)
{
	if (gate_close(gate_of(session->calls)))
		unhooking_queue(&session->calls->unhooking);
	quota_leave(session);
}

void calls_close(struct session *session)
{
	struct calls *calls = session->calls;

	if (!calls)
		return;
	calls_stop(session);
	/* If the budget was passed, this queues the worker. */
	irq_work_sync(&calls->unhooking.over);
	session->calls = NULL;
	unhooking_put(&calls->unhooking);
}

/* Copy the arcs of a table that fit in @room; returns how many it has, or -EFAULT. */
static s64 copy_arcs(const struct arcs *arcs, struct cpuprobe_arc __user *to, u32 room)
{
	u64 nr_places = arcs_size(arcs), i;
	u32 nr = 0, context;

	for (i = 0; i < nr_places; i++) {
		u64 key = local_read(&arcs->place[i].key);
		struct cpuprobe_arc arc = {
			.function = arch_unpack_code(arcs_function(key)),
			.caller = arch_unpack_code(arcs_caller(key)),
		};

		if (!(i % PLACES_READ))
			cond_resched();
		if (!key)
			continue;
		for (context = 0; context < CPUPROBE_CONTEXTS; context++)
			arc.calls[context] = local_read(&arcs->place[i].calls[context]);
		if (nr < room && copy_to_user(to + nr, &arc, sizeof(arc)))
			return -EFAULT;
		nr++;
	}
	return nr;
}

/* Whether the counts of @cpu may be read now. */
static int check_copy(const struct session *session, u32 cpu, bool is_timed)
{
	if (!session->calls || session->calls->is_timed != is_timed)
		return -EINVAL;
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return -ENODEV;
	/* The kernel may have been locked down since CALLS. */
	return access_kernel(&session->access) ? -EPERM : 0;
}

int calls_copy_times(struct session *session, struct cpuprobe_times *request)
{
	return check_copy(session, request->cpu, true) ?:
		timed_calls_copy(&session->calls->timed, request);
}

int calls_copy(struct session *session, struct cpuprobe_counts *request)
{
	u32 room = request->buffer_len / sizeof(struct cpuprobe_arc);
	const struct hook_cpu *cpu;
	const struct hook *hook;
	int error = check_copy(session, request->cpu, false);
	s64 nr;

	if (error)
		return error;
	hook = &session->calls->hook;
	cpu = per_cpu_ptr(hook->cpu, array_index_nospec(request->cpu, nr_cpu_ids));
	request->flags = READ_ONCE(hook->gate.closed_ns) ? CPUPROBE_COUNTS_ENDED : 0;
	request->flags |= READ_ONCE(hook->gate.is_over) ? CPUPROBE_COUNTS_OVER : 0;
	request->counted_ns = gate_opened_ns(&hook->gate);
	request->lost = local_read(&cpu->arcs.lost);
	request->others = local_read(&cpu->gate.others);
	nr = request->buffer ? copy_arcs(&cpu->arcs, u64_to_user_ptr(request->buffer), room) : 0;
	if (nr < 0)
		return nr;
	request->nr_arcs = nr;
	return nr > room ? -ENOSPC : 0;
}
