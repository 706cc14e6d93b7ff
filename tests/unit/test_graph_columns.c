// SPDX-License-Identifier: GPL-2.0-only
/* Columns of the listing and of the tree: cli/report/graph_columns.c, cli/profile/weight.c. */
#include <errno.h>
#include <math.h>

#include "graph_views.h"

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
