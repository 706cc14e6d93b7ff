// SPDX-License-Identifier: GPL-2.0-only
/* Accounting of a trace: see trace_account.h. */
#include <errno.h>
#include <stdlib.h>

#include "trace/trace_index.h"

static void tell(const struct trace_state *state, const struct trace_event *event)
{
	struct trace_moment moment;

	if (event->type >= TRACE_TYPES || !event->type)
		state->account->tally.invalid++;
	if (!state->watch || (event->type != CPUPROBE_EVENT_WAKEUP && event->type != CPUPROBE_EVENT_FORK &&
			      event->type != CPUPROBE_EVENT_MARK))
		return;
	moment = trace_state_moment(state, event->cpu);
	state->watch->happened(state->watch->context, &moment, event, 0);
}

/* Adds to the index, if there is one to make and it is time. */
static int add_to_index(struct trace_index *index, const struct trace_state *state,
			const struct trace_merge *merge)
{
	u64 nr = state->account->tally.events;

	return index && merge->nr_left && nr && !(nr % index->every) ?
		trace_index_add(index, state, merge) : 0;
}

static int account_events(struct trace_state *state, u64 from_ns, struct trace_index *index)
{
	const struct trace_watch *watch = state->watch;
	struct trace_merge merge;
	struct trace_event event;
	int error = trace_merge_init(&merge, state->trace) ?: trace_index_seek(state, &merge, from_ns);

	while (!error && !state->is_exhausted) {
		error = add_to_index(index, state, &merge);
		if (error || !trace_merge_next(&merge, &event))
			break;
		if (watch && watch->is_done && watch->is_done(watch->context, event.ns))
			break;
		if (watch && watch->comes)
			watch->comes(watch->context, &event);
		state->account->tally.events++;
		if (!state->cores[event.cpu].has_begun)
			trace_switch_begin(state, event.cpu);
		trace_state_advance(state, event.cpu, event.ns);
		if (!trace_calls_event(state, &event) && !trace_switch_event(state, &event))
			tell(state, &event);
	}
	state->account->tally.backward = merge.nr_backward;
	trace_merge_deinit(&merge);
	return error ?: state->is_exhausted ? -ENOMEM : 0;
}

/* Calls that have not ended are open. */
static void end_account(struct trace_state *state)
{
	u64 *end_ns = &state->account->end_ns;
	u32 i;

	*end_ns = state->trace->totals.traced_ns;
	for (i = 0; i < state->trace->nr_cpus; i++)
		if (state->cores[i].since_ns > *end_ns)
			*end_ns = state->cores[i].since_ns;
	for (i = 0; i < state->trace->nr_cpus; i++) {
		trace_state_advance(state, i, *end_ns);
		trace_state_close_interrupts(state, i, TRACE_OPEN);
	}
	for (i = 0; i < state->nr_runners; i++) {
		u32 cpu = state->runners[i].cpu;

		trace_state_close_runner(state, i, cpu == TRACE_NONE ? 0 : cpu, TRACE_OPEN);
	}
}

static int account_all(struct trace_account *account, struct trace_state state, u64 from_ns,
		       struct trace_index *index)
{
	const struct trace *trace = state.trace;
	int error;

	state.account = account;

	*account = (struct trace_account){
		.cpus = calloc(trace->nr_cpus + 1, sizeof(*account->cpus)),
	};
	error = account->cpus ? 0 : -ENOMEM;
	error = trace_sums_init(&account->sums, trace) ?: error ?: trace_state_init(&state);
	if (!error)
		error = account_events(&state, from_ns, index);
	if (!error)
		end_account(&state);
	trace_state_deinit(&state);
	if (error)
		trace_account_deinit(account);
	return error;
}

int trace_account_init(struct trace_account *account, const struct trace *trace,
		       const struct trace_choice *choice, const struct trace_watch *watch)
{
	return trace_account_from(account, trace, choice, watch, 0);
}

int trace_account_from(struct trace_account *account, const struct trace *trace,
		       const struct trace_choice *choice, const struct trace_watch *watch, u64 from_ns)
{
	return account_all(account, (struct trace_state){ .trace = trace, .choice = choice, .watch = watch },
			   from_ns, NULL);
}

int trace_account_index(struct trace_account *account, const struct trace *trace, struct trace_index *index)
{
	return account_all(account, (struct trace_state){ .trace = trace }, 0, index);
}

void trace_account_deinit(struct trace_account *account)
{
	trace_sums_deinit(&account->sums);
	free(account->cpus);
	account->cpus = NULL;
}

u64 trace_cpu_time_sum(const struct trace_cpu_time *time)
{
	return time->net_ns + time->interrupts_ns + time->outside_ns + time->idle_ns + time->unknown_ns;
}

struct trace_cpu_time trace_account_total(const struct trace_account *account)
{
	struct trace_cpu_time total = { 0 };
	u32 i;

	for (i = 0; i < account->sums.trace->nr_cpus; i++) {
		const struct trace_cpu_time *cpu = &account->cpus[i];

		total.covered_ns += cpu->covered_ns;
		total.net_ns += cpu->net_ns;
		total.interrupts_ns += cpu->interrupts_ns;
		total.outside_ns += cpu->outside_ns;
		total.idle_ns += cpu->idle_ns;
		total.unknown_ns += cpu->unknown_ns;
	}
	return total;
}

bool trace_account_holds(const struct trace_account *account)
{
	const struct trace_sums *sums = &account->sums;
	struct trace_cpu_time total = trace_account_total(account);
	u64 net_ns = 0, interrupts_ns = 0;
	u32 i;

	for (i = 0; i < sums->nr_more; i++)
		*(trace_sums_is_interrupt(sums, i) ? &interrupts_ns : &net_ns) +=
			sums->counts->nodes[i].sums.net_ns;
	for (i = 0; i < sums->trace->nr_cpus; i++)
		if (trace_cpu_time_sum(&account->cpus[i]) != account->cpus[i].covered_ns)
			return false;
	return net_ns == total.net_ns && interrupts_ns == total.interrupts_ns;
}
