// SPDX-License-Identifier: GPL-2.0-only
/* Flat profiles in print, and functions never sampled: cli/report/flat_view.c, its neighbours. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "unit.h"
#include "profiles.h"
#include "report/flat_view.h"

static const char some_text[] =
	"sh 7 user main@sh;run@sh;read@libc.so.6 12\n"
	"sh 7 user main@sh;run@sh;main@sh;run@sh 20\n"
	"sh 7 kernel main@sh;do_syscall_64@kernel;ext4_read@[ext4] 3\n"
	"cc 9 user [no_frame_pointer];read@libc.so.6 1\n"
	"cc 9 softirq main@cc;[softirq];net_rx@kernel 6\n"
	"IDLE 0 kernel [idle] 44\n"
	"lost 4\n"
	"other 5\n";

typedef int (*show)(FILE *out, const struct profile *profile, const struct flat_view *view,
		    struct text_error *error_ret);

/* The printed report, to be freed. */
static char *printed(show how, const struct profile *profile, const struct flat_view *view)
{
	return WRITTEN(out, assert_int_equal(how(out, profile, view, NULL), 0));
}

static void assert_printed(show how, const struct profile *profile, const struct flat_view *view,
			   const char *expected)
{
	char *text = printed(how, profile, view);

	assert_string_equal(text, expected);
	free(text);
}

/* A run of events has numbers of them where others have seconds, in every format. */
static void events_take_the_place_of_times(void **state)
{
	struct receipt receipt = {
		.taken = 95, .event.event = { .name = "page-faults", .period = 101 }, .period_ns = 101,
	};
	struct flat_view view = { .cols = 80, .nr_rows = 1, .receipt = &receipt };
	struct profile *profile = profiles_of(some_text);
	char *text;

	profile->counts_events = true;
	text = printed(flat_view_show, profile, &view);
	assert_non_null(strstr(text, "Flat Profile by Function\nCounted page-faults with a period of 101\n(95 samples"));
	assert_non_null(strstr(text, "    %     +-  Samples    Events  Cumul     +-  "));
	assert_null(strstr(text, "Self s"));
	assert_non_null(strstr(text, "[idle]"));
	assert_non_null(strstr(text, "       44  44000000   46.3"));
	free(text);
	view.format = FORMAT_TSV;
	view.executions = 5;
	text = printed(flat_view_show, profile, &view);
	assert_non_null(strstr(text, "\tevents\t"));
	assert_non_null(strstr(text, "\tcumulative_events\t"));
	assert_non_null(strstr(text, "\tcumulative_execution_hi_events\n"));
	assert_null(strstr(text, "seconds"));
	assert_null(strstr(text, "_ns"));
	free(text);
	view.format = FORMAT_JSON;
	text = printed(flat_view_show, profile, &view);
	assert_non_null(strstr(text, "\"event\": \"page-faults\",\n  \"by\": \"function\""));
	assert_non_null(strstr(text, "\"base_events\": 95000000.000000,"));
	assert_non_null(strstr(text, "\"execution_events\": "));
	free(text);
	profile->counts_events = false;
	view.format = FORMAT_TSV;
	text = printed(flat_view_show, profile, &view);
	assert_null(strstr(text, "events"));
	free(text);
	profile_destroy(profile);
}

static void as_a_table(void **state)
{
	const struct flat_view view = { .cols = 80, .nr_rows = 3 };
	struct profile *profile = profiles_of(some_text);

	assert_printed(flat_view_show, profile, &view,
		"Flat Profile by Function\n"
		"(95 samples are 100%: all samples taken)\n"
		"\n"
		"    %     +-  Samples  Self s  Cumul     +-  Object     Function\n"
		"=====  =====  =======  ======  =====  =====  =========  =================\n"
		" 46.3   9.97       44   0.044   46.3   9.97  -          [idle]\n"
		" 21.0   9.24       20   0.020   33.7   9.97  sh         run\n"
		" 13.7   8.33       13   0.013   13.7   8.33  libc.so.6  read\n"
		"  9.5   7.56        9   0.009   44.2  10.02             (7 others)\n"
		"  4.2   6.12        4   0.004    4.2   6.12             (lost)\n"
		"  5.3   6.47        5   0.005    5.3   6.47             (other processes)\n"
		"-----  -----  -------  ------  -----  -----  ---------  -----------------\n"
		"100.0              95   0.095\n");
	profile_destroy(profile);
}

static void as_bars(void **state)
{
	const struct flat_view view = { .cols = 60, .least = 0.1, .flat.base = FLAT_BASE_TARGET };
	struct profile *profile = profiles_of(some_text);

	assert_printed(flat_bars_show, profile, &view,
		"system                      9  (  9.5%)   7.56\n"
		"user                       33  ( 34.7%)  10.00\n"
		"idle                       44  ( 46.3%)   9.97\n"
		"(lost)                      4  (  4.2%)   6.12\n"
		"(other processes)           5  (  5.3%)   6.47\n"
		"total                      95  (100.0%)\n"
		"\n"
		"Flat Profile by Function\n"
		"(42 samples are 100%: all stacks except idle ones; 53 others\n"
		"left out)\n"
		"\n"
		"sh  run     *********************************   47.6%  14.66\n"
		"sh  read    ********************                28.6%  15.00\n"
		"cc  net_rx  **********                          14.3%  13.56\n"
		"    <10%    *******                              9.5%  12.54\n"
		"total                                          100.0%\n"
		"\n"
		"sh: 83.3% (+- 13.94) of all 42 samples\n"
		"\n"
		"run    **************************************   57.1%  16.29\n"
		"read   ***********************                  34.3%  16.56\n"
		"<10%   ******                                    8.6%  13.81\n"
		"sh                                             100.0%\n"
		"\n"
		"cc: 16.7% (+- 13.94) of all 42 samples\n"
		"\n"
		"net_rx  *************************************   85.7%  37.03\n"
		"read    ******                                  14.3%  37.03\n"
		"cc                                             100.0%\n"
		"\n"
		"programs: all 42 samples\n"
		"\n"
		"sh     **************************************   83.3%  13.94\n"
		"cc     ********                                 16.7%  13.94\n"
		"total                                          100.0%\n");
	profile_destroy(profile);
}

/* A frame of some function of some object; names are up to 190 bytes long. */
static u32 random_frame(struct profile *profile, u32 n)
{
	struct profile_object object = { .kind = n % PROFILE_KINDS };
	struct profile_function function;
	struct profile_frame frame;
	char name[200];

	memset(name, 'n', sizeof(name));
	snprintf(name + n % 150, 40, "_%u\xc3\xa4", n % 50);
	object.name = name + n % 150 / 2;
	function = (struct profile_function){
		.name = name, .object = profile_add_object(profile, &object)
	};
	frame = (struct profile_frame){
		.function = profile_add_function(profile, &function), .file = name,
		.line = n % 3 ? n : 0
	};
	return profile_add_frame(profile, &frame);
}

/* A profile of many names, long and short, in many programs. */
static struct profile *random_profile(u64 seed)
{
	struct profile *profile = profile_create();
	struct profile_process process = { .cgroup = "" };
	u32 i, k, n, hits, frames[8], nr = 1 + seed * 7 % 90;
	char name[40];

	for (i = 0; i < nr; i++) {
		for (k = 0; k < 1 + i % 8; k++) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			frames[k] = random_frame(profile, seed >> 50);
		}
		n = seed >> 40;
		hits = 1 + n % 900;
		snprintf(name, sizeof(name), "%*u", n % 30, i % 13);
		process.pid = n;
		process.name = name;
		profile_add_stack(profile, profile_add_process(profile, &process),
				  n % CPUPROBE_MODES, frames, 1 + i % 8, hits, 1e6 * hits);
		profile->taken += hits;
	}
	profile->lost = seed % 5;
	profile->lost_ns = 1e6 * profile->lost;
	profile->taken += profile->lost;
	return profile;
}

/*
 * No line is longer than @cols. In each block, the percentages end at the column of the last line's
 * percentage and add up to that line's 100.0%. Returns the number of blocks.
 */
static int check_text(char *text, int cols, bool is_bars)
{
	int tenths = 0, nr_blocks = 0, value, is_total;
	char *line, *percent, *rest = text;

	while ((line = strsep(&rest, "\n"))) {
		if (text_width(line) > cols)
			fail_msg("%d columns: %s", text_width(line), line);
		percent = is_bars ? strrchr(line, '%') : line + 5;
		if (is_bars && (!percent || percent - line < 5 || percent[-2] != '.'))
			continue;
		if (!is_bars && (strlen(line) < 7 || line[3] != '.'))
			continue;
		value = lround(strtod(percent - 5, NULL) * 10);
		/* A total has no interval. */
		is_total = is_bars ? percent[1 + (percent[1] == ')')] == '\0' : line[9] == ' ';
		if (is_total) {
			assert_int_equal(value, 1000);
			assert_int_equal(tenths, 1000);
			nr_blocks++;
			tenths = 0;
		} else if (!strstr(line, "(+-")) {
			tenths += value;
		}
	}
	return nr_blocks;
}

static void every_block_adds_up(void **state)
{
	u64 seed;

	for (seed = 1; seed < 120; seed++) {
		struct profile *profile = random_profile(seed);
		struct flat_view view = {
			.cols = seed % 2 ? 80 : 70 + seed,
			.sort = seed % 4,
			.nr_rows = seed % 3 ? 0 : seed / 3,
			.least = seed % 5 ? 0.003 * (seed % 7) : 0,
			.flat.by = seed % FLAT_GROUP,
			.flat.base = seed % 2 ? FLAT_BASE_MACHINE : FLAT_BASE_TARGET,
		};
		char *text = printed(flat_view_show, profile, &view);

		assert_int_equal(check_text(text, view.cols, false), 1);
		free(text);
		view.cols = 48 + seed % 60;
		view.flat.by = seed % 2 ? FLAT_FUNCTION : FLAT_OBJECT;
		text = printed(flat_bars_show, profile, &view);
		assert_true(check_text(text, view.cols, true) >= 3);
		free(text);
		profile_destroy(profile);
	}
}

static int count_chars(const char *text, char c)
{
	int nr = 0;

	for (; *text && *text != '\n'; text++)
		nr += *text == c;
	return nr;
}

static void as_tsv(void **state)
{
	const struct flat_view view = { .cols = 80, .format = FORMAT_TSV };
	struct profile *profile = profiles_of(some_text);
	char *text = printed(flat_view_show, profile, &view), *line, *rest = text;
	double sum = 0;
	int tabs = count_chars(text, '\t'), nr = 0, field;

	assert_int_equal(tabs, 24);
	while ((line = strsep(&rest, "\n")) && line[0]) {
		assert_int_equal(count_chars(line, '\t'), tabs);
		for (field = 0; field < 7; field++)
			strsep(&line, "\t");
		sum += nr++ ? strtod(line, NULL) : 0;
	}
	assert_int_equal(nr, 13);
	assert_true(fabs(sum - 100) < 1e-9);
	free(text);
	profile_destroy(profile);
}

/* Names may contain JSON's special characters. */
static void as_json(void **state)
{
	const struct flat_view view = {
		.cols = 80, .format = FORMAT_JSON, .flat.by = FLAT_PROGRAM_OBJECT};
	struct profile *profile = profiles_of("a\"b\\ 1 user f@x\"},{\"y 1\n");
	char *text = printed(flat_view_show, profile, &view);

	assert_string_equal(
		text,
		"{\n  \"report\": \"flat\",\n  \"by\": \"program-object\",\n  \"base\": "
		"\"machine\",\n"
		"  \"base_samples\": 1,\n  \"base_seconds\": 0.001000,\n  \"samples\": 1,\n"
		"  \"lost\": 0,\n  \"other\": 0,\n  \"rows\": [\n"
		"    {\"name\": \"x\\\"},{\\\"y\", \"kind\": \"row\", \"program\": \"a\\\"b\\\\\", "
		"\"pid\": 0, "
		"\"object\": \"x\\\"},{\\\"y\", \"object_kind\": \"file\", "
		"\"path\": \"/usr/lib/x\\\"},{\\\"y\", \"share\": 100.0000, \"error\": 79.3451, "
		"\"lo\": 20.6549, \"hi\": 100.0000, \"samples\": 1, \"seconds\": 0.001000, "
		"\"cumulative\": 100.0000, \"cumulative_error\": 79.3451, \"cumulative_lo\": "
		"20.6549, "
		"\"cumulative_hi\": 100.0000, \"cumulative_samples\": 1, \"cumulative_seconds\": "
		"0.001000, "
		"\"execution_ns\": null, \"execution_lo_ns\": null, "
		"\"execution_hi_ns\": null, \"cumulative_execution_ns\": null, "
		"\"cumulative_execution_lo_ns\": null, "
		"\"cumulative_execution_hi_ns\": null}\n"
		"  ]\n}\n");
	free(text);
	profile_destroy(profile);
}

/*
 * 95 ms were sampled during 50 executions: 1.9 ms each, of which 42 of 95 samples are neither idle
 * nor lost nor other processes'. Idle time has a row but is no part of an execution.
 */
static void per_execution(void **state)
{
	struct flat_view view = { .cols = 80, .nr_rows = 3, .executions = 50 };
	struct profile *profile = profiles_of(some_text);
	char *text;

	assert_printed(flat_view_show, profile, &view,
		"Flat Profile by Function\n"
		"(95 samples are 100%: all samples taken)\n"
		"One execution: 840 us, 95% interval 658.2 to 1030 us (50 executions)\n"
		"\n"
		"    %  Samples  Self ms       +-  Cumul ms       +-  Object     Function\n"
		"=====  =======  =======  =======  ========  =======  =========  ================\n"
		" 46.3       44    0.880    0.190     0.880    0.190  -          [idle]\n"
		" 21.0       20    0.400    0.176     0.640    0.189  sh         run\n"
		" 13.7       13    0.260    0.158     0.260    0.158  libc.so.6  read\n"
		"  9.5        9    0.180    0.144     0.840    0.190             (7 others)\n"
		"  4.2        4    0.080    0.116     0.080    0.116             (lost)\n"
		"  5.3        5    0.100    0.123     0.100    0.123             (other ..cesses)\n"
		"-----  -------  -------  -------  --------  -------  ---------  ----------------\n"
		"100.0       95    1.900\n");
	view.format = FORMAT_JSON;
	view.columns = "name,execution_ns,execution_error_ns,execution_hi_ns,"
		"cumulative_execution_ns,cumulative_execution_lo_ns";
	text = printed(flat_view_show, profile, &view);
	assert_non_null(strstr(text, "  \"executions\": 50,\n  \"execution_ns\": 840000.000,\n"
			       "  \"execution_lo_ns\": 658"));
	assert_non_null(strstr(text, "{\"name\": \"run\", \"execution_ns\": 400000.000, "
			       "\"execution_error_ns\": 1755"));
	assert_non_null(strstr(text, "\"cumulative_execution_ns\": 640000.000, "));
	free(text);
	profile_destroy(profile);
}

/* The end of a path matters more than its beginning. */
static void lines_are_cut_at_the_left(void **state)
{
	const struct flat_view view = { .cols = 60, .flat.by = FLAT_LINE };
	struct profile *profile = profiles_of("a 1 user f@a 2\n");
	u32 frame = profile_add_frame(profile, &(struct profile_frame){
		.function = PROFILE_MARK_COUNT, .line = 1234,
		.file = "/a/very/long/path/of/a/file.c" });
	char *text;

	profile_add_stack(profile, 0, CPUPROBE_MODE_USER, &frame, 1, 5, 5e6);
	text = printed(flat_view_show, profile, &view);
	assert_non_null(strstr(text, "file.c:1234\n"));
	assert_null(strstr(text, "/a/very"));
	free(text);
	profile_destroy(profile);
}

/* sh has two functions that were sampled and three that were not; libc is unknown. */
static int some_symbols(void *context, const struct profile_object *object, unsampled_add add,
			void *to, struct text_error *error_ret)
{
	const struct profile *profile = context;
	u32 i;

	if (!strcmp(object->name, "libc.so.6"))
		return text_fail(error_ret, -ENOENT, "no symbols");
	if (strcmp(object->name, "sh"))
		return 0;
	for (i = PROFILE_MARK_COUNT; i < profile->nr_functions; i++)
		/* An alias is the same function under another name. */
		if (profile->functions[i].object == (u32)(object - profile->objects) &&
		    add(to, profile->functions[i].addr, "alias"))
			return -ENOMEM;
	return add(to, 0x9000, "never") || add(to, 0x9100, "nor\tthis") || add(to, 0x9200, "read") ?
		-ENOMEM : 0;
}

static void unsampled_functions_are_listed(void **state)
{
	struct flat_view view = { .cols = 60, .flat.by = FLAT_PROGRAM };
	struct profile *profile = profiles_of("sh 7 user main@sh;run@sh;read@libc.so.6 12\n"
					      "sh 7 kernel sys@kernel 3\n");
	struct unsampled *unsampled =
		unsampled_create(profile, FLAT_BASE_MACHINE, some_symbols, profile);
	char *text;

	assert_int_equal(unsampled->nr_objects, 2);
	view.unsampled = unsampled;
	text = printed(flat_view_show, profile, &view);
	/* The upper bound for none of 15 is 20.389%. */
	assert_non_null(strstr(text,
			       "\nNever sampled: 3 functions of 2 objects. Each took less than\n"
			       "21% by itself, with 95% confidence.\n"
			       "Functions of libc.so.6 are unknown: no symbols.\n\n"
			       "Object            Function\n"
			       "================  ============\n"
			       "sh                never\n"
			       "sh                nor?this\n"
			       "sh                read\n"));
	free(text);
	view.format = FORMAT_TSV;
	text = printed(flat_view_show, profile, &view);
	assert_non_null(strstr(
		text,
		"\nnever\tunsampled\t\t0\tsh\tfile\t/usr/lib/sh\t0.0000\t20.3883\t"
		"0.0000\t20.3883\t0\t0.000000\t0.0000\t20.3883\t0.0000\t20.3883\t0\t0.000000\t"
		"null\tnull\tnull\tnull\tnull\tnull\n"));
	free(text);
	unsampled_destroy(unsampled);
	/* A report on the kernel alone lists functions of the kernel alone. */
	unsampled = unsampled_create(profile, FLAT_BASE_KERNEL, some_symbols, profile);
	assert_int_equal(unsampled->nr_objects, 1);
	assert_int_equal(unsampled->nr_rows + unsampled->nr_gaps, 0);
	unsampled_destroy(unsampled);
	profile_destroy(profile);
}

/* Functions without known addresses are matched by name. */
static void unsampled_by_name(void **state)
{
	struct profile *profile = profiles_of("sh 7 user main@sh;never@sh 1\n");
	struct unsampled *unsampled;
	u32 i;

	for (i = PROFILE_MARK_COUNT; i < profile->nr_functions; i++)
		profile->functions[i].addr = 0;
	unsampled = unsampled_create(profile, FLAT_BASE_MACHINE, some_symbols, profile);
	assert_int_equal(unsampled->nr_rows, 4);	/* two aliases, nor, read */
	unsampled_destroy(unsampled);
	profile_destroy(profile);
}

/* Add every function of the kernel that the profile has. */
static int all_of_kernel(void *context, const struct profile_object *object, unsampled_add add,
			 void *to, struct text_error *error_ret)
{
	const struct profile *profile = context;
	u32 i;

	if (object->kind != PROFILE_KERNEL)
		return 0;
	for (i = PROFILE_MARK_COUNT; i < profile->nr_functions; i++)
		if (add(to, profile->functions[i].addr, profile->functions[i].name))
			return -ENOMEM;
	return 0;
}

/* A function that only idle CPUs executed was not sampled at work. */
static void unsampled_at_work(void **state)
{
	struct profile *profile = profiles_of("IDLE 0 kernel sleep@kernel;[idle] 9\n"
					      "sh 7 kernel sys@kernel 3\n");
	struct unsampled *unsampled =
		unsampled_create(profile, FLAT_BASE_KERNEL, all_of_kernel, profile);

	assert_int_equal(unsampled->nr_rows, 1);
	assert_string_equal(unsampled->rows[0].name, "sleep");
	unsampled_destroy(unsampled);
	profile_destroy(profile);
}

/* The vDSO has functions, as files have. */
static void unsampled_of_vdso(void **state)
{
	struct profile *profile = profiles_of("sh 7 user main@sh 1\n");
	struct unsampled *unsampled;
	u32 i;

	for (i = 0; i < profile->nr_objects; i++)
		if (!strcmp(profile->objects[i].name, "sh"))
			profile->objects[i].kind = PROFILE_VDSO;
	unsampled = unsampled_create(profile, FLAT_BASE_TARGET, some_symbols, profile);
	assert_int_equal(unsampled->nr_objects, 1);
	assert_int_equal(unsampled->nr_rows, 3);
	unsampled_destroy(unsampled);
	profile_destroy(profile);
}

static void empty_reports_print_nothing(void **state)
{
	const struct flat_view view = { .cols = 80, .flat.base = FLAT_BASE_TARGET };
	struct profile *profile = profiles_of("IDLE 0 kernel [idle] 3\n");
	struct text_error error;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_not_equal(flat_view_show(out, profile, &view, &error), 0);
	assert_int_not_equal(flat_bars_show(out, profile, &view, &error), 0);
	fclose(out);
	assert_string_equal(text, "");
	free(text);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_take_the_place_of_times),
		cmocka_unit_test(as_a_table),
		cmocka_unit_test(as_bars),
		cmocka_unit_test(every_block_adds_up),
		cmocka_unit_test(as_tsv),
		cmocka_unit_test(as_json),
		cmocka_unit_test(per_execution),
		cmocka_unit_test(lines_are_cut_at_the_left),
		cmocka_unit_test(unsampled_functions_are_listed),
		cmocka_unit_test(unsampled_by_name),
		cmocka_unit_test(unsampled_at_work),
		cmocka_unit_test(unsampled_of_vdso),
		cmocka_unit_test(empty_reports_print_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
