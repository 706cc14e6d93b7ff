// SPDX-License-Identifier: GPL-2.0-only
/* The table of `probe sys`, as cli/sys/table_view.c prints it. */
#include "folds.h"
#include "sys/table_view.h"

/* The counts of the documentation's example: three tasks of the paper's Figure 3, and 31 others. */
static struct fold *figure3_fold(void)
{
	struct cpuprobe_account account = { .period_ns = 8333333, .expected = 7200, .taken = 7200,
					    .entries = 34 };
	static struct cpuprobe_record records[34];
	u64 left_kernel = 1678, left_softirq = 425, left_user = 1231;
	struct fold *fold = fold_create();

	record_init(&records[0], 1, "IDLE", 202, 0, 0);
	record_init(&records[1], 2, "gzip", 216, 122, 202);
	record_init(&records[2], 3, "rogue", 2549, 0, 562);
	for (int i = 3; i < 34; i++) {
		char name[16];
		int rest = 34 - i;

		snprintf(name, sizeof(name), "t%d", i);
		record_init(&records[i], i + 1, name, left_kernel / rest, left_softirq / rest,
			    left_user / rest);
		left_kernel -= records[i].hits[CPUPROBE_MODE_KERNEL];
		left_softirq -= records[i].hits[CPUPROBE_MODE_SOFTIRQ];
		left_user -= records[i].hits[CPUPROBE_MODE_USER];
	}
	account.lost[CPUPROBE_MODE_KERNEL] = 7200 - (202 + 540 + 3111 + 1678 + 425 + 1231);
	fold_add(fold, 0, &account, records);
	return fold;
}

static void assert_table(const struct fold *fold, const struct table_options *options,
			 bool is_repeated, const char *expected)
{
	const struct run_result result = { .account = { .taken = 7200, .lost = 8 }, .nr_cpus = 1 };
	char *text = WRITTEN(out, assert_int_equal(table_show(out, fold, &result, NULL, options, NULL,
							      is_repeated), 0));

	assert_non_null(strstr(text, expected));
	free(text);
}

/* A share that the engine cannot tell is not 0. */
static void what_bpf_cannot_tell_is_unknown(void **state)
{
	struct run_result result = {
		.account = { .taken = 7200, .lost = 8, .missed = 3 }, .nr_cpus = 1, .flags = RECEIPT_BPF,
	};
	struct table_options options = {
		.sort = ROWS_SORT_NAME, .nr_rows = 1, .output.columns = "name,softirq,softirq_hits,missed,deferred",
	};
	struct fold *fold = figure3_fold();
	char *text = WRITTEN(out, assert_int_equal(table_show(out, fold, &result, NULL, &options, NULL, false), 0));

	assert_non_null(strstr(text, "\nrogue                 -        -        -        -\n"));
	assert_non_null(strstr(text, "\nTotal\n"));
	free(text);
	options.output.columns = NULL;
	text = WRITTEN(out, assert_int_equal(table_show(out, fold, &result, NULL, &options, NULL, false), 0));
	assert_null(strstr(text, "Softirq"));
	free(text);
	options.output.format = FORMAT_JSON;
	text = WRITTEN(out, assert_int_equal(table_show(out, fold, &result, NULL, &options, NULL, false), 0));
	assert_non_null(strstr(text, "\"missed\": 3,\n  \"lost\": 8,\n  \"deferred\": null,\n"));
	assert_non_null(strstr(text, "\"softirq\": null"));
	assert_non_null(strstr(text, "\"softirq_hits\": null"));
	assert_non_null(strstr(text, "\"missed\": null, \"deferred\": null}"));
	free(text);
	result.flags |= RECEIPT_SOFTIRQS;
	text = WRITTEN(out, assert_int_equal(table_show(out, fold, &result, NULL, &options, NULL, false), 0));
	assert_null(strstr(text, "\"softirq\": null"));
	assert_null(strstr(text, "\"softirq_hits\": null"));
	assert_non_null(strstr(text, "\"deferred\": null}"));
	free(text);
	fold_destroy(fold);
}

/* Shares of events say of which. */
static void events_have_a_heading(void **state)
{
	const struct run_result result = {
		.account = { .taken = 7200, .lost = 8 }, .nr_cpus = 1, .period_ns = 101,
		.event = { .name = "page-faults:u", .period = 101 },
	};
	struct table_options options = { .nr_rows = 1 };
	struct fold *fold = figure3_fold();
	char *text = WRITTEN(out, assert_int_equal(table_show(out, fold, &result, NULL, &options, NULL, false), 0));

	assert_non_null(strstr(text, "Percentage of Events\nCounted page-faults:u with a period of 101\n"
			       "(7200 samples, 8 lost, 0 missed)\n"));
	free(text);
	options.output.format = FORMAT_JSON;
	text = WRITTEN(out, assert_int_equal(table_show(out, fold, &result, NULL, &options, NULL, false), 0));
	assert_non_null(strstr(text, "  \"event\": \"page-faults:u\",\n  \"period\": 101,\n"));
	assert_null(strstr(text, "period_ns"));
	free(text);
	fold_destroy(fold);
}

/* The example of the documentation: Figure 3 of the paper cut to three rows, byte for byte. */
static void figure3_on_linux(void **state)
{
	struct table_options options = { .sort = ROWS_SORT_NAME, .nr_rows = 3 };
	struct fold *fold = figure3_fold();

	assert_table(fold, &options, false, "Percentage CPU Utilization\n"
		     "(7200 samples, 8 lost, 0 missed)\n\n"
		"Task Name       Kernel  Softirq    User   Total     +-\n"
		"==============  ======  =======  ======  ======  =====\n"
		"IDLE               2.8      0.0     0.0     2.8   0.41\n"
		"gzip               3.0      1.7     2.8     7.5   0.63\n"
		"rogue             35.4      0.0     7.8    43.2   1.15\n"
		"(31 others)       23.3      5.9    17.1    46.3   1.15\n"
		"(lost)             0.2      0.0     0.0     0.2   0.13\n"
		"--------------  ------  -------  ------  ------  -----\n"
		"Total             64.7      7.6    27.7   100.0\n");
	/* Other columns of these rows, and the columns of one CPU by name. */
	options.output.columns = "name,total,lo,hi,missed";
	options.has_cpus = true;
	assert_table(fold, &options, false,
		"Task Name        Total    95% interval   Missed    CPU0\n"
		"==============  ======  ======  ======  =======  ======\n"
		"IDLE               2.8    2.45    3.21        0     2.8\n"
		"gzip               7.5    6.91    8.13        0     7.5\n"
		"rogue             43.2   42.07   44.36        0    43.2\n"
		"(31 others)       46.3   45.16   47.46        0    46.3\n"
		"(lost)             0.2    0.11    0.31        0     0.2\n"
		"--------------  ------  ------  ------  -------  ------\n"
		"Total            100.0                        0   100.0\n");
	options.output = (struct output_options){ .columns = "-lo,-hi,-user_hits",
						  .format = FORMAT_TSV };
	assert_table(fold, &options, true,
		     "name\tpid\tkernel\tsoftirq\tguest\tuser\ttotal\terror\tcharged\t"
		"kernel_hits\tsoftirq_hits\tguest_hits\tmissed\tdeferred\tcpu0\ttime\nIDLE\t0\t");
	fold_destroy(fold);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_bpf_cannot_tell_is_unknown),
		cmocka_unit_test(events_have_a_heading),
		cmocka_unit_test(figure3_on_linux),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
