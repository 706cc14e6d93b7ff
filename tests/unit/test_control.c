// SPDX-License-Identifier: GPL-2.0-only
/* The directory that keeps track of background runs: cli/background/control.c. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "background/control.h"

static char root[] = "/tmp/cpuprobe-control-XXXXXX";

/* A user other than root, whom a test run by root becomes for a while. */
static uid_t become_user(void)
{
	uid_t before = geteuid();

	if (!before)
		assert_int_equal(seteuid(65534), 0);
	return before;
}

static void is_refused(int reason, const char *what, const char *hint)
{
	struct text_error error = { "", "" };
	char path[128];

	assert_int_equal(control_directory(root, path, sizeof(path), &error), reason);
	if (strncmp(error.what, "make ", 5) || !strstr(error.what, what) ||
	    !strstr(error.hint, hint))
		fail_msg("%s; %s", error.what, error.hint);
}

/* A system without /run, such as a rescue shell: the directory is made, for all users. */
static void root_makes_run(void **state)
{
	char path[128], wanted[128];
	struct stat info;
	mode_t mask;

	if (geteuid())
		skip();
	mask = umask(077);
	assert_int_equal(control_directory(root, path, sizeof(path), NULL), 0);
	snprintf(wanted, sizeof(wanted), "%s/run/cpuprobe", root);
	assert_string_equal(path, wanted);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	rmdir(path);
	*strrchr(path, '/') = '\0';
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0755);
	/* An existing directory stays as it is. */
	assert_int_equal(chmod(path, 0711), 0);
	assert_int_equal(control_directory(root, path, sizeof(path), NULL), 0);
	rmdir(path);
	*strrchr(path, '/') = '\0';
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0711);
	rmdir(path);
	umask(mask);
}

static void errors_for_users_have_hints(void **state)
{
	uid_t before = become_user();

	setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
	is_refused(-ENOENT, "/run/user/7/cpuprobe: No such file", "XDG_RUNTIME_DIR");
	unsetenv("XDG_RUNTIME_DIR");
	is_refused(-ENOENT, "/tmp/cpuprobe-", "needs this directory");
	assert_int_equal(seteuid(before), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(root_makes_run),
		cmocka_unit_test(errors_for_users_have_hints),
	};
	int status;

	if (!mkdtemp(root) || chmod(root, 0755))
		return 1;
	status = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(root);
	return status;
}
