// SPDX-License-Identifier: GPL-2.0-only
/* Selected stacks, their names, and the tree of them: cli/profile/paths.c, labels.c, tree.c. */
#include <errno.h>

#include "unit.h"
#include "profiles.h"
#include "report/tree.h"

static const char some_text[] =
	"sh 7 user main@sh;run@sh;read@libc.so.6 10\n"
	"sh 8 user main@sh;run@sh;run@sh;wait@sh 20\n"
	"sh 7 kernel main@sh;read@libc.so.6;do_syscall_64@kernel;read@[ext4] 30\n"
	"cat 9 softirq [softirq];net_rx@kernel 4\n"
	"cat 9 user main@cat 6\n"
	"IDLE 0 kernel [idle] 30\n"
	"lost 40\n"
	"other 60\n";

/** Paths and everything they point to. */
struct made {
	struct profile *profile;
	struct labels labels;
	struct paths paths;
	struct text_error error;
};

static int make(struct made *made, const char *text, struct paths_options options)
{
	made->profile = profiles_of(text);
	assert_int_equal(labels_init(&made->labels, made->profile), 0);
	made->error = (struct text_error){ "", "" };
	return paths_init(&made->paths, made->profile, &made->labels, &options, &made->error);
}

static void drop(struct made *made)
{
	paths_deinit(&made->paths);
	labels_deinit(&made->labels);
	profile_destroy(made->profile);
}

/* The names of a path. */
static const char *spelled(const struct made *made, u32 at, char text[256])
{
	const struct path *path = &made->paths.path[at];
	u32 i;

	text[0] = '\0';
	for (i = 0; i < paths_len(&made->paths, path); i++)
		snprintf(text + strlen(text), 256 - strlen(text), "%s%s", i ? ";" : "",
			 labels_name(&made->labels, paths_node(&made->paths, path, i)));
	return text;
}

static void bases(void **state)
{
	struct made made;

	assert_int_equal(make(&made, some_text, (struct paths_options){ .base = PATHS_TARGET }), 0);
	assert_int_equal(made.paths.nr, 6);
	assert_int_equal(made.paths.base.hits, 100);
	assert_true(made.paths.base.ns == 100e6);
	drop(&made);
	assert_int_equal(make(&made, some_text, (struct paths_options){ .base = PATHS_MACHINE }),
			 0);
	assert_int_equal(made.paths.nr, 6);
	assert_int_equal(made.paths.base.hits, 200);
	assert_true(made.paths.base.ns == 200e6);
	drop(&made);
	/* Neither user code nor the idle loop. */
	assert_int_equal(make(&made, some_text, (struct paths_options){ .base = PATHS_KERNEL }), 0);
	assert_int_equal(made.paths.nr, 2);
	assert_int_equal(made.paths.base.hits, 34);
	drop(&made);
	/* The base of 100% does not depend on -focus. */
	assert_int_equal(make(&made, some_text, (struct paths_options){ .focus = "wait" }), 0);
	assert_int_equal(made.paths.nr, 1);
	assert_int_equal(made.paths.base.hits, 100);
	drop(&made);
}

static void parts_of_stacks(void **state)
{
	struct made made;
	char text[256];

	assert_int_equal(make(&made, some_text, (struct paths_options){ .focus = "run" }), 0);
	assert_int_equal(made.paths.nr, 2);
	assert_string_equal(spelled(&made, 0, text), "run;read");
	assert_string_equal(spelled(&made, 1, text), "run;run;wait");	/* from its first call on */
	drop(&made);
	assert_int_equal(make(&made, some_text, (struct paths_options){ .callers = "run" }), 0);
	assert_string_equal(spelled(&made, 0, text), "run;main");
	assert_string_equal(spelled(&made, 1, text), "run;run;main");
	assert_false(paths_is_self(&made.paths, &made.paths.path[1], 0));
	drop(&made);
	assert_int_equal(make(&made, some_text, (struct paths_options){ .callers = "wait" }), 0);
	assert_string_equal(spelled(&made, 0, text), "wait;run;run;main");
	assert_true(paths_is_self(&made.paths, &made.paths.path[0], 0) &&
		    paths_is_self(&made.paths, &made.paths.path[0], 3));
	drop(&made);
	/* A name means all functions with that name, a label one of them. */
	assert_int_equal(make(&made, some_text, (struct paths_options){ .focus = "read" }), 0);
	assert_int_equal(made.paths.nr, 2);
	assert_string_equal(spelled(&made, 1, text), "read;do_syscall_64;read");
	drop(&made);
	assert_int_equal(make(&made, some_text, (struct paths_options){ .focus = "read ([ext4])" }),
			 0);
	assert_int_equal(made.paths.nr, 1);
	assert_string_equal(spelled(&made, 0, text), "read");
	drop(&made);
}

static void programs_precede_their_stacks(void **state)
{
	struct made made;
	char text[256];

	assert_int_equal(make(&made, some_text, (struct paths_options){ .by_process = true }), 0);
	assert_string_equal(spelled(&made, 0, text), "sh;main;run;read");
	assert_string_equal(spelled(&made, 5, text), "IDLE;[idle]");
	/* Two processes of one program. */
	assert_int_equal(paths_node(&made.paths, &made.paths.path[0], 0),
			 paths_node(&made.paths, &made.paths.path[1], 0));
	drop(&made);
	assert_int_equal(make(&made, some_text, (struct paths_options){ .callers = "wait",
									.by_process = true }), 0);
	assert_string_equal(spelled(&made, 0, text), "wait;run;run;main;sh");
	drop(&made);
}

static void unknown_functions(void **state)
{
	static const struct { struct paths_options options; int code; const char *what,
			      *hint; } cases[] = {
		{ { .focus = "wiat" }, -ENOENT, "no stack goes through 'wiat'",
		  "did you mean -focus 'wait'?" },
		{ { .callers = "do_sys" }, -ENOENT, "no stack goes through 'do_sys'",
		  "did you mean -callers 'do_syscall_64'?" },
		{ { .focus = "syscall" }, -ENOENT, "no stack goes through 'syscall'",
		  "did you mean -focus 'do_syscall_64'?" },
		{ { .focus = "nothing of the kind" }, -ENOENT,
		  "no stack goes through 'nothing of the kind'", "" },
		{ { .focus = "" }, -ENOENT, "no stack goes through ''", "" },
		{ { .base = PATHS_KERNEL, .focus = "wait" }, -ENOENT,
		  "no stack of the kernel goes through 'wait'", "" },
		/* A mark that occurs in no stack is not suggested. */
		{ { .focus = "[irq" }, -ENOENT, "no stack goes through '[irq'", "" },
	};
	struct made made;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(make(&made, some_text, cases[i].options), cases[i].code);
		assert_string_equal(made.error.what, cases[i].what);
		assert_string_equal(made.error.hint, cases[i].hint);
		drop(&made);
	}
}

static void nothing_to_show(void **state)
{
	struct made made;

	assert_int_equal(make(&made, "", (struct paths_options){ .focus = "x" }), -ENODATA);
	assert_string_equal(made.error.what, "no stacks");
	drop(&made);
	assert_int_equal(make(&made, "IDLE 0 kernel [idle] 30\nsh 1 user main@sh 3\n",
			      (struct paths_options){ .base = PATHS_KERNEL }), -ENODATA);
	assert_string_equal(made.error.what, "no kernel stacks except idle ones");
	drop(&made);
}

static u32 add(struct profile *profile, const char *name, const char *object, const char *path,
		    u64 addr)
{
	struct profile_object at = { .kind = PROFILE_FILE, .name = object, .path = path };

	return profile_add_function(profile, &(struct profile_function){
		.name = name, .object = profile_add_object(profile, &at), .addr = addr });
}

/* As much as necessary is shown to tell names apart. */
static void names_are_told_apart(void **state)
{
	static const struct { const char *name, *object,
			      *path; u64 addr; const char *label; } cases[] = {
		{ "alone", "sh", "/bin/sh", 1, "alone" },
		{ "two", "sh", "/bin/sh", 1, "two (sh)" },
		{ "two", "cat", "/bin/cat", 1, "two (cat)" },
		{ "local", "sh", "/bin/sh", 0x10, "local (sh 0x10)" },
		{ "local", "sh", "/bin/sh", 0x20, "local (sh 0x20)" },
		{ "local", "cat", "/bin/cat", 0x20, "local (cat)" },
		{ "copy", "libx.so", "/lib/libx.so", 1, "copy (/lib/libx.so)" },
		{ "copy", "libx.so", "/opt/libx.so", 1, "copy (/opt/libx.so)" },
		{ "copy", "libx.so", "", 1, "copy (libx.so)" },
		{ "both", "libx.so", "/lib/libx.so", 1, "both (/lib/libx.so 0x1)" },
		{ "both", "libx.so", "/lib/libx.so", 2, "both (/lib/libx.so 0x2)" },
		{ "both", "libx.so", "/opt/libx.so", 2, "both (/opt/libx.so 0x2)" },
	};
	struct profile *profile = profile_create();
	const size_t nr = sizeof(cases) / sizeof(cases[0]);
	u32 functions[sizeof(cases) / sizeof(cases[0])];
	struct labels labels;
	char text[LABEL_LEN];
	size_t i;

	for (i = 0; i < nr; i++)
		functions[i] = add(profile, cases[i].name, cases[i].object, cases[i].path,
				   cases[i].addr);
	assert_int_equal(labels_init(&labels, profile), 0);
	for (i = 0; i < nr; i++) {
		labels_text(&labels, functions[i], text, sizeof(text));
		assert_string_equal(text, cases[i].label);
	}
	labels_text(&labels, profile_mark(MARK_IDLE), text, sizeof(text));
	assert_string_equal(text, "[idle]");
	labels_deinit(&labels);
	profile_destroy(profile);
}

/** The rows of a walk against the expected ones. */
struct expected {
	const struct made *made;
	const char *const *rows;	/* "LEVEL NAME HITS SELF"; the next one */
};

static void assert_row(void *context, const struct tree_row *row)
{
	struct expected *expected = context;
	char label[LABEL_LEN], text[2 * LABEL_LEN];

	if (row->node == TREE_OTHERS)
		snprintf(label, sizeof(label), "(%u)", row->nr_others);
	else
		labels_text(&expected->made->labels, row->node, label, sizeof(label));
	snprintf(text, sizeof(text), "%u %s %llu %llu", row->level, label,
		 (unsigned long long)row->weight.hits, (unsigned long long)row->weight.self_hits);
	assert_non_null(*expected->rows);
	assert_string_equal(text, *expected->rows++);
	assert_true(row->weight.ns == row->weight.hits * 1e6);
}

static void assert_rows(const struct made *made, struct tree_options options,
			const char *const *rows)
{
	struct expected expected = { made, rows };

	assert_int_equal(tree_walk(&made->paths, &options, assert_row, &expected), 0);
	assert_null(*expected.rows);
}

static void trees(void **state)
{
	static const char *const all[] = {
		"0 main (sh) 60 0", "1 read (libc.so.6) 30 0", "2 do_syscall_64 30 0",
		"3 read ([ext4]) 30 30", "1 run 30 0", "2 run 20 0", "3 wait 20 20",
		"2 read (libc.so.6) 10 10", "0 [idle] 30 30", "0 main (cat) 6 6", "0 [softirq] 4 0",
		"1 net_rx 4 4", NULL
	};
	static const char *const small[] = {
		"0 main (sh) 60 0", "1 read (libc.so.6) 30 0", "2 do_syscall_64 30 0",
		"3 read ([ext4]) 30 30", "1 run 30 0", "2 run 20 0", "3 wait 20 20", "2 (1) 10 10",
		"0 [idle] 30 30", "0 (2) 10 6", NULL
	};
	static const char *const shallow[] = {
		"0 main (sh) 60 0", "1 read (libc.so.6) 30 0", "1 run 30 0", "0 [idle] 30 30",
		"0 main (cat) 6 6", "0 [softirq] 4 0", "1 net_rx 4 4", NULL
	};
	static const char *const few[] = {
		"0 main (sh) 60 0", "1 read (libc.so.6) 30 0", "2 do_syscall_64 30 0",
		"3 read ([ext4]) 30 30", "1 (1) 30 0", "0 (3) 40 36", NULL
	};
	struct made made;

	assert_int_equal(make(&made, some_text, (struct paths_options){ .base = PATHS_TARGET }), 0);
	assert_rows(&made, (struct tree_options){ 0 }, all);
	assert_rows(&made, (struct tree_options){ .min_share = 0.15 }, small);
	assert_rows(&made, (struct tree_options){ .max_levels = 2 }, shallow);
	assert_rows(&made, (struct tree_options){ .max_rows = 1 }, few);
	drop(&made);
}

static void trees_of_a_part(void **state)
{
	static const char *const callers[] = {
		"0 read ([ext4]) 30 30", "1 do_syscall_64 30 30", "2 read (libc.so.6) 30 30",
		"3 main (sh) 30 30", "0 read (libc.so.6) 10 10", "1 run 10 10", "2 main (sh) 10 10",
		NULL
	};
	static const char *const focus[] = {
		"0 run 30 0", "1 run 20 0", "2 wait 20 20", "1 read (libc.so.6) 10 10", NULL
	};
	static const char *const programs[] = {
		"0 sh 60 0", "1 main (sh) 60 0", "0 IDLE 30 0", "1 [idle] 30 30", "0 cat 10 0",
		"1 main (cat) 6 6", "1 [softirq] 4 0", NULL
	};
	struct made made;

	assert_int_equal(make(&made, some_text, (struct paths_options){ .callers = "read" }), 0);
	assert_rows(&made, (struct tree_options){ 0 }, callers);
	drop(&made);
	assert_int_equal(make(&made, some_text, (struct paths_options){ .focus = "run" }), 0);
	assert_rows(&made, (struct tree_options){ 0 }, focus);
	drop(&made);
	assert_int_equal(make(&made, some_text, (struct paths_options){ .by_process = true }), 0);
	assert_rows(&made, (struct tree_options){ .max_levels = 2 }, programs);
	drop(&made);
}

static u64 random_state = 1;

static u32 below(u32 n)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (random_state >> 33) % n;
}

/** The ancestors of the row that a walk has reached. */
struct above {
	struct tree_row row[16];
	u64 below[16];		/* hits of the children of each row; of the roots at its end */
	u32 nr;
};

/* The time of every row is its own time plus that of its children. */
static void leave_rows(struct above *above, u32 level)
{
	for (; above->nr > level; above->nr--) {
		const struct tree_row *row = &above->row[above->nr - 1];

		if (row->node != TREE_OTHERS)
			assert_int_equal(above->below[above->nr] + row->weight.self_hits,
					 row->weight.hits);
		above->below[above->nr] = 0;
	}
}

static void enter_row(void *context, const struct tree_row *row)
{
	struct above *above = context;

	leave_rows(above, row->level);
	assert_int_equal(above->nr, row->level);
	above->row[above->nr] = *row;
	above->below[above->nr++] += row->weight.hits;
}

static void sums_hold(void **state)
{
	const struct tree_options cuts[] = { { 0 }, { .min_share = 0.004 }, { .max_rows = 2 } };
	const struct paths_options options = { .base = PATHS_TARGET };
	struct made made = { .profile = profile_create() };
	u32 frames[12], i, at;
	char name[16];

	for (i = 0; i < 3000; i++) {
		u32 nr = 1 + below(12);

		for (at = 0; at < nr; at++) {
			snprintf(name, sizeof(name), "f%u@o", below(4));
			frames[at] = profiles_frame(made.profile, name);
		}
		profile_add_stack(made.profile, 0, CPUPROBE_MODE_USER, frames, nr, 1, 1e6);
	}
	assert_int_equal(labels_init(&made.labels, made.profile), 0);
	assert_int_equal(paths_init(&made.paths, made.profile, &made.labels, &options, &made.error),
			 0);
	for (i = 0; i < 3; i++) {
		struct above above = { .nr = 0 };

		assert_int_equal(tree_walk(&made.paths, &cuts[i], enter_row, &above), 0);
		leave_rows(&above, 0);
		assert_int_equal(above.below[0], 3000);
	}
	drop(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bases),
		cmocka_unit_test(parts_of_stacks),
		cmocka_unit_test(programs_precede_their_stacks),
		cmocka_unit_test(unknown_functions),
		cmocka_unit_test(nothing_to_show),
		cmocka_unit_test(names_are_told_apart),
		cmocka_unit_test(trees),
		cmocka_unit_test(trees_of_a_part),
		cmocka_unit_test(sums_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
