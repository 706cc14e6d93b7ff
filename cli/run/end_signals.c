// SPDX-License-Identifier: GPL-2.0-only
/* The signals that end a run: see end_signals.h. */
#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "run/end_signals.h"

void end_signals_add(sigset_t *mask, int signal)
{
	struct sigaction action;

	if (!sigaction(signal, NULL, &action) && action.sa_handler != SIG_IGN)
		sigaddset(mask, signal);
}

int end_signals_open(sigset_t *old_mask_ret)
{
	sigset_t mask;
	int fd;

	sigemptyset(&mask);
	end_signals_add(&mask, SIGINT);
	end_signals_add(&mask, SIGTERM);
	end_signals_add(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, old_mask_ret);
	fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

void end_signals_close(int fd, const sigset_t *old_mask)
{
	struct signalfd_siginfo info;

	while (fd >= 0 && !sigismember(old_mask, SIGINT) && read(fd, &info, sizeof(info)) == sizeof(info))
		;
	if (fd >= 0)
		close(fd);
	sigprocmask(SIG_SETMASK, old_mask, NULL);
}
