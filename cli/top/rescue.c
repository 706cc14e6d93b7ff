// SPDX-License-Identifier: GPL-2.0-only
/*
 * Restores the terminal in an emergency: see rescue.h. The handlers may run at any time and in any
 * state of the program: they use only data prepared in advance and async-signal-safe calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "top/rescue.h"

static struct {
	int in_fd;
	int out_fd;		/* another description of the terminal: either may be open in one direction only */
	struct termios before;
	struct termios during;
	char bytes[256];
	size_t len;
	int pipe_fd;		/* write end of the watcher's pipe; -1: no watcher */
} rescue = { .pipe_fd = -1 };

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGSYS, SIGTRAP };

#define NR_CRASHES (sizeof(crashes) / sizeof(crashes[0]))

static char handler_stack[16384];	/* the crash may be a stack overflow */
static struct sigaction old_actions[NR_CRASHES];

static void restore_terminal(void)
{
	(void)!write(rescue.out_fd, rescue.bytes, rescue.len);
	tcsetattr(rescue.in_fd, TCSANOW, &rescue.before);
}

static void handle_crash(int number)
{
	restore_terminal();
	/* SA_RESETHAND has restored the default action: the signal now ends the program. */
	raise(number);
}

static void catch_crashes(void)
{
	const stack_t stack = { .ss_sp = handler_stack, .ss_size = sizeof(handler_stack) };
	struct sigaction action = {
		.sa_handler = handle_crash, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK,
	};
	size_t i;

	sigaltstack(&stack, NULL);
	sigemptyset(&action.sa_mask);
	for (i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], &action, &old_actions[i]);
}

/* Whether the terminal still has our settings. A shell that has taken over changes them. */
static bool is_terminal_ours(void)
{
	struct termios now;

	return !tcgetattr(rescue.in_fd, &now) && now.c_lflag == rescue.during.c_lflag &&
	       now.c_iflag == rescue.during.c_iflag && now.c_oflag == rescue.during.c_oflag;
}

static bool is_kept(int fd, int pipe_fd)
{
	return fd == pipe_fd || fd == rescue.in_fd || fd == rescue.out_fd;
}

static void close_others(int pipe_fd)
{
	int last = pipe_fd > rescue.in_fd ? pipe_fd : rescue.in_fd, fd;

	if (last < rescue.out_fd)
		last = rescue.out_fd;
	for (fd = 0; fd < last; fd++)
		if (!is_kept(fd, pipe_fd))
			close(fd);
	syscall(SYS_close_range, last + 1, ~0U, 0);
}

/* The watcher: a byte in the pipe means a normal exit, end of file without a byte a kill. */
static void watch_for_death(int fd)
{
	char byte;
	ssize_t got;
	int i;

	close_others(fd);
	/* The watcher must survive signals to the process group, and SIGTTOU from tcsetattr(). */
	for (i = 1; i < NSIG; i++)
		if (i != SIGKILL && i != SIGSTOP)
			signal(i, SIG_IGN);
	prctl(PR_SET_NAME, "probe-top-watch");
	do
		got = read(fd, &byte, 1);
	while (got < 0 && errno == EINTR);
	if (!got && is_terminal_ours())
		restore_terminal();
	_exit(0);
}

static void start_watcher(void)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return;
	/* Fork twice, so that init reaps the watcher. */
	pid = fork();
	if (!pid) {
		if (fork())
			_exit(0);
		close(fds[1]);
		watch_for_death(fds[0]);
	}
	close(fds[0]);
	if (pid < 0) {
		close(fds[1]);
		return;
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	rescue.pipe_fd = fds[1];
}

void rescue_begin(int in_fd, int out_fd, const struct termios *before, const struct termios *during,
		  const char *bytes, size_t len)
{
	rescue.in_fd = in_fd;
	rescue.out_fd = out_fd;
	rescue.before = *before;
	rescue.during = *during;
	rescue.len = len < sizeof(rescue.bytes) ? len : sizeof(rescue.bytes);
	memcpy(rescue.bytes, bytes, rescue.len);
	start_watcher();
	catch_crashes();
}

void rescue_end(void)
{
	size_t i;

	for (i = 0; i < NR_CRASHES; i++)
		sigaction(crashes[i], &old_actions[i], NULL);
	/* If the watcher is gone, write() fails: SIGPIPE is ignored. */
	if (rescue.pipe_fd >= 0 && write(rescue.pipe_fd, "", 1) >= 0)
		close(rescue.pipe_fd);
	rescue.pipe_fd = -1;
}
