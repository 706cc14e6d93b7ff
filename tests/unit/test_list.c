// SPDX-License-Identifier: GPL-2.0-only
/* The table of background runs: cli/background_list.c. */
#include "unit.h"
#include "background_list.h"

static struct background_row rows[2];

static void init_rows(const char *name)
{
	background_row_init(&rows[0], "night", "pid\t155\nkind\tstacks\nstate\tsampling\nseconds\t3.4\n"
			    "paused\t0\nsamples\t1509\nlost\t2\nstacks\t263\nlast_seconds\t3\n");
	background_row_init(&rows[1], name, "pid\t7\nkind\tsys\nstate\tpaused\nseconds\t90\npaused\t12\n"
			    "samples\t12345678901\nlost\t0\n");
}

static char *show(const struct output_options *output)
{
	struct text_error error;

	return WRITTEN(out, assert_int_equal(background_list_show(out, rows, 2, output, &error), 0));
}

static void rows_have_the_state(void **state)
{
	char *text;

	init_rows("table");
	text = show(&(struct output_options){ .cols = 80 });
	assert_string_equal(text,
			    "Run    Pid  Kind    State     For  Paused      Samples  Lost  Stacks  Last\n"
			    "=====  ===  ======  ========  ===  ======  ===========  ====  ======  ====\n"
			    "night  155  stacks  sampling   3s      0s         1509     2     263    3s\n"
			    "table    7  sys     paused    90s     12s  12345678901     0\n");
	free(text);
	text = show(&(struct output_options){ .format = FORMAT_TSV, .columns = "name,pid,seconds,stacks" });
	assert_string_equal(text, "name\tpid\tseconds\tstacks\nnight\t155\t3.400000\t263\ntable\t7\t90.000000\tnull\n");
	free(text);
}

/* Names of root's list have up to 127 bytes. */
static void lines_keep_to_the_width(void **state)
{
	char name[128], *text, *line, *rest;
	u64 cols;

	memset(name, 'n', 127);
	name[127] = '\0';
	init_rows(name);
	for (cols = 40; cols <= 100; cols++) {
		text = rest = show(&(struct output_options){ .cols = cols });
		while ((line = strsep(&rest, "\n")))
			assert_true(strlen(line) <= cols);
		free(text);
	}
	text = show(&(struct output_options){ .cols = 220 });
	assert_non_null(strstr(text, name));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_have_the_state),
		cmocka_unit_test(lines_keep_to_the_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
