// SPDX-License-Identifier: GPL-2.0-only
/* Checks stacks, calls and traces: see verify_parts.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_save.h"
#include "profile/profile_save.h"
#include "resolve/ends.h"
#include "times/time_save.h"
#include "trace/trace_beside.h"
#include "trace/trace_index.h"
#include "trace/trace_save.h"
#include "verify/verify_parts.h"

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * (1 + fabs(b));
}

/* Each user stack ended for one reason, and the stacks of the profile are marked with it. */
static void check_ends(struct verify *verify, const struct profile *profile)
{
	const struct receipt_stacks *stacks = &verify->receipt.stacks;
	u64 marked[PROFILE_MARK_COUNT] = { 0 }, ended[PROFILE_MARK_COUNT] = { 0 };
	bool is_end[PROFILE_MARK_COUNT] = { false };
	u32 i, mark;

	verify_equal(verify, stacks->whole + receipt_sum_ended(stacks), stacks->samples,
		     "whole user stacks + those that ended early = user stacks");
	verify_equal(verify, stacks->samples <= profile->taken && stacks->by_pointer <= stacks->samples &&
		     stacks->nameless[RECEIPT_PYTHON] + stacks->nameless[RECEIPT_NODE] <= stacks->samples, 1,
	      "no part of the user stacks is more than the whole");
	for (i = 0; i < profile->nr_stacks; i++) {
		const struct profile_stack *stack = &profile->stacks[i];
		u32 last = profile_frames_of(profile, stack)[stack->nr_frames - 1];

		if (profile_is_mark(last))
			marked[last] += stack->hits;
	}
	for (i = 0; i < RECEIPT_ENDS; i++) {
		ended[ends_mark(i)] += stacks->ended[i];
		is_end[ends_mark(i)] = true;
	}
	/* Kernel stacks can be too deep, too. */
	for (mark = 0; mark < PROFILE_MARK_COUNT; mark++)
		if (is_end[mark] && mark != MARK_TOO_DEEP)
			verify_equal(verify, marked[mark], ended[mark], "stacks that end at %s",
				     profile->functions[mark].name);
}

int verify_stacks(struct verify *verify, struct text_error *error_ret)
{
	struct profile *profile = profile_load(verify->record, error_ret);
	u64 hits = 0, lost = verify->run.account.lost;
	double ns = 0;
	u32 i;

	if (!profile)
		return -EBADMSG;
	for (i = 0; i < profile->nr_stacks; i++) {
		hits += profile->stacks[i].hits;
		ns += profile->stacks[i].ns;
	}
	verify_equal(verify, hits + profile->lost + profile->other, profile->taken,
		     "stacks + lost + other processes = taken");
	verify_equal(verify, is_near(ns + profile->lost_ns + profile->other_ns, profile->taken_ns), 1,
		     "times of stacks, lost and other processes = time of all samples");
	verify_equal(verify, profile->taken, verify->run.account.taken - verify->run.account.excluded,
		     "stacks' taken = taken - left out");
	/* Stacks that the tool had no memory for are lost too, and in no account. */
	verify_equal(verify, profile->lost < lost ? profile->lost : lost, lost, "stacks' lost >= lost");
	if (verify->result->has_receipt && verify->receipt.stacks.samples)
		check_ends(verify, profile);
	profile_destroy(profile);
	return 0;
}

/* The calls of a run of `probe calls`. */
int verify_calls(struct verify *verify, struct text_error *error_ret)
{
	struct call_counts *counts = call_load(verify->record, error_ret);
	u64 hooked = 0;
	u32 i;

	if (!counts)
		return -EBADMSG;
	for (i = 0; i < counts->nr_arcs; i++)
		hooked += counts->functions[counts->arcs[i].function].state == CALL_HOOKED;
	verify_equal(verify, hooked, counts->nr_arcs, "calls of hooked functions only");
	verify_equal(verify, counts->totals.counted_ns > 0 || !call_counts_sum(counts), 1,
		     "calls were counted in some time");
	call_counts_destroy(counts);
	return 0;
}

/* Timed calls: time_load() checks each node by itself. */
int verify_times(struct verify *verify, struct text_error *error_ret)
{
	struct time_counts *counts = time_load(verify->record, error_ret);
	u32 i;

	if (!counts)
		return -EBADMSG;
	for (i = 0; i < counts->nr_nodes; i++)
		if (time_is_root(&counts->nodes[i]))
			verify_equal(verify, counts->nodes[i].sums.calls, 0, "a process has no calls of its own");
	time_counts_destroy(counts);
	return 0;
}

/* Events stored and lost are those that there were, and the time of each CPU is in one sum. */
int verify_trace(struct verify *verify, struct text_error *error_ret)
{
	struct trace *trace = trace_load(verify->record, error_ret);
	struct trace_index index = { .every = TRACE_INDEX_EVERY };
	struct trace_account account;
	u32 i;

	if (!trace)
		return -EBADMSG;
	if (trace_account_index(&account, trace, &index)) {
		free(index.bytes);
		trace_destroy(trace);
		return text_fail(error_ret, -ENOMEM, "out of memory");
	}
	verify->result->events = account.tally.events;
	verify_equal(verify, account.tally.invalid, 0, "events of unknown kinds");
	for (i = 0; i < trace->nr_cpus; i++)
		verify_equal(verify, trace_cpu_time_sum(&account.cpus[i]), account.cpus[i].covered_ns,
			     "CPU %u: net + outside + interrupts + idle + unknown = time", trace->cpus[i].cpu);
	verify_equal(verify, trace_account_holds(&account), 1, "net times of all rows = net time of all CPUs");
	if (trace->index)
		verify_equal(verify, trace->index_len == index.len && !memcmp(trace->index, index.bytes, index.len), 1,
			     "states of the index = states of the events");
	free(index.bytes);
	if (trace->beside)
		verify_equal(verify, trace_beside_holds(trace->beside), 1,
			     "samples of functions + hooks + outside = samples taken");
	trace_account_deinit(&account);
	trace_destroy(trace);
	return 0;
}
