// SPDX-License-Identifier: GPL-2.0-only
/* Timed calls: cli/times/. */
#include <unistd.h>

#include "unit.h"
#include "calls_report.h"
#include "times/syscall_names.h"
#include "times/time_export.h"
#include "times/time_merge.h"
#include "times/time_rows.h"
#include "times/time_save.h"
#include "times/time_view.h"

/* Two processes; a calls b twice, which calls c; b also runs by itself. */
static struct time_counts *make_counts(void)
{
	struct time_counts *counts = time_counts_create(call_counts_create());
	static const char *const names[] = { "a", "b", "c" };
	static const struct {
		u32 parent, type, function;
		u64 calls, wall_ns, net_ns;
	} nodes[] = {
		{ CALLS_NONE, CPUPROBE_NODE_PROCESS, CALLS_NONE, 0, 0, 0 },
		{ 0, CPUPROBE_NODE_FUNCTION, 0, 10, 100000, 20000 },
		{ 1, CPUPROBE_NODE_FUNCTION, 1, 20, 60000, 30000 },
		{ 2, CPUPROBE_NODE_FUNCTION, 2, 20, 20000, 20000 },
		{ CALLS_NONE, CPUPROBE_NODE_INTERRUPTS, CALLS_NONE, 0, 0, 0 },
		{ 4, CPUPROBE_NODE_FUNCTION, 1, 1, 400000, 400000 },
	};
	u32 i;

	for (i = 0; i < 3; i++)
		assert_int_equal(call_counts_function(counts->calls, "", names[i], 64 * (i + 1),
						      CALL_HOOKED), i);
	for (i = 0; i < 6; i++) {
		struct time_node node = {
			.parent = nodes[i].parent, .type = nodes[i].type,
			.function = nodes[i].function, .pid = i ? 0 : 4711, .comm = "app",
		};

		node.sums.calls = node.sums.ended = node.sums.bins[10] = nodes[i].calls;
		node.sums.wall_ns = nodes[i].wall_ns;
		node.sums.net_ns = nodes[i].net_ns;
		node.sums.min_ns = node.sums.max_ns = nodes[i].calls ? 600 : 0;
		assert_int_equal(time_counts_add_node(counts, &node), 0);
	}
	counts->nodes[1].sums.children = 20;
	counts->nodes[1].sums.descendants = 40;
	counts->totals = (struct time_totals){ CPUPROBE_CALLS_EACH, 500000, 100000, 300000 };
	counts->calls->totals.counted_ns = 1000000000;
	counts->calls->totals.nr_cpus = 1;
	return counts;
}

static void costs_are_taken_out(void **state)
{
	struct time_counts *counts = make_counts();
	struct time_node *a = &counts->nodes[1];

	/* 100 ns of each call, 500 ns of each of 40 below it, 200 ns of each of 20 children. */
	assert_float_equal(time_wall_ns(counts, a), 100000 - 1000 - 20000, 1e-6);
	assert_float_equal(time_net_ns(counts, a), 20000 - 1000 - 4000, 1e-6);
	a->sums.blocked_ns = 50000;
	a->sums.preempted_ns = 5000;
	a->sums.interrupted_ns = 500;
	assert_float_equal(time_on_ns(counts, a), 44500 - 21000, 1e-6);
	a->sums.recursive = 4;
	assert_float_equal(time_wall_ns(counts, a), 100000 - 600 - 20000, 1e-6);
	assert_int_equal(time_outermost(a), 6);
	a->sums.wall_ns = 60000;
	assert_float_equal(time_on_ns(counts, a), 0, 0);
	time_counts_destroy(counts);
}

static void cpus_are_added(void **state)
{
	struct time_node node = { .parent = CALLS_NONE };
	struct cpuprobe_time time = { .calls = 3, .ended = 2, .min_ns = 50, .max_ns = 70, .bins = { 1, 1 },
				       .errors = 1, .blocked_ns = 10, .preempted_ns = 20, .interrupted_ns = 40 };
	const struct cpuprobe_time none = { .calls = 1, .missed = 9 };

	time_counts_add(&node, &none);
	time_counts_add(&node, &time);
	assert_int_equal(node.sums.min_ns, 50);
	time.min_ns = 60;
	time.max_ns = 90;
	time_counts_add(&node, &time);
	time_counts_add(&node, &none);
	assert_int_equal(node.sums.calls, 8);
	assert_int_equal(node.sums.ended, 4);
	assert_int_equal(node.sums.missed, 18);
	assert_int_equal(node.sums.bins[1], 2);
	assert_int_equal(node.sums.errors, 2);
	assert_int_equal(node.sums.blocked_ns, 20);
	assert_int_equal(node.sums.preempted_ns, 40);
	assert_int_equal(node.sums.interrupted_ns, 80);
	assert_int_equal(node.sums.min_ns, 50);
	assert_int_equal(node.sums.max_ns, 90);
}

/* The paths of all rows, in order. */
static void expect_rows(const struct time_counts *counts, enum call_sort by, const char *expected)
{
	struct time_rows rows;
	char all[500] = "", path[100];
	u32 i;

	assert_int_equal(time_rows_init(&rows, counts, by), 0);
	for (i = 0; i < rows.nr; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%u:%s ", rows.row[i].depth,
			 time_row_path(&rows, &rows.row[i], path, sizeof(path)));
	assert_string_equal(all, expected);
	time_rows_deinit(&rows);
}

static void rows_are_a_tree(void **state)
{
	struct time_counts *counts = make_counts();
	struct time_rows rows;
	char path[8];

	expect_rows(counts, CALLS_BY_TOTAL,
		    "0:(interrupts);b 0:app;a 1:app;a;b 2:app;a;b;c ");
	expect_rows(counts, CALLS_BY_CALLS,
		    "0:app;a 1:app;a;b 2:app;a;b;c 0:(interrupts);b ");
	time_rows_init(&rows, counts, CALLS_BY_NAME);
	assert_int_equal(time_row_process(&rows, &rows.row[1])->pid, 4711);
	/* A path too long for its room loses its beginning. */
	assert_string_equal(time_row_path(&rows, &rows.row[3], path, sizeof(path)) + 1, "a;b;c");
	time_rows_deinit(&rows);
	counts->nr_nodes = 0;
	expect_rows(counts, CALLS_BY_NAME, "");
	time_counts_destroy(counts);
}

static void siblings_are_sorted(void **state)
{
	struct time_counts *counts = make_counts();

	counts->nodes[2].parent = counts->nodes[3].parent = counts->nodes[1].parent = CALLS_NONE;
	counts->nodes[5].parent = CALLS_NONE;
	expect_rows(counts, CALLS_BY_CALLS, "0:b 0:c 0:a 0:b ");
	expect_rows(counts, CALLS_BY_NAME, "0:a 0:b 0:b 0:c ");
	expect_rows(counts, CALLS_BY_SELF, "0:b 0:b 0:c 0:a ");
	time_counts_destroy(counts);
}

static void histograms_are_drawn(void **state)
{
	struct time_counts *counts = make_counts();
	struct time_node *a = &counts->nodes[1];
	char *text;

	a->sums.bins[0] = 1;
	a->sums.bins[2] = 5;
	text = WRITTEN(out, time_hist_print(out, counts, a, 63));
	assert_non_null(strstr(text, "\na\n"));
	assert_non_null(strstr(text, "          0 to        1 ns              1  ##\n"));
	assert_non_null(strstr(text, "       1 ns to        2 ns              0  \n"));
	assert_non_null(strstr(text, "     512 ns to     1.02 us             10  ####################\n"));
	assert_null(strstr(text, "2.05 us"));
	free(text);
	/* A bar for every call, be it one of a thousand. */
	a->sums.bins[10] = 1000;
	text = WRITTEN(out, time_hist_print(out, counts, a, 63));
	assert_non_null(strstr(text, "          0 to        1 ns              1  #\n"));
	free(text);
	time_counts_destroy(counts);
}

static void tables_name_what_was_timed(void **state)
{
	struct time_counts *counts = make_counts();
	struct output_options output = { .format = FORMAT_TEXT };
	struct time_view view = { .output = &output, .nr_rows = 2 };
	char *text = WRITTEN(out, time_view_show(out, counts, &view, NULL));

	assert_non_null(strstr(text, "Times of Kernel Functions\n(51 calls in 1.0 s"));
	assert_non_null(strstr(text, "(the first 2 of 4 rows)"));
	free(text);
	counts->totals.flags |= CPUPROBE_CALLS_PATHS;
	text = WRITTEN(out, time_view_show(out, counts, &view, NULL));
	assert_non_null(strstr(text, "Paths of Calls\n"));
	free(text);
	counts->totals.flags = CPUPROBE_CALLS_EACH | CPUPROBE_CALLS_SYSCALLS;
	text = WRITTEN(out, time_view_show(out, counts, &view, NULL));
	assert_non_null(strstr(text, "System Calls\n"));
	assert_non_null(strstr(text, "Errors"));
	free(text);
	time_counts_destroy(counts);
}

/* Ten calls, of which one is open and four are recursive: mean times are those of calls that they are known of. */
static void columns_divide_by_the_right_calls(void **state)
{
	struct output_options output = {
		.format = FORMAT_TSV,
		.columns = "function,calls,open,avg_ns,avg_on_ns,avg_net_ns,avg_blocked_ns,min_ns,cpu",
	};
	struct time_view view = { .output = &output, .nr_rows = 1, .sort = CALLS_BY_NAME };
	struct time_counts *counts = make_counts();
	struct time_sums *a = &counts->nodes[1].sums;
	char *text;

	counts->totals.cost_ps = counts->totals.own_ps = counts->totals.seen_ps = 0;
	counts->calls->totals.counted_ns = 1000000;
	counts->nodes[5].sums = (struct time_sums){ .calls = 0 };
	a->ended = 9;
	a->recursive = 4;
	a->blocked_ns = 50000;
	a->net_ns = 18000;
	text = WRITTEN(out, time_view_show(out, counts, &view, NULL));
	assert_non_null(strstr(text, "\na\t10\t1\t20000\t10000\t2000\t10000\t600\t5.0000\n"));
	free(text);
	/* Without a call that ended, no time of one is known. */
	a->ended = a->recursive = 0;
	text = WRITTEN(out, time_view_show(out, counts, &view, NULL));
	assert_non_null(strstr(text, "\na\t10\t10\tnull\tnull\tnull\tnull\tnull\t5.0000\n"));
	free(text);
	time_counts_destroy(counts);
}

/* Saves and loads; NULL: refused. */
static struct time_counts *save_and_load(const struct time_counts *counts)
{
	char path[] = "/tmp/times-XXXXXX";
	struct record_writer writer = { .out.file = NULL };
	struct time_counts *loaded;
	struct record record;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(record_create(&writer, path, NULL), 0);
	time_save(&writer, counts);
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_int_equal(record_read(path, &record, NULL), 0);
	assert_true(time_is_kept(&record));
	loaded = time_load(&record, NULL);
	record_deinit(&record);
	unlink(path);
	return loaded;
}

static void saved_times_are_the_same(void **state)
{
	struct time_counts *counts = make_counts(), *loaded = save_and_load(counts);

	assert_non_null(loaded);
	assert_int_equal(loaded->nr_nodes, counts->nr_nodes);
	assert_memory_equal(loaded->nodes, counts->nodes, counts->nr_nodes * sizeof(*counts->nodes));
	assert_memory_equal(&loaded->totals, &counts->totals, sizeof(counts->totals));
	expect_rows(loaded, CALLS_BY_CALLS,
		    "0:app;a 1:app;a;b 2:app;a;b;c 0:(interrupts);b ");
	time_counts_destroy(loaded);
	time_counts_destroy(counts);
}

/* The sums of a function below two callers; a call inside one of its own function is recursive. */
static void paths_are_summed_by_function(void **state)
{
	struct time_counts *counts = make_counts();
	const struct time_sums *a = &counts->nodes[0].sums;
	struct time_node again = counts->nodes[3];
	u32 i;

	/* app;a;b;c;b, and interrupts;b is there already */
	again.parent = 3;
	again.function = counts->nodes[2].function;
	again.sums.children = 3;
	counts->nodes[2].sums.children = 20;
	assert_int_equal(time_counts_add_node(counts, &again), 0);
	counts->totals.flags |= CPUPROBE_CALLS_PATHS;
	assert_int_equal(time_merge(counts), 0);
	assert_false(counts->totals.flags & CPUPROBE_CALLS_PATHS);
	expect_rows(counts, CALLS_BY_NAME, "0:(interrupts);b 0:app;a 0:app;b 0:app;c ");
	for (i = 0; i < counts->nr_nodes; i++)
		if (counts->nodes[i].function == again.function && counts->nodes[i].parent == 0)
			a = &counts->nodes[i].sums;
	assert_int_equal(a->recursive, again.sums.ended);
	assert_int_equal(a->calls, 20 + again.sums.calls);
	assert_int_equal(a->children, 23);
	assert_int_equal(a->wall_ns, 60000);
	time_counts_destroy(counts);
}

static void functions_of_two_roots_stay_apart(void **state)
{
	struct time_counts *counts = make_counts();

	counts->nodes[5].function = counts->nodes[3].function;
	assert_int_equal(time_merge(counts), 0);
	expect_rows(counts, CALLS_BY_NAME, "0:(interrupts);c 0:app;a 0:app;b 0:app;c ");
	time_counts_destroy(counts);
}

/* Parts of a run, between pauses: the same nodes in another order, and a new one. */
static void parts_are_added(void **state)
{
	struct time_counts *whole = time_counts_create(call_counts_create()), *part = make_counts();
	struct time_node deeper = part->nodes[3];
	const struct time_sums *sums;

	assert_int_equal(time_counts_merge(whole, part), 0);
	assert_int_equal(whole->nr_nodes, part->nr_nodes);
	deeper.parent = 3;
	assert_int_equal(time_counts_add_node(part, &deeper), 0);
	part->nodes[5].sums.max_ns = 700;
	memcpy(part->nodes[0].comm, "old", 4);
	part->totals.cost_ps = 700000;
	assert_int_equal(time_counts_merge(whole, part), 0);
	expect_rows(whole, CALLS_BY_NAME, "0:(interrupts);b 0:app;a 1:app;a;b 2:app;a;b;c 3:app;a;b;c;c ");
	sums = &whole->nodes[2].sums;
	assert_int_equal(sums->calls, 40);
	assert_int_equal(sums->wall_ns, 120000);
	assert_int_equal(sums->min_ns, 600);
	assert_int_equal(whole->nodes[5].sums.max_ns, 700);
	assert_int_equal(whole->nodes[6].sums.calls, 20);
	assert_int_equal(whole->totals.cost_ps, 500000);
	assert_int_equal(whole->calls->totals.counted_ns, 2000000000);
	assert_int_equal(whole->calls->totals.nr_cpus, 1);
	time_counts_destroy(part);
	time_counts_destroy(whole);
}

/* A saved run with paths deeper than any stack. */
static void make_deep(struct time_counts *counts)
{
	struct time_node deep = counts->nodes[3];

	while (counts->nr_nodes < 2000) {
		deep.parent = counts->nr_nodes - 1;
		assert_int_equal(time_counts_add_node(counts, &deep), 0);
	}
}

/* The text of an export. */
static char *exported(const struct time_counts *counts, int format)
{
	char path[] = "/tmp/times-XXXXXX", *text = calloc(1, 4096);
	struct export_options options = { .path = { NULL } };
	struct export files;
	FILE *file;
	int fd = mkstemp(path);

	assert_true(fd >= 0 && text);
	close(fd);
	options.path[format] = path;
	assert_int_equal(export_open(&files, &options, NULL, NULL), 0);
	assert_int_equal(time_export(&files, counts, NULL), 0);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(fread(text, 1, 4095, file) > 0);
	fclose(file);
	unlink(path);
	return text;
}

/* Net times without the cost of timing. */
static void paths_are_exported(void **state)
{
	struct time_counts *counts = make_counts();
	char *text = exported(counts, EXPORT_FOLDED);

	assert_string_equal(text, "app;a 15000\napp;a;b 28000\napp;a;b;c 18000\n(interrupts);b 399900\n");
	free(text);
	text = exported(counts, EXPORT_SPEEDSCOPE);
	assert_non_null(strstr(text, "\"endValue\": 460900,\n\"samples\": [\n[0,1],\n[0,1,2],\n"
				     "[0,1,2,3],\n[4,5]\n],\n\"weights\": [15000,28000,18000,399900]}"));
	assert_non_null(strstr(text, "\"weights\": [10,20,20,1]}"));
	free(text);
	time_counts_destroy(counts);
}

#define REFUSED(change) do { \
	struct time_counts *counts = make_counts(), *loaded; \
	struct time_node *node = &counts->nodes[2]; \
	\
	(void)node; \
	change; \
	loaded = save_and_load(counts); \
	if (loaded) \
		fail_msg("accepted: %s", #change); \
	time_counts_destroy(counts); \
} while (0)

static void damaged_times_are_refused(void **state)
{
	REFUSED(node->parent = 2);
	REFUSED(node->type = CPUPROBE_NODE_INTERRUPTS + 1);
	REFUSED(node->type = CPUPROBE_NODE_PROCESS);
	REFUSED(node->function = 3);
	REFUSED(node->sums.ended++);
	REFUSED(node->sums.calls = 19);
	REFUSED(node->sums.recursive = 21);
	REFUSED(node->sums.errors = 21);
	REFUSED(node->sums.bins[3]++);
	REFUSED(node->sums.bins[3] = ~0ULL);
	REFUSED(node->sums.blocked_ns = 60001);
	REFUSED(node->sums.min_ns = 601);
	REFUSED(node->sums.wall_ns = ~0ULL);
	REFUSED(memset(counts->nodes[0].comm, 'x', 16));
	REFUSED(counts->nodes[0].function = 0);
	REFUSED(make_deep(counts));
	REFUSED(counts->totals.own_ps = 300001);
	REFUSED(counts->totals.seen_ps = 500001);
}

/* Numbers from 424 on are the same on all processors. */
static void system_calls_have_their_names(void **state)
{
	static const struct { u32 number; const char *name; } cases[] = {
		{ 424, "pidfd_send_signal" }, { 435, "clone3" }, { 462, "mseal" }, { 463, "setxattrat" },
		{ 467, "open_tree_attr" }, { 469, "file_setattr" }, { 1000, "sys_1000" }, { 423, "sys_423" },
		{ 3 | CPUPROBE_SYSCALL_COMPAT, "sys_3 (32-bit)" }, { CPUPROBE_SYSCALL_UNKNOWN, "(no such number)" },
	};
	struct call_counts *calls = call_counts_create();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(call_counts_name(calls, syscall_names_function(calls, cases[i].number)),
				    cases[i].name);
	call_counts_destroy(calls);
}

static int check_report(const struct calls_report *report, u32 flags)
{
	struct text_error error;

	return calls_report_check(report, flags, &error);
}

/* Counted, timed by function, timed by path: each option is of some of them. */
static void options_are_of_some_calls(void **state)
{
	const u32 by_path = CPUPROBE_CALLS_EACH | CPUPROBE_CALLS_PATHS;
	const struct calls_report arcs = { .view.by_arc = true }, never = { .view.never = true };
	const struct calls_report hist = { .hist = true }, functions = { .functions = true };
	const struct calls_report folded = { .exports.path[EXPORT_FOLDED] = "x" };
	const struct calls_report column = { .view.output.columns = "nothing" };

	assert_int_equal(check_report(&arcs, 0), 0);
	assert_int_equal(check_report(&never, 0), 0);
	assert_int_equal(check_report(&arcs, CPUPROBE_CALLS_EACH), OPTIONS_UNFIT);
	assert_int_equal(check_report(&never, by_path), OPTIONS_UNFIT);
	assert_int_equal(check_report(&hist, 0), OPTIONS_UNFIT);
	assert_int_equal(check_report(&folded, 0), OPTIONS_UNFIT);
	assert_int_equal(check_report(&hist, CPUPROBE_CALLS_EACH), 0);
	assert_int_equal(check_report(&folded, CPUPROBE_CALLS_EACH), 0);
	assert_int_equal(check_report(&functions, 0), OPTIONS_UNFIT);
	assert_int_equal(check_report(&functions, CPUPROBE_CALLS_EACH), OPTIONS_UNFIT);
	assert_int_equal(check_report(&functions, by_path), 0);
	assert_int_equal(check_report(&column, 0), OPTIONS_UNFIT);
	assert_int_equal(check_report(&column, by_path), OPTIONS_UNFIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(system_calls_have_their_names),
		cmocka_unit_test(costs_are_taken_out),
		cmocka_unit_test(cpus_are_added),
		cmocka_unit_test(rows_are_a_tree),
		cmocka_unit_test(siblings_are_sorted),
		cmocka_unit_test(histograms_are_drawn),
		cmocka_unit_test(tables_name_what_was_timed),
		cmocka_unit_test(columns_divide_by_the_right_calls),
		cmocka_unit_test(paths_are_summed_by_function),
		cmocka_unit_test(functions_of_two_roots_stay_apart),
		cmocka_unit_test(parts_are_added),
		cmocka_unit_test(paths_are_exported),
		cmocka_unit_test(saved_times_are_the_same),
		cmocka_unit_test(damaged_times_are_refused),
		cmocka_unit_test(options_are_of_some_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
