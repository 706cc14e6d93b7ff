// SPDX-License-Identifier: GPL-2.0-only
/* From paths of control groups to containers, pods and units: cli/containers/container.c. */
#include <glob.h>
#include <unistd.h>

#include "unit.h"
#include "containers/container.h"

#define COLUMNS	8

/* Find the paths in a directory above the test's own program. */
static const char *get_pattern(void)
{
	static char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 64);
	char *slash;

	assert_true(len > 0);
	path[len] = '\0';
	while ((slash = strrchr(path, '/'))) {
		strcpy(slash, "/tests/cgroups");
		if (!access(path, F_OK))
			return strcat(path, "/*.tsv");
		*slash = '\0';
	}
	fail_msg("no directory tests/cgroups");
	return NULL;
}

/* Cut a line at its tabs; "-" becomes "". */
static void split(char *line, const char *column[COLUMNS])
{
	int i;

	line[strcspn(line, "\n")] = '\0';
	for (i = 0; i < COLUMNS; i++) {
		column[i] = strsep(&line, "\t");
		assert_non_null(column[i]);
		if (!strcmp(column[i], "-"))
			column[i] = "";
	}
	assert_null(line);
}

static void check_path(const char *column[COLUMNS])
{
	char label[CONTAINER_LABEL_LEN];
	struct container found;

	container_parse(column[0], &found);
	container_label(&found, column[0], NULL, label);
	if (strcmp(container_runtime_name(found.runtime), column[1]) || strcmp(found.id, column[2]) ||
	    strcmp(found.pod, column[3]) || strcmp(found.unit, column[4]) ||
	    strcmp(found.user_unit, column[5]) || strcmp(found.slice, column[6]) || strcmp(label, column[7]))
		fail_msg("%s: runtime '%s', id '%s', pod '%s', unit '%s', user unit '%s', slice '%s', row '%s'",
			 column[0], container_runtime_name(found.runtime), found.id, found.pod, found.unit,
			 found.user_unit, found.slice, label);
}

/* Every layout: tests/cgroups has a file for each runtime. */
static void paths_tell_their_containers(void **state)
{
	const char *column[COLUMNS];
	char line[4096];
	int nr = 0;
	size_t i;
	glob_t files;

	assert_int_equal(glob(get_pattern(), 0, NULL, &files), 0);
	assert_int_equal(files.gl_pathc, 8);
	for (i = 0; i < files.gl_pathc; i++) {
		FILE *file = fopen(files.gl_pathv[i], "r");

		assert_non_null(file);
		while (fgets(line, sizeof(line), file)) {
			if (line[0] == '#')
				continue;
			split(line, column);
			check_path(column);
			nr++;
		}
		fclose(file);
	}
	globfree(&files);
	assert_true(nr > 80);
}

/* A name from the runtime's files replaces the id. */
static void a_name_replaces_the_id(void **state)
{
	char label[CONTAINER_LABEL_LEN], id[CONTAINER_ID_LEN];
	struct container found;

	container_parse("/machine.slice/systemd-nspawn@a-name-of-more-than-12-letters.service", &found);
	assert_string_equal(container_short_id(&found, id), "a-name-of-more-than-12-letters");
	container_parse("/docker/d0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde", &found);
	container_label(&found, "/", "web", label);
	assert_string_equal(label, "docker web");
	container_label(&found, "/", "", label);
	assert_string_equal(label, "docker d0123456789a");
}

/* Names of components, of any length and content, are cut and never overflow. */
static void long_names_are_cut(void **state)
{
	static const char *const starts[] = {
		"/", "/lxc.payload.", "/machine-", "/system.slice/", "/kubepods-pod", "/docker-", "1:name=",
		"/a.slice:", "/libpod_pod_"
	};
	char path[4200], label[CONTAINER_LABEL_LEN];
	struct container found;
	size_t i, len;

	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		for (len = 1; len < 4000; len = len * 3 / 2 + 1) {
			size_t at = snprintf(path, sizeof(path), "%s", starts[i]);

			memset(path + at, i % 2 ? ':' : 'a', len);
			snprintf(path + at + len, sizeof(path) - at - len, ".scope");
			container_parse(path, &found);
			container_label(&found, path, path, label);
			assert_true(strlen(label) < CONTAINER_LABEL_LEN);
		}
	}
}

/* Groups whose paths, or users' units, agree in all that a label has room for are rows of their own. */
static void long_labels_differ(void **state)
{
	static const char *const ends[] = { "a", "b", "a" };
	char path[400], labels[3][CONTAINER_LABEL_LEN];
	struct container found;
	int is_unit, i;

	for (is_unit = 0; is_unit < 2; is_unit++) {
		for (i = 0; i < 3; i++) {
			snprintf(path, sizeof(path), "%s%0*d%s%s",
				 is_unit ? "/user.slice/user-1.slice/user@1.service/app.slice/u" : "/group", 230, 0,
				 ends[i], is_unit ? ".service" : "");
			container_parse(path, &found);
			container_label(&found, path, NULL, labels[i]);
			assert_int_equal(strlen(labels[i]), CONTAINER_LABEL_LEN - 1);
			assert_int_equal(labels[i][CONTAINER_LABEL_LEN - 10], '~');
		}
		assert_string_not_equal(labels[0], labels[1]);
		assert_string_equal(labels[0], labels[2]);
	}
	/* One that fits stays as it is. */
	snprintf(path, sizeof(path), "/%0*d", CONTAINER_LABEL_LEN - 2, 0);
	container_parse(path, &found);
	container_label(&found, path, NULL, labels[0]);
	assert_string_equal(labels[0], path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_tell_their_containers),
		cmocka_unit_test(a_name_replaces_the_id),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(long_labels_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
