/* SPDX-License-Identifier: GPL-2.0-only */
/* Accounting of a trace from text, and the sums of a function in it. */
#ifndef ACCOUNTS_H
#define ACCOUNTS_H

#include "trace_texts.h"
#include "trace/trace_account.h"

static struct trace *trace;
static struct trace_account account;

/* Accounts events; the sums must hold. */
static inline void run_choice(const char *text, u64 traced_ns, u32 nr_cpus, const struct trace_choice *choice)
{
	trace = trace_of(text, traced_ns, nr_cpus);
	assert_int_equal(trace_account_init(&account, trace, choice, NULL), 0);
	assert_true(trace_account_holds(&account));
}

static inline void run(const char *text, u64 traced_ns)
{
	run_choice(text, traced_ns, 1, NULL);
}

static inline void end(void)
{
	trace_account_deinit(&account);
	trace_destroy(trace);
}

static inline u32 find_node(const char *name)
{
	const struct time_counts *counts = account.sums.counts;
	u32 i = 0;

	while (i < counts->nr_nodes && strcmp(time_counts_name(counts, &counts->nodes[i]), name))
		i++;
	return i;
}

static inline bool has_node(const char *name)
{
	return find_node(name) < account.sums.counts->nr_nodes;
}

/* The node of a name; there must be one. */
static inline u32 node_of(const char *name)
{
	if (!has_node(name))
		fail_msg("no %s", name);
	return find_node(name);
}

static inline const struct time_sums *sums_of(const char *name)
{
	return &account.sums.counts->nodes[node_of(name)].sums;
}

static inline const struct trace_more *more_of(const char *name)
{
	return &account.sums.more[node_of(name)];
}

/* Time on a CPU of all calls in ns, without the cost; and the part without traced callees. */
static inline double elapsed_of(const char *name)
{
	return time_on_ns(account.sums.counts, &account.sums.counts->nodes[node_of(name)]);
}

static inline double net_of(const char *name)
{
	return time_net_ns(account.sums.counts, &account.sums.counts->nodes[node_of(name)]);
}

static inline void expect(const char *name, u64 calls, u64 ended, u64 elapsed_ns, u64 net_ns)
{
	const struct time_sums *sums = sums_of(name);

	if (sums->calls != calls || sums->ended != ended || elapsed_of(name) != elapsed_ns ||
	    sums->net_ns != net_ns)
		fail_msg("%s: %llu calls, %llu ended, %llu elapsed, %llu net", name, sums->calls, sums->ended,
			 elapsed_of(name), sums->net_ns);
}

#endif
