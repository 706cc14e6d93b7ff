// SPDX-License-Identifier: GPL-2.0-only
/* The measured COMMAND: see child.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/child.h"

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void run_child(int gate_fd, int error_fd, char **command)
{
	sigset_t none;
	char byte;
	int error;

	/* End of file instead of a byte: the tool gave up, so the child exits. */
	if (read(gate_fd, &byte, 1) != 1)
		_exit(125);
	sigemptyset(&none);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(command[0], command);
	error = errno;
	if (write(error_fd, &error, sizeof(error)) < 0)
		_exit(125);
	_exit(error == ENOENT ? 127 : 126);
}

int child_fork(struct child *child, char **command, struct text_error *error_ret)
{
	int gate[2] = { -1, -1 }, failure[2] = { -1, -1 };
	int error;

	*child = (struct child){ .gate_fd = -1, .error_fd = -1, .pid_fd = -1 };
	if (pipe2(gate, O_CLOEXEC) || pipe2(failure, O_CLOEXEC))
		goto failed;
	child->pid = fork();
	if (child->pid < 0)
		goto failed;
	if (!child->pid) {
		close(gate[1]);
		run_child(gate[0], failure[1], command);
	}
	close(gate[0]);
	close(failure[1]);
	child->gate_fd = gate[1];
	child->error_fd = failure[0];
	child->pid_fd = syscall(SYS_pidfd_open, child->pid, 0);
	if (child->pid_fd < 0) {
		error = errno;
		child_kill(child);
		return text_fail(error_ret, -error, "watch '%s': %s", command[0], strerror(error));
	}
	fcntl(child->pid_fd, F_SETFD, FD_CLOEXEC);
	return 0;

failed:
	error = errno;
	child->pid = 0;
	close_fd(&gate[0]);
	close_fd(&gate[1]);
	close_fd(&failure[0]);
	close_fd(&failure[1]);
	return text_fail(error_ret, -error, "start '%s': %s", command[0], strerror(error));
}

int child_release(struct child *child, char **command, struct text_error *error_ret)
{
	int error = 0;
	ssize_t len;

	if (write(child->gate_fd, "", 1) != 1)
		error = errno;
	close_fd(&child->gate_fd);
	do
		len = read(child->error_fd, &error, sizeof(error));
	while (len < 0 && errno == EINTR);
	close_fd(&child->error_fd);
	if (!error)
		return 0;
	child_wait(child);
	return text_fail(error_ret, -error, "run '%s': %s", command[0], strerror(error));
}

int child_wait(struct child *child)
{
	int status = 0;

	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
	close_fd(&child->pid_fd);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void child_kill(struct child *child)
{
	close_fd(&child->gate_fd);
	close_fd(&child->error_fd);
	if (child->pid) {
		kill(child->pid, SIGKILL);
		child_wait(child);
	}
	close_fd(&child->pid_fd);
}
