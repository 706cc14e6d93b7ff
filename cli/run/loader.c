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

#include "base/sysfile.h"
#include "run/loader.h"

#define MODULE "cpuprobe"
#define SIGN_HINT \
	"sudo make install KEY=... CERT=..., with a key that this machine trusts (mokutil)"

extern char **environ;

/* Error messages of modprobe (kmod's and busybox's), and their meaning. */
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
	{ "Key was rejected", EKEYREJECTED, "kernel %s accepts only signed modules",
	  SIGN_HINT },
	{ "equired key not available", ENOKEY, "kernel %s accepts only signed modules",
	  SIGN_HINT },
};

/* Runs "modprobe cpuprobe"; returns its wait status or -errno. @output: its first line. */
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

static bool file_exists(const char *root, const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return !access(full, F_OK);
}

const struct loader_refusal *loader_refusal(const char *root)
{
	static const struct loader_refusal none = {
		"this kernel does not support modules",
		"in the sources of cpuprobe: make demo runs it in a virtual machine",
	};
	static const struct loader_refusal disabled = {
		"loading modules is disabled until the next boot",
		"load cpuprobe before kernel.modules_disabled is set",
	};
	char path[512], line[16];

	/* Without /proc nothing is known. */
	if (file_exists(root, "/proc/version") && !file_exists(root, "/proc/modules"))
		return &none;
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/modules_disabled", root);
	sysfile_line(path, line, sizeof(line));
	return line[0] == '1' ? &disabled : NULL;
}

/* "Operation not permitted" may come from lockdown, which a file of the kernel shows. */
static bool report_lockdown(const char *release, struct text_error *error_ret)
{
	char lockdown[128];

	sysfile_line("/sys/kernel/security/lockdown", lockdown, sizeof(lockdown));
	if (lockdown[0] && !strstr(lockdown, "[none]")) {
		text_fail(error_ret, 0, "load the module: kernel %s is locked down and "
			  "accepts only signed modules", release);
		text_hint(error_ret, SIGN_HINT);
		return true;
	}
	return false;
}

static int explain_modprobe(int status, char *output, struct text_error *error_ret)
{
	struct utsname kernel;
	char what[160];
	size_t i;

	uname(&kernel);
	if (status == -ENOENT) {
		text_fail(error_ret, 0, "load the module: modprobe was not found");
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
	if (report_lockdown(kernel.release, error_ret))
		return -EPERM;
	text_clean(output);
	return text_fail(error_ret, -EIO, "load the module: %s", output);
}

int loader_load(const char *root, struct text_error *error_ret)
{
	/* A loaded module without its device means a container: modprobe works, open() fails. */
	bool is_loaded = file_exists(root, "/sys/module/" MODULE);
	const struct loader_refusal *refusal = is_loaded ? NULL : loader_refusal(root);
	char output[512];
	int status;

	if (refusal) {
		text_fail(error_ret, 0, "load the module: %s", refusal->what);
		text_hint(error_ret, "%s", refusal->hint);
		return -EPERM;
	}
	if (geteuid()) {
		text_fail(error_ret, 0, "open /dev/" MODULE ": the module is not loaded, and only "
			  "root can load it");
		text_hint(error_ret, "sudo modprobe cpuprobe; or run this with sudo");
		return -EPERM;
	}
	status = run_modprobe(output, sizeof(output));
	return status ? explain_modprobe(status, output, error_ret) : 0;
}
