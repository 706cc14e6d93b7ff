// SPDX-License-Identifier: GPL-2.0-only
/* The configuration of an agent: cli/agent/agent_config.c. */
#include <errno.h>

#include "unit.h"
#include "directory.h"
#include "agent/agent_config.h"

static struct text_error why;

/* Reads a text as a file called "c". */
static int read_config(const char *text, struct agent_config *config)
{
	why = (struct text_error){ "", "" };
	agent_config_init(config);
	write_file(in_directory("c"), text);
	return agent_config_read(config, in_directory("c"), &why);
}

static void is_refused(const char *text, const char *what, const char *hint)
{
	struct agent_config config;
	char wanted[300];

	assert_int_equal(read_config(text, &config), -EINVAL);
	snprintf(wanted, sizeof(wanted), "%s%s", in_directory("c"), what);
	assert_string_equal(why.what, wanted);
	assert_string_equal(why.hint, hint);
	agent_config_deinit(&config);
}

static void values_are_set(void **state)
{
	struct agent_config config;

	assert_int_equal(read_config("# comment\n\n  rate = 100 \nidle=sleep\r\n\tstacks-window = 2m\nring-dir = /a b\n"
				     "ring-size = 7\nengine = bpf\nprom = /x\nprom-rows = 9\nlabel = a=b\n"
				     "label = c=d\ndetail = yes\n", &config), 0);
	assert_int_equal(config.period_ns, 10000000);
	assert_int_equal(config.idle, AGENT_IDLE_SLEEP);
	assert_int_equal(config.engine, 2);
	assert_true(config.stacks_seconds == 120 && config.table_seconds == 15);
	assert_string_equal(config.ring_dir, "/a b");
	assert_int_equal(config.ring_mib, 7);
	assert_string_equal(config.prom.path, "/x");
	assert_int_equal(config.prom.nr_rows, 9);
	assert_int_equal(config.push.labels.nr, 2);
	assert_true(config.push.has_detail);
	assert_int_equal(agent_config_check(&config, &why), 0);
	agent_config_deinit(&config);
	assert_int_equal(read_config("", &config), 0);
	assert_int_equal(1e9 / config.period_ns * 10, 197);
	assert_int_equal(agent_config_check(&config, &why), 0);
	agent_config_deinit(&config);
}

static void errors_name_the_line(void **state)
{
	is_refused("\nrate = 0\n", ":2: rate: '0' is outside 1 to 20000 samples per second", "");
	is_refused("rate 5", ":1: 'rate 5' is not KEY = VALUE", "");
	is_refused("# x\n# y\nrat = 5\n", ":3: unknown key 'rat'", "did you mean 'rate'?");
	is_refused("memry = 30\n", ":1: unknown key 'memry'", "did you mean 'memory'?");
	is_refused("detail = no\n", ":1: detail: 'no' is not yes", "");
	is_refused("ring-size =\n", ":1: ring-size has no value", "");
	is_refused("idle = never\n", ":1: idle: 'never' is not one of auto, sample, sleep", "");
	is_refused("a\033[31m = 5\n", ":1: unknown key 'a?[31m'", "");
}

static void files_that_are_none(void **state)
{
	struct agent_config config;
	FILE *file;
	int i;

	agent_config_init(&config);
	assert_int_equal(agent_config_read(&config, in_directory("none"), &why), -ENOENT);
	assert_int_equal(agent_config_read(&config, "/", &why), -EISDIR);
	file = fopen(in_directory("c"), "w");
	for (i = 0; i < 65537; i++)
		fputc('#', file);
	fclose(file);
	assert_int_equal(agent_config_read(&config, in_directory("c"), &why), -EFBIG);
	assert_int_equal(truncate(in_directory("c"), 65536), 0);
	assert_int_equal(agent_config_read(&config, in_directory("c"), &why), 0);
	file = fopen(in_directory("c"), "w");
	fwrite("#\0\n", 1, 3, file);
	fclose(file);
	assert_int_equal(agent_config_read(&config, in_directory("c"), &why), -EINVAL);
	agent_config_deinit(&config);
}

static void values_must_go_together(void **state)
{
	/* The error begins with the key. */
	static const char *const bad[][2] = {
		{ "stacks-window = 50\n", "stacks-window: " }, { "table-window = 0.5\n", "table-window: " },
		{ "stacks-window = 10\n", "stacks-window: " }, { "ring-time = 30\n", "ring-time: " },
		{ "ring-dir = here\n", "ring-dir: " }, { "spool = here\n", "spool: " },
		{ "listen = 0.0.0.0:80\n", "" }, { "prom-rows = 50\n", "-prom-rows needs -prom or -listen" },
	};
	struct agent_config config;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(read_config(bad[i][0], &config), 0);
		assert_true(agent_config_check(&config, &why) < 0);
		assert_int_equal(strncmp(why.what, bad[i][1], strlen(bad[i][1])), 0);
		agent_config_deinit(&config);
	}
	assert_int_equal(read_config("prom-rows = 50\n", &config), 0);
	assert_int_equal(metrics_file_check(&config.prom, true, NULL, &why), 0);
	agent_config_deinit(&config);
	/* The least that is allowed, and a window of stacks with too many tables. */
	assert_int_equal(read_config("table-window = 1\nring-time = 60\n", &config), 0);
	assert_int_equal(agent_config_check(&config, &why), 0);
	config.stacks_seconds = config.ring_seconds = 1e7;
	assert_int_equal(agent_config_check(&config, &why), -EINVAL);
	agent_config_deinit(&config);
}

static void the_ring_is_found(void **state)
{
	struct agent_config config;
	char path[400];

	agent_config_init(&config);
	setenv("STATE_DIRECTORY", in_directory("a/b"), 1);
	assert_int_equal(agent_config_ring_dir(&config, path, sizeof(path), &why), 0);
	assert_string_equal(path, in_directory("a/b/ring"));
	assert_int_equal(access(in_directory("a/b"), F_OK), 0);
	/* systemd names several directories: the first is ours. */
	setenv("STATE_DIRECTORY", in_directory("one:/two"), 1);
	assert_int_equal(agent_config_ring_dir(&config, path, sizeof(path), &why), 0);
	assert_string_equal(path, in_directory("one/ring"));
	write_file(in_directory("file"), "");
	setenv("STATE_DIRECTORY", in_directory("file/below"), 1);
	assert_int_equal(agent_config_ring_dir(&config, path, sizeof(path), &why), -ENOTDIR);
	config.ring_dir = "/x/y";
	assert_int_equal(agent_config_ring_dir(&config, path, sizeof(path), &why), 0);
	assert_string_equal(path, "/x/y");
	unsetenv("STATE_DIRECTORY");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_set),
		cmocka_unit_test(errors_name_the_line),
		cmocka_unit_test(files_that_are_none),
		cmocka_unit_test(values_must_go_together),
		cmocka_unit_test(the_ring_is_found),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
