// SPDX-License-Identifier: GPL-2.0-only
/* Control groups of processes, and containers as rows of the agent's table: cli/resolve/cgroup_paths.c, agent_table.c. */
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "agent/agent_table.h"
#include "resolve/cgroup_paths.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_both_versions),
		cmocka_unit_test(ever_new_groups),
		cmocka_unit_test(containers_are_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
