// SPDX-License-Identifier: GPL-2.0-only
/* Lateness: the module's counting (kmod/late.c) and the tool's report (cli/sys/late_report.c). */
#include "unit.h"
#include "grid.h"
#include "late.h"
#include "sys/late_report.h"
#include "sys/late_view.h"

static void bins(void **state)
{
	assert_int_equal(late_bin(-5), 0);
	assert_int_equal(late_bin(0), 0);
	assert_int_equal(late_bin(1), 1);
	assert_int_equal(late_bin(1023), 10);
	assert_int_equal(late_bin(1024), 11);
	assert_int_equal(late_bin(INT64_MAX), CPUPROBE_LATE_BINS - 1);
}

static void samples_are_counted_once(void **state)
{
	static struct late late;

	memset(&late, 0, sizeof(late));
	late_add(&late, false, 1500, 300);
	late_add(&late, false, 5, 500);
	late_add(&late, true, 1 << 20, 100);
	assert_int_equal(late_hits(&late), 3);
	assert_int_equal(late.counts.hits[0][11] + late.counts.hits[0][3], 2);
	assert_int_equal(late.counts.hits[1][21], 1);
	assert_int_equal(late.counts.handler_ns, 900);
	assert_int_equal(late.counts.handler_ns2, 90000 + 250000 + 10000);
	assert_int_equal(late.counts.handler_min_ns, 100);
	assert_int_equal(late.counts.handler_max_ns, 500);
	assert_int_equal(late.counts.handler_hits[9], 2);
	assert_int_equal(late.counts.handler_hits[7], 1);
	/* A machine that was stopped for an hour in a handler counts for a second, whose square fits. */
	late_add(&late, false, 5, 3600 * LATE_HANDLER_MAX_NS);
	assert_int_equal(late.counts.handler_ns, 900 + LATE_HANDLER_MAX_NS);
	assert_int_equal(late.counts.handler_ns2, 350000 + LATE_HANDLER_MAX_NS * LATE_HANDLER_MAX_NS);
	assert_int_equal(late.counts.handler_max_ns, 3600 * LATE_HANDLER_MAX_NS);
	late_add(&late, false, 5, 3601 * LATE_HANDLER_MAX_NS);
	assert_int_equal(late.counts.handler_max_ns, 3601 * LATE_HANDLER_MAX_NS);
}

/* Places that have no room are lost, and counted as lost. */
static void places_fill_up(void **state)
{
	static struct late late;
	u64 lost = 0;

	memset(&late, 0, sizeof(late));
	for (u64 i = 0; i < 1000; i++) {
		struct cpuprobe_place *place =
			late_place(&late, 0xffffffff81000000 + i * 64, 0xffffffff81000000);

		if (place)
			place->hits++;
		else
			lost++;
	}
	assert_int_equal(late_deferred(&late) + lost, 1000);
	assert_in_range(late.nr_places, CPUPROBE_LATE_PLACES * 9 / 10, CPUPROBE_LATE_PLACES);
	assert_ptr_equal(late_place(&late, late.counts.place[7].pc, late.counts.place[7].caller),
			 &late.counts.place[7]);
}

/* One unlock with two callers is two places, wherever the table happens to keep them. */
static void callers_are_told_apart(void **state)
{
	static struct late late;

	for (u64 i = 1; i < 1000; i++) {
		struct cpuprobe_place *one, *two;

		memset(&late, 0, sizeof(late));
		one = late_place(&late, 0x1000, i);
		one->hits++;
		two = late_place(&late, 0x1000, i + 1);
		two->hits++;
		assert_ptr_not_equal(one, two);
		assert_ptr_equal(late_place(&late, 0x1000, i), one);
	}
}

/* Two callers at one pc whose search begins at the same place. */
static void callers_that_collide(void **state)
{
	static struct late late;
	struct cpuprobe_place *one, *two;
	u64 caller = 1;

	one = late_place(&late, 0x1000, caller);
	do {
		static struct late empty;

		memset(&empty, 0, sizeof(empty));
		two = late_place(&empty, 0x1000, ++caller);
		two = &late.counts.place[two - empty.counts.place];
	} while (two != one);
	one->hits++;
	two = late_place(&late, 0x1000, caller);
	assert_ptr_equal(two, one + 1 < late.counts.place + CPUPROBE_LATE_PLACES ? one + 1 :
			 late.counts.place);
	assert_int_equal(two->caller, caller);
	assert_int_equal(one->caller, 1);
}

/* Places with equal names share a row; the row with the most periods comes first. */
static void places_are_merged(void **state)
{
	struct cpuprobe_account account = { .taken = 10, .expected = 14, .missed = 4, .entries = 3,
					    .late_ns = 5000, .late_max_ns = 900 };
	static struct cpuprobe_lateness lateness = {
		.place = {
			{ .pc = 0x1000, .caller = 0x1000, .hits = 1, .off_ns = 500, .late_ns = 100,
			  .late_max_ns = 100 },
			{ .pc = 0x2000, .caller = 0x3001, .hits = 2, .missed = 4, .off_ns = 5000,
			  .late_ns = 1500, .late_max_ns = 900 },
			{ .hits = 1, .off_ns = 1000, .late_max_ns = 50 },
		},
	};
	struct late_report report = { .nr_cpus = 0 };

	late_report_add(&report, 0, &account, &lateness);
	late_report_add(&report, 3, &account, &lateness);
	assert_int_equal(report.nr_cpus, 2);
	late_report_name(&report, NULL);
	assert_int_equal(report.nr_places, 3);
	assert_string_equal(report.places[0].landed, "0x2000");
	assert_string_equal(report.places[0].caller, "0x3000");
	assert_int_equal(report.places[0].counts.hits, 4);
	assert_int_equal(report.places[0].counts.missed, 8);
	assert_int_equal(report.places[0].counts.late_ns, 3000);
	assert_int_equal(report.places[0].counts.late_max_ns, 900);
	assert_string_equal(report.places[1].landed, "(user code)");
	assert_string_equal(report.places[2].caller, "");
	late_report_clear(&report);
}

/* The report fits 40 columns, with bars. */
static void fits_narrow(const struct late_report *report, const struct receipt *receipt)
{
	const struct output_options options = { .format = FORMAT_TEXT, .cols = 40 };
	static struct late_cpu cpu = { .taken = 100, .handler_ns = 1e5, .handler_ns2 = 1e8 };
	struct late_report narrow = *report;
	char *text, *rest, *line;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	cpu.hits[0][3] = 90;
	cpu.hits[0][5] = 10;
	narrow.cpus = &cpu;
	narrow.nr_cpus = 1;
	assert_int_equal(late_view_show(out, &narrow, receipt, &options), 0);
	fclose(out);
	assert_non_null(strstr(text, "        90         0  *********\n"));
	for (rest = text; (line = strsep(&rest, "\n"));)
		assert_in_range(text_width(line), 0, 40);
	free(text);
}

/* Samples that woke the CPU from idle are not in the mean. */
static void the_mean_is_that_of_samples_at_work(void **state)
{
	static struct late_cpu cpu = { .cpu = 2, .taken = 100, .late_ns = 20000, .late_max_ns = 900 };
	const struct late_report report = { .cpus = &cpu, .nr_cpus = 1 };
	const struct output_options options = { .format = FORMAT_TEXT, .cols = 200 };
	const struct receipt receipt = { .deferred_ns = 100000 };
	char *text;

	cpu.hits[0][9] = 40;
	cpu.hits[1][9] = 60;
	text = WRITTEN(out, assert_int_equal(late_view_show(out, &report, &receipt, &options), 0));
	assert_non_null(strstr(text, "CPU 2: 100 samples, 60 of them woke the CPU from idle. "
			       "Lateness at work: 500 ns on average, 900 ns at most."));
	free(text);
}

/* As text, TSV and JSON; times have a suitable unit. */
static void places_are_shown(void **state)
{
	static struct late_place places[] = {
		{ { .hits = 12, .missed = 3, .late_ns = 14400000, .late_max_ns = 33000000,
		    .off_ns = 50000000 },
		  "_raw_spin_unlock_irq", "worker" },
		{ { .hits = 1, .late_ns = 999, .late_max_ns = 999, .off_ns = 999 }, "(user code)",
		  "" },
	};
	const struct late_report report = { .places = places, .nr_places = 2,
					    .sampled_ns = 1000000000,
					    .expected = 1000 };
	const struct receipt receipt = { .deferred_ns = 100000 };
	struct output_options options = { .format = FORMAT_TEXT };
	char *text;

	text = WRITTEN(out, assert_int_equal(late_view_show(out, &report, &receipt, &options), 0));
	assert_non_null(strstr(text, "interrupts after more than 100 us\n\n"
		"Samples   Share     +-      Mean       Max  Landed in < called from\n"
		"=======  ======  =====  ========  ========  =============================\n"
		"     12    5.00   1.53    1.2 ms     33 ms  _raw_spin_unlock_irq < worker\n"
		"      1    0.00   0.38    999 ns    999 ns  (user code)\n\n"));
	free(text);
	fits_narrow(&report, &receipt);
	options = (struct output_options){ .format = FORMAT_TSV };
	text = WRITTEN(out, assert_int_equal(late_view_show(out, &report, &receipt, &options), 0));
	assert_string_equal(text,
			    "landed\tcaller\tsamples\tmissed\tshare\tlo\thi\tmean_ns\tmax_ns\n"
		"_raw_spin_unlock_irq\tworker\t12\t3\t5.0000\t3.8130\t6.5314\t1200000\t33000000\n"
		"(user code)\t\t1\t0\t0.0001\t0.0000\t0.3829\t999\t999\n");
	free(text);
}

/* Handlers' times: mean, deviation and extremes of each CPU with samples, and of all. */
static void handlers_are_shown(void **state)
{
	static struct late_cpu cpus[] = {
		{ .cpu = 0, .taken = 4, .sampled_ns = 4000000, .handler_ns = 2000,
		  .handler_ns2 = 1040000, .handler_min_ns = 400, .handler_max_ns = 600,
		  .handler_hits = { [9] = 2, [10] = 2 } },
		{ .cpu = 1 },
		{ .cpu = 7, .taken = 1, .sampled_ns = 1000000, .handler_ns = 1500,
		  .handler_ns2 = 2250000, .handler_min_ns = 1500, .handler_max_ns = 1500,
		  .handler_hits = { [11] = 1 } },
	};
	struct late_report report = { .cpus = cpus, .nr_cpus = 3 };
	const struct receipt receipt = { .deferred_ns = 100000 };
	struct output_options options = { .format = FORMAT_TEXT };
	char *text;

	text = WRITTEN(out, assert_int_equal(late_view_show_handlers(out, &report, &receipt,
								     &options), 0));
	assert_non_null(strstr(text,
		"  CPU    Samples      Mean      S.d.       Min       Max    Share\n"
		"=====  =========  ========  ========  ========  ========  =======\n"
		"    0          4    500 ns    100 ns    400 ns    600 ns    0.050\n"
		"    7          1    1.5 us      0 ns    1.5 us    1.5 us    0.150\n"
		"  all          5    700 ns    410 ns    400 ns    1.5 us    0.070\n"
		"\n   Time <   Samples\n=========  ========\n"
		"   512 ns         2  ****************************************\n"
		"  1.02 us         2  ****************************************\n"
		"  2.05 us         1  ********************\n"
		"\nReceipt: "));
	free(text);
	options = (struct output_options){ .format = FORMAT_TSV };
	text = WRITTEN(out, assert_int_equal(late_view_show_handlers(out, &report, &receipt,
								     &options), 0));
	assert_string_equal(text, "cpu\tsamples\tmean_ns\tsd_ns\tmin_ns\tmax_ns\tshare\n"
		"0\t4\t500\t100\t400\t600\t0.0500\n7\t1\t1500\t0\t1500\t1500\t0.1500\n"
		"null\t5\t700\t410\t400\t1500\t0.0700\n");
	free(text);
	/* The only CPU with samples needs no sum. */
	report.nr_cpus = 2;
	options.format = FORMAT_JSON;
	text = WRITTEN(out, assert_int_equal(late_view_show_handlers(out, &report, &receipt,
								     &options), 0));
	assert_non_null(strstr(text, "\"rows\": [\n    {\"cpu\": 0, \"samples\": 4, "
			       "\"mean_ns\": 500, \"sd_ns\": 100, "));
	assert_null(strstr(text, "\"cpu\": null"));
	free(text);
}

/*
 * Interrupts are off for 1.7 periods of every 40, at any phase, in lockstep with the grid or not:
 * the estimate of the time that samples waited is unbiased.
 */
static void waiting_is_unbiased(void **state)
{
	for (int phase = 0; phase < 10; phase++) {
		const u64 period = 100000, every = 40 * period, off = 170000;
		u64 now, waited = 0, start = 1000000000, end = start + 400000 * period;
		struct grid grid;

		grid_init(&grid, period, CPUPROBE_JITTER_GRID, 1, phase);
		grid_begin(&grid, start);
		while ((now = grid.expiry_ns) < end) {
			u64 at = (now + phase * period / 10) % every, missed;

			if (at < off)
				now += off - at;
			missed = grid_advance(&grid, now);
			if (at < off)
				waited += grid_waited_ns(&grid, missed, now);
		}
		assert_true(waited > 0.98 * off * 10000 && waited < 1.02 * off * 10000);
	}
}

/* By NMI a place has the time that lateness charges to its function, or to a lock that it released. */
static void nmis_are_compared_with_lateness(void **state)
{
	struct late_place off[] = {
		{ .landed = "holds", .counts = { .hits = 30, .off_ns = 30000000 } },
		{ .landed = "called", .counts = { .hits = 5, .off_ns = 5000000 } },
	};
	struct late_place late[] = {
		{ .landed = "unlock", .caller = "holds", .counts = { .hits = 2, .off_ns = 20000000 } },
		{ .landed = "holds", .counts = { .hits = 1, .off_ns = 9000000 } },
		{ .landed = "called", .caller = "holds too", .counts = { .hits = 1, .off_ns = 7 } },
	};
	struct late_report report = {
		.places = off, .nr_places = 2, .is_by_nmi = true, .expected = 100, .sampled_ns = 100000000, .irqs_off = 36,
		.off_ns = 36000000,
	};
	const struct late_report inferred = { .places = late, .nr_places = 3, .expected = 200, .sampled_ns = 200000000 };
	const struct receipt receipt = { .period_ns = 1000000, .deferred_ns = 20000, .flags = RECEIPT_NMI };
	const struct output_options tsv = { .format = FORMAT_TSV }, narrow = { .cols = 80 };
	char *text;

	late_report_compare(&report, &inferred);
	assert_int_equal(off[0].inferred_ns, 29000000);
	assert_int_equal(off[1].inferred_ns, 0);
	assert_int_equal(late_report_off_ns(&inferred), 29000007);
	text = WRITTEN(out, late_view_show_nmi(out, &report, &receipt, &tsv));
	assert_non_null(strstr(text, "function\tcaller\tsamples\tshare\tlo\thi\tlate\tlate_lo\tlate_hi\n"));
	assert_non_null(strstr(text, "\nholds\t\t30\t30.00"));
	assert_non_null(strstr(text, "\t14.50"));
	free(text);
	/* Samples without a place are in the total. */
	text = WRITTEN(out, late_view_show_nmi(out, &report, &receipt, &narrow));
	assert_non_null(strstr(text, "Interrupts were off for 36.00 +- "));
	assert_non_null(strstr(text, "14.50 +- "));
	free(text);
}

/* A CPU that has missed periods counts for as much as one that has not: its samples stand for those periods. */
static void missed_nmis_are_shared_out(void **state)
{
	static struct cpuprobe_lateness lateness = {
		.place = { { .pc = 7, .hits = 8, .off_ns = 8000 } },
	};
	struct cpuprobe_account account = {
		.expected = 100, .taken = 80, .missed = 20, .period_ns = 1000, .irqs_off = 8, .entries = 1,
	};
	struct late_report timer = { .nr_cpus = 0 }, nmi = { .is_by_nmi = true };

	late_report_add(&timer, 0, &account, &lateness);
	late_report_add(&nmi, 0, &account, &lateness);
	assert_int_equal(timer.expected, 100);
	assert_int_equal(timer.sampled_ns, 100000);
	assert_int_equal(nmi.expected, 80);
	assert_int_equal(nmi.sampled_ns, 100000);
	assert_int_equal(nmi.irqs_off, 8);
	assert_int_equal(nmi.off_ns, 10000);
	assert_int_equal(nmi.places[0].counts.off_ns, 10000);
	assert_int_equal(timer.places[0].counts.off_ns, 8000);
	/* None at all tells nothing about its time. */
	account.taken = account.irqs_off = account.entries = 0;
	account.missed = 100;
	late_report_add(&nmi, 1, &account, &lateness);
	assert_int_equal(nmi.sampled_ns, 100000);
	late_report_clear(&timer);
	late_report_clear(&nmi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins), cmocka_unit_test(samples_are_counted_once),
		cmocka_unit_test(places_fill_up),
		cmocka_unit_test(callers_are_told_apart), cmocka_unit_test(callers_that_collide),
		cmocka_unit_test(places_are_merged),
		cmocka_unit_test(the_mean_is_that_of_samples_at_work),
		cmocka_unit_test(places_are_shown), cmocka_unit_test(handlers_are_shown),
		cmocka_unit_test(waiting_is_unbiased),
		cmocka_unit_test(nmis_are_compared_with_lateness),
		cmocka_unit_test(missed_nmis_are_shared_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
