/* SPDX-License-Identifier: GPL-2.0-only */
/* A process in another root directory, as one of a container. Only root can start one. */
#ifndef JAIL_H
#define JAIL_H

#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "directory.h"
#include "run/procstat.h"

/* Starts a child in the directory "jail", whose /tmp is a link to @tmp of ours. End it with end_jailed(). */
static inline pid_t start_jailed(const char *tmp)
{
	pid_t child = fork();

	if (!child) {
		mkdir(in_directory("jail"), 0755);
		unlink(in_directory("jail/tmp"));
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) || symlink(tmp, in_directory("jail/tmp")) ||
		    chroot(in_directory("jail")))
			_exit(1);
		for (;;)
			pause();
	}
	while (procstat_shares_root(child) && !waitpid(child, NULL, WNOHANG))
		usleep(1000);
	return child;
}

static inline void end_jailed(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

#endif
