// SPDX-License-Identifier: GPL-2.0-only
/* Checks the sums in a saved run: see verify.h. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_save.h"
#include "proc/proc_save.h"
#include "profile/profile_save.h"
#include "resolve/ends.h"
#include "run/host.h"
#include "run/run_events.h"
#include "run/run_save.h"
#include "sys/sys_save.h"
#include "times/time_save.h"
#include "trace/trace_index.h"
#include "trace/trace_beside.h"
#include "trace/trace_save.h"
#include "verify.h"

/** A check in progress. */
struct verify {
	const struct record *record;
	const char *event;	/* of several, before the sums that do not hold; "": there is one, or none */
	FILE *out;
	struct verify_result *result;
	struct receipt receipt;
	const struct receipt_cpu *cpus;
	size_t nr_cpus;
	struct run_result run;
};

static void equal(struct verify *verify, u64 got, u64 wanted, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Checks one equation; @format names both sides of it. */
static void equal(struct verify *verify, u64 got, u64 wanted, const char *format, ...)
{
	va_list args;

	verify->result->nr_checked++;
	if (got == wanted)
		return;
	verify->result->nr_wrong++;
	fputs(verify->event, verify->out);
	va_start(args, format);
	vfprintf(verify->out, format, args);
	va_end(args);
	fprintf(verify->out, ": %llu is not %llu\n", got, wanted);
}

/* The excess that makes intervals wider is that of the clock that the receipt names. */
static void check_excess(struct verify *verify)
{
	const double got = verify->run.account.excess, wanted = receipt_excess(&verify->receipt);

	verify->result->nr_checked++;
	if (got == wanted)
		return;
	verify->result->nr_wrong++;
	fprintf(verify->out, "%srun's excess = that of the clock %s: %g is not %g\n", verify->event,
		receipt_clock_name(&verify->receipt), got, wanted);
}

static void check_event(struct verify *verify)
{
	const struct event *event = &verify->receipt.event.event;

	if (!event_is_sampled(event) && !event_is_sampled(&verify->run.event))
		return;
	equal(verify, event_are_equal(&verify->run.event, event), 1, "run's event = receipt's");
	equal(verify, verify->run.event.period, event->period, "run's number of events = receipt's");
}

static void check_cpus(struct verify *verify)
{
	const struct receipt *receipt = &verify->receipt;
	struct receipt sum;
	size_t i;

	for (i = 0; i < verify->nr_cpus; i++) {
		const struct receipt_cpu *cpu = &verify->cpus[i];

		equal(verify, cpu->taken + cpu->missed + cpu->pending, cpu->expected,
		      "CPU %u: taken + missed + pending = expected", cpu->cpu);
		equal(verify, cpu->excluded <= cpu->deferred && cpu->deferred <= cpu->taken &&
		      cpu->lost <= cpu->taken, 1, "CPU %u: no part is more than the whole",
		      cpu->cpu);
	}
	receipt_add_up(&sum, verify->cpus, verify->nr_cpus);
	equal(verify, sum.expected, receipt->expected, "CPUs' expected = receipt's");
	equal(verify, sum.taken, receipt->taken, "CPUs' taken = receipt's");
	equal(verify, sum.missed, receipt->missed, "CPUs' missed = receipt's");
	equal(verify, sum.lost, receipt->lost, "CPUs' lost = receipt's");
	equal(verify, sum.deferred, receipt->deferred, "CPUs' deferred = receipt's");
	equal(verify, sum.excluded, receipt->excluded, "CPUs' left out = receipt's");
	equal(verify, sum.sampled_ns, receipt->sampled_ns, "CPUs' time = receipt's");
	equal(verify, verify->run.account.taken, receipt->taken, "run's taken = receipt's");
	equal(verify, verify->run.account.expected, receipt->expected,
	      "run's expected = receipt's");
	equal(verify, verify->run.account.missed, receipt->missed, "run's missed = receipt's");
	equal(verify, verify->run.account.lost, receipt->lost, "run's lost = receipt's");
	equal(verify, verify->run.account.deferred, receipt->deferred,
	      "run's deferred = receipt's");
	equal(verify, verify->run.account.excluded, receipt->excluded,
	      "run's left out = receipt's");
}

/* The hosts' counts add up to those of the run. */
static void check_hosts(struct verify *verify)
{
	const struct run_account *account = &verify->run.account;
	size_t nr, i;
	const struct run_host *hosts = host_load(verify->record, &nr);
	struct run_host sum = { .nr_cpus = 0 };

	if (!hosts)
		return;
	for (i = 0; i < nr; i++) {
		sum.expected += hosts[i].expected;
		sum.taken += hosts[i].taken;
		sum.missed += hosts[i].missed;
		sum.lost += hosts[i].lost;
		sum.deferred += hosts[i].deferred;
		sum.excluded += hosts[i].excluded;
		sum.sampled_ns += hosts[i].sampled_ns;
	}
	equal(verify, sum.expected, account->expected, "hosts' expected = run's");
	equal(verify, sum.taken, account->taken, "hosts' taken = run's");
	equal(verify, sum.missed, account->missed, "hosts' missed = run's");
	equal(verify, sum.lost, account->lost, "hosts' lost = run's");
	equal(verify, sum.deferred, account->deferred, "hosts' deferred = run's");
	equal(verify, sum.excluded, account->excluded, "hosts' left out = run's");
	if (!verify->result->has_receipt)
		return;
	equal(verify, sum.sampled_ns, verify->receipt.sampled_ns, "hosts' time = receipt's");
	equal(verify, nr > 1 ? nr : 0, verify->receipt.nr_merged, "runs of hosts = merged runs of the receipt");
}

/* Sums over the cells of one CPU. */
struct cell_sums {
	u64 hits, lost, missed, deferred, time_ns;
};

/* Sums for each CPU of the table, to be freed. The CPU of every cell is in the table. */
static struct cell_sums *sum_cells(const struct fold *fold)
{
	size_t nr_cpus, nr, i;
	struct cell_sums *sums;
	const struct fold_cell *cells = fold_cells(fold, &nr);
	int mode;

	fold_cpus(fold, &nr_cpus);
	sums = calloc(nr_cpus + 1, sizeof(*sums));
	for (i = 0; sums && i < nr; i++) {
		struct cell_sums *of_cpu = &sums[cells[i].cpu];

		for (mode = 0; mode < CPUPROBE_MODES; mode++) {
			of_cpu->hits += cells[i].hits[mode];
			of_cpu->time_ns += cells[i].time_ns[mode];
			of_cpu->lost += cells[i].kind == FOLD_KIND_LOST ? cells[i].hits[mode] : 0;
		}
		of_cpu->missed += cells[i].missed;
		of_cpu->deferred += cells[i].deferred;
	}
	return sums;
}

static void check_cells(struct verify *verify, const struct fold *fold,
			const struct cell_sums *sums)
{
	static const struct cell_sums none;
	size_t nr_times, i;
	const struct fold_cpu *times = fold_cpus(fold, &nr_times);
	u64 hits = 0;

	for (i = 0; i < nr_times; i++) {
		hits += sums[i].hits;
		equal(verify, sums[i].time_ns, times[i].taken_ns,
		      "CPU %zu: time of the rows = time sampled", i);
	}
	equal(verify, hits, verify->run.account.taken - verify->run.account.excluded,
	      "rows + lost = taken - left out");
	for (i = 0; i < verify->nr_cpus; i++) {
		const struct receipt_cpu *cpu = &verify->cpus[i];
		const struct cell_sums *rows = cpu->cpu < nr_times ? &sums[cpu->cpu] : &none;

		equal(verify, rows->hits, cpu->taken - cpu->excluded,
		      "CPU %u: rows + lost = taken - left out", cpu->cpu);
		equal(verify, rows->lost, cpu->lost, "CPU %u: row (lost) = lost", cpu->cpu);
		equal(verify, rows->missed <= cpu->missed && rows->deferred <= cpu->deferred, 1,
		      "CPU %u: rows' missed and deferred are at most the CPU's", cpu->cpu);
		equal(verify, cpu->cpu < nr_times ? times[cpu->cpu].sampled_ns : 0, cpu->sampled_ns,
		      "CPU %u: time of the table = time of the account", cpu->cpu);
	}
}

/* In each block the shares add up to 1, and no square exceeds its share. */
static void check_blocks(struct verify *verify, const struct fold *fold)
{
	size_t nr, i;
	const struct fold_process *processes = fold_processes(fold, &nr);
	double blocks = fold_nr_blocks(fold), sum = 0;
	bool are_possible = true;

	for (i = 0; i < nr; i++) {
		const struct fold_process *process = &processes[i];

		sum += process->sum;
		are_possible = are_possible && process->sum >= 0 && process->sum <= blocks + 1e-6 &&
			process->sum2 <= process->sum + 1e-6 &&
			process->sum2 * blocks >= process->sum * process->sum - 1e-6;
	}
	equal(verify, fabs(sum - blocks) <= 1e-6 * (1 + blocks), 1,
	      "shares of all rows add up to 1 per block");
	equal(verify, are_possible, 1, "sums and sums of squares over blocks are possible");
}

static int check_sys(struct verify *verify, struct text_error *error_ret)
{
	struct run_result result;
	struct fold *fold = sys_load(verify->record, &result, error_ret);
	struct cell_sums *sums;

	if (!fold)
		return -EBADMSG;
	sums = sum_cells(fold);
	if (!sums) {
		fold_destroy(fold);
		return text_fail(error_ret, -ENOMEM, "out of memory");
	}
	check_cells(verify, fold, sums);
	free(sums);
	if (verify->result->has_receipt)
		check_blocks(verify, fold);
	fold_destroy(fold);
	return 0;
}

static void check_funcs(struct verify *verify, u64 hits)
{
	struct funcs *funcs = malloc(sizeof(*funcs));
	u64 sum = 0;
	double shares = 0;
	u32 i;

	if (funcs && !proc_load_funcs(verify->record, funcs)) {
		for (i = 0; i < funcs->nr; i++) {
			sum += funcs->func[i].hits;
			shares += funcs->func[i].sum;
		}
		equal(verify, sum, hits, "functions = slots");
		equal(verify, shares <= funcs->nr_blocks + 1e-6, 1,
		      "shares of all functions add up to at most 1 per block");
		equal(verify, funcs->shared_hits <= hits, 1, "hits in shared slots are hits");
	}
	free(funcs);
}

static int check_proc(struct verify *verify, struct text_error *error_ret)
{
	struct proc_report *report = calloc(1, sizeof(*report));
	const struct proc_elsewhere *elsewhere;
	struct sym_index *symbols = NULL;
	u64 hits, objects = 0;
	u32 i;
	int error;

	if (!report)
		return text_fail(error_ret, -ENOMEM, "out of memory");
	error = proc_load(verify->record, report, &symbols, error_ret);
	if (!error) {
		elsewhere = &report->elsewhere;
		hits = proc_report_hits(report);
		for (i = 0; i < report->nr_objects; i++)
			objects += report->objects[i].hits;
		equal(verify, hits + elsewhere->outside + elsewhere->other_mode +
		      elsewhere->other_exe + elsewhere->other_task, proc_report_taken(report),
		      "slots + elsewhere = taken - left out");
		/* Objects count all steps of a search, slots only the last one. */
		if (report->nr_steps <= 1)
			equal(verify, objects, hits + elsewhere->outside + elsewhere->other_mode,
			      "objects = slots + out of range + other modes");
		equal(verify, report->missed <= report->result.account.missed, 1,
		      "the task's missed are at most the run's");
		check_funcs(verify, hits);
	}
	sym_index_destroy(symbols);
	free(report);
	return error;
}

/* Samples pending when a background run was saved; 0 if sampling had ended. */
static u64 sum_pending(const struct verify *verify)
{
	u64 pending = 0;
	size_t i;

	for (i = 0; i < verify->nr_cpus; i++)
		pending += verify->cpus[i].pending;
	return pending;
}

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

	equal(verify, stacks->whole + receipt_sum_ended(stacks), stacks->samples,
	      "whole user stacks + those that ended early = user stacks");
	equal(verify, stacks->samples <= profile->taken && stacks->by_pointer <= stacks->samples &&
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
			equal(verify, marked[mark], ended[mark], "stacks that end at %s",
			      profile->functions[mark].name);
}

static int check_stacks(struct verify *verify, struct text_error *error_ret)
{
	struct profile *profile = profile_load(verify->record, error_ret);
	u64 hits = 0;
	double ns = 0;
	u32 i;

	if (!profile)
		return -EBADMSG;
	for (i = 0; i < profile->nr_stacks; i++) {
		hits += profile->stacks[i].hits;
		ns += profile->stacks[i].ns;
	}
	equal(verify, hits + profile->lost + profile->other, profile->taken,
	      "stacks + lost + other processes = taken");
	equal(verify, is_near(ns + profile->lost_ns + profile->other_ns, profile->taken_ns), 1,
	      "times of stacks, lost and other processes = time of all samples");
	equal(verify, profile->taken, verify->run.account.taken - verify->run.account.excluded,
	      "stacks' taken = taken - left out");
	equal(verify, profile->lost, verify->run.account.lost, "stacks' lost = lost");
	if (verify->result->has_receipt && verify->receipt.stacks.samples)
		check_ends(verify, profile);
	profile_destroy(profile);
	return 0;
}

/* The calls of a run of `probe calls`. */
static int check_calls(struct verify *verify, struct text_error *error_ret)
{
	struct call_counts *counts = call_load(verify->record, error_ret);
	u64 hooked = 0;
	u32 i;

	if (!counts)
		return -EBADMSG;
	for (i = 0; i < counts->nr_arcs; i++)
		hooked += counts->functions[counts->arcs[i].function].state == CALL_HOOKED;
	equal(verify, hooked, counts->nr_arcs, "calls of hooked functions only");
	equal(verify, counts->totals.counted_ns > 0 || !call_counts_sum(counts), 1,
	      "calls were counted in some time");
	call_counts_destroy(counts);
	return 0;
}

/* Timed calls: time_load() checks each node by itself. */
static int check_times(struct verify *verify, struct text_error *error_ret)
{
	struct time_counts *counts = time_load(verify->record, error_ret);
	u32 i;

	if (!counts)
		return -EBADMSG;
	for (i = 0; i < counts->nr_nodes; i++)
		if (time_is_root(&counts->nodes[i]))
			equal(verify, counts->nodes[i].sums.calls, 0, "a process has no calls of its own");
	time_counts_destroy(counts);
	return 0;
}

/* Events stored and lost are those that there were, and the time of each CPU is in one sum. */
static int check_trace(struct verify *verify, struct text_error *error_ret)
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
	equal(verify, account.tally.invalid, 0, "events of unknown kinds");
	for (i = 0; i < trace->nr_cpus; i++)
		equal(verify, trace_cpu_time_sum(&account.cpus[i]), account.cpus[i].covered_ns,
		      "CPU %u: net + outside + interrupts + idle + unknown = time", trace->cpus[i].cpu);
	equal(verify, trace_account_holds(&account), 1, "net times of all rows = net time of all CPUs");
	if (trace->index)
		equal(verify, trace->index_len == index.len && !memcmp(trace->index, index.bytes, index.len), 1,
		      "states of the index = states of the events");
	free(index.bytes);
	if (trace->beside)
		equal(verify, trace_beside_holds(trace->beside), 1,
		      "samples of functions + hooks + outside = samples taken");
	trace_account_deinit(&account);
	trace_destroy(trace);
	return 0;
}

static int check_by_kind(struct verify *verify, struct text_error *error_ret)
{
	size_t len;

	if (trace_is_kept(verify->record)) {
		verify->result->command = "trace";
		return check_trace(verify, error_ret);
	}
	if (profile_is_kept(verify->record)) {
		bool has_calls = call_is_kept(verify->record);

		verify->result->command = has_calls ? "calls" : "flat";
		return check_stacks(verify, error_ret) ?:
			(has_calls ? check_calls(verify, error_ret) : 0) ?:
			(time_is_kept(verify->record) ? check_times(verify, error_ret) : 0);
	}
	if (record_find(verify->record, "TASK", &len)) {
		verify->result->command = "proc";
		return check_proc(verify, error_ret);
	}
	verify->result->command = "sys";
	return check_sys(verify, error_ret);
}

/* Checks a run, or the part of it that is of one event; adds to the result. */
static int verify_one(const struct record *record, const char *event, FILE *out, struct verify_result *result_ret,
		      struct text_error *error_ret)
{
	struct verify verify = { .record = record, .event = event, .out = out, .result = result_ret };
	int error;

	error = record_get_result(record, &verify.run, error_ret);
	if (error)
		return error;
	result_ret->taken = verify.run.account.taken;
	verify.cpus = run_load_cpus(record, &verify.nr_cpus);
	result_ret->has_receipt = verify.cpus && !run_load_receipt(record, &verify.receipt);
	if (result_ret->has_receipt) {
		check_event(&verify);
		check_cpus(&verify);
	}
	/* A run of calls without samples has no account. */
	if (result_ret->has_receipt && verify.receipt.expected)
		check_excess(&verify);
	check_hosts(&verify);
	equal(&verify, verify.run.account.taken + verify.run.account.missed + sum_pending(&verify),
	      verify.run.account.expected, "taken + missed + pending = expected");
	return check_by_kind(&verify, error_ret);
}

/* The other events of a run: their runs are of the same time. */
static int verify_others(const struct record *record, FILE *out, struct verify_result *result,
			 struct text_error *error_ret)
{
	char event[EVENT_NAME_LEN + 2];
	struct run_result of_first, of_other;
	struct record run;
	unsigned int at;
	int error = record_get_result(record, &of_first, error_ret);

	for (at = 0; !error && !(error = run_events_find(record, at, &run, error_ret)); at++) {
		struct verify_result part = { .nr_checked = 0 };

		record_get_result(&run, &of_other, NULL);
		snprintf(event, sizeof(event), "%s: ", of_other.event.name);
		error = verify_one(&run, event, out, &part, error_ret);
		result->nr_checked += part.nr_checked + 1;
		result->nr_wrong += part.nr_wrong;
		if (of_other.began == of_first.began && of_other.elapsed_seconds == of_first.elapsed_seconds)
			continue;
		result->nr_wrong++;
		fprintf(out, "%stime of the run = that of the first event: %g s is not %g s\n", event,
			of_other.elapsed_seconds, of_first.elapsed_seconds);
	}
	return error == -ENOENT ? 0 : error;
}

int verify_record(const struct record *record, FILE *out, struct verify_result *result_ret,
		  struct text_error *error_ret)
{
	int error;

	memset(result_ret, 0, sizeof(*result_ret));
	error = verify_one(record, "", out, result_ret, error_ret);
	return error ?: verify_others(record, out, result_ret, error_ret);
}
