// SPDX-License-Identifier: GPL-2.0-only
/* The listing and the tree in print: cli/profile/graph_*.c, tree_view.c, weight.c. */
#include <errno.h>
#include <math.h>

#include "unit.h"
#include "profiles.h"
#include "report/graph_columns.h"

/* The printed report of a profile; to be freed. */
static char *written_per(u64 executions, const char *profile_text, struct graph_options options)
{
	struct profile *profile = profiles_of(profile_text);
	struct labels labels;
	struct paths paths;
	struct graph_view view = { .options = &options, .labels = &labels, .paths = &paths,
				   .executions = executions, .omits = &options.omits };
	struct text_error error;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!options.output.cols)
		options.output.cols = 80;
	assert_int_equal(labels_init(&labels, profile), 0);
	assert_int_equal(paths_init(&paths, profile, &labels, &options.paths, &error), 0);
	assert_int_equal(options.is_tree ? tree_view_show(out, &view) : graph_view_show(out, &view),
			 0);
	fclose(out);
	paths_deinit(&paths);
	labels_deinit(&labels);
	profile_destroy(profile);
	return text;
}

static char *written(const char *profile_text, struct graph_options options)
{
	return written_per(0, profile_text, options);
}

static void assert_written(const char *profile_text, struct graph_options options,
			   const char *expected)
{
	char *text = written(profile_text, options);

	assert_string_equal(text, expected);
	free(text);
}

/* A row of a tree with nothing but a weight, in some columns; as text without the head. */
static void assert_cell(const struct weight *weight, const struct weight *base,
			enum output_format format, const char *choice, const char *expected)
{
	const struct graph_options options = { .output = { .format = format, .columns = choice } };
	const struct profile profile = { 0 };
	const struct paths paths = { .base = *base, .profile = &profile };
	const struct graph_view view = { .options = &options, .paths = &paths };
	const struct tree_row row = { .node = TREE_OTHERS, .weight = *weight };
	struct graph_table table = { .view = &view };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(graph_table_init(&table), 0);
	columns_measure(&table.columns, &row);
	(format == FORMAT_JSON ? columns_print_json : format == FORMAT_TSV ? columns_print_tsv :
	 columns_print_row)(out, &table.columns, &row);
	fclose(out);
	assert_string_equal(text + strspn(text, " "), expected);
	columns_deinit(&table.columns);
	free(text);
}

static const char some_text[] =
	"sh 7 user main@sh;cheap@sh;work@sh 50\n"
	"sh 7 user main@sh;dear@sh;work@sh 940\n"
	"sh 7 user main@sh;dear@sh;work@sh;work@sh 10\n"
	"lost 4\n"
	"other 5\n";

static void listing(void **state)
{
	assert_written(some_text, (struct graph_options){ .min_percent = 0.5 },
"Call graph\n"
"(100% = 1000 samples, 1.000 s, of the target; 4 lost, 5 of other processes)\n"
"\n"
"Index  % time     +-      Self  Descend.    Samples  Name\n"
"=====  ======  =====  ========  ========  =========  ===========================\n"
"        100.0   0.38     0.000     1.000  1000/1000    <spontaneous>\n"
"[1]     100.0   0.38     0.000     1.000       1000  main [1]\n"
"         95.0   1.53     0.000     0.950    950/950    dear [3]\n"
"          5.0   1.53     0.000     0.050      50/50    cheap [4]\n"
"--------------------------------------------------------------------------------\n"
"          5.0   1.53     0.050     0.000    50/1000    cheap [4]\n"
"         95.0   1.53     0.950     0.000   950/1000    dear [3]\n"
"[2]     100.0   0.38     1.000     0.000     990+10  work [2]\n"
"--------------------------------------------------------------------------------\n"
"         95.0   1.53     0.000     0.950    950/950    main [1]\n"
"[3]      95.0   1.53     0.000     0.950        950  dear [3]\n"
"         95.0   1.53     0.950     0.000   950/1000    work [2]\n"
"--------------------------------------------------------------------------------\n"
"          5.0   1.53     0.000     0.050      50/50    main [1]\n"
"[4]       5.0   1.53     0.000     0.050         50  cheap [4]\n"
"          5.0   1.53     0.050     0.000    50/1000    work [2]\n"
"--------------------------------------------------------------------------------\n"
"Self and descendants are seconds of whole stacks; each stack counts once per\n"
"function and once per call. Samples of a function (with an index): without +\n"
"with recursion; of a caller (above) or callee (below): in this call / of the\n"
"called function; of a member: in the member / in its cycle.\n");
}

static void cycle(void **state)
{
	char *text = written("m 1 user main@m;even@m;odd@m;even@m 7\n"
			     "m 1 user main@m;odd@m 2\n"
			     "m 1 user main@m;tiny@m 1\n",
			     (struct graph_options){ .min_percent = 15 });

	assert_non_null(strstr(text,
"         90.0  30.42     0.009     0.000      9/9    main [1]\n"
"[2]      90.0  30.42     0.009     0.000      2+7  <cycle 1 as a whole> [2]\n"
"         90.0  30.42     0.002     0.007      9/9    odd <cycle 1> [3]\n"
"         70.0  30.32     0.007     0.000      7/9    even <cycle 1> [4]\n"));
	/* So few samples give only an upper bound. */
	assert_non_null(strstr(text, "<51.0            0.002     0.000      2/9    main [1]\n"));
	assert_non_null(strstr(text, "\n"
"                                                     (1 below 15%)\n"));
	assert_non_null(strstr(text, "\nNot listed: 1 smaller, 0 deeper.\n"));
	free(text);
}

/* The call that made the cycle keeps its line, and is named. */
static void omitted(void **state)
{
	static const char stacks[] = "m 1 user main@m;even@m;odd@m;even@m 7\n";
	struct graph_options options = { .omits = { .omit = { { .text = "odd:even" },
							      { .text = "x:y" } }, .nr = 2 } };
	char *text = written(stacks, options);

	assert_null(strstr(text, "cycle 1"));
	assert_non_null(strstr(text, " odd [3] (omitted)\n"));
	assert_non_null(strstr(text, " even [2] (omitted)\n"));
	assert_non_null(strstr(text, "\nLeft out of the search for cycles: odd:even (7 samples).\n"));
	assert_null(strstr(text, "x:y"));
	free(text);
	options.output.format = FORMAT_JSON;
	text = written(stacks, options);
	assert_non_null(strstr(text, "  \"omitted\": [{\"call\": \"odd:even\", \"samples\": 7}],\n"));
	free(text);
}

static void tree(void **state)
{
	assert_written(some_text, (struct graph_options){ .is_tree = true, .min_percent = 5,
							  .paths.base = PATHS_MACHINE },
"Call tree\n"
"(100% = 1009 samples, 1.009 s, of the machine; 4 lost, 5 of other processes)\n"
"\n"
"% time     +-  % self  Samples  Level  Name\n"
"======  =====  ======  =======  =====  =========================================\n"
"  99.1   0.79     0.0     1000      0  main\n"
"  94.2   1.62     0.0      950      1    dear\n"
"  94.2   1.62    93.2      950      2      work\n"
"   1.0   0.82     1.0       10      3        (1 smaller)\n"
"   5.0   1.52     0.0       50      1    (1 smaller)\n");
}

static void callers(void **state)
{
	assert_written(some_text, (struct graph_options){ .is_tree = true, .min_percent = 2,
							  .paths.callers = "work" },
"Callers of work\n"
"(100% = 1000 samples, 1.000 s, of the target; 4 lost, 5 of other processes)\n"
"\n"
"% time     +-  % self  Samples  Level  Name\n"
"======  =====  ======  =======  =====  =========================================\n"
" 100.0   0.38   100.0     1000      0  work\n"
"  94.0   1.65    94.0      940      1    dear\n"
"  94.0   1.65    94.0      940      2      main\n"
"   5.0   1.53     5.0       50      1    cheap\n"
"   5.0   1.53     5.0       50      2      main\n"
"   1.0   0.83     1.0       10      1    (1 smaller)\n"
"\n"
"Below each function are its callers. % self: the requested function itself ran.\n");
}

#define EXECUTION_KEYS "\texecution_ns\texecution_lo_ns\texecution_hi_ns" \
	"\tself_execution_ns\tself_execution_lo_ns\tself_execution_hi_ns"
#define NO_EXECUTIONS "\tnull\tnull\tnull\tnull\tnull\tnull"
#define CALL_KEYS "\tcalls\tinner_calls\tof_calls\tself_call_ns\tself_call_lo_ns" \
	"\tself_call_hi_ns\tdescendants_call_ns\tdescendants_call_lo_ns\tdescendants_call_hi_ns"
#define NO_CALLS NO_EXECUTIONS "\tnull\tnull\tnull"

static void tab_separated(void **state)
{
	assert_written("a 1 user f@a;f@a 5\n",
		       (struct graph_options){ .output.format = FORMAT_TSV },
"entry\trole\tname\tobject\taddress\tindex\tcycle\tpercent\tlo\thi\t"
"self_percent\tself_lo\tself_hi\t"
"self_s\tdescendants_s\tsamples\tself_samples\tof_samples\trecursive_samples" EXECUTION_KEYS CALL_KEYS "\n"
"1\tparent\t<spontaneous>\t\t0x0\t0\t0\t100.0000\t56.5518\t100.0000\t100.0000\t56.5518\t100.0000\t"
"0.005000\t0.000000\t5\t5\t5\t0" NO_EXECUTIONS NO_CALLS "\n"
"1\tfunction\tf\ta\t0x2000\t1\t0\t100.0000\t56.5518\t100.0000\t100.0000\t56.5518\t100.0000\t"
"0.005000\t0.000000\t5\t5\t5\t5" NO_EXECUTIONS NO_CALLS "\n");
	assert_written("a 1 user f@a;g@b 5\n", (struct graph_options){ .output.format = FORMAT_TSV,
			.is_tree = true, .paths.by_process = true, .depth = 2 },
"level\tkind\tname\tobject\taddress\tothers\tpercent\tlo\thi\tself_percent\tself_lo\tself_hi\t"
"self_s\tdescendants_s\tsamples\tself_samples" EXECUTION_KEYS "\n"
"0\tprogram\ta\t\t0x0\t0\t100.0000\t56.5518\t100.0000\t0.0000\t0.0000\t43.4482\t"
"0.000000\t0.005000\t5\t0" NO_EXECUTIONS "\n"
"1\tfunction\tf\ta\t0x2100\t0\t100.0000\t56.5518\t100.0000\t0.0000\t0.0000\t43.4482\t"
"0.000000\t0.005000\t5\t0" NO_EXECUTIONS "\n");
}

#define NUMBERS "\"percent\": 100.0000, \"lo\": 56.5518, \"hi\": 100.0000, " \
	"\"self_percent\": 100.0000, " \
	"\"self_lo\": 56.5518, \"self_hi\": 100.0000, \"self_s\": 0.005000, " \
	"\"descendants_s\": 0.000000, \"samples\": 5, \"self_samples\": 5"
#define NO_TIMES "\"execution_ns\": null, \"execution_lo_ns\": null, " \
	"\"execution_hi_ns\": null, \"self_execution_ns\": null, " \
	"\"self_execution_lo_ns\": null, \"self_execution_hi_ns\": null"
#define NO_CALL_TIMES ", \"calls\": null, \"inner_calls\": null, \"of_calls\": null, " \
	"\"self_call_ns\": null, \"self_call_lo_ns\": null, \"self_call_hi_ns\": null, " \
	"\"descendants_call_ns\": null, \"descendants_call_lo_ns\": null, " \
	"\"descendants_call_hi_ns\": null"

/* Names may contain JSON's special characters. */
static void json(void **state)
{
	assert_written("a 1 user f\"\\@o\" 5\n",
		       (struct graph_options){ .output.format = FORMAT_JSON },
"{\n  \"report\": \"graph\",\n  \"base\": \"target\",\n  \"base_samples\": 5,\n"
"  \"base_s\": 0.005000,\n  \"taken\": 5,\n  \"lost\": 0,\n  \"other\": 0,\n"
"  \"focus\": null,\n  \"callers\": null,\n  \"smaller\": 0,\n  \"deeper\": 0,\n"
"  \"entries\": [\n"
"    {\"name\": \"f\\\"\\\\\", \"object\": \"o\\\"\", \"address\": \"0x2000\", \"index\": 1, "
"\"cycle\": 0, " NUMBERS ", \"of_samples\": 5, \"recursive_samples\": 0, " NO_TIMES NO_CALL_TIMES ",\n"
"      \"parents\": [\n"
"        {\"name\": \"<spontaneous>\", \"object\": \"\", \"address\": \"0x0\", \"index\": 0, "
"\"cycle\": 0, " NUMBERS ", \"of_samples\": 5, \"recursive_samples\": 0, " NO_TIMES NO_CALL_TIMES "}],\n"
"      \"children\": []}\n"
"  ]\n}\n");
	assert_written("a 1 user f\"\\@o\" 5\n",
		       (struct graph_options){ .output.format = FORMAT_JSON,
			.is_tree = true, .paths.callers = "f\"\\" },
"{\n  \"report\": \"tree\",\n  \"base\": \"target\",\n  \"base_samples\": 5,\n"
"  \"base_s\": 0.005000,\n  \"taken\": 5,\n  \"lost\": 0,\n  \"other\": 0,\n"
"  \"focus\": null,\n  \"callers\": \"f\\\"\\\\\",\n"
"  \"rows\": [\n"
"    {\"level\": 0, \"kind\": \"function\", \"name\": \"f\\\"\\\\\", \"object\": \"o\\\"\", "
"\"address\": \"0x2000\", \"others\": 0, " NUMBERS ", " NO_TIMES "}\n"
"  ]\n}\n");
}

/* 10,000 executions: seconds become units of 100 us. */
static void per_execution(void **state)
{
	char *text = written_per(10000, some_text, (struct graph_options){ .nr_rows = 1 });

	assert_non_null(strstr(text,
"5 of other processes)\n"
"One execution: 100 us, 95% interval 99.2 to 100.4 us (10000 executions)\n"
"\n"
"Index  % time  Total us        +-   Self us    Samples  Name\n"
"=====  ======  ========  ========  ========  =========  ========================\n"
"        100.0   100.000     0.383     0.000  1000/1000    <spontaneous>\n"
"[1]     100.0   100.000     0.383     0.000       1000  main [1]\n"
"         95.0    95.000     1.531     0.000    950/950    dear\n"
"          5.0     5.000     1.531     0.000      50/50    cheap\n"));
	assert_non_null(strstr(text, "Total and self are times of one execution, from those of"));
	free(text);
	text = written_per(10000, some_text, (struct graph_options){ .is_tree = true,
		.output = { .format = FORMAT_TSV,
			    .columns = "name,execution_ns,execution_hi_ns,self_execution_ns" } });
	assert_non_null(strstr(text, "\ndear\t95000.000\t96186."));
	assert_non_null(strstr(text, "\nwork\t95000.000\t96186."));
	free(text);
}

/* No line is wider than asked for or ends in blanks, whatever the names, depths and counts. */
static void lines_fit(void **state)
{
	static const int widths[] = { 40, 50, 67, 80, 100, 300 };
	char *profile_text = NULL, *text, *line, *rest;
	struct graph_options options = { .min_percent = 0 };
	size_t len, i;
	FILE *file = open_memstream(&profile_text, &len);

	fprintf(file, "deep 1 user "
		"a_name_that_is_longer_than_any_column_there_could_be_and_goes_on@d");
	for (i = 0; i < 127; i++)
		fprintf(file, ";step_%zu_of_some_length_with_\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4@d",
			i % 120);
	fprintf(file, " 7\ncount 1 user main@d;work@d 123456\nidle 0 kernel [idle] 3\n");
	fclose(file);
	for (i = 0; i < 2 * sizeof(widths) / sizeof(widths[0]); i++) {
		options.output.cols = widths[i / 2];
		options.is_tree = i % 2;
		text = rest = written(profile_text, options);
		while ((line = strsep(&rest, "\n"))) {
			assert_true(text_width(line) <= widths[i / 2]);
			assert_true(!line[0] || line[strlen(line) - 1] != ' ');
		}
		free(text);
	}
	free(profile_text);
}

/* Counts and times near the limits of their types. */
static void huge_counts(void **state)
{
	const char *huge = "a 1 user f@a;g@a 9000000000000000000\n"
		"a 1 user f@a 9000000000000000000\n";
	struct graph_options options = { .output.format = FORMAT_JSON };
	const struct weight infinite = { .hits = 10, .ns = INFINITY };
	char *text = written(huge, options);

	assert_non_null(strstr(text, "\"percent\": 50.0000, \"lo\": 50.0000, \"hi\": 50.0000"));
	assert_non_null(strstr(text, "\"samples\": 18000000000000000000, "));
	free(text);
	/* Times that overflow are invalid, and JSON has no number for them. */
	assert_true(weight_share(&infinite, &infinite) == 0);
	assert_cell(&infinite, &infinite, FORMAT_JSON, "percent,descendants_s",
		    "{\"percent\": 0.0000, \"descendants_s\": null}");
}

/* Few hits have an upper bound, many have an interval. */
static void shares(void **state)
{
	const struct weight base = { .hits = 1000, .ns = 1e9 }, none = { 0 };
	const struct weight few = { .hits = 4, .ns = 4e6 }, some = { .hits = 5, .ns = 5e6 };

	assert_cell(&few, &base, FORMAT_TEXT, "percent,error", "<1.1\n");	/* 1.0240 */
	assert_cell(&some, &base, FORMAT_TEXT, "percent,error",
		    "0.5   0.67\n");						/* 1.165 - 0.5 */
	assert_cell(&few, &base, FORMAT_TSV, "percent,error,hi", "0.4000\t0.6240\t1.0240\n");
	assert_true(weight_share(&some, &none) <= 1);
	assert_true(weight_share(&none, &none) == 0);
}

static const char two_functions[] = "a 1 user f@a;g@b 50\na 1 user f@a 50\n";

/* -o: columns in the order asked for, or on top of the defaults; the name takes the rest. */
static void chosen_text(void **state)
{
	char *text = written(two_functions, (struct graph_options){
		.min_percent = 60, .output.columns = "name,role,cycle,percent" });

	assert_non_null(strstr(text, "\n\n"
"Name                                                     Role      Cycle  % time\n"
"=======================================================  ========  =====  ======\n"
"  <spontaneous>                                          parent            100.0\n"
"f [1]                                                    function          100.0\n"
"  (1 below 60%)\n"
"--------------------------------------------------------------------------------\n"));
	free(text);
	text = written(two_functions, (struct graph_options){ .is_tree = true,
		.output.columns = "+object,+lo,+hi,-error,-level" });
	assert_non_null(strstr(text, "\n\n"
"% time  % self  Samples  Name                             Object    95% interval\n"
"======  ======  =======  ===============================  ======  ======  ======\n"
" 100.0    50.0      100  f                                a        96.30  100.00\n"
"  50.0    50.0       50    g                              b        40.38   59.62\n"));
	free(text);
	/* Without the name column there is nothing to indent the line under. */
	text = written(two_functions, (struct graph_options){ .min_percent = 60,
		.output.columns = "index,percent,address" });
	assert_non_null(strstr(text, "\n\n"
"Index  % time  Address\n"
"=====  ======  =======\n"
"        100.0  0x0\n"
"[1]     100.0  0x2100\n"
"  (1 below 60%)\n"
"--------------------------------------------------------------------------------\n"));
	free(text);
}

static void chosen_data(void **state)
{
	struct graph_options options = { .output = { .format = FORMAT_TSV,
						     .columns = "entry,role,name,error" } };
	char *text;

	assert_written(two_functions, options,
		       "entry\trole\tname\terror\n"
		       "1\tparent\t<spontaneous>\t3.6993\n1\tfunction\tf\t3.6993\n"
		       "1\tchild\tg\t9.6168\n"
		       "2\tparent\tf\t9.6168\n2\tfunction\tg\t9.6168\n");
	options.is_tree = true;
	options.output.columns = "name,level,error";
	assert_written(two_functions, options,
		       "name\tlevel\terror\nf\t0\t3.6993\ng\t1\t9.6168\n");
	options.output.format = FORMAT_JSON;
	text = written(two_functions, options);
	assert_non_null(strstr(text, "\"rows\": [\n"
"    {\"name\": \"f\", \"level\": 0, \"error\": 3.6993},\n"
"    {\"name\": \"g\", \"level\": 1, \"error\": 9.6168}\n"
"  ]\n"));
	free(text);
	options.is_tree = false;
	options.output.columns = "index,role";
	text = written(two_functions, options);
	assert_non_null(strstr(text, "\"entries\": [\n"
"    {\"index\": 1, \"role\": \"function\",\n"
"      \"parents\": [\n"
"        {\"index\": 0, \"role\": \"parent\"}],\n"
"      \"children\": [\n"
"        {\"index\": 2, \"role\": \"child\"}]},\n"
"    {\"index\": 2, \"role\": \"function\",\n"));
	free(text);
}

/* Each report has columns of its own. */
static void unknown_columns(void **state)
{
	struct text_error error;

	assert_int_equal(columns_check(&tree_column_list, "name,index", &error), -EINVAL);
	assert_string_equal(error.what, "option -o: unknown column 'index'");
	assert_null(strstr(error.hint, "of_samples"));
	assert_non_null(strstr(error.hint, "there are level, kind, others, name, object, "));
	assert_int_equal(columns_check(&tree_column_list, "entry", &error), -EINVAL);
	assert_int_equal(columns_check(&graph_column_list, "level", &error), -EINVAL);
	assert_string_equal(error.what, "option -o: unknown column 'level'");
	assert_int_equal(columns_check(&graph_column_list, "persent", &error), -EINVAL);
	assert_non_null(strstr(error.hint, "did you mean percent? There are name, object, "));
	assert_int_equal(columns_check(&tree_column_list, "+lo,-level", &error), 0);
	assert_int_equal(columns_check(&graph_column_list, "+lo,-index", &error), 0);
}

/* Columns without room are dropped in this order and named, but never the shares and names. */
static void no_room(void **state)
{
	static const struct { int cols; bool is_tree; const char *told, *titles; } cases[] = {
		{ 67, false, NULL, "Index  % time     +-      Self  Descend.    Samples  Name\n" },
		{ 66, false, "(No room for descendants_s: -width gives more, -o chooses.)\n",
		  "Index  % time     +-      Self    Samples  Name\n" },
		{ 56, false, "(No room for descendants_s, self_s: ",
		  "Index  % time     +-    Samples  Name\n" },
		{ 40, false, "(No room for descendants_s, self_s,\nsamples: ",
		  "Index  % time     +-  Name\n" },
		{ 53, true, NULL, "% time     +-  % self  Samples  Level  Name\n" },
		{ 52, true, "(No room for level: ", "% time     +-  % self  Samples  Name\n" },
		{ 40, true, "(No room for level, samples: ", "% time     +-  % self  Name\n" },
	};
	size_t i;
	char *text;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		text = written(some_text, (struct graph_options){ .output.cols = cases[i].cols,
							.is_tree = cases[i].is_tree });
		assert_non_null(strstr(text, cases[i].titles));
		assert_true(cases[i].told ? !!strstr(text, cases[i].told) :
			    !strstr(text, "No room"));
		free(text);
	}
}

/* Only the name is cut: neither its indent nor its number. */
static void long_names(void **state)
{
	char *text = written("a 1 user a_name_far_longer_than_its_column@a 50\n"
			     "a 1 user main@a;a_name_far_longer_than_its_column@a 50\n",
			     (struct graph_options){ .output.cols = 40,
						     .output.columns = "index,percent,name,role" });

	assert_non_null(strstr(text, "[1]     100.0  a_nam..lumn [1]  function\n"));
	assert_non_null(strstr(text, "         50.0    a_na..umn [1]  child\n"));
	free(text);
}

/* The number after a right-to-left name keeps its place. */
static void directions(void **state)
{
	char *text = written("a 1 user \xd7\x90\xd7\x91@a 50\n",
			     (struct graph_options){ .output.columns = "index,name" });

	assert_non_null(strstr(text, "\xe2\x80\x8e\xd7\x90\xd7\x91\xe2\x80\x8e [1]"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listing),
		cmocka_unit_test(cycle),
		cmocka_unit_test(omitted),
		cmocka_unit_test(tree),
		cmocka_unit_test(callers),
		cmocka_unit_test(tab_separated),
		cmocka_unit_test(json),
		cmocka_unit_test(per_execution),
		cmocka_unit_test(lines_fit),
		cmocka_unit_test(huge_counts),
		cmocka_unit_test(shares),
		cmocka_unit_test(chosen_text),
		cmocka_unit_test(chosen_data),
		cmocka_unit_test(unknown_columns),
		cmocka_unit_test(no_room),
		cmocka_unit_test(long_names),
		cmocka_unit_test(directions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
