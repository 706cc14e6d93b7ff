// SPDX-License-Identifier: GPL-2.0-only
/* The status of an agent: see agent_status.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/agent_status.h"
#include "base/clock.h"
#include "base/sysfile.h"

u64 agent_status_rss(void)
{
	char line[128];
	u64 resident;

	if (sysfile_line("/proc/self/statm", line, sizeof(line)) ||
	    sscanf(line, "%*u %" SCNu64, (uint64_t *)&resident) != 1)
		return 0;
	return resident * sysconf(_SC_PAGESIZE);
}

/* CPU time of the process so far, in seconds. */
static double get_cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static const char *get_engine(const struct receipt *receipt)
{
	if (receipt->flags & RECEIPT_BPF)
		return "bpf";
	return receipt->flags & RECEIPT_PERF ? "perf" : "module";
}

/* How many seconds the ring reaches back, and the gaps in it. */
static void put_ring(const struct windows *windows, FILE *out)
{
	const struct window_ring *ring = &windows->ring;
	struct window_now now;
	struct window *good;
	size_t nr, i, nr_gaps = 0;
	double gaps = 0, gap;

	good = window_ring_good(ring, &nr);
	window_now(&now);
	for (i = 1; good && i < nr; i++) {
		gap = window_gap(&good[i - 1], &good[i]);
		gaps += gap;
		nr_gaps += gap > 0;
	}
	fprintf(out, "ring\t%s\nring windows\t%zu\nring bytes\t%llu of %llu\nring gaps\t%zu, %.0f s\n",
		ring->directory, nr, ring->bytes, ring->bytes_max, nr_gaps, gaps);
	if (good && nr && good[0].boot == now.boot)
		fprintf(out, "last_seconds\t%.0f\n", now.since_boot - good[0].ended + good[0].seconds);
	fprintf(out, "ring damaged\t%llu\nring dropped\t%llu\n", ring->nr_damaged, ring->nr_dropped);
	free(good);
}

static void put_counts(const struct agent *agent, FILE *out)
{
	const struct windows *windows = &agent->windows;
	const struct run_account none = { 0 }, *total = &windows->total, *before = &windows->result.account,
		*now = agent->is_counted ? &none : &agent->measurement.run.result.account;
	/* The loss contains that of the accounts, and samples that the agent itself had no memory for. */
	const u64 lost = total->lost + agent->measurement.profile->lost;

	fprintf(out, "samples\t%llu\nlost\t%llu\nmissed\t%llu\nexpected\t%llu\n",
		total->taken + before->taken + now->taken, lost,
		total->missed + before->missed + now->missed,
		total->expected + before->expected + now->expected);
	/* One engine serves all windows. */
	if (agent->measurement.run.receipt.flags & RECEIPT_NO_MODULE)
		fputs("deferred\tunknown\n", out);
	else
		fprintf(out, "deferred\t%llu\n", total->deferred + before->deferred + now->deferred);
	fprintf(out, "tables ended\t%llu\nwindows written\t%llu\nwindows unwritten\t%llu\ngaps\t%llu\n",
		windows->nr_tables_ended, windows->nr_written, windows->nr_unwritten, windows->nr_gaps);
	fprintf(out, "renewals\t%llu\nfaults\t%llu\n", agent->nr_renewals, journal_sum(&windows->journal));
	if (windows->journal.last[0])
		fprintf(out, "last fault\t%s\n", windows->journal.last);
}

/* The agent's own cost. The cost of a sample is known of the module only. */
static void put_cost(const struct agent *agent, double seconds, FILE *out)
{
	const struct receipt *receipt = &agent->measurement.run.receipt;
	double cpu = seconds > 0 ? 100 * get_cpu_seconds() / seconds : 0;

	fprintf(out, "own cpu\t%.3f%% of one CPU\nown memory\t%llu KiB\n", cpu, agent_status_rss() >> 10);
	if (!(receipt->flags & RECEIPT_NO_MODULE) && receipt->period_ns)
		fprintf(out, "cost of sampling\t%.4f%% of each CPU\n",
			100.0 * receipt->cost_ns / receipt->period_ns);
}

void agent_status_put(const struct agent *agent, FILE *out)
{
	const struct run *run = &agent->measurement.run;
	const double seconds = clock_seconds() - agent->began_clock;
	const struct agent_sink *sink;
	char began[32];

	fprintf(out, "pid\t%d\nkind\tagent\nstate\tsampling\nbegan\t%.3f\nseconds\t%.3f\npaused\t0\n", getpid(),
		agent->began, seconds);
	fprintf(out, "stacks\t%u\n", agent->measurement.profile->nr_stacks);
	fprintf(out, "since\t%s\nengine\t%s\nrate\t%.4g Hz\nidle CPUs\t%s\nwindows\t%g s of the table, %g s of stacks\n",
		text_time(agent->began, began, sizeof(began)), get_engine(&run->receipt),
		1e9 / run->start.period_ns, agent->options.sampling.lets_sleep ? "sleep" : "sampled",
		agent->config.table_seconds, agent->config.stacks_seconds);
	put_counts(agent, out);
	put_ring(&agent->windows, out);
	put_cost(agent, seconds, out);
	for (sink = agent->windows.sinks; sink < agent->windows.sinks + agent->windows.nr_sinks; sink++)
		if (sink->put_status)
			sink->put_status(sink->self, out);
}
