// SPDX-License-Identifier: GPL-2.0-only
/* The receipt of a run: cli/run/receipt.c. */
#include <math.h>

#include "unit.h"
#include "cpuprobe.h"
#include "run/receipt.h"

/* 10,000 samples without a loss. */
static const struct receipt clean = {
	.seed = 77, .period_ns = 1000000, .expected = 10000, .taken = 10000,
	.sampled_ns = 10000000000, .nr_cpus = 2, .cost_ns = 1500, .deferred_ns = 100000,
	.what = CPUPROBE_WHAT_SYSTEM, .module = "1.0", .kernel = "6.12",
};

/* The text that receipt_warn() writes to stderr; to be freed. */
static char *warnings(const struct receipt *receipt, int digits)
{
	FILE *saved = stderr;
	char *text = NULL;
	size_t len;

	stderr = open_memstream(&text, &len);
	receipt_warn(receipt, digits);
	fclose(stderr);
	stderr = saved;
	return text;
}

/* Check the warning and the hint of a receipt shown with one digit; NULL: none. */
static void assert_warning(const struct receipt *receipt, const char *warning, const char *hint)
{
	char *text = warnings(receipt, 1), expected[512] = "";

	if (warning)
		snprintf(expected, sizeof(expected), "probe: warning: %s\nhint: %s\n", warning,
			 hint);
	assert_string_equal(text, expected);
	free(text);
}

static char *printed(const struct receipt *receipt)
{
	return WRITTEN(out, receipt_print(out, receipt, 10000));
}

static char *as_json(const struct receipt *receipt)
{
	return WRITTEN(out, receipt_json(out, receipt));
}

/* Without the module: what it alone can tell is not made up. */
static void engine_is_named(void **state)
{
	struct receipt receipt = clean;
	char *text = printed(&receipt);

	assert_non_null(strstr(text, "; 0 lost, 0 deferred, steal"));
	free(text);
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"engine\": \"module\""));
	free(text);
	receipt.flags = RECEIPT_BPF;
	receipt.missed = 100;
	text = printed(&receipt);
	assert_non_null(strstr(text, "; 0 lost, deferred unknown, steal"));
	assert_non_null(strstr(text, "; cost of a sample unknown; "));
	assert_non_null(strstr(text, "%; clock comb; seed "));
	assert_non_null(strstr(text, ", lateness, softirqs apart from other kernel time."));
	free(text);
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"engine\": \"bpf\""));
	assert_non_null(strstr(text, "\"jitter\": \"comb\""));
	free(text);
	receipt.flags = RECEIPT_BPF | RECEIPT_SOFTIRQS;
	text = printed(&receipt);
	assert_non_null(strstr(text, ", lateness."));
	free(text);
	receipt.flags = RECEIPT_PERF;
	text = printed(&receipt);
	assert_non_null(strstr(text, " reached in running threads; "));
	assert_non_null(strstr(text, "; 0 lost, deferred unknown, steal"));
	assert_non_null(strstr(text, ", other users, the kernel, idle CPUs, lateness."));
	assert_non_null(strstr(text, "Own processes, user mode only: 0 threads sampled."));
	free(text);
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"engine\": \"perf\""));
	assert_non_null(strstr(text, "\"own\": { \"threads\": 0"));
	assert_non_null(strstr(text, "\"jitter\": \"redrawn\""));
	free(text);
	receipt.jitter = CPUPROBE_JITTER_NONE;
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"jitter\": \"none\""));
	free(text);
	assert_warning(&receipt, "100 of 10000 periods (1.0%) passed without a sample",
		       "most of them ended in the kernel, which perf events of users do not show; "
		       "a lower -rate misses fewer");
	receipt.flags = RECEIPT_BPF;
	assert_warning(&receipt, "100 of 10000 periods (1.0%) passed without a sample",
		       "interrupts were off, or the host or another BPF program ran; "
		       "a lower -rate misses fewer");
}

/* The limit is half of the last digit printed: 0.05% of 10,000 is 5. Each loss at both sides. */
static void lost_samples(void **state)
{
	struct receipt receipt = clean;

	assert_warning(&receipt, NULL, NULL);
	receipt.lost = 4;
	assert_warning(&receipt, NULL, NULL);
	receipt.lost = 5;
	assert_warning(&receipt,
		       "5 samples (0.1%) found no room in the table: row (lost)",
		       "-by exe or -by comm needs fewer records; a lower -rate fills it more "
		       "slowly");
	receipt.what = CPUPROBE_WHAT_STACKS;
	assert_warning(&receipt,
		       "5 samples (0.1%) found no room in the table: row (lost)",
		       "-memory enlarges the table of stacks; a lower -rate fills it more "
		       "slowly");
	/* By BPF */
	receipt.what = CPUPROBE_WHAT_PROCESS;
	assert_warning(&receipt, "5 samples (0.1%) are of processes that ended before they were looked at: they are in no slot",
		       "a longer run has fewer; the module has none");
	receipt.what = CPUPROBE_WHAT_STACKS;
	/* Losses are relative to the samples that were not left out. */
	receipt.lost = 4;
	receipt.excluded = 2500;
	assert_warning(&receipt,
		       "4 samples (0.1%) found no room in the table: row (lost)",
		       "-memory enlarges the table of stacks; a lower -rate fills it more "
		       "slowly");
}

static void missed_periods(void **state)
{
	struct receipt receipt = clean;

	receipt.missed = 4;
	assert_warning(&receipt, NULL, NULL);
	receipt.missed = 5;
	assert_warning(&receipt,
		       "5 of 10000 periods (0.1%) passed without a sample",
		       "'probe late' shows what delayed samples; a lower -rate misses fewer");
}

static void deferred_samples(void **state)
{
	struct receipt receipt = clean;

	receipt.deferred = 4;
	assert_warning(&receipt, NULL, NULL);
	receipt.deferred = 5;
	assert_warning(&receipt,
		       "5 samples (0.1%) came over 100 us late",
		       "'probe late' shows what kept interrupts off; "
		       "-deferred exclude omits them");
	receipt.excluded = 5;
	receipt.flags = RECEIPT_EXCLUDES;
	assert_warning(&receipt,
		       "5 samples (0.1%) came over 100 us late and were left out",
		       "'probe late' shows what kept interrupts off; "
		       "-deferred show includes them");
}

static void stolen_time(void **state)
{
	struct receipt receipt = clean;

	receipt.steal = NAN;
	assert_warning(&receipt, NULL, NULL);
	receipt.steal = 0.00049;
	assert_warning(&receipt, NULL, NULL);
	receipt.steal = 0.00051;
	assert_warning(&receipt,
		       "the host took 0.1% of the sampled CPUs' time",
		       "shares are of the time the guest had; measure on a quieter host");
}

/* With more decimals printed, fewer losses are tolerated. */
static void digits_decide(void **state)
{
	struct receipt receipt = clean;
	char *text;

	receipt.lost = receipt.missed = receipt.deferred = 1;
	receipt.steal = 0.0001;
	assert_warning(&receipt, NULL, NULL);
	text = warnings(&receipt, 2);
	assert_non_null(strstr(text, "1 samples (0.0%) found no room"));
	assert_non_null(strstr(text, "1 of 10000 periods"));
	assert_non_null(strstr(text, "1 samples (0.0%) came over"));
	assert_non_null(strstr(text, "the host took 0.0%"));
	free(text);
	/* Without samples there is nothing to warn of. */
	receipt = (struct receipt){ .what = CPUPROBE_WHAT_SYSTEM };
	assert_warning(&receipt, NULL, NULL);
}

/* All sums, and no field that does not apply to this run. */
static void cpus_add_up(void **state)
{
	static const struct receipt_cpu cpus[] = {
		{ .cpu = 0, .expected = 100, .taken = 90, .missed = 10, .lost = 3, .deferred = 7,
		  .excluded = 5, .sampled_ns = 1000, .flags = CPUPROBE_ACCOUNT_SLOWED },
		{ .cpu = 1, .expected = 200, .taken = 199, .missed = 1, .lost = 4, .deferred = 8,
		  .excluded = 6, .sampled_ns = 2000,
		  .flags = ~(CPUPROBE_ACCOUNT_SLOWED | CPUPROBE_ACCOUNT_COSTLY) },
		{ .cpu = 2 },
	};
	struct receipt receipt;

	memset(&receipt, 0xff, sizeof(receipt));
	receipt_add_up(&receipt, cpus, 3);
	assert_int_equal(receipt.expected, 300);
	assert_int_equal(receipt.taken, 289);
	assert_int_equal(receipt.missed, 11);
	assert_int_equal(receipt.lost, 7);
	assert_int_equal(receipt.deferred, 15);
	assert_int_equal(receipt.excluded, 11);
	assert_int_equal(receipt.sampled_ns, 3000);
	assert_int_equal(receipt.nr_cpus, 2);
	assert_int_equal(receipt.nr_slowed, 1);
}

/* The line with every part: rates are samples per CPU, costs are per sample taken. */
static void line_has_every_part(void **state)
{
	struct receipt receipt = clean;
	char *text;

	receipt.taken = 8000;
	receipt.missed = 2000;
	receipt.deferred = receipt.excluded = 1000;
	receipt.flags = RECEIPT_EXCLUDES;
	receipt.steal = 0.025;
	text = printed(&receipt);
	assert_string_equal(text,
		"Receipt: 1000 Hz asked, 800 reached on 2 CPUs; 10000 expected = 8000 taken + 2000 "
		"missed; 0 lost, 1000 deferred (left out), steal 2.5%, 0 CPUs skipped; 1.5 us a "
		"sample, 0.12% overhead; least share 0.043%; seed 0x4d; module 1.0, kernel 6.12; "
		"unseen: interrupt handlers and firmware (they delay samples), deferred "
		"samples.\n");
	free(text);
	receipt = clean;
	receipt.deferred = 3;
	receipt.nr_cpus = 1;
	receipt.nr_skipped = 2;
	receipt.nr_slowed = 1;
	receipt.steal = NAN;
	receipt.flags = RECEIPT_SLEEPS | RECEIPT_VIRTUAL;
	receipt.jitter = CPUPROBE_JITTER_POISSON;
	snprintf(receipt.skipped, sizeof(receipt.skipped), "2-3");
	text = printed(&receipt);
	assert_string_equal(text,
		"Receipt: 1000 Hz poisson asked, 1000 reached on 1 CPU, halved on 1, idle ones "
		"asleep; 10000 expected = 10000 taken + 0 missed; 0 lost, 3 deferred (kept), "
		"steal unknown, 2 CPUs skipped; 1.5 us a sample, at most 0.15% overhead; least "
		"share 0.03%; seed 0x4d; module 1.0, kernel 6.12; unseen: interrupt handlers and "
		"firmware (they delay samples), what the host does, 2 isolated CPUs: 2-3.\n");
	free(text);
}

/* The text names the bound of deferred samples if it is not the usual one. */
static void bound_of_deferred(void **state)
{
	static const struct { u32 ns; const char *text; } cases[] = {
		{ 99999, "0 lost, 2 deferred over 100 us (kept), " },
		{ 100000, "0 lost, 2 deferred (kept), " },
		{ 1500000, "0 lost, 2 deferred over 1.5 ms (kept), " },
	};
	struct receipt receipt = clean;
	char *text;

	receipt.deferred = 2;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		receipt.deferred_ns = cases[i].ns;
		text = printed(&receipt);
		assert_non_null(strstr(text, cases[i].text));
		free(text);
	}
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"deferred_over_ns\": 1500000, \"steal\""));
	free(text);
	receipt.deferred = 5;
	receipt.deferred_ns = 20000;
	assert_warning(&receipt, "5 samples (0.1%) came over 20 us late",
		       "'probe late' shows what kept interrupts off; "
		       "-deferred exclude omits them");
}

/* Slowed down and skipped are reported apart. */
static void cpus_of_the_line(void **state)
{
	struct receipt receipt = clean;
	char *text;

	receipt.nr_slowed = 2;
	text = printed(&receipt);
	assert_non_null(strstr(text, "on 2 CPUs, halved on 2; "));
	assert_non_null(strstr(text, "0 CPUs skipped"));
	assert_non_null(strstr(text, "firmware (they delay samples)."));
	free(text);
	receipt.paused_seconds = 90.25;
	text = printed(&receipt);
	assert_non_null(strstr(text, "halved on 2; paused for 90.2 s; 10000 expected"));
	free(text);
	receipt.paused_seconds = 0;
	receipt.nr_slowed = 0;
	receipt.nr_skipped = 1;
	text = printed(&receipt);
	assert_non_null(strstr(text, "on 2 CPUs; "));
	assert_non_null(strstr(text, "1 CPU skipped"));
	assert_non_null(strstr(text, "(they delay samples), 1 isolated CPU."));
	free(text);
}

static void json_has_every_field(void **state)
{
	struct receipt receipt = clean;
	char *text;

	receipt.taken = 8000;
	receipt.missed = 2000;
	receipt.steal = NAN;
	receipt.nr_slowed = 1;
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"rate_asked\": 1000, \"rate_reached\": 800,"));
	assert_non_null(strstr(text, "\"cpus\": 2, \"cpus_skipped\": 0, \"cpus_slowed\": 1, "
			       "\"expected\": 10000, \"taken\": 8000, \"missed\": 2000"));
	assert_non_null(strstr(text, "\"steal\": null"));
	assert_non_null(strstr(text, "\"sample_cost_ns\": 1500, \"overhead\": 0.1200, "
			       "\"least_share\": 0.037440"));
	free(text);
	receipt.steal = 0.025;
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"steal\": 2.5000"));
	free(text);
	receipt.flags |= RECEIPT_BPF;
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"deferred\": null, \"deferred_excluded\": null, \"deferred_over_ns\": null, "));
	assert_non_null(strstr(text, "\"sample_cost_ns\": null, \"overhead\": null, \"least_share\": "));
	free(text);
}

/* Page faults, for 4 s on two CPUs. */
static struct receipt of_faults(void)
{
	struct receipt receipt = clean;

	receipt.period_ns = 101;
	receipt.taken = receipt.expected = 4000;
	receipt.sampled_ns = 404000;
	receipt.cost_ns = 2000;
	receipt.event = (struct receipt_event){
		.event = { .name = "page-faults", .type = 1, .config = 2, .period = 101 },
		.least_ns = 1000000, .counted = 404050, .enabled_ns = 8000000000, .running_ns = 8000000000,
	};
	return receipt;
}

/* The receipt of events names no rate of a clock. */
static void events_are_named(void **state)
{
	struct receipt receipt = of_faults();
	char *text = printed(&receipt);

	assert_non_null(strstr(text, "Receipt: page-faults with a period of 101, at most 1000 Hz asked, 500 Hz "
			       "reached, 404050 events counted on 2 CPUs; 4000 expected = 4000 taken"));
	assert_non_null(strstr(text, "deferred unknown"));
	assert_non_null(strstr(text, "2.0 us a sample, 0.10% overhead"));
	assert_non_null(strstr(text, "unseen: events that occur while the kernel handles another one."));
	free(text);
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"rate_asked\": 1000, \"rate_reached\": 500,"));
	assert_non_null(strstr(text, "\"event\": { \"name\": \"page-faults\", \"period\": 101, "
			       "\"rate_at_most\": 1000, \"counted\": 404050,\n      "
			       "\"enabled_ns\": 8000000000, \"running_ns\": 8000000000, \"cpus_throttled\": 0, "
			       "\"cpus_uncounted\": 0 }"));
	free(text);
	assert_warning(&receipt, NULL, NULL);
	text = as_json(&clean);
	assert_null(strstr(text, "\"event\""));
	free(text);
}

static void events_are_warned_of(void **state)
{
	struct receipt receipt = of_faults();
	char *text;

	receipt.missed = 1000;
	receipt.expected = 5000;
	assert_warning(&receipt, "page-faults: 1000 of 5000 periods (20.0%) passed without a sample",
		       "events came faster than -rate allows; a larger -period misses fewer");
	receipt = of_faults();
	receipt.event.running_ns = 5000000000;
	assert_warning(&receipt, "page-faults was counted for 62.5% of the time: events took turns",
		       "the processor has fewer counters than events that are wanted now");
	text = printed(&receipt);
	assert_non_null(strstr(text, "events counted in the 62.5% of the time in which the counters ran on"));
	free(text);
	receipt = of_faults();
	receipt.event.least_ns = 10000000;
	assert_warning(&receipt, "page-faults: samples came at 500 Hz, faster than the 100 Hz of -rate",
		       "a larger -period takes fewer");
	receipt = of_faults();
	receipt.event.nr_throttled = 1;
	assert_warning(&receipt, "the kernel stopped counting page-faults at times, on 1 CPU",
		       "events came too fast for it: a larger -period, or a higher kernel.perf_event_max_sample_rate");
	receipt = of_faults();
	receipt.event.nr_uncounted = 2;
	assert_warning(&receipt, "page-faults: 2 CPUs had no counter for a part of the run",
		       "a CPU that was offline is counted again about a second after its return");
	/* The host's time is no part of the events. */
	receipt = of_faults();
	receipt.steal = 0.5;
	assert_warning(&receipt, NULL, NULL);
}

/* By BPF the kernel's own events have a comb, the processor's have one counter, and a period of 1 has neither. */
static void events_have_their_clock(void **state)
{
	struct receipt receipt = of_faults();

	assert_string_equal(receipt_clock_name(&receipt), "grid");
	assert_true(receipt_excess(&receipt) == 0);
	receipt.flags = RECEIPT_BPF;
	assert_string_equal(receipt_clock_name(&receipt), "comb");
	assert_true(receipt_excess(&receipt) > 0.29 && receipt_excess(&receipt) < 0.3);
	receipt.event.event.type = 0;
	assert_string_equal(receipt_clock_name(&receipt), "redrawn");
	assert_true(receipt_excess(&receipt) > 2);
	receipt.event.event.period = 1;
	assert_string_equal(receipt_clock_name(&receipt), "none");
	assert_true(receipt_excess(&receipt) == 0);
}

/* NMIs: counted, and none is late; what is lost has a remedy. */
static void nmis_are_told(void **state)
{
	struct receipt receipt = clean;
	char *text;

	receipt.flags = RECEIPT_NMI;
	receipt.nmi = (struct receipt_nmi){ .irqs_off = 700, .merged = 1, .foreign = 0 };
	receipt.deferred = 700;
	text = printed(&receipt);
	assert_non_null(strstr(text, "1000 Hz by NMI asked, "));
	assert_non_null(strstr(text, "; 0 lost, 700 with interrupts off, 1 NMI merged, 0 unknown, steal"));
	assert_non_null(strstr(text, "unseen: NMI handlers and firmware"));
	free(text);
	text = as_json(&receipt);
	assert_non_null(strstr(text, "\"nmi\": { \"interrupts_off\": 700, \"merged\": 1, \"unknown\": 0, "
				     "\"cpus_alone\": 0 }"));
	free(text);
	assert_warning(&receipt, NULL, NULL);
	receipt.nmi.merged = 100;
	assert_warning(&receipt, "100 NMIs (1.0%) merged with others, and took no sample",
		       "a lower -rate, fewer runs with -nmi at a time, or -unwind fp or none, merges fewer");
	receipt.nmi = (struct receipt_nmi){ .foreign = 2 };
	assert_warning(&receipt, "2 NMIs came that nobody knew: late ones of this run, or hardware reported an error",
		       "if they come without -nmi too, the kernel's log says so (Uhhuh); see mcelog or rasdaemon");
	receipt.nmi = (struct receipt_nmi){ .nr_alone = 1 };
	assert_warning(&receipt, "1 CPU had no other CPU to send NMIs for a part of the run",
		       "it was not sampled then; keep two of the sampled CPUs online");
}

/* A CPU without a counter, or without another CPU: the account has one flag for both. */
static void nmis_need_a_neighbour(void **state)
{
	const struct receipt_cpu cpu = { .expected = 1, .taken = 1, .flags = CPUPROBE_ACCOUNT_UNCOUNTED };
	struct receipt receipt = { .flags = RECEIPT_NMI };

	receipt_add_up(&receipt, &cpu, 1);
	assert_int_equal(receipt.nmi.nr_alone, 1);
	assert_int_equal(receipt.event.nr_uncounted, 0);
	receipt.flags = 0;
	receipt_add_up(&receipt, &cpu, 1);
	assert_int_equal(receipt.nmi.nr_alone, 0);
	assert_int_equal(receipt.event.nr_uncounted, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lost_samples), cmocka_unit_test(missed_periods),
		cmocka_unit_test(deferred_samples), cmocka_unit_test(stolen_time),
		cmocka_unit_test(digits_decide), cmocka_unit_test(cpus_add_up),
		cmocka_unit_test(line_has_every_part), cmocka_unit_test(cpus_of_the_line),
		cmocka_unit_test(json_has_every_field), cmocka_unit_test(bound_of_deferred),
		cmocka_unit_test(engine_is_named), cmocka_unit_test(events_are_named),
		cmocka_unit_test(events_are_warned_of), cmocka_unit_test(events_have_their_clock),
		cmocka_unit_test(nmis_are_told),
		cmocka_unit_test(nmis_need_a_neighbour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
