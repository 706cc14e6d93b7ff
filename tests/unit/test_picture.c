// SPDX-License-Identifier: GPL-2.0-only
/* Pictures of traces: cli/picture/. */
#include "trace_texts.h"
#include "picture/perfetto.h"
#include "picture/spool.h"
#include "picture/timeline.h"

/* A drawing as text: "ROW+ns name" begins, "ROW-ns" ends, "ROW=ns text" is an instant. */
struct sketch {
	FILE *out;
	const struct picture *picture;
	u32 nr_left;		/* spans until it is full */
};

static void sketch_begin(void *context, const struct picture_span *span)
{
	struct sketch *sketch = context;
	char name[64];

	fprintf(sketch->out, "%u+%llu %s%s\n", span->row, span->began_ns,
		picture_span_name(sketch->picture, span, name, sizeof(name)), span->is_early ? " early" : "");
	sketch->nr_left -= !!sketch->nr_left;
}

static void sketch_end(void *context, const struct picture_span *span, const struct picture_end *end)
{
	struct sketch *sketch = context;

	fprintf(sketch->out, "%u-%llu", span->row, end->ns);
	if (end->has_times)
		fprintf(sketch->out, " %llu %llu %llu %llu", end->elapsed_ns, end->net_ns, end->blocked_ns,
			end->preempted_ns);
	fprintf(sketch->out, "%s%s\n", end->is_clipped ? " clipped" : "", end->is_unwound ? " unwound" : "");
}

static void sketch_instant(void *context, const struct picture_instant *instant)
{
	struct sketch *sketch = context;
	char text[256];

	fprintf(sketch->out, "%u=%llu %s\n", instant->row, instant->ns,
		picture_instant_name(sketch->picture, instant, text, sizeof(text)));
}

static bool sketch_is_full(void *context)
{
	return !((struct sketch *)context)->nr_left;
}

static void draw_sketch(FILE *out, struct picture *picture, u32 nr_spans)
{
	struct sketch sketch = { out, picture, nr_spans };
	const struct picture_drawing drawing = {
		&sketch, sketch_begin, sketch_end, sketch_instant, NULL, nr_spans ? sketch_is_full : NULL,
	};

	assert_int_equal(picture_draw(picture, &drawing), 0);
}

/* The drawing of some events on one CPU, which has the row 0; the first thread has the next row. */
static void expect_picture(const char *events, struct picture_options options, u32 nr_spans, u32 nr_cpus,
			   const char *expected)
{
	struct trace *trace = trace_of(events, 1000, nr_cpus);
	struct text_error error;
	struct picture picture;
	char *text;

	assert_int_equal(picture_init(&picture, trace, &options, &error), 0);
	text = WRITTEN(out, draw_sketch(out, &picture, nr_spans));
	assert_string_equal(text, expected);
	free(text);
	picture_deinit(&picture);
	trace_destroy(trace);
}

#define EXPECT(events, expected)	expect_picture(events, (struct picture_options){ 0 }, 0, 1, expected)

static void calls_nest_and_span_switches(void **state)
{
	EXPECT("0 0 r 7 7\n0 100 > a 5000\n0 200 > b 4000\n0 300 s 7 0 b\n0 500 s 0 7 p\n0 600 < b 4000\n"
	       "0 700 < a 5000\n",
	       "0+0 ?/7\n1+100 a\n1+200 b\n0-300\n0+300 idle\n0-500\n0+500 ?/7\n"
	       "1-600 200 200 200 0\n1-700 400 200 200 0\n0-1000 clipped\n");
}

static void interrupts_are_in_the_row_of_the_cpu(void **state)
{
	EXPECT("0 0 r 7 7\n0 100 > a 5000\n0 200 i 24\n0 250 > c 900 2\n0 260 < c 900 2\n0 300 I 24\n"
	       "0 400 < a 5000\n",
	       "0+0 ?/7\n1+100 a\n0+200 irq 24\n0+250 c\n0-260 10 10 0 0\n0-300 100 90 0 0\n"
	       "1-400 200 200 0 0\n0-1000 clipped\n");
}

static void older_calls_begin_with_their_row(void **state)
{
	EXPECT("0 0 r 7 7\n0 50 < c 3000\n0 100 > a 4000\n0 200 < a 4000\n0 300 < d 5000\n",
	       "1+0 d (older) early\n1+0 c (older) early\n0+0 ?/7\n1-50\n1+100 a\n1-200 100 100 0 0\n1-300\n"
	       "0-1000 clipped\n");
}

/* Whether a call is older than a gap or began in it is unknown. */
static void ends_after_a_gap_are_instants(void **state)
{
	EXPECT("0 0 r 7 7\n0 100 l 5\n0 110 r 7 7\n0 300 < d 5000\n",
	       "0+0 ?/7\n0+0 lost 5\n0-100\n1=300 end of d (older)\n0-1000 clipped\n");
}

static void open_calls_are_clipped(void **state)
{
	EXPECT("0 0 r 7 7\n0 100 > a 5000\n0 200 > b 4000\n",
	       "0+0 ?/7\n1+100 a\n1+200 b\n1-1000 800 800 0 0 clipped\n1-1000 900 100 0 0 clipped\n"
	       "0-1000 clipped\n");
}

static void unwound_calls_end_with_their_caller(void **state)
{
	EXPECT("0 0 r 7 7\n0 100 > a 5000\n0 200 > b 4000\n0 300 < a 5000\n",
	       "0+0 ?/7\n1+100 a\n1+200 b\n1-300 100 100 0 0 unwound\n1-300 200 100 0 0\n0-1000 clipped\n");
}

/* The end of an interrupt is missing when the softirq below it ends. */
static void spans_nest_whatever_the_events_say(void **state)
{
	EXPECT("0 0 r 7 7\n0 100 o 9\n0 200 i 24\n0 300 O 9\n",
	       "0+0 ?/7\n0+100 softirq RCU\n0+200 irq 24\n0-300 unwound\n0-300 100 100 0 0\n0-1000 clipped\n");
}

static void instants_are_at_their_tasks(void **state)
{
	EXPECT("0 0 r 7 7\n0 10 n 7 7 app\n0 100 m 7 half\n0 200 k 8 8\n0 300 w 8 0\n0 350 r 7 7\n",
	       "0+0 app/7\n1=10 named app\n1=100 half\n1=200 fork of ?/8\n0=300 wake-up of ?/8\n"
	       "2=300 woken by app/7\n1=350 exec\n0-1000 clipped\n");
}

static void a_part_is_clipped(void **state)
{
	static const char events[] = "0 0 r 7 7\n0 100 > a 5000\n0 150 > b 4000\n0 200 < b 4000\n"
		"0 250 > c 4000\n0 350 < c 4000\n0 500 < a 5000\n";

	expect_picture(events, (struct picture_options){ .from_ns = 210, .to_ns = 300 }, 0, 1,
		       "0+210 ?/7 early\n1+210 a early\n1+250 c\n1-300 clipped\n1-300 clipped\n"
		       "0-300 clipped\n");
	expect_picture(events, (struct picture_options){ .from_ns = 600 }, 0, 1,
		       "0+600 ?/7 early\n0-1000 clipped\n");
	/* A full drawing ends with the event that finds no room. */
	expect_picture(events, (struct picture_options){ 0 }, 3, 1,
		       "0+0 ?/7\n1+100 a\n1+150 b\n1-200 clipped\n1-200 clipped\n0-200 clipped\n");
}

static void one_task_can_be_chosen(void **state)
{
	expect_picture("0 0 r 7 7\n0 100 > a 5000\n0 200 < a 5000\n0 300 s 7 8 p\n0 400 > b 5000\n"
		       "0 500 < b 5000\n", (struct picture_options){ .task = "8" }, 0, 1,
		       "0+0 ?/7\n0-300\n0+300 ?/8\n2+400 b\n2-500 100 100 0 0\n0-1000 clipped\n");
}

/* On two CPUs a thread keeps its row. */
static void rows_belong_to_threads(void **state)
{
	expect_picture("0 0 r 7 7\n1 0 r 0 0\n0 100 > a 5000\n0 200 s 7 0 p\n1 300 s 0 7 p\n1 400 < a 5000\n",
		       (struct picture_options){ 0 }, 0, 2,
		       "0+0 ?/7\n1+0 idle\n2+100 a\n0-200\n0+200 idle\n1-300\n1+300 ?/7\n"
		       "2-400 200 200 0 100\n0-1000 clipped\n1-1000 clipped\n");
}

static char *written(int (*write)(FILE *out, struct picture *picture), const char *events)
{
	struct trace *trace = trace_of(events, 1000, 1);
	struct picture picture;
	struct text_error error;
	char *text;
	int result = -1;

	assert_int_equal(picture_init(&picture, trace, &(struct picture_options){ 0 }, &error), 0);
	text = WRITTEN(out, result = write(out, &picture));
	assert_int_equal(result, 0);
	picture_deinit(&picture);
	trace_destroy(trace);
	return text;
}

static const char hostile[] = "0 0 r 7 7\n0 0 n 7 7 a\"\\</script>\n0 100 > a 5000\n0 223 < a 5000\n";

static void expect_part(char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no %s in:\n%s", part, text);
}

static void names_are_escaped(void **state)
{
	char *text = written(perfetto_write, hostile);

	expect_part(text, "\"name\":\"a\\\"\\\\</script>/7\"");
	expect_part(text, "{\"ph\":\"B\",\"pid\":7,\"tid\":7,\"ts\":0.100,\"cat\":\"call\",\"name\":\"a\"}");
	expect_part(text, "\"ts\":0.223,\"args\":{\"kind\":\"call\",\"elapsed_ns\":123,\"net_ns\":123,");
	free(text);
	text = written(evented_write, hostile);
	expect_part(text, "{\"type\":\"evented\",\"name\":\"a\\\"\\\\</script>/7\",\"unit\":\"nanoseconds\"");
	expect_part(text, "\"at\":100},\n{\"type\":\"C\"");
	free(text);
}

static int write_timeline(FILE *out, struct picture *picture)
{
	return timeline_write(out, picture, 1.7e9);
}

static void the_page_has_no_foreign_markup(void **state)
{
	char *text = written(write_timeline, hostile), *data = strstr(text, "id=\"data\">");

	assert_non_null(data);
	expect_part(data, "a\\\"\\\\\\u003c/script\\u003e/7");
	/* A row of the task: begin, duration, name, depth, flags, times. */
	expect_part(data, ",1,1,[100,123,0,0,16,123,123,0,0]]");
	free(text);
}

struct reading {
	u32 nr;
	u32 row;
};

static void check_entry(void *context, const struct spool_entry *entry)
{
	struct reading *reading = context;

	assert_int_equal(entry->ns, reading->nr * 3 + reading->row);
	assert_int_equal(entry->what, reading->nr);
	reading->nr++;
}

static void spools_keep_the_order_of_rows(void **state)
{
	struct spool spool;
	struct reading reading;
	u32 i, row;

	assert_int_equal(spool_init(&spool, 3), 0);
	for (i = 0; i < 2000; i++)
		for (row = 0; row < 2; row++)
			spool_add(&spool, row, (struct spool_entry){ i * 3 + row, i, 0 });
	assert_int_equal(spool.nr_written, 14);
	for (row = 0; row < 3; row++) {
		reading = (struct reading){ 0, row };
		assert_int_equal(spool_read_row(&spool, row, check_entry, &reading), 0);
		assert_int_equal(reading.nr, row < 2 ? 2000 : 0);
	}
	spool_deinit(&spool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_nest_and_span_switches),
		cmocka_unit_test(interrupts_are_in_the_row_of_the_cpu),
		cmocka_unit_test(older_calls_begin_with_their_row),
		cmocka_unit_test(ends_after_a_gap_are_instants),
		cmocka_unit_test(open_calls_are_clipped),
		cmocka_unit_test(unwound_calls_end_with_their_caller),
		cmocka_unit_test(spans_nest_whatever_the_events_say),
		cmocka_unit_test(instants_are_at_their_tasks),
		cmocka_unit_test(a_part_is_clipped),
		cmocka_unit_test(one_task_can_be_chosen),
		cmocka_unit_test(rows_belong_to_threads),
		cmocka_unit_test(names_are_escaped),
		cmocka_unit_test(the_page_has_no_foreign_markup),
		cmocka_unit_test(spools_keep_the_order_of_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
