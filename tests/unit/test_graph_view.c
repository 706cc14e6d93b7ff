// SPDX-License-Identifier: GPL-2.0-only
/* The listing and the tree in print: cli/report/graph_view.c, tree_view.c. */
#include "graph_views.h"

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

/* The last seconds of a run have no receipt, but name their event all the same. */
static void event_without_a_receipt(void **state)
{
	const struct event event = { .name = "page-faults", .period = 101 };
	struct graph_options options = { .output.format = FORMAT_TEXT };
	char *text = written_of(&event, some_text, options);

	assert_non_null(strstr(text, "Call graph\nCounted page-faults with a period of 101\n(100% = "));
	free(text);
	options.is_tree = true;
	options.output.format = FORMAT_JSON;
	text = written_of(&event, some_text, options);
	assert_non_null(strstr(text, "  \"event\": \"page-faults\",\n"));
	free(text);
	text = written_of(&(struct event){ .period = 0 }, some_text, options);
	assert_null(strstr(text, "event"));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listing),
		cmocka_unit_test(cycle),
		cmocka_unit_test(event_without_a_receipt),
		cmocka_unit_test(omitted),
		cmocka_unit_test(tree),
		cmocka_unit_test(callers),
		cmocka_unit_test(tab_separated),
		cmocka_unit_test(json),
		cmocka_unit_test(per_execution),
		cmocka_unit_test(lines_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
