// SPDX-License-Identifier: GPL-2.0-only
/* A program that cannot restore its terminal dies, and the terminal is restored: cli/top/rescue.c. */
#include "unit.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "top/rescue.h"

#define RESET	"[reset]"
#define TRIES	3000	/* of 10 ms */

static const struct timespec moment = { .tv_nsec = 10000000 };

/* A terminal: @in can only be read and @out only be written, as after "</dev/tty". */
struct terminal {
	int master;
	int in;
	int out;
	struct termios before;
};

static int open_slave(const struct terminal *terminal, int flags)
{
	int fd = open(ptsname(terminal->master), flags | O_NOCTTY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static void open_terminal(struct terminal *terminal)
{
	terminal->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(terminal->master >= 0);
	assert_int_equal(grantpt(terminal->master) ?: unlockpt(terminal->master), 0);
	terminal->in = open_slave(terminal, O_RDONLY);
	terminal->out = open_slave(terminal, O_WRONLY);
	assert_int_equal(tcgetattr(terminal->in, &terminal->before), 0);
}

static void close_terminal(struct terminal *terminal)
{
	close(terminal->in);
	close(terminal->out);
	close(terminal->master);
}

/* In the child: changes the terminal, and dies of a signal. */
static void die(const struct terminal *terminal, int in, int out, int number)
{
	struct termios during = terminal->before;

	cfmakeraw(&during);
	if (tcsetattr(in, TCSANOW, &during) || tcgetattr(in, &during))
		_exit(1);
	rescue_begin(in, out, &terminal->before, &during, RESET, sizeof(RESET) - 1);
	raise(number);
	_exit(2);
}

static bool is_restored(const struct terminal *terminal)
{
	struct termios now;

	assert_int_equal(tcgetattr(terminal->in, &now), 0);
	return now.c_lflag == terminal->before.c_lflag && now.c_iflag == terminal->before.c_iflag &&
	       now.c_oflag == terminal->before.c_oflag;
}

static void check_death(const struct terminal *terminal, int in, int out, int number)
{
	struct pollfd poller = { .fd = terminal->master, .events = POLLIN };
	char bytes[sizeof(RESET)] = "";
	int status, tries = TRIES;
	pid_t pid = fork();

	if (!pid)
		die(terminal, in, out, number);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == number);
	while (!is_restored(terminal) && --tries)
		nanosleep(&moment, NULL);
	assert_true(is_restored(terminal));
	assert_int_equal(poll(&poller, 1, 1000), 1);
	assert_int_equal(read(terminal->master, bytes, sizeof(RESET) - 1), sizeof(RESET) - 1);
	assert_string_equal(bytes, RESET);
}

/* By the handler after a crash, by the watcher after SIGKILL. */
static void deaths(void **state)
{
	struct terminal terminal;

	open_terminal(&terminal);
	check_death(&terminal, terminal.in, terminal.out, SIGSEGV);
	check_death(&terminal, terminal.in, terminal.out, SIGKILL);
	close_terminal(&terminal);
}

/* One descriptor for both directions, and descriptors in another order. */
static void descriptors(void **state)
{
	struct terminal terminal;
	int both, high;

	open_terminal(&terminal);
	both = open_slave(&terminal, O_RDWR);
	high = fcntl(terminal.in, F_DUPFD_CLOEXEC, 200);
	assert_true(both >= 0 && high >= 200);
	check_death(&terminal, both, both, SIGKILL);
	check_death(&terminal, high, terminal.out, SIGKILL);
	close(both);
	close(high);
	close_terminal(&terminal);
}

/* The settings are restored although nothing can be written. */
static void no_output(void **state)
{
	struct terminal terminal;
	int status, tries = TRIES;
	pid_t pid;

	open_terminal(&terminal);
	pid = fork();
	if (!pid)
		die(&terminal, terminal.in, terminal.in, SIGSEGV);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	while (!is_restored(&terminal) && --tries)
		nanosleep(&moment, NULL);
	assert_true(is_restored(&terminal));
	close_terminal(&terminal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deaths),
		cmocka_unit_test(descriptors),
		cmocka_unit_test(no_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
