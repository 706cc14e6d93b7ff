// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control groups of processes and of options, and containers as rows of the agent's table: cli/resolve/cgroup_paths.c,
 * cli/run/cgroup.c, agent_table.c.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "agent/agent_table.h"
#include "base/fnv.h"
#include "metrics/metrics.h"
#include "resolve/cgroup_paths.h"
#include "run/cgroup.h"
#include "sys/rows.h"

static const char *path_of(struct cgroup_paths *groups, const char *text)
{
	return cgroup_paths_get(groups, cgroup_paths_add(groups, text));
}

static void lines_of_both_versions(void **state)
{
	struct cgroup_paths groups = { .nr = 0 };
	const struct cgroup_number unknown = { 0, 0 };

	assert_string_equal(path_of(&groups, "0::/a.slice/b.service\n"), "/a.slice/b.service");
	assert_string_equal(path_of(&groups, "4:memory:/x\n1:cpu,cpuacct:/y\n0::/z\n"), "/z");
	assert_string_equal(path_of(&groups, "4:memory:/x\n1:cpu,cpuacct:/y\n"), "4:memory:/x");
	assert_string_equal(path_of(&groups, "0::/"), "/");
	assert_string_equal(path_of(&groups, "0::/z\n"), "/z");
	assert_int_equal(groups.nr, 4);
	assert_string_equal(cgroup_paths_get(&groups, unknown), "");
	assert_int_not_equal(cgroup_paths_read(&groups, getpid()).number, 0);
	assert_int_equal(cgroup_paths_read(&groups, -1).number, 0);
	cgroup_paths_deinit(&groups);
}

/* A path that is cut would name another group. */
static void long_paths_name_no_group(void **state)
{
	struct text_error error;
	char path[5000];

	memset(path, '/', sizeof(path));
	strcpy(path + sizeof(path) - 5, "none");
	assert_int_equal(cgroup_open(path, &error), -ENOENT);
}

/* Ever new groups take no more memory. Numbers of before cgroup_paths_trim() are nobody's. */
static void ever_new_groups(void **state)
{
	struct cgroup_paths groups = { .nr = 0 };
	struct cgroup_number first = cgroup_paths_add(&groups, "0::/first"), last;
	char text[64];
	u32 i;

	for (i = 0; i < 3 * CGROUP_PATHS_MAX; i++) {
		snprintf(text, sizeof(text), "0::/run-%u.scope", i);
		last = cgroup_paths_add(&groups, text);
		assert_string_equal(cgroup_paths_get(&groups, last), i + 2 < CGROUP_PATHS_MAX ? text + 3 : CGROUP_PATHS_OTHER);
	}
	assert_int_equal(groups.nr, CGROUP_PATHS_MAX);
	assert_string_equal(path_of(&groups, "0::/run-5.scope"), "/run-5.scope");
	assert_string_equal(cgroup_paths_get(&groups, first), "/first");
	cgroup_paths_trim(&groups);
	assert_int_equal(groups.nr, 0);
	assert_string_equal(cgroup_paths_get(&groups, first), "");
	assert_string_equal(path_of(&groups, "0::/second"), "/second");
	assert_string_equal(cgroup_paths_get(&groups, first), "");
	cgroup_paths_trim(&groups);
	assert_int_equal(groups.nr, 1);
	cgroup_paths_deinit(&groups);
}

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* Samples of a process of each kind, one per stack. */
static struct profile *make_profile(void)
{
	static const struct profile_process processes[] = {
		{ .kind = CPUPROBE_KIND_PROCESS, .name = "web", .cgroup = "/system.slice/docker-" ID ".scope" },
		{ .kind = CPUPROBE_KIND_PROCESS, .name = "db", .cgroup = "/docker/" ID "/below" },
		{ .kind = CPUPROBE_KIND_PROCESS, .name = "web", .cgroup = "/system.slice/web.service" },
		{ .kind = CPUPROBE_KIND_PROCESS, .name = "gone", .cgroup = "" },
		{ .kind = CPUPROBE_KIND_KTHREAD, .name = "kworker/*", .cgroup = "" },
		{ .kind = CPUPROBE_KIND_IDLE, .name = "IDLE", .cgroup = "" },
	};
	struct profile *profile = profile_create();
	u32 frame = profile_mark(MARK_USER), i;

	for (i = 0; i < 6; i++) {
		assert_int_equal(profile_add_process(profile, &processes[i]), i);
		assert_int_equal(profile_get_stack(profile, i, CPUPROBE_MODE_USER, &frame, 1), i);
	}
	return profile;
}

static u64 hits_of(const struct fold *fold, const char *name)
{
	const struct fold_process *process;
	size_t nr, nr_processes, i;
	const struct fold_cell *cells = fold_cells(fold, &nr);
	const struct fold_process *processes = fold_processes(fold, &nr_processes);
	u64 hits = 0;

	for (i = 0; i < nr; i++) {
		process = &processes[fold_process_of(fold, i)];
		assert_int_equal(process->kind == CPUPROBE_KIND_CGROUP, process->id[1] == 1);
		if (!strcmp(process->long_name ?: process->name, name))
			hits += cells[i].hits[CPUPROBE_MODE_USER];
	}
	return hits;
}

static void fill_table(struct agent_table *table, const struct profile *profile)
{
	struct cpuprobe_account account = { .taken = 21, .period_ns = 1000000 };
	u32 i;

	for (i = 0; i < profile->nr_stacks; i++) {
		agent_table_add(table, profile, i, 1);
		agent_table_add(table, profile, i, i);
	}
	agent_table_end_account(table, 0, &account);
}

static void containers_are_rows(void **state)
{
	struct container_map *map = container_map_create(NULL, "/nonexistent");
	struct profile *profile = make_profile();
	struct agent_table table;

	assert_int_equal(agent_table_init(&table, map), 0);
	fill_table(&table, profile);
	assert_int_equal(hits_of(table.fold, "docker 0123456789ab"), 3);
	assert_int_equal(hits_of(table.fold, "web.service"), 3);
	assert_int_equal(hits_of(table.fold, "(unknown)"), 4);
	assert_int_equal(hits_of(table.fold, "/"), 5);
	assert_int_equal(hits_of(table.fold, "IDLE"), 6);
	assert_int_equal(agent_table_renew(&table), 0);
	fill_table(&table, profile);
	assert_int_equal(hits_of(table.fold, "docker 0123456789ab"), 3);
	agent_table_deinit(&table);
	container_map_destroy(map);
	/* programs of one name are one row in all groups */
	assert_int_equal(agent_table_init(&table, NULL), 0);
	fill_table(&table, profile);
	assert_int_equal(hits_of(table.fold, "web"), 4);
	agent_table_deinit(&table);
	profile_destroy(profile);
}

/* A row has no pid, and its id follows from its name: it is the same in the agent's next process. */
static void check_rows(const struct fold *fold)
{
	struct rows rows;
	size_t i;

	assert_int_equal(rows_init(&rows, fold, 0), 0);
	for (i = 0; i < rows.nr; i++) {
		const struct row *row = &rows.row[i];
		u32 kind = !strcmp(row->name, "IDLE") ? CPUPROBE_KIND_IDLE :
			!strcmp(row->name, "kworker/*") ? CPUPROBE_KIND_KTHREAD : CPUPROBE_KIND_EXE;

		assert_int_equal(row->kind, kind);
		assert_int_equal(row->pid, 0);
		assert_true(row->id[0] == fnv_hash(row->name, strlen(row->name)));
	}
	assert_int_equal(rows.nr, 5);
	rows_deinit(&rows);
}

static void programs_have_no_pid(void **state)
{
	const struct metrics_options options = { .nr_rows = 10, .by = "exe" };
	const struct run_result result = { .nr_cpus = 1, .elapsed_seconds = 1 };
	struct metrics *metrics = metrics_create(&options);
	struct profile *profile = make_profile();
	struct metrics_window window = { .result = &result };
	struct agent_table table;
	char *text;

	assert_int_equal(agent_table_init(&table, NULL), 0);
	fill_table(&table, profile);
	check_rows(table.fold);
	window.fold = table.fold;
	assert_int_equal(metrics_add(metrics, &window), 0);
	text = WRITTEN(out, assert_int_equal(metrics_write(metrics, out), 0));
	assert_non_null(strstr(text, "{by=\"exe\",name=\"web\",kind=\"exe\",mode=\"user\"} 4\n"));
	assert_null(strstr(text, "pid="));
	free(text);
	metrics_destroy(metrics);
	agent_table_deinit(&table);
	profile_destroy(profile);
}

/* Names that are cut to the same text are one row, without an inode that nobody knows. */
static void cut_names_are_one_row(void **state)
{
	struct profile_process process = { .kind = CPUPROBE_KIND_PROCESS, .cgroup = "" };
	struct profile *profile = profile_create();
	u32 frame = profile_mark(MARK_USER), i;
	char name[CPUPROBE_NAME_LEN + 8];
	struct agent_table table;
	size_t nr;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	process.name = name;
	for (i = 0; i < 2; i++) {
		name[sizeof(name) - 2] = '0' + i;
		assert_int_equal(profile_add_process(profile, &process), i);
		assert_int_equal(profile_get_stack(profile, i, CPUPROBE_MODE_USER, &frame, 1), i);
	}
	assert_int_equal(agent_table_init(&table, NULL), 0);
	fill_table(&table, profile);
	name[CPUPROBE_NAME_LEN - 1] = '\0';
	assert_int_equal(hits_of(table.fold, name), 3);
	fold_processes(table.fold, &nr);
	/* The account has samples of others, which are lost. */
	assert_int_equal(nr, 2);
	agent_table_deinit(&table);
	profile_destroy(profile);
}

/* The metrics of two processes that have ended, of which the table gets 3 of 21 samples; to be freed. */
static char *write_ended(bool names_ended)
{
	static const struct profile_process processes[] = {
		{ .kind = CPUPROBE_KIND_EXITING, .name = "sh", .cgroup = "" },
		{ .kind = CPUPROBE_KIND_EXITING, .name = "ls", .cgroup = "" },
	};
	const struct metrics_options options = { .nr_rows = 10, .by = "exe" };
	const struct run_result result = { .nr_cpus = 1, .elapsed_seconds = 1, .account.taken = 21 };
	struct metrics *metrics = metrics_create(&options);
	struct metrics_window window = { .result = &result };
	struct profile *profile = profile_create();
	u32 frame = profile_mark(MARK_KERNEL), i;
	struct agent_table table;
	char *text;

	for (i = 0; i < 2; i++) {
		assert_int_equal(profile_add_process(profile, &processes[i]), i);
		assert_int_equal(profile_get_stack(profile, i, CPUPROBE_MODE_KERNEL, &frame, 1), i);
	}
	assert_int_equal(agent_table_init(&table, NULL), 0);
	table.names_ended = names_ended;
	fill_table(&table, profile);
	window.fold = table.fold;
	assert_int_equal(metrics_add(metrics, &window), 0);
	text = WRITTEN(out, assert_int_equal(metrics_write(metrics, out), 0));
	metrics_destroy(metrics);
	agent_table_deinit(&table);
	profile_destroy(profile);
	return text;
}

/* As in the module's own table, they are one row, unless it is BPF that knows their names. */
static void ended_processes(void **state)
{
	char *text = write_ended(false);

	assert_non_null(strstr(text, "name=\"(exiting)\",kind=\"exiting\",mode=\"kernel\"} 3\n"));
	assert_null(strstr(text, "gone"));
	free(text);
	text = write_ended(true);
	assert_non_null(strstr(text, "name=\"sh\",kind=\"gone\",mode=\"kernel\"} 1\n"));
	assert_non_null(strstr(text, "name=\"ls\",kind=\"gone\",mode=\"kernel\"} 2\n"));
	free(text);
}

/* The counter is that of the row, whether the engine or the agent lost the samples. */
static void lost_samples_are_counted(void **state)
{
	char *text = write_ended(false);

	assert_non_null(strstr(text, "\ncpuprobe_lost_samples_total 18\n"));
	assert_non_null(strstr(text, "name=\"(lost)\",kind=\"lost\",mode=\"user\"} 18\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_both_versions),
		cmocka_unit_test(long_paths_name_no_group),
		cmocka_unit_test(ever_new_groups),
		cmocka_unit_test(containers_are_rows),
		cmocka_unit_test(programs_have_no_pid),
		cmocka_unit_test(cut_names_are_one_row),
		cmocka_unit_test(ended_processes),
		cmocka_unit_test(lost_samples_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
