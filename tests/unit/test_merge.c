// SPDX-License-Identifier: GPL-2.0-only
/* Tables of saved runs made one: cli/run/run_merge*.c, host.c, cli/sys/sys_merge.c. */
#include <errno.h>
#include <math.h>

#include "records.h"
#include "folds.h"
#include "sys/sys_merge.h"
#include "sys/table_view.h"
#include "verify/verify.h"

static char files[3][64];

/** A run to save. Every sample of CPU 0 hits "web", of CPU 1 "IDLE" and "own". */
struct made {
	u64 event_period;	/* 0: time was sampled */
	const char *host;	/* NULL: the run does not say it */
	const char *boot;
	double began, seconds;
	u64 period_ns;
	u64 web, idle, own;	/* samples */
	u64 id;			/* of the executables */
	u32 by;
	u32 deferred_ns;
	u32 flags;		/* of the receipt */
	double excess;
};

static const struct made usual = {
	.host = "web1", .boot = "b1", .began = 1000, .seconds = 10, .period_ns = 1000000, .web = 90, .idle = 60,
	.own = 30, .id = 7, .deferred_ns = 100000,
};

static struct fold *make_fold(const struct made *made)
{
	struct cpuprobe_account account = { .period_ns = made->period_ns, .expected = made->web + 2,
					    .taken = made->web, .entries = 1 };
	struct cpuprobe_record records[2];
	struct fold *fold = fold_create();

	record_init(&records[0], made->id, "web", 0, 0, made->web);
	records[0].missed = 2;
	memcpy(records[0].name, "web\0bin", 8);
	fold_add(fold, 0, &account, records);
	account.taken = account.expected = made->idle + made->own;
	account.entries = 2;
	record_init(&records[0], 0, "IDLE", made->idle, 0, 0);
	records[0].kind = CPUPROBE_KIND_IDLE;
	record_init(&records[1], made->id + 1, "own", 0, 0, made->own);
	fold_add(fold, 1, &account, records);
	fold_end_block(fold);
	return fold;
}

static void save(const char *file, const struct made *made)
{
	u64 taken = made->web + made->idle + made->own;
	struct receipt_cpu cpus[2] = {
		{ .cpu = 0, .expected = made->web + 2, .taken = made->web, .missed = 2,
		  .sampled_ns = (made->web + 2) * made->period_ns },
		{ .cpu = 1, .expected = made->idle + made->own, .taken = made->idle + made->own, .deferred = 1,
		  .sampled_ns = (made->idle + made->own) * made->period_ns },
	};
	struct run run = {
		.result = { .account = { .taken = taken, .missed = 2, .expected = taken + 2, .deferred = 1,
					 .excess = made->excess },
			    .nr_cpus = 2, .period_ns = made->period_ns, .seed = 5, .began = made->began,
			    .elapsed_seconds = made->seconds },
		.cpus = cpus, .nr_cpus = 2,
		.receipt = { .period_ns = made->period_ns, .what = CPUPROBE_WHAT_SYSTEM, .by = made->by,
			     .deferred_ns = made->deferred_ns, .flags = made->flags, .cost_ns = 500, .steal = 0.1,
			     .event.event = { .period = made->event_period, .name = "cycles" },
			     .module = "m", .kernel = "k", .paused_seconds = 1 },
	};
	struct run_host host = { .nr_cpus = 2 };
	struct record_writer writer;
	struct fold *fold = make_fold(made);

	receipt_add_up(&run.receipt, cpus, 2);
	host_count(&host, &run.result, &run.receipt);
	snprintf(host.name, sizeof(host.name), "%s", made->host ?: "");
	snprintf(host.boot, sizeof(host.boot), "%s", made->boot);
	assert_int_equal(record_create(&writer, file, NULL), 0);
	sys_save_merged(&writer, fold, &run, &host, made->host ? 1 : 0);
	assert_int_equal(record_commit(&writer, NULL), 0);
	fold_destroy(fold);
}

static int make_files(void **state)
{
	for (int i = 0; i < 3; i++) {
		snprintf(files[i], sizeof(files[i]), "/dev/shm/cpuprobe-merge-XXXXXX");
		close(mkstemp(files[i]));
	}
	return make_file(state);
}

static int remove_files(void **state)
{
	for (int i = 0; i < 3; i++)
		unlink(files[i]);
	return remove_file(state);
}

static const char *const *paths(void)
{
	static const char *list[3];

	for (int i = 0; i < 3; i++)
		list[i] = files[i];
	return list;
}

/* Merges the first @nr files into @record_ret; all its sums must hold. */
static struct fold *merge(size_t nr, bool by_host, struct run_merge *merge_ret, struct record *record_ret)
{
	struct verify_result verified;
	struct text_error error = { "", "" };
	struct record_writer writer;
	struct run_host *hosts;
	struct run_result result;
	struct fold *fold;
	char *wrong;

	assert_int_equal(run_merge_open(merge_ret, "merge", paths(), nr, &error), 0);
	assert_int_equal(run_merge_add_up(merge_ret, &error), 0);
	fold = sys_merge(merge_ret, by_host, &error);
	assert_non_null(fold);
	hosts = run_merge_hosts(merge_ret);
	record_start(&writer);
	sys_save_merged(&writer, fold, &merge_ret->run, hosts, nr);
	record_reopen(&writer, record_ret);
	fold_destroy(fold);
	free(hosts);
	wrong = WRITTEN(out, assert_int_equal(verify_record(record_ret, out, &verified, &error), 0));
	assert_string_equal(wrong, "");
	assert_int_equal(verified.nr_wrong, 0);
	free(wrong);
	fold = sys_load(record_ret, &result, &error);
	assert_non_null(fold);
	return fold;
}

static void drop(struct fold *fold, struct run_merge *merged, struct record *record)
{
	fold_destroy(fold);
	run_merge_close(merged);
	record_deinit(record);
}

/* Half the width of the interval that the table shows for "own", in points. */
static double get_half_width(const struct fold *fold, const struct run_result *result)
{
	const struct table_options options = { .output = { .format = FORMAT_TSV, .columns = "name,lo,hi" } };
	char *text = WRITTEN(out, assert_int_equal(table_show(out, fold, result, NULL, &options, NULL, false), 0)), *at;
	double low, high;

	at = strstr(text, "\nown\t");
	assert_non_null(at);
	assert_int_equal(sscanf(at, "\nown\t%lf\t%lf", &low, &high), 2);
	free(text);
	return (high - low) / 2;
}

/* A row of the fast host alone is known better than the run as a whole. */
static void rows_have_intervals_of_their_own(void **state)
{
	struct made other = usual;
	struct run_merge merged;
	struct record record;
	struct fold *fold;
	const struct stat_interval *own;
	struct stat_interval wilson;
	struct rows rows;
	double half;

	other.host = "web2", other.id = 9, other.period_ns = 100000;
	other.web = 9000, other.idle = 3000, other.own = 6000;
	save(files[0], &usual);
	save(files[1], &other);
	fold = merge(2, false, &merged, &record);
	half = get_half_width(fold, &merged.run.result);
	assert_int_equal(rows_init(&rows, fold, merged.run.result.account.excess), 0);
	own = &find_row(&rows, "own")->interval;
	assert_true(fabs(half - 50 * (own->hi - own->lo)) < 1e-3);
	wilson = stat_wilson_share(find_row(&rows, "own")->total, rows.taken, rows.excess);
	assert_true(half < 40 * (wilson.hi - wilson.lo));
	rows_deinit(&rows);
	drop(fold, &merged, &record);
}

static void counts_add_up(void **state)
{
	struct made other = usual;
	struct run_merge merged;
	struct record record;
	struct fold *fold;
	struct rows rows;

	/* Another host with the same program under another inode, at half the rate. */
	other.host = "web2", other.id = 9, other.period_ns = 2000000;
	other.web = 10, other.idle = 20, other.own = 70;
	save(files[0], &usual);
	save(files[1], &other);
	fold = merge(2, false, &merged, &record);
	assert_int_equal(merged.nr_hosts, 2);
	assert_int_equal(merged.run.result.account.taken, 280);
	assert_int_equal(merged.run.receipt.expected, 284);
	assert_int_equal(merged.run.receipt.missed, 4);
	assert_int_equal(merged.run.receipt.deferred, 2);
	assert_int_equal(merged.run.receipt.nr_cpus, 4);
	assert_int_equal(merged.run.receipt.cost_ns, 500);
	assert_int_equal(merged.run.receipt.nr_merged, 2);
	assert_true(fabs(merged.run.receipt.steal - 0.1) < 1e-12);
	assert_true(merged.run.receipt.paused_seconds == 2);
	assert_int_equal(merged.run.receipt.sampled_ns, 182 * 1000000ULL + 102 * 2000000ULL);
	assert_true(merged.run.result.elapsed_seconds == 10 && merged.run.result.began == 1000);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_int_equal(rows.nr, 3);
	/* New ids: 0 stays 0, since it tells (exiting) from a process that has only a name. */
	for (size_t i = 0; i < rows.nr; i++)
		assert_true(!rows.row[i].id[0] == (rows.row[i].kind == CPUPROBE_KIND_IDLE));
	assert_int_equal(row_hits(find_row(&rows, "web")), 100);
	assert_int_equal(row_hits(find_row(&rows, "own")), 100);
	/* Shares of time: CPU times are 92, 90, 24 and 180 ms. */
	assert_true(fabs(find_row(&rows, "web")->total - (92 + 24) / 386.0) < 1e-9);
	assert_true(fabs(find_row(&rows, "own")->total - (90 * 30 / 90.0 + 180 * 70 / 90.0) / 386.0) < 1e-9);
	assert_int_equal(rows.nr_blocks, 2);
	assert_true(rows.weights.most > 0);
	/* A sample of web2's CPU 0 tells least: it stands for 24 of 386 ms, with 10 samples. */
	assert_true(fabs(merged.run.result.account.excess - (280 * 24 / 386.0 / 10 - 1)) < 1e-9);
	rows_deinit(&rows);
	drop(fold, &merged, &record);
}

/* The modes that the merged run does not tell from the kernel; each of the two runs has these flags. */
static unsigned int merged_modes(u32 flags, u32 other_flags)
{
	struct made made = usual, other = usual;
	struct run_merge merged;
	struct record record;
	struct fold *fold;

	other.host = "web2", made.flags = flags, other.flags = other_flags;
	save(files[0], &made);
	save(files[1], &other);
	fold = merge(2, false, &merged, &record);
	flags = merged.run.receipt.flags;
	drop(fold, &merged, &record);
	return receipt_lumped_modes(flags);
}

/* A mode has a number if some run tells it: samples of it are in no other column. */
static void modes_are_known_if_some_run_tells(void **state)
{
	const unsigned int softirq = 1u << CPUPROBE_MODE_SOFTIRQ, guest = 1u << CPUPROBE_MODE_GUEST;

	assert_int_equal(merged_modes(0, 0), 0);
	assert_int_equal(merged_modes(RECEIPT_BPF, RECEIPT_BPF), softirq | guest);
	assert_int_equal(merged_modes(RECEIPT_BPF, RECEIPT_BPF | RECEIPT_SOFTIRQS), guest);
	assert_int_equal(merged_modes(0, RECEIPT_BPF), 0);
}

static void hosts_are_kept_apart(void **state)
{
	struct made other = usual;
	struct run_merge merged;
	struct record record;
	struct fold *fold;
	struct rows rows;
	size_t nr;

	other.host = "web2";
	save(files[0], &usual);
	save(files[1], &other);
	fold = merge(2, true, &merged, &record);
	assert_int_equal(rows_init(&rows, fold, 0), 0);
	assert_int_equal(rows.nr, 6);
	assert_int_equal(row_hits(find_row(&rows, "web@web1")), 90);
	assert_int_equal(row_hits(find_row(&rows, "web@web2")), 90);
	assert_int_equal(find_row(&rows, "IDLE@web2")->kind, CPUPROBE_KIND_IDLE);
	assert_string_equal(host_load(&record, &nr)[1].name, "web2");
	assert_int_equal(nr, 2);
	rows_deinit(&rows);
	drop(fold, &merged, &record);
}

/* Windows of one host share its CPUs if their clocks are equal; other clocks get other numbers. */
static void windows_share_cpus(void **state)
{
	struct made second = usual, third = usual;
	struct run_merge merged;
	struct record record;
	struct fold *fold;

	/* Ten seconds, and one of pause. */
	second.began = 1011, third.began = 1022, third.excess = 0.296;
	save(files[0], &usual);
	save(files[1], &second);
	save(files[2], &third);
	fold = merge(3, false, &merged, &record);
	assert_int_equal(merged.nr_hosts, 1);
	assert_int_equal(merged.nr_cpus, 4);
	assert_int_equal(merged.run.cpus[0].taken, 180);
	assert_int_equal(merged.run.cpus[2].taken, 90);
	assert_true(merged.run.result.elapsed_seconds == 30);
	assert_true(fold_excess(fold)[1] == 0 && fold_excess(fold)[2] == 0.296);
	drop(fold, &merged, &record);
}

static void refuse(const char *reason)
{
	struct text_error error = { "", "" };
	struct run_merge merged;

	assert_int_not_equal(run_merge_open(&merged, "merge", paths(), 2, &error), 0);
	if (!strstr(error.what, reason))
		fail_msg("%s: not %s", error.what, reason);
	run_merge_close(&merged);
}

static void samples_count_once(void **state)
{
	struct made other = usual;
	struct run_merge merged;

	save(files[0], &usual);
	save(files[1], &usual);
	refuse("they are the same run");
	/* One second in common; with 0.05 s, the windows follow each other. */
	other.began = 1010, other.web = 91;
	save(files[1], &other);
	refuse("both sampled web1 for the same 1 s");
	other.boot = "b2";
	save(files[1], &other);
	refuse("two machines are called web1");
	other.boot = "b1", other.began = 1010.95;
	save(files[1], &other);
	assert_int_equal(run_merge_open(&merged, "merge", paths(), 2, NULL), 0);
	run_merge_close(&merged);
	/* Unknown hosts are hosts of their own. */
	other.host = NULL, other.began = 1000;
	save(files[1], &other);
	assert_int_equal(run_merge_open(&merged, "merge", paths(), 2, NULL), 0);
	assert_int_equal(merged.nr_hosts, 2);
	assert_false(merged.part[1].has_host);
	run_merge_close(&merged);
}

static void different_runs_are_refused(void **state)
{
	struct text_error error = { "", "" };
	struct made other = usual;
	struct run_merge merged;
	struct record record;
	struct fold *fold;

	other.host = "web2", other.by = CPUPROBE_BY_COMM;
	save(files[0], &usual);
	save(files[1], &other);
	refuse("they differ in -by");
	other.by = 0, other.deferred_ns = 5;
	save(files[1], &other);
	refuse("they differ in -deferred-over");
	other.deferred_ns = usual.deferred_ns, other.event_period = 101;
	save(files[1], &other);
	refuse("they differ in -event");
	other = usual, other.host = "web2";
	save(files[1], &other);
	fold = merge(2, false, &merged, &record);
	fold_destroy(fold);
	run_merge_close(&merged);
	assert_int_equal(rename(path, files[1]), 0);
	record_deinit(&record);
	close(open(path, O_CREAT | O_RDWR, 0600));
	refuse("it is a merged run");
	/* Rows of processes say nothing on another host. */
	other = usual, other.by = CPUPROBE_BY_PID;
	save(files[0], &other);
	other.host = "web2";
	save(files[1], &other);
	assert_int_equal(run_merge_open(&merged, "merge", paths(), 2, &error), 0);
	assert_int_equal(run_merge_add_up(&merged, &error), 0);
	assert_null(sys_merge(&merged, false, &error));
	assert_non_null(strstr(error.what, "numbers of processes"));
	fold = sys_merge(&merged, true, &error);
	assert_non_null(fold);
	fold_destroy(fold);
	/* A clock that tells a hundredth of what others do fits no file. */
	assert_int_equal(run_merge_set_excess(&merged, 101, &error), -ERANGE);
	run_merge_close(&merged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_have_intervals_of_their_own),
		cmocka_unit_test(counts_add_up),
		cmocka_unit_test(modes_are_known_if_some_run_tells),
		cmocka_unit_test(hosts_are_kept_apart),
		cmocka_unit_test(windows_share_cpus),
		cmocka_unit_test(samples_count_once),
		cmocka_unit_test(different_runs_are_refused),
	};

	return cmocka_run_group_tests(tests, make_files, remove_files);
}
