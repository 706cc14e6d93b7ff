// SPDX-License-Identifier: GPL-2.0-only
/* Loading the module: see loader.h. */
#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader.h"
#include "sysfile.h"

#define MODULE "cpuprobe"
#define SIGN_HINT \
	"sudo make install KEY=... CERT=..., with a key that this machine trusts (mokutil)"

extern char **environ;

/* What modprobe says when it fails, in the words of kmod and of busybox, and what that means. */
static const struct reason {
	const char *words;
	int error;
	const char *what;
	const char *hint;
} reasons[] = {
	{ "not found", ENOENT, "it is not installed for kernel %s",
	  "install cpuprobe-dkms; or in the sources of cpuprobe: sudo make install" },
	{ "t change directory", ENOENT, "it is not installed for kernel %s",
	  "install cpuprobe-dkms; or in the sources of cpuprobe: sudo make install" },
	{ "nknown symbol", ENOEXEC, "it was built for another kernel than %s",
	  "in the sources of cpuprobe: make clean, sudo make install" },
	{ "Exec format error", ENOEXEC, "it was built for another kernel than %s",
	  "in the sources of cpuprobe: make clean, sudo make install" },
	{ "nvalid module format", ENOEXEC, "it was built for another kernel than %s",
	  "in the sources of cpuprobe: make clean, sudo make install" },
	{ "Key was rejected", EKEYREJECTED, "kernel %s takes signed modules only",
	  SIGN_HINT },
	{ "equired key not available", ENOKEY, "kernel %s takes signed modules only",
	  SIGN_HINT },
};

/* Runs "modprobe cpuprobe"; its exit status, or -errno. @output gets what it said. */
static int run_modprobe(char *output, size_t len)
{
	char modprobe[] = "modprobe", module[] = MODULE;
	char *argv[] = { modprobe, module, NULL };
	posix_spawn_file_actions_t actions;
	int fd = memfd_create("modprobe", MFD_CLOEXEC), status = 0, error;
	ssize_t got;
	pid_t pid;

	if (fd < 0)
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fd, STDERR_FILENO);
	error = posix_spawnp(&pid, modprobe, &actions, NULL, argv, environ);
	if (error == ENOENT)
		error = posix_spawn(&pid, "/sbin/modprobe", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	got = pread(fd, output, len - 1, 0);
	output[got > 0 ? got : 0] = '\0';
	output[strcspn(output, "\n")] = '\0';
	close(fd);
	return error ? -error : status;
}

/* The kernel's own "Operation not permitted" has two causes that a file tells. */
static bool is_forbidden(const char *release, struct text_error *error_ret)
{
	char lockdown[128], disabled[16];

	sysfile_line("/proc/sys/kernel/modules_disabled", disabled, sizeof(disabled));
	if (disabled[0] == '1') {
		text_fail(error_ret, 0, "load the module: loading modules is disabled until the "
			  "next boot (kernel.modules_disabled)");
		return true;
	}
	sysfile_line("/sys/kernel/security/lockdown", lockdown, sizeof(lockdown));
	if (lockdown[0] && !strstr(lockdown, "[none]")) {
		text_fail(error_ret, 0, "load the module: kernel %s is locked down and takes "
			  "signed modules only", release);
		text_hint(error_ret, SIGN_HINT);
		return true;
	}
	return false;
}

static int explain(int status, char *output, struct text_error *error_ret)
{
	struct utsname kernel;
	char what[160];
	size_t i;

	uname(&kernel);
	if (status == -ENOENT) {
		text_fail(error_ret, 0, "load the module: there is no modprobe");
		text_hint(error_ret, "sudo insmod cpuprobe.ko");
		return -ENOENT;
	}
	if (status < 0)
		return text_fail(error_ret, status, "load the module: %s", strerror(-status));
	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (!strstr(output, reasons[i].words))
			continue;
		snprintf(what, sizeof(what), reasons[i].what, kernel.release);
		text_fail(error_ret, 0, "load the module: %s", what);
		text_hint(error_ret, "%s", reasons[i].hint);
		return -reasons[i].error;
	}
	if (is_forbidden(kernel.release, error_ret))
		return -EPERM;
	text_clean(output);
	return text_fail(error_ret, -EIO, "load the module: %s", output);
}

int loader_load(struct text_error *error_ret)
{
	char output[512];
	int status;

	if (geteuid()) {
		text_fail(error_ret, 0, "open /dev/" MODULE ": the module is not loaded, and only "
			  "root can load it");
		text_hint(error_ret, "sudo modprobe cpuprobe; or run this with sudo");
		return -EPERM;
	}
	status = run_modprobe(output, sizeof(output));
	return status ? explain(status, output, error_ret) : 0;
}
