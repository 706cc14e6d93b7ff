// SPDX-License-Identifier: GPL-2.0-only
/*
 * slain SECONDS: kills eight processes at random moments and starts new ones in their place. The
 * processes open, start, harvest, poll, stop and close sessions, and pass them to children; all
 * sums that they see must hold. Prints the number of kills.
 */
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "session.h"

#define PROCESSES 8

/* Leaves the session to a child, which may stop it and then kills itself. */
static void inherit(const struct session *session)
{
	pid_t pid = fork();

	if (!pid) {
		if (rand() % 2)
			ioctl(session->fd, CPUPROBE_IOC_STOP);
		usleep(rand() % 3000);
		raise(SIGKILL);
	}
}

static void live(void)
{
	static const __u64 periods_ns[] = { 200000, 1000000, 5000000, 100000000 };

	for (;;) {
		struct cpuprobe_areas areas = REQUEST(areas);
		struct pollfd poll_fd = { .events = POLLIN };
		struct session session;
		int error, harvests = rand() % 4;

		session_open(&session);
		session_equal("open", session.fd < 0, 0);
		poll_fd.fd = session.fd;
		if (rand() % 2)
			ioctl(session.fd, CPUPROBE_IOC_AREAS, &areas);
		/* Other processes may have used up the limits. */
		error = session_start(&session, rand() % session_kinds(), periods_ns[rand() % 4]);
		if (error)
			session_equal("start", error, EBUSY);
		while (!error && harvests--) {
			poll(&poll_fd, 1, rand() % 5);
			session_equal("harvest", session_harvest(&session), 0);
			ioctl(session.fd, CPUPROBE_IOC_AREAS, &areas);
		}
		if (!error && rand() % 4 == 0)
			inherit(&session);
		else if (!error && rand() % 2)
			session_equal("stop", ioctl(session.fd, CPUPROBE_IOC_STOP), 0);
		close(session.fd);
	}
}

static pid_t begin(unsigned int seed)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpriority(PRIO_PROCESS, 0, 0);
		srand(seed);
		live();
	}
	return pid;
}

int main(int argc, char **argv)
{
	double until = now_s() + (argc > 1 ? atof(argv[1]) : 5);
	pid_t pids[PROCESSES];
	unsigned int killed = 0, i;
	int status;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* The killer must get the CPU before its victims. */
	setpriority(PRIO_PROCESS, 0, -15);
	for (i = 0; i < PROCESSES; i++)
		pids[i] = begin(i);
	while (now_s() < until) {
		usleep(rand() % 10000);
		i = rand() % PROCESSES;
		kill(pids[i], SIGKILL);
		pids[i] = begin(PROCESSES + ++killed);
		while (waitpid(-1, &status, WNOHANG) > 0)
			if (!WIFSIGNALED(status))
				return 1;	/* the child has printed the reason */
	}
	for (i = 0; i < PROCESSES; i++)
		kill(pids[i], SIGKILL);
	while (wait(&status) > 0)
		if (!WIFSIGNALED(status))
			return 1;
	printf("killed %u times\n", killed);
	return killed > 0 ? 0 : 1;
}
