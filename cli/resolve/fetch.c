// SPDX-License-Identifier: GPL-2.0-only
/* Debug files from servers: see fetch.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "resolve/fetch.h"

#define NOT_INSTALLED	127	/* exit status, as in a shell */
#define END_MS		2000	/* time that debuginfod-find has to exit after closing its output */

static void __attribute__((noreturn)) exec_debuginfod_find(const char *build_id, int out_fd)
{
	int null_fd = open("/dev/null", O_RDWR);

	dup2(null_fd, STDIN_FILENO);
	dup2(null_fd, STDERR_FILENO);
	dup2(out_fd, STDOUT_FILENO);
	execlp("debuginfod-find", "debuginfod-find", "debuginfo", build_id, NULL);
	_exit(NOT_INSTALLED);
}

/* Reads the first line of the finder's output, until its end or the time limit. */
static void read_debug_path(int fd, char path[PATH_MAX])
{
	time_t end = time(NULL) + FETCH_SECONDS_MAX;
	size_t len = 0;
	ssize_t got = 1;

	while (got > 0 && len < PATH_MAX - 1 && time(NULL) < end) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };

		if (poll(&wait, 1, 1000) <= 0)
			continue;
		got = read(fd, path + len, PATH_MAX - 1 - len);
		len += got > 0 ? got : 0;
	}
	path[len] = '\0';
	path[strcspn(path, "\n")] = '\0';
}

/* Returns the finder's exit status; negative: it did not start, or did not exit by itself. */
static int run_debuginfod_find(const char *build_id, char path[PATH_MAX])
{
	int ends[2], status, i;
	pid_t pid;

	path[0] = '\0';
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		exec_debuginfod_find(build_id, ends[1]);
	close(ends[1]);
	if (pid > 0)
		read_debug_path(ends[0], path);
	close(ends[0]);
	if (pid < 0)
		return -EAGAIN;
	/* Either the finder has closed its output and is exiting, or the time is over. */
	for (i = 0; i < END_MS; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
		usleep(1000);
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return path[0] ? 0 : -ETIME;
}

int fetch_debug(const u8 *build_id, size_t len, struct text_error *error_ret)
{
	char text[2 * 32 + 1] = "", path[PATH_MAX];
	size_t i;
	int status, fd;

	if (!len || len > 32)
		return text_fail(error_ret, -ENOENT, "fetch a debug file: no build-id");
	for (i = 0; i < len; i++)
		snprintf(text + 2 * i, sizeof(text) - 2 * i, "%02x", build_id[i]);
	status = run_debuginfod_find(text, path);
	fd = !status && path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd >= 0)
		return fd;
	if (status == NOT_INSTALLED) {
		text_fail(error_ret, 0, "fetch debug file %s: debuginfod-find is not installed",
			  text);
		text_hint(error_ret, "install elfutils; in Debian, the package debuginfod");
	} else if (!getenv("DEBUGINFOD_URLS")) {
		text_fail(error_ret, 0, "fetch debug file %s: $DEBUGINFOD_URLS is not set", text);
		text_hint(error_ret,
			  "for example: export DEBUGINFOD_URLS=https://debuginfod.debian.net");
	} else {
		text_fail(error_ret, 0, "fetch debug file %s: no server has it", text);
	}
	return -ENOENT;
}
