// SPDX-License-Identifier: GPL-2.0-only
/* Commands: cli/command.c, and the table of all commands. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "unit.h"
#include "base/option_values.h"
#include "command.h"
#include "profile/profile_save.h"
#include "profiles.h"

struct sum {
	u64 n;
	bool is_ready;
};

static int nr_runs, nr_deinits;
static char seen[64];

static void sum_init(void *self)
{
	struct sum *sum = self;

	assert_int_equal(sum->n, 0);
	sum->n = 1;
	sum->is_ready = true;
}

static int sum_check(void *self, const struct options_rest *rest, struct text_error *error_ret)
{
	const struct sum *sum = self;

	assert_true(sum->is_ready);
	if (sum->n == 14)
		return text_fail(error_ret, OPTIONS_UNREAD, "open 14: no such number");
	return sum->n == 13 ? text_fail(error_ret, -EINVAL, "13 is bad luck") : 0;
}

static int sum_run(void *self, const struct options_rest *rest)
{
	const struct sum *sum = self;

	nr_runs++;
	snprintf(seen, sizeof(seen), "%d %d %s %s", (int)sum->n, rest->nr_args,
		 rest->args[0] ?: "-", rest->command ? rest->command[0] : "-");
	return 7;
}

static void sum_deinit(void *self)
{
	nr_deinits++;
}

static const struct option_spec sum_specs[] = {
	{ "n", "N", "a number", option_count, offsetof(struct sum, n) }, { NULL }
};

static const struct option_list sum_options[] = { { sum_specs, 0 }, { NULL } };

static const struct command command_sum = {
	.name = "sum", .arguments = "FILE [MORE] [-- COMMAND...]", .help = "adds",
	.options = sum_options, .self_len = sizeof(struct sum), .min_args = 1, .max_args = 2,
	.takes_command = true, .init = sum_init, .check = sum_check, .run = sum_run,
	.deinit = sum_deinit,
};

static const struct command command_pair = {
	.name = "pair", .arguments = "A B", .help = "two", .min_args = 2, .max_args = 2,
	.run = sum_run,
};

/* Run a command with words separated by blanks; returns its output on stderr. */
static char *run(const struct command *command, const char *line, int *status_ret)
{
	static char text[1024];
	char words[128], *argv[16], *at = words;
	int pipes[2], old = dup(STDERR_FILENO), nr = 0;
	ssize_t len;

	snprintf(words, sizeof(words), "%s", line);
	while ((argv[nr] = strsep(&at, " ")))
		nr++;
	assert_int_equal(pipe2(pipes, O_NONBLOCK), 0);
	dup2(pipes[1], STDERR_FILENO);
	*status_ret = command_run(command, argv);
	dup2(old, STDERR_FILENO);
	len = read(pipes[0], text, sizeof(text) - 1);
	text[len < 0 ? 0 : len] = '\0';
	close(pipes[0]);
	close(pipes[1]);
	close(old);
	return text;
}

static void runs(void **state)
{
	static const struct { const char *line, *seen; } cases[] = {
		{ "sum a", "1 1 a -" }, { "sum -n 5 a b", "5 2 a -" },
		{ "sum a -- ls -n 0", "1 1 a ls" },
	};
	int status;
	size_t i;

	nr_runs = nr_deinits = 0;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(run(&command_sum, cases[i].line, &status), "");
		assert_int_equal(status, 7);
		assert_string_equal(seen, cases[i].seen);
	}
	assert_int_equal(nr_runs, 3);
	assert_int_equal(nr_deinits, 3);
}

static void misuses(void **state)
{
	static const struct { const struct command *command; const char *line, *text; } cases[] = {
		{ &command_sum, "sum", "probe: sum: no FILE given\n"
		  "hint: a command to measure goes after '--'\n" },
		{ &command_sum, "sum a b c", "probe: sum: unexpected argument 'c'\n"
		  "hint: a command to measure goes after '--'\n" },
		{ &command_sum, "sum -n 13 a", "probe: sum: 13 is bad luck\n"
		  "hint: 'probe help sum' shows the usage\n" },
		{ &command_sum, "sum -n x a", "probe: sum: option -n: 'x' is not a number\n"
		  "hint: 'probe help sum' shows the usage\n" },
		{ &command_pair, "pair a", "probe: pair: 2 arguments are needed: A B\n"
		  "hint: 'probe help pair' shows the usage\n" },
		{ &command_pair, "pair a b -- c", "probe: pair: unexpected argument '--'\n"
		  "hint: 'probe help pair' shows the usage\n" },
		{ &command_pair, "pair -n a b", "probe: pair: unknown option '-n'\n"
		  "hint: 'probe help pair' shows the usage\n" },
	};
	int status;
	size_t i;

	nr_runs = nr_deinits = 0;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(run(cases[i].command, cases[i].line, &status), cases[i].text);
		assert_int_equal(status, EXIT_USAGE);
	}
	assert_int_equal(nr_runs, 0);
	assert_int_equal(nr_deinits, 4);
}

/* A file that an option names is no part of the usage. */
static void unread_files_are_failures(void **state)
{
	int status;

	nr_runs = nr_deinits = 0;
	assert_string_equal(run(&command_sum, "sum -n 14 a", &status), "probe: open 14: no such number\n");
	assert_int_equal(status, EXIT_FAILED);
	assert_string_equal(run(&command_sum, "sum -n 14 a -- ls", &status), "probe: open 14: no such number\n");
	assert_int_equal(status, 125);
	assert_int_equal(nr_runs, 0);
	assert_int_equal(nr_deinits, 2);
}

/* The options of a run with stacks are those of its command, also where `probe show` has another one of that name. */
static void show_finds_the_command_of_a_run(void **state)
{
	char path[] = "/tmp/test_command.XXXXXX";
	char *words[] = { "show", "-sort", "self", path, NULL };
	struct profile *profile = profiles_of("p 1 user f@p 3\n");
	struct record_writer writer;

	close(mkstemp(path));
	assert_null(command_show.find_other(words));
	assert_int_equal(record_create(&writer, path, NULL), 0);
	profile_save(&writer, profile);
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_ptr_equal(command_show.find_other(words), &command_flat);
	words[3] = "/dev/null";
	assert_null(command_show.find_other(words));
	unlink(path);
	profile_destroy(profile);
}

static void check_option(const struct command *command, const struct option_list *list,
			 const struct option_spec *spec)
{
	const struct option_list *other;
	const struct option_spec *twin;
	int nr = 0;

	assert_non_null(spec->parse);
	assert_true(spec->help[0] != '\0');
	assert_true(list->offset + spec->offset < command->self_len);
	for (other = command->options; other->specs; other++)
		for (twin = other->specs; twin->name; twin++) {
			if (strcmp(twin->name, spec->name))
				continue;
			nr++;
			/* Which words are values must be known before a choice is made. */
			assert_int_equal(!twin->value, !spec->value);
		}
	if (nr != 1 && !command->choose_options)
		fail_msg("%s has %d options -%s", command->name, nr, spec->name);
}

/*
 * Every option of every command sets a value of that command, and option names are unique, unless
 * the command chooses among its options.
 */
static void tables(void **state)
{
	const struct command *const *command;
	const struct option_list *list;
	const struct option_spec *spec;
	int nr;

	for (command = commands; *command; command++) {
		assert_true((*command)->help[0] != '\0');
		assert_true((*command)->min_args <= (*command)->max_args);
		assert_true((*command)->max_args <= OPTIONS_ARGS ||
			    (*command)->max_args == OPTIONS_ANY_ARGS);
		nr = 0;
		for (list = (*command)->options; list && list->specs; list++)
			for (spec = list->specs; spec->name; spec++, nr++)
				check_option(*command, list, spec);
		assert_true(nr <= OPTIONS_MAX);
	}
}

static const struct option_spec *find_option(const struct command *command, const char *name)
{
	const struct option_list *list;
	const struct option_spec *spec;

	for (list = command->options; list && list->specs; list++)
		for (spec = list->specs; spec->name; spec++)
			if (!strcmp(spec->name, name))
				return spec;
	return NULL;
}

/* The help of -sec names what lifts its default of 10 s, and only options that the command has. */
static void help_of_sec(void **state)
{
	static const char *const lifting[] = { "repeat", "within", "background" };
	const struct command *const *command;
	char option[16];
	size_t i;

	for (command = commands; *command; command++) {
		const struct option_spec *sec = find_option(*command, "sec");

		if (!sec || !strstr(sec->help, "10, 2m or 1h"))
			continue;
		assert_int_equal(!strstr(sec->help, "COMMAND"), !(*command)->takes_command);
		assert_int_equal(!strstr(sec->help, "default 10 s"), !(*command)->takes_command);
		for (i = 0; i < 3; i++) {
			snprintf(option, sizeof(option), "-%s", lifting[i]);
			assert_int_equal(!strstr(sec->help, option), !find_option(*command, lifting[i]));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs), cmocka_unit_test(misuses), cmocka_unit_test(unread_files_are_failures),
		cmocka_unit_test(tables), cmocka_unit_test(help_of_sec),
		cmocka_unit_test(show_finds_the_command_of_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
