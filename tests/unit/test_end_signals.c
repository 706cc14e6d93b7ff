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

/* The process would die of the second one. */
static void a_second_signal_is_dropped(void **state)
{
	sigset_t old, now;
	int fd = end_signals_open(&old);

	raise(SIGINT);
	assert_int_equal(read_signal(fd), SIGINT);
	raise(SIGINT);
	raise(SIGTERM);
	end_signals_close(fd, &old);
	sigprocmask(SIG_SETMASK, NULL, &now);
	assert_false(sigismember(&now, SIGINT));
}

/* The view of `probe top` reads them after the run. */
static void blocked_signals_are_left(void **state)
{
	sigset_t mine, old, before;
	int fd, mine_fd;

	sigemptyset(&mine);
	sigaddset(&mine, SIGINT);
	sigprocmask(SIG_BLOCK, &mine, &before);
	mine_fd = signalfd(-1, &mine, SFD_NONBLOCK);
	fd = end_signals_open(&old);
	raise(SIGINT);
	end_signals_close(fd, &old);
	assert_int_equal(read_signal(mine_fd), SIGINT);
	close(mine_fd);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ignored_signals_end_nothing),
		cmocka_unit_test(a_second_signal_is_dropped),
		cmocka_unit_test(blocked_signals_are_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
