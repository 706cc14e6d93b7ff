// SPDX-License-Identifier: GPL-2.0-only
/* Reports and saved runs of traces: cli/trace/. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "trace_texts.h"
#include "command.h"
#include "records.h"
#include "trace/trace_flow.h"
#include "trace/trace_save.h"
#include "trace/trace_view.h"
#include "verify/verify.h"

/* One thread blocks in b, which a calls; another one and an interrupt run in between. */
static const char events[] =
	"0 0 r 7 7\n"
	"0 0 n 7 7 app\n"
	"1 0 r 0 0\n"
	"0 1000000 y 0\n"
	"0 1100000 > a 5000\n"
	"0 1200000 > b 4000\n"
	"0 1300000 s 7 8 b\n"
	"0 1400000 > c 5000\n"
	"0 1500000 i 24\n"
	"0 1600000 w 7 1\n"
	"0 1700000 I 24\n"
	"0 1800000 < c 5000\n"
	"0 1900000 m 8 half way\n"
	"1 2000000 s 0 7 p\n"
	"1 2100000 < b 4000\n"
	"1 2200000 > z 4000\n"
	"1 2300000 < z 4000\n"
	"1 2400000 < a 5000\n"
	"1 2500000 Y 0 1\n"
	"1 2600000 < d 5000\n";

static struct trace *some_trace(void)
{
	struct trace *trace = trace_of(events, 3000000, 2);

	trace->cpus[1].lost = 2;
	return trace;
}

static char *summary(const struct trace *trace, struct trace_view view)
{
	struct trace_account account;
	struct text_error error = { "", "" };
	char *text;
	int failed = 0;

	view.output.cols = 80;
	assert_int_equal(trace_account_init(&account, trace, NULL, NULL), 0);
	text = WRITTEN(out, failed = trace_view_show(out, &account, &view, &error));
	assert_string_equal(error.what, "");
	assert_int_equal(failed, 0);
	trace_account_deinit(&account);
	return text;
}

static void expect_text(char *text, const char *const *parts)
{
	for (; *parts; parts++)
		if (!strstr(text, *parts))
			fail_msg("no \"%s\" in:\n%s", *parts, text);
	free(text);
}

static void summaries_are_printed(void **state)
{
	struct trace *trace = some_trace();
	char *text = summary(trace, (struct trace_view){ .hist = "[ab]" }), *line;
	static const char *const parts[] = {
		"Elapsed time      0.003000 s on 2 CPUs\n",
		"Events                  20 (2 lost), 7 calls, 2 switches\n",
		"Run time          0.004000 s ( 66.67%)\nIdle time         0.002000 s ( 33.33%)\n",
		"\nNet 1000000 + outside of traced calls 2800000 + interrupts 200000 + idle",
			"6000000 ns: all time of",
		"\na\n", "\nb\n", "Time of a call", NULL,
	};

	for (line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		assert_true(strcspn(line, "\n") <= 80);
	expect_text(text, parts);
	trace_destroy(trace);
}

static void summaries_are_data(void **state)
{
	struct trace *trace = some_trace();
	static const char *const parts[] = {
		"function\telapsed_ns\tnet_ns\tcalls\tblocked_ns\tobject\n",
		"a\t600000\t300000\t1\t700000\tkernel\n", "b\t200000\t200000\t1\t700000\tkernel\n",
		"read\t800000\t200000\t1\t700000\t(system calls)\n",
			"irq 24\t200000\t200000\t1\t0\t(interrupts)\n",
		"z\t100000\t100000\t1\t0\tmod\n", "c\t200000\t200000\t1\t0\tkernel\n",
		"d (older)\tnull\tnull\t1\t0\tkernel\n", NULL,
	};
	static const char *const json[] = { "\"holds\": true", "\"interrupts_ns\": 200000",
		"\"bins\": [", NULL };
	struct trace_view view = {
		.output = { .format = FORMAT_TSV, .columns =
			"function,elapsed_ns,net_ns,calls,blocked_ns,object" },
	};

	expect_text(summary(trace, view), parts);
	view.output = (struct output_options){ .format = FORMAT_JSON };
	expect_text(summary(trace, view), json);
	trace_destroy(trace);
}

static void an_unstable_clock_is_said(void **state)
{
	struct trace *trace = some_trace();
	struct trace_view text = { .sort = TRACE_BY_NET }, json = { .output.format = FORMAT_JSON };
	char *stable = summary(trace, text);

	assert_null(strstr(stable, "Clock"));
	free(stable);
	expect_text(summary(trace, json), (const char *const[]){ "\"is_clock_stable\": true,", NULL });
	trace->totals.end |= CPUPROBE_EVENTS_UNSTABLE;
	expect_text(summary(trace, text), (const char *const[]){
		"\nClock         unstable: CPUs may differ by some milliseconds\n", NULL });
	expect_text(summary(trace, json), (const char *const[]){ "\"is_clock_stable\": false,", NULL });
	trace_destroy(trace);
}

/* Events that newer ones have overwritten are not lost, and are counted. */
static void overwritten_events_are_counted(void **state)
{
	struct trace *trace = some_trace();
	static const char *const parts[] = { "(5 lost, 140 slots overwritten), 7 calls", NULL };
	static const char *const json[] = { "\"lost\": 5, \"overwritten\": 140,", NULL };

	trace->cpus[0].first = 128;
	trace->cpus[0].lost = 3;
	trace->cpus[1].first = 12;
	expect_text(summary(trace, (struct trace_view){ .sort = TRACE_BY_NET }), parts);
	expect_text(summary(trace, (struct trace_view){ .output.format = FORMAT_JSON }), json);
	trace->cpus[0].lost = trace->cpus[1].lost = 0;
	expect_text(summary(trace, (struct trace_view){ .sort = TRACE_BY_NET }),
		    (const char *const[]){ "(none lost, 140 slots overwritten)", NULL });
	trace_destroy(trace);
}

/* % real is of all time, % net of the time that is not idle, as in the paper. */
static void percentages_have_the_papers_bases(void **state)
{
	struct trace *trace = some_trace();
	static const char *const parts[] = { "a\t5.0000\t7.5000\n", NULL };
	const struct trace_view view = {
		.output = { .format = FORMAT_TSV, .columns = "function,real,net" },
	};

	expect_text(summary(trace, view), parts);
	trace_destroy(trace);
}

static void groups_add_up(void **state)
{
	struct trace *trace = some_trace();
	char groups[] = "/dev/shm/cpuprobe-groups-XXXXXX";
	struct text_error error;
	int fd = mkstemp(groups);
	static const char text[] = "[first]\na\nb\n[mod]\nmod:*\n[none]\nxyz\n";
	static const char *const parts[] = {
		"function\tcalls\tnet_ns\telapsed_ns\n", "first\t2\t500000\tnull\n", "mod\t1\t100000\tnull\n",
		"(no group)\t4\t600000\tnull\n", NULL,
	};
	struct trace_view view = {
		.output = { .format = FORMAT_TSV, .columns = "function,calls,net_ns,elapsed_ns" },
	};

	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	assert_int_equal(groups_read_file(groups, &view.groups, &error), 0);
	unlink(groups);
	expect_text(summary(trace, view), parts);
	groups_destroy(view.groups);
	trace_destroy(trace);
}

static char *flow_text(const struct trace *trace, const struct trace_flow_options *options,
		       const struct trace_choice *choice)
{
	const struct output_options output = { .cols = 120 };
	struct text_error error = { "", "" };
	struct trace_flow flow;
	char *text;

	if (trace_flow_init(&flow, trace, options, choice, &error))
		return strdup(error.what);
	text = WRITTEN(out, trace_flow_show(out, &flow, &output, &error));
	trace_flow_deinit(&flow);
	return text;
}

/* The lines after the head. */
static void expect_flow(const char *wanted, struct trace_flow_options options, const char *task)
{
	struct trace *trace = some_trace();
	const struct trace_choice choice = { .task = task };
	char *text = flow_text(trace, &options, &choice), *body = strstr(text, "\n\n");

	assert_non_null(body);
	assert_string_equal(body + 2, wanted);
	free(text);
	trace_destroy(trace);
}

static void flows_show_everything_in_order(void **state)
{
	expect_flow("  0:001 000.000   0 app/7            -> read (200 us, 800 us total, 1.5 ms with waits)\n"
		    "  0:001 100.000   0 app/7              -> a (300 us, 600 us total, 1.3 ms with waits)\n"
		    "  0:001 200.000   0 app/7                -> b (200 us, 900 us with waits)\n"
		    "  0:001 300.000   0 ?/8              ---- Context switch: app/7 blocked, ?/8 in ----\n"
		    "  0:001 400.000   0 ?/8              -> c (200 us, 400 us with waits)\n"
		    "  0:001 500.000   0 ?/8                -> irq 24 (200 us)\n"
		    "  0:001 600.000   0 ?/8                  == wake-up of app/7 on CPU 1\n"
		    "  0:001 700.000   0 ?/8                <- irq 24\n"
		    "  0:001 800.000   0 ?/8              <- c\n"
		    "  0:001 900.000   0 ?/8              == half way\n"
		    "  0:002 000.000   1 app/7            ---- Context switch: idle preempted, app/7 in after "
		    "700 us ----\n"
		    "  0:002 100.000   1 app/7                <- b (100 us since the switch)\n"
		    "  0:002 200.000   1 app/7                -> z (100 us)\n"
		    "  0:002 400.000   1 app/7              <- a (400 us since the switch)\n"
		    "  0:002 500.000   1 app/7            <- read (500 us since the switch)\n"
		    "  0:002 600.000   1 app/7            <- d (older) (600 us since the switch)\n",
		    (struct trace_flow_options){ .is_wanted = true }, NULL);
}

static void flows_can_be_narrowed(void **state)
{
	expect_flow("  0:001 000.000   0 -> read (200 us, 800 us total, 1.5 ms with waits)\n"
		    "  0:001 100.000   0   -> a (300 us, 600 us total, 1.3 ms with waits)\n"
		    "  0:001 300.000   0 ---- Context switch: app/7 blocked, ?/8 in ----\n"
		    "  0:001 600.000   0   == wake-up of app/7 on CPU 1\n"
		    "  0:001 900.000   0 == half way\n"
		    "  0:002 000.000   1 ---- Context switch: idle preempted, app/7 in after 700 us ----\n"
		    "  0:002 500.000   1 <- read (500 us since the switch)\n"
		    "  0:002 600.000   1 <- d (older) (600 us since the switch)\n",
		    (struct trace_flow_options){ .is_wanted = true, .depth = 2 }, "app");
	expect_flow("  0:002 100.000   1 app/7            <- b (100 us since the switch)\n"
		    "  0:002 200.000   1 app/7            -> z (100 us)\n",
		    (struct trace_flow_options){ .is_wanted = true, .from_ns = 2050000, .to_ns =
			    2350000 }, NULL);
	expect_flow("(nothing)\n",
		    (struct trace_flow_options){ .is_wanted = true, .from_ns = 2700000, .to_ns =
			    2800000 }, NULL);
	expect_flow("(nothing)\n", (struct trace_flow_options){ .is_wanted = true, .over_ns = 1600000 }, "9");
}

static void flows_show_long_calls(void **state)
{
	expect_flow("  0:001 000.000   0 -> read (200 us, 800 us total, 1.5 ms with waits)\n"
		    "  0:001 100.000   0   -> a (300 us, 600 us total, 1.3 ms with waits)\n"
		    "  0:002 500.000   1 <- read (500 us since the switch)\n",
		    (struct trace_flow_options){ .is_wanted = true, .over_ns = 1000000 }, "7");
}

static void the_longest_call_is_shown(void **state)
{
	struct trace *trace = some_trace();
	const struct trace_flow_options none = { .longest = "x" };
	char *text;

	expect_flow("  0:001 200.000   0 -> b (200 us, 900 us with waits)\n"
		    "  0:001 300.000   0 ---- Context switch: app/7 blocked, ?/8 in ----\n"
		    "  0:001 600.000   0 == wake-up of app/7 on CPU 1\n"
		    "  0:001 900.000   0 == half way\n"
		    "  0:002 000.000   1 ---- Context switch: idle preempted, app/7 in after 700 us ----\n"
		    "  0:002 100.000   1 <- b (100 us since the switch)\n",
		    (struct trace_flow_options){ .longest = "b" }, NULL);
	text = flow_text(trace, &none, NULL);
	assert_string_equal(text, "the trace has no whole call of x");
	free(text);
	trace_destroy(trace);
}

static void flows_are_data(void **state)
{
	struct trace *trace = some_trace();
	const struct trace_flow_options options = { .is_wanted = true };
	const struct output_options output = { .format = FORMAT_TSV, .columns =
		"time_ns,cpu,kind,function,net_ns,how,text" };
	static const char *const parts[] = {
		"1200000\t0\tcall\tb\t200000\tended\t-> b (200 us, 900 us with waits)\n",
		"1300000\t0\tswitch\t\tnull\tblocked\t---- Context switch: app/7 blocked, ?/8 in ----\n",
		"1900000\t0\tmark\t\tnull\t\t== half way\n", NULL,
	};
	struct trace_flow flow;

	assert_int_equal(trace_flow_init(&flow, trace, &options, NULL, NULL), 0);
	expect_text(WRITTEN(out, trace_flow_show(out, &flow, &output, NULL)), parts);
	trace_flow_deinit(&flow);
	trace_destroy(trace);
}

static void keep_trace(const struct trace *trace)
{
	const struct run_result result = { .nr_cpus = 2, .began = 1e9, .elapsed_seconds = 1 };
	struct record_writer writer;

	record_start(&writer);
	record_add_result(&writer, &result);
	trace_save(&writer, trace);
	assert_int_equal(record_commit(&writer, NULL), 0);
}

static void traces_are_kept(void **state)
{
	struct trace *trace = some_trace(), *loaded;
	char *before = summary(trace, (struct trace_view){ .nr_rows = 0 }), *after;
	struct verify_result result;
	struct record record;

	keep_trace(trace);
	assert_int_equal(record_read(path, &record, NULL), 0);
	assert_true(trace_is_kept(&record));
	loaded = trace_load(&record, NULL);
	assert_non_null(loaded);
	after = summary(loaded, (struct trace_view){ .nr_rows = 0 });
	assert_string_equal(before, after);
	assert_string_equal(trace_find_task(loaded, 7)->comm, "app");
	assert_int_equal(verify_record(&record, stdout, &result, NULL), 0);
	assert_int_equal(result.nr_wrong, 0);
	assert_int_equal(result.events, 20);
	assert_string_equal(result.command, "trace");
	free(before);
	free(after);
	trace_destroy(loaded);
	record_deinit(&record);
	trace_destroy(trace);
}

/* A trace in which one thing is wrong. */
static void expect_refused(void (*spoil)(struct trace *trace))
{
	struct trace *trace = some_trace();
	struct text_error error;
	struct record record;

	spoil(trace);
	keep_trace(trace);
	assert_int_equal(record_read(path, &record, NULL), 0);
	assert_null(trace_load(&record, &error));
	assert_string_equal(error.what, "the sections of its trace are missing or invalid");
	record_deinit(&record);
	trace_destroy(trace);
}

static void spoil_type(struct trace *trace)
{
	((struct cpuprobe_event *)trace->owned)[4].head |= 0x4000;
}

static void spoil_function(struct trace *trace)
{
	((struct cpuprobe_event *)trace->owned)[4].what = 26;
}

static void spoil_text(struct trace *trace)
{
	trace->cpus[1].nr_slots++;
	trace->cpus[1].stored++;
	trace->nr_slots++;
	((struct cpuprobe_event *)trace->owned)[trace->nr_slots - 1].head = CPUPROBE_EVENT_NAME << 8;
}

static void spoil_number(struct trace *trace)
{
	trace->functions[3].function = 26;
}

static void spoil_cpus(struct trace *trace)
{
	trace->cpus[1].cpu = 0;
}

static void spoil_slots(struct trace *trace)
{
	trace->cpus[1].nr_slots--;
}

static void spoil_order(struct trace *trace)
{
	trace->tasks[1].tid = trace->tasks[0].tid;
}

static void spoil_name(struct trace *trace)
{
	memset(trace->tasks[0].comm, 'x', sizeof(trace->tasks[0].comm));
}

static void spoil_cost(struct trace *trace)
{
	trace->totals.own_ps = trace->totals.cost_ps + 1;
}

static void damaged_traces_are_refused(void **state)
{
	expect_refused(spoil_type);
	expect_refused(spoil_function);
	expect_refused(spoil_text);
	expect_refused(spoil_number);
	expect_refused(spoil_cpus);
	expect_refused(spoil_slots);
	expect_refused(spoil_order);
	expect_refused(spoil_name);
	expect_refused(spoil_cost);
}

static void many_cpus_are_merged(void **state)
{
	struct trace *trace =
		trace_of("2 10 r 1 1\n0 20 r 2 2\n1 30 r 3 3\n0 30 > a 1\n2 40 > b 2\n2 40 > c 3\n"
				       "1 35 > d 4\n0 50 < a 1\n", 100, 3);
	struct trace_merge merge;
	struct trace_event event;
	char order[100] = "";

	assert_int_equal(trace_merge_init(&merge, trace), 0);
	while (trace_merge_next(&merge, &event))
		snprintf(order + strlen(order), sizeof(order) - strlen(order), "%u@%llu ", event.cpu,
			 event.ns);
	assert_string_equal(order, "2@10 0@20 0@30 1@30 1@35 2@40 2@40 0@50 ");
	trace_merge_deinit(&merge);
	trace_destroy(trace);
}

static void options_are_checked(void **state)
{
	command_set_all(commands);
	assert_int_equal(command_run(&command_trace, (char *[]){ "trace", "-from", "1", "x", NULL }), 2);
	assert_int_equal(command_run(&command_trace, (char *[]){ "trace", "-hist", "a", "-flow", "x",
		NULL }), 2);
	assert_int_equal(command_run(&command_trace, (char *[]){ "trace", "-fn", "a", "x", NULL }), 2);
	assert_int_equal(command_run(&command_trace, (char *[]){ "trace", "-flow", "-to", "1x", "x",
		NULL }), 2);
	assert_int_equal(command_run(&command_trace, (char *[]){ "trace", "-o", "depth", "x", NULL }), 2);
	assert_int_equal(command_run(&command_trace, (char *[]){ "trace", NULL }), 2);
	assert_int_equal(command_run(&command_mark, (char *[]){ "mark", "", NULL }), 2);
	assert_int_equal(command_run(&command_trace, (char *[]){ "trace", "/nonexistent", NULL }), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summaries_are_printed),
		cmocka_unit_test(summaries_are_data),
		cmocka_unit_test(an_unstable_clock_is_said),
		cmocka_unit_test(overwritten_events_are_counted),
		cmocka_unit_test(percentages_have_the_papers_bases),
		cmocka_unit_test(groups_add_up),
		cmocka_unit_test(flows_show_everything_in_order),
		cmocka_unit_test(flows_can_be_narrowed),
		cmocka_unit_test(flows_show_long_calls),
		cmocka_unit_test(the_longest_call_is_shown),
		cmocka_unit_test(flows_are_data),
		cmocka_unit_test(traces_are_kept),
		cmocka_unit_test(damaged_traces_are_refused),
		cmocka_unit_test(many_cpus_are_merged),
		cmocka_unit_test(options_are_checked),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
