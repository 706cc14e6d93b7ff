// SPDX-License-Identifier: GPL-2.0-only
/* Tables as sides of a comparison: cli/diff_table.c. */
#include <math.h>

#include "records.h"
#include "folds.h"
#include "diff_command.h"

/** Samples of executables called python3, and of one called "web". */
struct made {
	u64 usr, opt;	/* in two directories of one name */
	u64 web;
};

static void add_side(struct diff *diff, int side, const struct made *made)
{
	const u64 taken = made->usr + made->opt + made->web;
	struct cpuprobe_account account = { .period_ns = 1000, .expected = taken, .taken = taken };
	struct cpuprobe_record records[3];
	struct run run = { .result = some_result };
	struct fold *fold = fold_create();
	struct record_writer writer;
	struct text_error error;
	struct record record;

	/* The directory's name is after that of the file. */
	record_init(&records[account.entries++], 10, "web", 0, 0, made->web);
	if (made->usr) {
		record_init(&records[account.entries], 77, "python3", 0, 0, made->usr);
		memcpy(records[account.entries++].name, "python3\0bin", 12);
	}
	if (made->opt) {
		record_init(&records[account.entries], 78, "python3", 0, 0, made->opt);
		memcpy(records[account.entries++].name, "python3\0bin", 12);
	}
	fold_add(fold, 0, &account, records);
	run.result.account = (struct run_account){ .taken = taken, .expected = taken };
	assert_int_equal(record_create(&writer, path, &error), 0);
	sys_save(&writer, fold, &run);
	assert_int_equal(record_commit(&writer, &error), 0);
	fold_destroy(fold);
	assert_int_equal(record_read(path, &record, &error), 0);
	assert_int_equal(diff_add_table(diff, side, &record, &error), 0);
	record_deinit(&record);
}

static const struct diff_row *find(const struct diff *diff, const char *name)
{
	u32 i;

	for (i = 0; i < diff->nr; i++)
		if (!strcmp(diff->row[i].name, name))
			return &diff->row[i];
	fail_msg("no row %s", name);
	return NULL;
}

static void check_python(const struct made *a, const struct made *b)
{
	struct diff diff = { .nr = 0 };
	const struct diff_row *row;
	u32 i;

	add_side(&diff, 0, a);
	add_side(&diff, 1, b);
	assert_int_equal(diff_finish(&diff), 0);
	for (i = 0; i < diff.nr; i++)
		assert_null(strstr(diff.row[i].name, "bin"));
	row = find(&diff, "python3");
	assert_true(row->is_in[0] && row->is_in[1]);
	assert_int_equal(row->side[0].hits, a->usr + a->opt);
	assert_int_equal(row->side[1].hits, b->usr + b->opt);
	assert_true(fabs(row->side[1].share - (b->usr + b->opt) / (double)(b->usr + b->opt + b->web)) < 1e-9);
	diff_deinit(&diff);
}

/* An executable is the same row whether or not another one of its name ran in the other run. */
static void namesakes_are_one_row(void **state)
{
	check_python(&(struct made){ .usr = 30, .web = 70 }, &(struct made){ .usr = 30, .opt = 1, .web = 69 });
	check_python(&(struct made){ .usr = 20, .opt = 5, .web = 75 }, &(struct made){ .opt = 30, .web = 70 });
	check_python(&(struct made){ .usr = 20, .opt = 5, .web = 75 },
		     &(struct made){ .usr = 9, .opt = 30, .web = 70 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(namesakes_are_one_row),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
