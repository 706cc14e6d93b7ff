// SPDX-License-Identifier: GPL-2.0-only
/* Sums in saved runs: cli/verify/verify.c. For each equation a run that breaks, if possible, no other. */
#include <errno.h>

#include "unit.h"
#include "bpf/comb.h"
#include "profile/profile_save.h"
#include "profiles.h"
#include "run/run_save.h"
#include "sys/sys_save.h"
#include "proc/proc_save.h"
#include "verify/verify.h"

#define NR_CPUS 2

/** The contents of a file with a run of `probe sys`. */
struct kept {
	struct run_result result;
	struct receipt receipt;
	struct receipt_cpu cpus[NR_CPUS];
	struct fold_cell cells[3];
	struct fold_cpu times[NR_CPUS];
	double sum[2], sum2[2];		/* for the first and the last cell's process */
	u64 nr_blocks;
};

/* Save a run to memory; free with record_deinit(). */
struct file {
	FILE *out;
	struct record record;
	struct record_writer writer;
};

static void file_open(struct file *file)
{
	file->out = open_memstream(&file->record.bytes, &file->record.len);
	record_begin(&file->writer, file->out);
}

/* The complaints about a run, to be freed, and their number of lines. */
static char *file_verify(struct file *file, const char *command)
{
	struct verify_result result;
	char *text = NULL, *at;
	unsigned int nr_lines = 0;
	size_t len;
	FILE *out;

	assert_int_equal(record_commit(&file->writer, NULL), 0);
	assert_int_equal(record_check(&file->record, "memory", NULL), 0);
	out = open_memstream(&text, &len);
	assert_int_equal(verify_record(&file->record, out, &result, NULL), 0);
	fclose(out);
	assert_string_equal(result.command, command);
	for (at = text; (at = strchr(at, '\n')); at++)
		nr_lines++;
	assert_int_equal(result.nr_wrong, nr_lines);
	assert_true(result.nr_checked > nr_lines);
	assert_int_equal(result.taken, *(u64 *)record_find(&file->record, "RUN ", &len));
	record_deinit(&file->record);
	return text;
}

/*
 * Two CPUs, a process on both, ten samples lost on the first; five of the six deferred there are
 * left out. Two blocks of 0.9 and 0.1 each.
 */
static const struct kept sound = {
	.result = { .account = { .taken = 120, .missed = 5, .expected = 125, .lost = 10,
				 .deferred = 6, .excluded = 5 },
		    .nr_cpus = 2, .period_ns = 1000, .began = 1e9, .elapsed_seconds = 1.5 },
	.receipt = { .period_ns = 1000, .expected = 125, .taken = 120, .missed = 5, .lost = 10,
		     .deferred = 6, .excluded = 5, .sampled_ns = 125000, .nr_cpus = 2 },
	.cpus = {
		{ .cpu = 0, .expected = 64, .taken = 60, .missed = 4, .lost = 10, .deferred = 6,
		  .excluded = 5, .sampled_ns = 64000 },
		{ .cpu = 1, .expected = 61, .taken = 60, .missed = 1, .sampled_ns = 61000 },
	},
	.cells = {
		{ .id = { 1 }, .kind = CPUPROBE_KIND_EXE, .cpu = 0, .name = "a", .hits = { 15, 30 },
		  .time_ns = { 15000, 30000 }, .missed = 4, .deferred = 1 },
		{ .id = { 1 }, .kind = CPUPROBE_KIND_EXE, .cpu = 1, .name = "a", .hits = { 60 },
		  .time_ns = { 60000 }, .missed = 1 },
		{ .kind = FOLD_KIND_LOST, .cpu = 0, .name = "(lost)", .hits = { 10 },
		  .time_ns = { 10000 } },
	},
	.times = { { 55000, 64000 }, { 60000, 61000 } },
	.sum = { 1.8, 0.2 }, .sum2 = { 1.62, 0.02 }, .nr_blocks = 2,
};

static void assert_sys(const struct kept *kept, const char *expected)
{
	struct run run = { .result = kept->result, .receipt = kept->receipt,
			   .cpus = (struct receipt_cpu *)kept->cpus, .nr_cpus = NR_CPUS };
	struct fold *fold = fold_create_kept(kept->cells, 3, kept->times, NR_CPUS,
					     kept->result.account.taken);
	struct file file;
	char *text;

	for (int i = 0; i < 2; i++)
		fold_keep_process(fold, kept->cells[2 * i].id, kept->cells[2 * i].kind,
				  kept->sum[i], kept->sum2[i], NULL);
	fold_keep_blocks(fold, kept->nr_blocks);
	file_open(&file);
	sys_save(&file.writer, fold, &run);
	fold_destroy(fold);
	text = file_verify(&file, "sys");
	assert_string_equal(text, expected);
	free(text);
}

static void sound_runs(void **state)
{
	struct kept kept = sound;

	assert_sys(&kept, "");
	/* One sample is due and not yet taken. */
	kept.cpus[1].pending = 1;
	kept.cpus[1].expected++;
	kept.receipt.expected++;
	kept.result.account.expected++;
	assert_sys(&kept, "");
}

/* A run of an event says twice which one it is. */
static void events_agree(void **state)
{
	struct kept kept = sound;

	kept.result.event = kept.receipt.event.event =
		(struct event){ .name = "page-faults", .type = 1, .config = 2, .period = 101 };
	assert_sys(&kept, "");
	kept.receipt.event.event.period = 53;
	assert_sys(&kept, "run's number of events = receipt's: 101 is not 53\n");
	kept.receipt.event.event.period = 101;
	kept.receipt.event.event.config = 3;
	assert_sys(&kept, "run's event = receipt's: 0 is not 1\n");
	kept.result.event.period = 0;
	kept.receipt.event.event.config = 2;
	assert_sys(&kept, "run's event = receipt's: 0 is not 1\n"
		   "run's number of events = receipt's: 0 is not 101\n");
}

static void parts_of_a_cpu(void **state)
{
	struct kept kept = sound;

	kept.cpus[0].missed++;
	kept.cpus[1].missed--;
	kept.cells[1].missed--;
	assert_sys(&kept, "CPU 0: taken + missed + pending = expected: 65 is not 64\n"
		   "CPU 1: taken + missed + pending = expected: 60 is not 61\n");
	kept = sound;
	kept.cpus[0].pending = 1;
	kept.result.account.expected = kept.receipt.expected = 126;
	assert_sys(&kept, "CPU 0: taken + missed + pending = expected: 65 is not 64\n"
		   "CPUs' expected = receipt's: 125 is not 126\n");
	/* More left out than deferred, more deferred than taken, more lost than taken. */
	kept = sound;
	kept.cpus[0].deferred = 4;
	kept.cpus[1].deferred = 2;
	assert_sys(&kept, "CPU 0: no part is more than the whole: 0 is not 1\n");
	kept = sound;
	kept.cpus[1].deferred = 61;
	kept.receipt.deferred = kept.result.account.deferred = 67;
	assert_sys(&kept, "CPU 1: no part is more than the whole: 0 is not 1\n");
	kept = sound;
	kept.cpus[1].lost = 61;
	kept.receipt.lost = kept.result.account.lost = 71;
	assert_sys(&kept, "CPU 1: no part is more than the whole: 0 is not 1\n"
		   "CPU 1: row (lost) = lost: 0 is not 61\n");
}

/* The receipt and the run agree, the CPUs disagree. */
static void cpus_and_receipt(void **state)
{
	struct kept kept = sound;

	kept.receipt.lost = kept.result.account.lost = 11;
	assert_sys(&kept, "CPUs' lost = receipt's: 10 is not 11\n");
	kept = sound;
	kept.receipt.deferred = kept.result.account.deferred = 7;
	assert_sys(&kept, "CPUs' deferred = receipt's: 6 is not 7\n");
	kept = sound;
	kept.receipt.excluded = kept.result.account.excluded = 4;
	assert_sys(&kept, "CPUs' left out = receipt's: 5 is not 4\n"
		   "rows + lost = taken - left out: 115 is not 116\n");
	kept = sound;
	kept.receipt.sampled_ns++;
	assert_sys(&kept, "CPUs' time = receipt's: 125000 is not 125001\n");
	kept = sound;
	kept.receipt.expected = kept.result.account.expected = 126;
	kept.receipt.missed = kept.result.account.missed = 6;
	assert_sys(&kept, "CPUs' expected = receipt's: 125 is not 126\n"
		   "CPUs' missed = receipt's: 5 is not 6\n");
	kept = sound;
	kept.receipt.taken = kept.result.account.taken = 121;
	kept.receipt.missed = kept.result.account.missed = 4;
	assert_sys(&kept, "CPUs' taken = receipt's: 120 is not 121\n"
		   "CPUs' missed = receipt's: 5 is not 4\n"
		   "rows + lost = taken - left out: 115 is not 116\n");
}

/* The run disagrees with the receipt and the CPUs. */
static void run_and_receipt(void **state)
{
	struct kept kept = sound;

	kept.result.account.lost = 11;
	assert_sys(&kept, "run's lost = receipt's: 11 is not 10\n");
	kept = sound;
	kept.result.account.deferred = 7;
	assert_sys(&kept, "run's deferred = receipt's: 7 is not 6\n");
	kept = sound;
	kept.result.account.excluded = 4;
	assert_sys(&kept, "run's left out = receipt's: 4 is not 5\n"
		   "rows + lost = taken - left out: 115 is not 116\n");
	kept = sound;
	kept.result.account.taken = 121;
	kept.result.account.missed = 4;
	assert_sys(&kept, "run's taken = receipt's: 121 is not 120\n"
		   "run's missed = receipt's: 4 is not 5\n"
		   "rows + lost = taken - left out: 115 is not 116\n");
	kept = sound;
	kept.result.account.expected = 126;
	assert_sys(&kept, "run's expected = receipt's: 126 is not 125\n"
		   "taken + missed + pending = expected: 125 is not 126\n");
}

static void excess_of_the_clock(void **state)
{
	struct kept kept = sound;

	kept.result.account.excess = COMB_EXCESS;
	assert_sys(&kept, "run's excess = that of the clock grid: 0.296 is not 0\n");
	kept.receipt.flags = RECEIPT_BPF;
	assert_sys(&kept, "");
	kept.receipt.flags = RECEIPT_PERF;
	assert_sys(&kept, "run's excess = that of the clock redrawn: 0.296 is not 2.415\n");
	kept.receipt.jitter = CPUPROBE_JITTER_NONE;
	assert_sys(&kept, "run's excess = that of the clock none: 0.296 is not 0\n");
	kept.result.account.excess = 0;
	assert_sys(&kept, "");
}

static void rows_of_cpus(void **state)
{
	struct kept kept = sound;

	kept.times[0].taken_ns++;
	assert_sys(&kept, "CPU 0: time of the rows = time sampled: 55000 is not 55001\n");
	/* A sample of one CPU is attributed to the other. */
	kept = sound;
	kept.cells[0].hits[0]--;
	kept.cells[1].hits[0]++;
	assert_sys(&kept, "CPU 0: rows + lost = taken - left out: 54 is not 55\n"
		   "CPU 1: rows + lost = taken - left out: 61 is not 60\n");
	kept = sound;
	kept.cells[1].hits[0]--;
	assert_sys(&kept, "rows + lost = taken - left out: 114 is not 115\n"
		   "CPU 1: rows + lost = taken - left out: 59 is not 60\n");
	kept = sound;
	kept.cells[2].kind = CPUPROBE_KIND_SOFTIRQ;
	assert_sys(&kept, "CPU 0: row (lost) = lost: 0 is not 10\n");
	kept = sound;
	kept.cells[0].missed = 5;
	assert_sys(&kept, "CPU 0: rows' missed and deferred are at most the CPU's: "
		   "0 is not 1\n");
	kept = sound;
	kept.cells[1].deferred = 1;
	assert_sys(&kept, "CPU 1: rows' missed and deferred are at most the CPU's: "
		   "0 is not 1\n");
	kept = sound;
	kept.times[1].sampled_ns++;
	assert_sys(&kept, "CPU 1: time of the table = time of the account: 61001 is not 61000\n");
	/* A CPU with an account and samples, but without cells in the table. */
	kept = sound;
	kept.cpus[1].cpu = 7;
	assert_sys(&kept, "CPU 7: rows + lost = taken - left out: 0 is not 60\n"
		   "CPU 7: time of the table = time of the account: 0 is not 61000\n");
}

static void shares_of_blocks(void **state)
{
	static const char not_one[] = "shares of all rows add up to 1 per block: 0 is not 1\n";
	static const char impossible[] =
		"sums and sums of squares over blocks are possible: 0 is not 1\n";
	struct kept kept = sound;

	kept.sum[1] = 0.19;
	assert_sys(&kept, not_one);
	kept = sound;
	kept.sum[1] = 0.2001;
	kept.sum2[1] = 0.0201;
	assert_sys(&kept, not_one);
	/* Less than shares that are all equal, more than shares of 0 and 1. */
	kept = sound;
	kept.sum2[0] = 1.61;
	assert_sys(&kept, impossible);
	kept = sound;
	kept.sum2[0] = 1.81;
	assert_sys(&kept, impossible);
	kept = sound;
	kept.sum[0] = 2.1;
	kept.sum2[0] = 2.1;
	kept.sum[1] = -0.1;
	kept.sum2[1] = -0.1;
	assert_sys(&kept, impossible);
}

/** The contents of a file with a run of `probe proc`. */
static struct proc_report report;
static struct funcs funcs;

static void make_report(void)
{
	memset(&report, 0, sizeof(report));
	memset(&funcs, 0, sizeof(funcs));
	report.result = sound.result;
	report.missed = 5;
	slots_layout_init(&report.layout, 0x1000, 0x1800);
	report.hits[3] = 30;
	report.hits[400] = 12;
	/* With BPF, samples of processes that ended before they were looked at are lost. */
	report.elsewhere = (struct proc_elsewhere){ 1, 2, 4, 66 - sound.result.account.lost };
	report.objects[0] = (struct proc_object){ 40, "one" };
	report.objects[1] = (struct proc_object){ 5, "other" };
	report.nr_objects = 2;
	report.nr_steps = 1;
	funcs.nr = 2;
	funcs.nr_blocks = 1;
	funcs.shared_hits = 42;
	funcs.func[0] = (struct func){ .hits = 30, .sum = 0.6, .name = "f" };
	funcs.func[1] = (struct func){ .hits = 12, .sum = 0.4, .name = "g" };
}

static void assert_proc(const char *expected)
{
	struct run run = { .result = sound.result, .receipt = sound.receipt,
			   .cpus = (struct receipt_cpu *)sound.cpus, .nr_cpus = NR_CPUS };
	struct file file;
	char *text;

	file_open(&file);
	proc_save(&file.writer, &report, &run, &funcs, NULL, false);
	text = file_verify(&file, "proc");
	assert_string_equal(text, expected);
	free(text);
	make_report();
}

static void places_of_samples(void **state)
{
	make_report();
	assert_proc("");
	report.elsewhere.other_task--;
	assert_proc("slots + elsewhere + lost = taken - left out: 114 is not 115\n");
	report.elsewhere.other_exe--;
	assert_proc("slots + elsewhere + lost = taken - left out: 114 is not 115\n");
	report.elsewhere.outside--;
	assert_proc("slots + elsewhere + lost = taken - left out: 114 is not 115\n"
		    "objects = slots + out of range + other modes: 45 is not 44\n");
	report.elsewhere.other_mode--;
	assert_proc("slots + elsewhere + lost = taken - left out: 114 is not 115\n"
		    "objects = slots + out of range + other modes: 45 is not 44\n");
	report.objects[1].hits--;
	assert_proc("objects = slots + out of range + other modes: 44 is not 45\n");
	/* Without a search no step is saved. */
	report.objects[1].hits--;
	report.nr_steps = 0;
	assert_proc("objects = slots + out of range + other modes: 44 is not 45\n");
	report.objects[1].hits++;
	report.nr_steps = 2;
	assert_proc("");
	report.missed = 6;
	assert_proc("the task's missed are at most the run's: 0 is not 1\n");
}

static void functions_of_slots(void **state)
{
	make_report();
	funcs.func[1].hits--;
	assert_proc("functions = slots: 41 is not 42\n");
	funcs.func[1].hits++;
	assert_proc("functions = slots: 43 is not 42\n");
	funcs.func[1].sum = 0.41;
	assert_proc("shares of all functions add up to at most 1 per block: 0 is not 1\n");
	funcs.shared_hits = 43;
	assert_proc("hits in shared slots are hits: 0 is not 1\n");
}

/* 60 + 45 samples of stacks, 10 lost, 5 of others; each represents a millisecond. */
static struct profile *make_profile(void)
{
	return profiles_of("a 1 user main@a;f@a 60\na 1 kernel main@a;g@kernel 45\nlost 10\n"
			   "other 5\n");
}

static struct receipt_stacks user_stacks;	/* of the receipt of the next run */

static void assert_stacks(struct profile *profile, const struct run_result *result,
			  const char *expected)
{
	struct run run = { .result = *result, .receipt = sound.receipt,
			   .cpus = (struct receipt_cpu *)sound.cpus, .nr_cpus = NR_CPUS };
	struct file file;
	char *text;

	run.receipt.stacks = user_stacks;
	file_open(&file);
	run_save(&file.writer, &run);
	profile_save(&file.writer, profile);
	profile_destroy(profile);
	text = file_verify(&file, "flat");
	assert_string_equal(text, expected);
	free(text);
}

static void stacks(void **state)
{
	struct run_result result = sound.result;
	struct profile *profile = make_profile();

	/* Five of the samples taken were left out: 115 of 120 remain to be found. */
	profile->other = 0;
	profile->other_ns = 0;
	profile->taken = 115;
	profile->taken_ns = 115e6;
	assert_stacks(profile, &result, "");
	profile = make_profile();
	assert_stacks(profile, &result, "stacks' taken = taken - left out: 120 is not 115\n");
	profile = make_profile();
	profile->taken = 115;
	assert_stacks(profile, &result,
		      "stacks + lost + other processes = taken: 120 is not 115\n");
	profile = make_profile();
	profile->other = 0;
	profile->taken = 115;
	profile->lost_ns += 1e6;
	assert_stacks(profile, &result, "times of stacks, lost and other processes = "
		      "time of all samples: 0 is not 1\n");
	profile = make_profile();
	profile->other = 1;
	profile->lost = 9;
	profile->taken = 115;
	assert_stacks(profile, &result, "stacks' lost >= lost: 9 is not 10\n");
}

/* The tool had no memory for some stacks: they are lost, and the run is intact. */
static void stacks_that_the_tool_lost(void **state)
{
	struct profile *profile = make_profile();

	profile->other = profile->other_ns = 0;
	profile->taken = 115;
	profile->taken_ns = 115e6;
	profile->stacks[0].hits -= 3;
	profile->stacks[0].ns -= 3e6;
	profile->lost += 3;
	profile->lost_ns += 3e6;
	assert_stacks(profile, &sound.result, "");
}

/* 60 + 20 + 25 user stacks, of which 20 and 25 ended early. */
static void assert_ends(const char *expected)
{
	struct profile *profile = profiles_of(
		"a 1 user main@a;f@a 60\na 1 user [no_unwind_table];g@a 20\n"
		"a 1 user [too_deep];g@a 5\na 1 user [unsupported_unwind_rule];g@a 20\nlost 10\n");

	assert_stacks(profile, &sound.result, expected);
}

static void ends_of_stacks(void **state)
{
	const struct receipt_stacks right = {
		.samples = 105, .whole = 60, .ended[RECEIPT_NO_TABLE] = 10,
		.ended[RECEIPT_NO_BUDGET] = 7, .ended[RECEIPT_UNKNOWN] = 3,
		.ended[RECEIPT_TOO_DEEP] = 5, .ended[RECEIPT_UNSUPPORTED] = 20,
		.by_pointer = 105, .nameless = { 100, 5 },
	};

	user_stacks = right;
	assert_ends("");
	user_stacks.whole = 61;
	assert_ends("whole user stacks + those that ended early = user stacks: 106 is not 105\n");
	user_stacks = right;
	user_stacks.by_pointer = 106;
	assert_ends("no part of the user stacks is more than the whole: 0 is not 1\n");
	user_stacks = right;
	user_stacks.nameless[RECEIPT_NODE] = 6;
	assert_ends("no part of the user stacks is more than the whole: 0 is not 1\n");
	user_stacks = right;
	user_stacks.samples = 116;
	user_stacks.whole = 71;
	assert_ends("no part of the user stacks is more than the whole: 0 is not 1\n");
	/* The wrong reason, which shows only by the marks. */
	user_stacks = right;
	user_stacks.ended[RECEIPT_NO_BUDGET] = 6;
	user_stacks.ended[RECEIPT_OUTSIDE] = 1;
	assert_ends("stacks that end at [no unwind table]: 20 is not 19\n"
		    "stacks that end at [outside the stack]: 0 is not 1\n");
	memset(&user_stacks, 0, sizeof(user_stacks));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_runs), cmocka_unit_test(events_agree), cmocka_unit_test(parts_of_a_cpu),
		cmocka_unit_test(cpus_and_receipt), cmocka_unit_test(run_and_receipt),
		cmocka_unit_test(excess_of_the_clock),
		cmocka_unit_test(rows_of_cpus), cmocka_unit_test(shares_of_blocks),
		cmocka_unit_test(places_of_samples), cmocka_unit_test(functions_of_slots),
		cmocka_unit_test(stacks), cmocka_unit_test(stacks_that_the_tool_lost), cmocka_unit_test(ends_of_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
