// SPDX-License-Identifier: GPL-2.0-only
/* Keys of a pseudo terminal, whenever they come: cli/top/terminal.c. */
#include "unit.h"
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "top/key.h"
#include "top/terminal.h"

#define TRIES	100000

static int master;
static const char *late;	/* text that is typed before one of the next calls of poll() */
static int late_call;		/* which one, from 1 */

/* The tool and ncurses call this function instead of the library's. */
int poll(struct pollfd *fds, nfds_t nr, int timeout_ms)
{
	const struct timespec timeout = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };

	if (late && !--late_call) {
		if (write(master, late, strlen(late)) < 0)
			_exit(10);
		late = NULL;
	}
	return syscall(SYS_ppoll, fds, nr, timeout_ms < 0 ? NULL : &timeout, NULL, 0);
}

static void type(const char *text)
{
	if (write(master, text, strlen(text)) < 0)
		_exit(11);
}

/* The next event; a key may take a while. */
static enum terminal_event await_event(u32 *key_ret)
{
	enum terminal_event event = TERMINAL_NOTHING;
	int tries;

	for (tries = 0; tries < TRIES && event == TERMINAL_NOTHING; tries++)
		event = terminal_next(key_ret);
	return event;
}

static bool is_next_key(u32 wanted)
{
	u32 key = 0;

	return await_event(&key) == TERMINAL_KEY && key == wanted;
}

static bool has_nothing(void)
{
	u32 key;

	return terminal_next(&key) == TERMINAL_NOTHING;
}

static bool typed_keys(void)
{
	type("ab");
	return is_next_key('a') && is_next_key('b') && has_nothing();
}

/* A key comes after ncurses has looked for one, before the tool looks whether the terminal is at its end. */
static bool late_keys(void)
{
	int call;

	for (call = 1; call <= 4; call++) {
		late = "x";
		late_call = call;
		if (!is_next_key('x') || !has_nothing())
			return false;
	}
	return true;
}

static bool hang_up(void)
{
	u32 key;

	close(master);
	return await_event(&key) == TERMINAL_ENDED;
}

/* In a child, whose standard input and output are a terminal. Its status: 0 if @part succeeds. */
static void run_part(bool (*part)(void))
{
	struct text_error error;
	bool is_right;
	int slave;

	master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (master < 0 || grantpt(master) || unlockpt(master))
		_exit(12);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0 || dup2(slave, STDIN_FILENO) < 0 || dup2(slave, STDOUT_FILENO) < 0)
		_exit(13);
	close(slave);
	if (terminal_check(&error) || terminal_open(true, &error))
		_exit(14);
	is_right = part();
	terminal_close();
	_exit(is_right ? 0 : 1);
}

static void check_part(bool (*part)(void))
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid)
		run_part(part);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void keys_are_taken(void **state)
{
	check_part(typed_keys);
}

static void late_keys_are_taken(void **state)
{
	check_part(late_keys);
}

static void hang_up_ends(void **state)
{
	check_part(hang_up);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_taken),
		cmocka_unit_test(late_keys_are_taken),
		cmocka_unit_test(hang_up_ends),
	};

	setenv("TERM", "linux", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
