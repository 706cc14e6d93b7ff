// SPDX-License-Identifier: GPL-2.0-only
/* The index of a trace: cli/trace/trace_index*.c. A code path must be the same with and without it. */
#include <errno.h>
#include <string.h>

#include "trace_texts.h"
#include "records.h"
#include "trace/trace_flow.h"
#include "trace/trace_index.h"
#include "trace/trace_save.h"

/* Threads that migrate and block in calls, recursion, interrupts with calls, a gap, and a thread that is new. */
static const char events[] =
	"0 0 r 7 7\n"
	"0 0 n 7 7 app\n"
	"1 0 r 0 0\n"
	"0 100 y 0\n"
	"0 110 > a 5000\n"
	"0 120 > b 4000\n"
	"0 130 > b 3000\n"
	"0 140 s 7 8 b\n"
	"0 150 > c 5000\n"
	"0 160 i 24\n"
	"0 170 > e 9000 2\n"
	"0 180 k 9 9\n"
	"0 190 < e 9000 2\n"
	"0 200 I 24\n"
	"0 210 m 8 half way\n"
	"1 220 s 0 7 p\n"
	"1 230 < b 3000\n"
	"1 240 o 3\n"
	"1 250 > f 7000 1\n"
	"0 260 s 8 9 p\n"
	"0 270 > c 5000\n"
	"1 280 < f 7000 1\n"
	"1 290 O 3\n"
	"1 300 l 2\n"
	"1 310 < b 4000\n"
	"1 320 < a 5000\n"
	"1 330 Y 0 1\n"
	"0 340 s 9 8 b\n"
	"0 350 < c 5000\n"
	"0 360 < d 5000\n";

/* Calls of a program that executes another one: they end with the system call that does it. */
static const char program_events[] =
	"0 0 r 7 7\n"
	"0 100 > u 5000\n"
	"0 110 > v 4000\n"
	"0 120 s 7 8 p\n"
	"0 130 > w 3000\n"
	"0 140 s 8 7 p\n"
	"0 150 y 59\n"
	"0 160 > a 9000\n"
	"0 170 e 7 7\n"
	"0 180 m 7 new\n"
	"0 190 < a 9000\n"
	"0 200 Y 59 0\n"
	"0 210 > u 2000\n"
	"0 220 s 7 8 p\n"
	"0 230 < w 3000\n"
	"0 240 s 8 7 p\n"
	"0 250 < u 2000\n";

#define END_NS	400u

/* The index with a point every so many events; freed with the trace. */
static void add_index(struct trace *trace, u32 every)
{
	struct trace_index index = { .every = every };
	struct trace_account account;

	assert_int_equal(trace_account_index(&account, trace, &index), 0);
	trace_account_deinit(&account);
	trace->index = index.bytes;
	trace->index_len = index.len;
}

static void remove_index(struct trace *trace)
{
	free((char *)trace->index);
	trace->index = NULL;
	trace->index_len = 0;
}

static char *flow_of(const struct trace *trace, u64 from_ns, const char *task)
{
	const struct trace_flow_options options = { .is_wanted = true, .from_ns = from_ns };
	const struct trace_choice choice = { .task = task };
	const struct output_options output = { .format = FORMAT_TSV };
	struct text_error error = { "", "" };
	struct trace_flow flow;
	char *text;
	int failed = 0;

	if (trace_flow_init(&flow, trace, &options, &choice, &error))
		return strdup(error.what);
	text = WRITTEN(out, failed = trace_flow_show(out, &flow, &output, &error));
	assert_int_equal(failed, 0);
	trace_flow_deinit(&flow);
	return text;
}

static void expect_same(struct trace *trace, u32 every, const char *task)
{
	u64 from_ns;

	for (from_ns = 0; from_ns <= END_NS; from_ns += 5) {
		char *without = flow_of(trace, from_ns, task), *with;

		add_index(trace, every);
		assert_true(trace->index_len > 0);
		with = flow_of(trace, from_ns, task);
		/* Both are too long for a message. */
		if (strcmp(with, without))
			fail_msg("another code path from %llu with a point every %u events", from_ns, every);
		remove_index(trace);
		free(with);
		free(without);
	}
}

static void code_paths_are_the_same(void **state)
{
	static const char *const texts[] = { events, program_events };
	struct trace *trace;
	u32 i, every;

	for (i = 0; i < 2; i++) {
		trace = trace_of(texts[i], END_NS, 2);
		for (every = 1; every <= 12; every++) {
			expect_same(trace, every, NULL);
			expect_same(trace, every, "7");
		}
		trace_destroy(trace);
	}
}

/* Events before the last point are not read: a code path does not change with them. */
static void earlier_events_are_not_read(void **state)
{
	struct trace *trace = trace_of(events, END_NS, 2);
	char *before, *after;

	add_index(trace, 12);
	before = flow_of(trace, 345, NULL);
	assert_non_null(strstr(before, "\t8\t"));
	((struct cpuprobe_event *)trace->owned)[4].what = 20;
	after = flow_of(trace, 345, NULL);
	assert_string_equal(before, after);
	free(before);
	free(after);
	remove_index(trace);
	trace_destroy(trace);
}

/* Each byte of the index takes some values; the sanitizers judge. */
static void damage_does_no_harm(void **state)
{
	static const unsigned char values[] = { 0, 1, 0x7f, 0xff };
	struct trace *trace = trace_of(events, END_NS, 2);
	u32 nr_refused = 0;
	size_t at, i;
	char *bytes;

	add_index(trace, 12);
	bytes = (char *)trace->index;
	for (at = 0; at < trace->index_len; at++)
		for (i = 0; i < sizeof(values); i++) {
			char was = bytes[at], *text;

			bytes[at] = values[i];
			text = flow_of(trace, 345, NULL);
			nr_refused += !strcmp(text, "the index of the trace is damaged");
			free(text);
			bytes[at] = was;
		}
	assert_true(nr_refused > 50);
	/* Cut off, it has fewer points. */
	for (at = trace->index_len; trace->index_len; trace->index_len--)
		free(flow_of(trace, 345, NULL));
	trace->index_len = at;
	remove_index(trace);
	trace_destroy(trace);
}

static void the_index_is_kept(void **state)
{
	const struct run_result result = { .nr_cpus = 2, .began = 1e9, .elapsed_seconds = 1 };
	struct trace *trace = trace_of(events, END_NS, 2), *loaded;
	struct record_writer writer;
	struct record record;

	add_index(trace, 5);
	record_start(&writer);
	record_add_result(&writer, &result);
	trace_save(&writer, trace);
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_int_equal(record_read(path, &record, NULL), 0);
	loaded = trace_load(&record, NULL);
	assert_non_null(loaded);
	assert_int_equal(loaded->index_len, trace->index_len);
	assert_memory_equal(loaded->index, trace->index, trace->index_len);
	trace_destroy(loaded);
	record_deinit(&record);
	remove_index(trace);
	trace_destroy(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_paths_are_the_same),
		cmocka_unit_test(earlier_events_are_not_read),
		cmocka_unit_test(damage_does_no_harm),
		cmocka_unit_test(the_index_is_kept),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
