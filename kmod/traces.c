// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that follow calls: see traces.h. */
#include <linux/err.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "check.h"
#include "functions.h"
#include "hook.h"
#include "quota.h"
#include "trace.h"
#include "traces.h"

/* Protects trace->readers: the worker must not wake readers of a session that is gone. */
static DEFINE_MUTEX(readers_lock);

static void free_trace(struct unhooking *unhooking)
{
	struct trace *trace = container_of(unhooking, struct trace, unhooking);

	filter_put(&trace->tracer.gate.filter);
	tracer_free(&trace->tracer);
	kfree(trace);
}

static void detach(struct unhooking *unhooking)
{
	struct trace *trace = container_of(unhooking, struct trace, unhooking);

	tracer_settle(&trace->tracer);
	mutex_lock(&readers_lock);
	if (trace->readers)
		wake_up_interruptible(trace->readers);
	mutex_unlock(&readers_lock);
	marks_leave(&trace->marks);
	tracer_detach(&trace->tracer);
}

static struct trace *create_trace(struct session *session)
{
	struct trace *trace = kzalloc(sizeof(*trace), SESSION_GFP);

	if (!trace)
		return NULL;
	trace->unhooking.detach = detach;
	trace->unhooking.free = free_trace;
	unhooking_init(&trace->unhooking);
	trace->tracer.gate.over = &trace->unhooking.over;
	trace->marks.tracer = &trace->tracer;
	trace->readers = &session->wait;
	return trace;
}

static int refuse(struct cpuprobe_trace *request, u32 reason, int error)
{
	request->reason = reason;
	return error;
}

#define ALL_FLAGS (CPUPROBE_TRACE_DISTURB | CPUPROBE_TRACE_SYSCALLS | CPUPROBE_TRACE_IRQ | \
		   CPUPROBE_TRACE_WAKEUPS | CPUPROBE_TRACE_WRAP | CPUPROBE_TRACE_WAIT)

/* A mark is text that ends at the first zero. */
static bool is_mark_valid(const char *mark)
{
	u32 len = strnlen(mark, CPUPROBE_MARK_START);

	return !memchr_inv(mark + len, 0, CPUPROBE_MARK_START - len);
}

static bool are_triggers_valid(const struct cpuprobe_trace *request)
{
	bool has_function = request->start_function != CPUPROBE_NO_FUNCTION;
	u32 nr = request->nr_functions + request->nr_user_functions;

	if (has_function && (request->start_function >= nr || !request->start_count ||
			     request->start_count > S32_MAX))
		return false;
	if (!has_function && request->start_count > 1)
		return false;
	if (request->stop_function != CPUPROBE_NO_FUNCTION && request->stop_function >= nr)
		return false;
	return is_mark_valid(request->start_mark) &&
		!(request->flags & CPUPROBE_TRACE_WAIT) == !(has_function || request->start_mark[0]);
}

static bool are_fields_valid(const struct cpuprobe_trace *request)
{
	u32 kib = request->buffer_kib ?: CPUPROBE_TRACE_KIB;

	return !(request->flags & ~ALL_FLAGS) && request->nr_functions <= CPUPROBE_FUNCTIONS_MAX &&
		request->nr_user_functions <= CPUPROBE_USER_FUNCTIONS_MAX &&
		request->user_cost_ps <= CPUPROBE_USER_COST_MAX_PS &&
		kib >= CPUPROBE_TRACE_KIB_MIN && kib <= CPUPROBE_TRACE_KIB_MAX &&
		request->exe_fd >= -1 && request->cgroup_fd >= -1 && !request->reserved &&
		!(request->flags & CPUPROBE_TRACE_WRAP && request->max_events) &&
		are_triggers_valid(request);
}

static int check_request(const struct session *session, struct cpuprobe_trace *request)
{
	u32 reason;

	if (!are_fields_valid(request))
		return refuse(request, CPUPROBE_REASON_FIELD, -EINVAL);
	reason = access_kernel(&session->access);
	if (reason)
		return refuse(request, reason, -EPERM);
	if (!(request->flags & CPUPROBE_TRACE_DISTURB) && check_has_quiet_cpus())
		return refuse(request, CPUPROBE_REASON_QUIET, -EPERM);
	return 0;
}

static int await_unhooking(struct cpuprobe_trace *request)
{
	int error = unhooking_await();

	return error == -EBUSY ? refuse(request, CPUPROBE_REASON_UNHOOKING, error) : error;
}

/* Get the tasks whose calls are recorded, and claim the budget and the memory. */
static int claim(struct trace *trace, struct session *session, struct cpuprobe_trace *request)
{
	struct cpuprobe_start start = {
		.exe_fd = request->exe_fd, .pid = request->pid, .cgroup_fd = request->cgroup_fd,
	};
	int error = filter_get(&trace->tracer.gate.filter, &session->access, false, &start);

	if (!error)
		error = unhooking_claim(session, &request->budget_ppm, &start);
	request->reason = start.reason;
	request->holder_pid = start.holder_pid;
	request->used_overhead_ppm = start.used_overhead_ppm;
	memcpy(request->holder_comm, start.holder_comm, sizeof(request->holder_comm));
	return error;
}

/* A hooked call keeps the low half of its stack pointer. */
static u64 memory_of(const struct cpuprobe_trace *request)
{
	return tracer_memory(request->buffer_kib) * num_possible_cpus() +
		returns_memory(request->nr_functions, sizeof(u32));
}

static bool is_trigger_hooked(const struct cpuprobe_trace *request, const struct cpuprobe_function *function,
			      u32 number)
{
	return number == CPUPROBE_NO_FUNCTION || number >= request->nr_functions ||
		function[number].state == CPUPROBE_FUNCTION_HOOKED;
}

/* Hook the functions that can be hooked, and tell the caller which ones. */
static int attach(struct trace *trace, struct cpuprobe_function *function, unsigned long *ips,
		  struct cpuprobe_trace *request)
{
	u32 nr_missing = 0;
	int nr;

	hook_choose(function, request->nr_functions, ips);
	if (fatal_signal_pending(current))
		return -EINTR;
	nr = tracer_attach(&trace->tracer, function, &nr_missing);
	request->nr_missing = nr_missing;
	if (nr == -ENODEV)
		return refuse(request, CPUPROBE_REASON_NO_HOOKS, -EOPNOTSUPP);
	if (nr < 0)
		return nr;
	request->nr_hooked = nr;
	if (functions_tell(request->functions, function, request->nr_functions, sizeof(*function)))
		return -EFAULT;
	if (!is_trigger_hooked(request, function, request->start_function) ||
	    !is_trigger_hooked(request, function, request->stop_function))
		return refuse(request, CPUPROBE_REASON_FUNCTIONS, -EINVAL);
	return 0;
}

/* As attach(), with the functions that the caller's memory names. */
static int attach_kernel(struct trace *trace, struct cpuprobe_trace *request)
{
	struct functions named;
	int error = functions_get(&named, request->functions, request->nr_functions, &request->reason);

	if (error)
		return error;
	error = attach(trace, named.function, named.ips, request);
	functions_put(&named);
	return error;
}

static int attach_named(struct trace *trace, struct cpuprobe_trace *request)
{
	int error = attach_kernel(trace, request) ?: trace_attach_user(trace, request);

	if (!error && (request->nr_functions || request->nr_user_functions) && !request->nr_hooked)
		return refuse(request, CPUPROBE_REASON_FUNCTIONS, -EINVAL);
	return error;
}

/* Allocate memory and measure the cost of a call. */
static int prepare(struct trace *trace, struct cpuprobe_trace *request)
{
	const struct tracer_cost *cost = &trace->tracer.cost;
	int error = tracer_prepare(&trace->tracer, request);

	if (error == -ENODEV || error == -ERANGE)
		return refuse(request, error == -ENODEV ? CPUPROBE_REASON_NO_HOOKS :
			      CPUPROBE_REASON_CLOCK, -EOPNOTSUPP);
	if (error)
		return error;
	request->cost_ps = cost->cost_ps;
	request->own_ps = request->seen_ps = cost->own_ps;
	/* Half as much again, as hook_measure() assumes. */
	trace->tracer.gate.cost_ps = max_t(u64, (cost->cost_ps + cost->cost_ps / 2) / CALL_UNITS, 1);
	tracer_set_user_cost(&trace->tracer, request->user_cost_ps ?: CPUPROBE_USER_COST_PS);
	return 0;
}

/* On failure, hooks that are in place remain for the worker. */
static int hook_and_begin(struct session *session, struct trace *trace, struct cpuprobe_trace *request)
{
	int error = prepare(trace, request) ?: attach_named(trace, request);

	if (error)
		return error;
	trace->tracer.gate.budget_ns = session->budget_ns;
	/* Once the gate is open, the worker may come at any time. */
	marks_join(&trace->marks);
	tracer_arm(&trace->tracer);
	return 0;
}

/* Output fields of TRACE may hold anything on input. */
static void clear_answer(struct cpuprobe_trace *request)
{
	request->reason = CPUPROBE_REASON_NONE;
	request->nr_hooked = 0;
	request->cost_ps = request->own_ps = request->seen_ps = 0;
	request->holder_pid = 0;
	request->used_overhead_ppm = 0;
	memset(request->holder_comm, 0, sizeof(request->holder_comm));
	request->nr_missing = 0;
}

/* Claim, hook and begin; undo all of it on failure. */
static int begin_trace(struct session *session, struct trace *trace, struct cpuprobe_trace *request)
{
	int error;

	if (!check_fits(memory_of(request)))
		return refuse(request, CPUPROBE_REASON_MEMORY, -ENOMEM);
	error = claim(trace, session, request);
	if (error)
		return error;
	error = quota_charge(session, memory_of(request));
	if (error) {
		refuse(request, CPUPROBE_REASON_MEMORY, error);
		goto withdraw;
	}
	refcount_inc(&trace->unhooking.users);
	error = hook_and_begin(session, trace, request);
	if (!error)
		return 0;
	unhooking_queue(&trace->unhooking);
	quota_uncharge(session, memory_of(request));
withdraw:
	quota_withdraw(session);
	session->budget_ns = 0;
	return error;
}

static void put_trace(struct trace *trace)
{
	mutex_lock(&readers_lock);
	trace->readers = NULL;
	mutex_unlock(&readers_lock);
	unhooking_put(&trace->unhooking);
}

int traces_start(struct session *session, struct cpuprobe_trace *request)
{
	struct trace *trace;
	int error;

	clear_answer(request);
	if (session_is_used(session))
		return -EBUSY;
	error = check_request(session, request) ?: await_unhooking(request);
	if (error)
		return error;
	trace = create_trace(session);
	if (!trace)
		return -ENOMEM;
	error = begin_trace(session, trace, request);
	if (error)
		put_trace(trace);
	else
		/* For poll(). */
		smp_store_release(&session->trace, trace);
	return error;
}

void traces_stop(struct session *session)
{
	if (tracer_stop(&session->trace->tracer))
		unhooking_queue(&session->trace->unhooking);
	quota_leave(session);
}

void traces_close(struct session *session)
{
	struct trace *trace = session->trace;

	if (!trace)
		return;
	traces_stop(session);
	/* If an event or the budget has ended it, this queues the worker. */
	irq_work_sync(&trace->unhooking.over);
	session->trace = NULL;
	put_trace(trace);
}

__poll_t traces_poll(const struct session *session)
{
	const struct trace *trace = smp_load_acquire(&session->trace);

	return trace && smp_load_acquire(&trace->tracer.ended) ? EPOLLIN | EPOLLRDNORM : 0;
}
