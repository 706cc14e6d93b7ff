// SPDX-License-Identifier: GPL-2.0-only
/* From control groups to rows, and names of containers: cli/containers/. */
#include "directory.h"
#include "containers/container_map.h"
#include "containers/json_text.h"

#define ID	"d0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"
#define OTHER	"e0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"

/* Paths of groups by their id; NULL: the file system says nothing. */
static const char *paths[64];
static int nr_asked;

static void get_path(const struct cpuprobe_record *record, char *path, size_t len)
{
	nr_asked++;
	snprintf(path, len, "%s", paths[record->id[0] % 64] ? paths[record->id[0] % 64] : "");
}

static struct cpuprobe_record make_record(u64 id, const char *name)
{
	struct cpuprobe_record record = { .id = { id }, .kind = CPUPROBE_KIND_CGROUP };

	snprintf(record.name, sizeof(record.name), "%s", name);
	return record;
}

static const char *get_label(struct container_map *map, const struct cpuprobe_record *record)
{
	static char names[8][CONTAINER_LABEL_LEN];
	static int last;
	char *name = names[last = (last + 1) % 8];

	container_map_name(map, record, name, CONTAINER_LABEL_LEN);
	return name;
}

/* All groups of a container have one identity, those that are gone too. */
static void groups_of_a_container_are_one_row(void **state)
{
	struct container_map *map = container_map_create(get_path, directory);
	struct cpuprobe_record records[6] = {
		make_record(1, "docker-" ID), make_record(2, "init.scope"), make_record(3, "docker-" ID),
		make_record(4, "cron.service"), make_record(5, "docker-" OTHER), make_record(0, "IDLE"),
	};
	const struct cpuprobe_record *mapped;

	paths[1] = "/system.slice/docker-" ID ".scope";
	paths[2] = "/system.slice/docker-" ID ".scope/init.scope";
	paths[3] = "docker-d0123456789abcdef01234567 (gone)";
	paths[4] = "/system.slice/cron.service";
	paths[5] = NULL;
	records[5].kind = CPUPROBE_KIND_IDLE;
	nr_asked = 0;
	mapped = container_map_records(map, records, 6);
	assert_non_null(mapped);
	assert_int_equal(mapped[0].id[0], 1);
	assert_int_equal(mapped[1].id[0], 1);
	assert_int_equal(mapped[2].id[0], 1);
	assert_int_equal(mapped[2].id[1], 1);
	assert_int_equal(mapped[3].id[0], 4);
	assert_int_equal(mapped[4].id[0], 5);
	assert_int_equal(mapped[5].id[1], 0);
	assert_string_equal(get_label(map, &mapped[1]), "docker d0123456789a");
	assert_string_equal(get_label(map, &mapped[3]), "cron.service");
	assert_string_equal(get_label(map, &mapped[4]), "docker e0123456789a");
	assert_string_equal(get_label(map, &mapped[5]), "");
	assert_string_equal(container_map_find(map, mapped[0].id)->container_id, ID);
	assert_null(container_map_find(map, records[0].id));
	/* The path is looked up once. */
	container_map_records(map, records, 6);
	assert_int_equal(nr_asked, 5);
	container_map_destroy(map);
}

/* Names that the module cut tell a container, but neither a unit nor a user. */
static void groups_that_are_gone_keep_their_names(void **state)
{
	struct container_map *map = container_map_create(get_path, directory);
	struct cpuprobe_record records[3] = {
		make_record(11, "run-1.scope"), make_record(12, "session-3.scope"), make_record(13, "session-3.scope"),
	};
	const struct cpuprobe_record *mapped;

	paths[11] = "run-1.scope (gone)";
	paths[12] = NULL;
	paths[13] = "/user.slice/session-3.scope/sub";
	mapped = container_map_records(map, records, 3);
	assert_string_equal(get_label(map, &mapped[0]), "run-1.scope (gone)");
	assert_string_equal(get_label(map, &mapped[1]), "session-3.scope");
	assert_string_equal(get_label(map, &mapped[2]), "session-3.scope");
	container_map_destroy(map);
}

/* Memory is bounded: many short-lived groups are forgotten, between windows only. */
static void many_groups_are_forgotten(void **state)
{
	struct container_map *map = container_map_create(get_path, directory);
	const struct cpuprobe_record *mapped;
	u64 id;

	memset(paths, 0, sizeof(paths));
	for (id = 1; id <= CONTAINER_MAP_MAX + 1; id++) {
		char name[CPUPROBE_NAME_LEN];
		struct cpuprobe_record record;

		snprintf(name, sizeof(name), "job-%llu", id);
		record = make_record(id, name);
		mapped = container_map_records(map, &record, 1);
		assert_int_equal(mapped->id[0], id);
		if (id == CONTAINER_MAP_MAX)
			container_map_trim(map);
	}
	assert_non_null(container_map_find(map, (__u64[2]){ 1, 1 }));
	container_map_trim(map);
	assert_null(container_map_find(map, (__u64[2]){ 1, 1 }));
	container_map_destroy(map);
}

static const char *find(const char *json, const char *first, const char *second)
{
	const char *const keys[] = { first, second, NULL };
	static char text[16];

	return json_find_text(json, keys, text, sizeof(text)) ? text : "(none)";
}

/* Keys count at their own depth, and texts that look like keys do not. */
static void texts_are_found_by_their_keys(void **state)
{
	const char *json = "{\"a\":[{\"Name\":\"in a list\"}],\"b\":{\"Name\":\"deeper\",\"c\":{}},"
			   "\"t\":\"\\\"Name\\\":\\\"quoted\\\"\", \"Name\" : \"/w\\u0041\\/e\\\"b\",\"Name\":1}";

	assert_string_equal(find(json, "Name", NULL), "/w?0041/e\"b");
	assert_string_equal(find(json, "b", "Name"), "deeper");
	assert_string_equal(find(json, "b", "c"), "(none)");
	assert_string_equal(find(json, "b", "t"), "(none)");
	assert_string_equal(find(json, "a", "Name"), "(none)");
	assert_string_equal(find("{\"Name\":null}", "Name", NULL), "(none)");
	assert_string_equal(find("{\"Name\":\"01234567890123456789\"}", "Name", NULL), "012345678901234");
	assert_string_equal(find("{\"b\":{\"x\":1},\"c\":{\"t\":\"of another\"}}", "b", "t"), "(none)");
	assert_string_equal(find("", "Name", NULL), "(none)");
	assert_string_equal(find("{\"Name\"", "Name", NULL), "(none)");
	assert_string_equal(find("{\"Name\":", "Name", NULL), "(none)");
	assert_string_equal(find("{\"Name\":\"x", "Name", NULL), "x");
	assert_string_equal(find("}}}]\"Name\":\"x\"", "Name", NULL), "(none)");
	assert_string_equal(find("{\"Name\\", "Name", NULL), "(none)");
}

static const char *get_name(const char *path)
{
	static char name[CONTAINER_NAME_LEN];
	struct container container;

	container_parse(path, &container);
	return container_find_name(directory, &container, name) ? name : "(none)";
}

/* Files of the runtimes name the containers. */
static void runtimes_name_their_containers(void **state)
{
	sh("mkdir -p var/lib/docker/containers/" ID);
	sh("echo '{\"Config\":{\"Name\":\"no\"},\"Name\":\"/web\"}' >var/lib/docker/containers/" ID "/config.v2.json");
	sh("mkdir -p run/containerd/io.containerd.runtime.v2.task/k8s.io/" ID
	   " run/containers/storage/overlay-containers/" ID "/userdata");
	sh("echo '{\"annotations\":{\"io.kubernetes.cri.container-name\":\"app\","
	   "\"io.kubernetes.cri.sandbox-name\":\"web-0\",\"io.kubernetes.cri.sandbox-namespace\":\"prod\"}}' "
	   ">run/containerd/io.containerd.runtime.v2.task/k8s.io/" ID "/config.json");
	sh("echo '{\"annotations\":{\"io.kubernetes.pod.name\":\"db-1\",\"io.kubernetes.pod.namespace\":\"prod\"}}' "
	   ">run/containers/storage/overlay-containers/" ID "/userdata/config.json");
	assert_string_equal(get_name("/docker/" ID), "web");
	assert_string_equal(get_name("/kubepods/besteffort/pod0123456789abcdef0123456789abcdef/" ID), "prod/web-0/app");
	assert_string_equal(get_name("/kubepods/besteffort/pod0123456789abcdef0123456789abcdef/crio-" ID), "prod/db-1");
	assert_string_equal(get_name("/docker/" OTHER), "(none)");
	assert_string_equal(get_name("/lxc/.."), "(none)");
	/* A pipe instead of the file does not block. */
	sh("rm var/lib/docker/containers/*/config.v2.json; mkfifo var/lib/docker/containers/" ID "/config.v2.json");
	assert_string_equal(get_name("/docker/" ID), "(none)");
}

/* A kubelet in a container has long paths: the innermost container counts. */
static void long_paths_are_whole(void **state)
{
	struct container_map *map = container_map_create(get_path, directory);
	struct cpuprobe_record records[2] = { make_record(1, "cri-containerd-" ID), make_record(2, "cri-containerd-" ID) };
	static const char node[] = "/system.slice/docker-" OTHER ".scope/kubelet.slice/kubelet-kubepods.slice/"
		"kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod11111111_2222_3333_4444_555555555555.slice/";
	const struct cpuprobe_record *mapped;
	char inner[512];

	snprintf(inner, sizeof(inner), "%scri-containerd-%s.scope", node, ID);
	assert_true(strlen(inner) > CONTAINER_LABEL_LEN);
	paths[1] = inner;
	paths[2] = "/system.slice/docker-" OTHER ".scope";
	mapped = container_map_records(map, records, 2);
	assert_non_null(mapped);
	assert_string_equal(get_label(map, &mapped[0]), "containerd d0123456789a");
	assert_string_equal(get_label(map, &mapped[1]), "docker e0123456789a");
	container_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_of_a_container_are_one_row), cmocka_unit_test(long_paths_are_whole),
		cmocka_unit_test(groups_that_are_gone_keep_their_names),
		cmocka_unit_test(many_groups_are_forgotten),
		cmocka_unit_test(texts_are_found_by_their_keys),
		cmocka_unit_test(runtimes_name_their_containers),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
