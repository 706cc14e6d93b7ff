// SPDX-License-Identifier: GPL-2.0-only
/* Signals that end a run: cli/run/end_signals.c. */
#include <sys/signalfd.h>
#include <unistd.h>

#include "unit.h"
#include "run/end_signals.h"

/* The signal that a descriptor reads; 0: none. */
static int read_signal(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

/* As nohup does, and a shell for SIGINT of background jobs. */
static void ignored_signals_end_nothing(void **state)
{
	sigset_t old;
	int fd;

	signal(SIGHUP, SIG_IGN);
	fd = end_signals_open(&old);
	assert_true(fd >= 0);
	raise(SIGHUP);
	assert_int_equal(read_signal(fd), 0);
	raise(SIGTERM);
	assert_int_equal(read_signal(fd), SIGTERM);
	end_signals_close(fd, &old);
	signal(SIGHUP, SIG_DFL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ignored_signals_end_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
