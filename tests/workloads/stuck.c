// SPDX-License-Identifier: GPL-2.0-only
/*
 * stuck: harvests into a page whose fault is never resolved. Another process that has the
 * descriptor can still poll it, both can be killed, and the session can be harvested afterwards.
 * Prints each failure and exits 1; exits 77 if there is no userfaultfd.
 */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "held.h"
#include "session.h"

static void harvest_into_held(int fd)
{
	struct cpuprobe_harvest harvest = REQUEST(harvest, .buffer_len = 65536,
		.buffer = (unsigned long)held_memory(65536));

	if (!harvest.buffer)
		_exit(77);
	ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest);
	session_fail("a harvest into a page that is held back ended", 0, 0);
}

/* Checks that the child ends within two seconds. */
static int ends(pid_t pid, int *status_ret)
{
	for (int i = 0; i < 200; i++) {
		if (waitpid(pid, status_ret, WNOHANG) == pid)
			return 1;
		usleep(10000);
	}
	return 0;
}

static pid_t poller(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	pid_t pid = fork();

	if (!pid) {
		poll(&poll_fd, 1, 0);
		_exit(0);
	}
	return pid;
}

int main(void)
{
	struct session session;
	pid_t holder, other;
	int status, is_wrong = 0;

	session_open(&session);
	session_equal("start", session_start(&session, 0, 1000000), 0);
	usleep(50000);
	holder = fork();
	if (!holder)
		harvest_into_held(session.fd);
	usleep(300000);
	if (waitpid(holder, &status, WNOHANG) == holder)
		return WEXITSTATUS(status);
	other = poller(session.fd);
	if (!ends(other, &status)) {
		printf("poll() waits for another's harvest\n");
		kill(other, SIGKILL);
		is_wrong = 1;
		if (!ends(other, &status))
			printf("and cannot be killed\n");
	}
	kill(holder, SIGKILL);
	if (!ends(holder, &status)) {
		printf("the harvest cannot be killed\n");
		is_wrong = 1;
	}
	session_equal("harvest", session_harvest(&session), 0);
	return is_wrong;
}
