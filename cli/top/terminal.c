// SPDX-License-Identifier: GPL-2.0-only
/* The terminal through ncurses, its keys and signals: see terminal.h. */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "run/end_signals.h"
#include "top/key.h"
#include "top/rescue.h"
#include "top/said.h"
#include "top/terminal_parts.h"

#define ESCAPE_MS 100	/* wait after Esc for the rest of an escape sequence, even on slow lines */

static struct {
	SCREEN *screen;
	int epoll_fd;
	int signal_fd;
	bool is_utf8;
	bool is_suspended;		/* restored for the shell, while we are stopped */
	struct termios before;
	sigset_t old_mask;
} terminal = { .epoll_fd = -1, .signal_fd = -1 };

static int check_terminal_type(const char *name, struct text_error *error_ret)
{
	bool can_move;
	int known = 0;

	if (setupterm(NULL, STDOUT_FILENO, &known) != OK) {
		text_fail(error_ret, 0, "show the live view: terminal type '%s' is unknown", name);
		text_hint(error_ret,
			  "run 'TERM=xterm probe top', or install the package ncurses-term");
		return -EINVAL;
	}
	can_move = cursor_address && clear_screen;
	del_curterm(cur_term);
	if (can_move)
		return 0;
	text_fail(error_ret, 0, "show the live view: terminal type '%s' cannot move its cursor",
		  name);
	text_hint(error_ret, "'probe sys -repeat 1' prints a table every second");
	return -EINVAL;
}

int terminal_check(struct text_error *error_ret)
{
	const char *name = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		text_fail(error_ret, 0, "show the live view: standard %s is not a terminal",
			  isatty(STDOUT_FILENO) ? "input" : "output");
		text_hint(error_ret, "'probe sys -repeat 1' prints a table every second");
		return -ENOTTY;
	}
	if (name && *name)
		return check_terminal_type(name, error_ret);
	text_fail(error_ret, 0, "show the live view: TERM is not set");
	text_hint(error_ret, "run 'TERM=xterm probe top', which suits most terminals");
	return -EINVAL;
}

/* Bytes that reset the screen; static, because the callback of tputs() has no context. */
static char reset_bytes[256];
static size_t reset_len;

static int add_reset_byte(int byte)
{
	if (reset_len < sizeof(reset_bytes))
		reset_bytes[reset_len++] = byte;
	return byte;
}

static void gather_reset(void)
{
	const char *const all[] = {
		exit_attribute_mode, orig_pair, keypad_local, exit_ca_mode, cursor_normal,
	};
	size_t i;

	reset_len = 0;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i])
			tputs(all[i], 1, add_reset_byte);
}

static int watch_terminal_signals(void)
{
	/* A parent without job control makes us ignore SIGTSTP: leave it ignored. */
	static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT, SIGTSTP };
	sigset_t mask;
	size_t i;

	sigemptyset(&mask);
	for (i = 0; i < sizeof(watched) / sizeof(watched[0]); i++)
		end_signals_add(&mask, watched[i]);
	sigprocmask(SIG_BLOCK, &mask, &terminal.old_mask);
	terminal.signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	return terminal.signal_fd < 0 ? -errno : 0;
}

static int watch_fd(int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(terminal.epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static int begin_curses(struct text_error *error_ret)
{
	struct sigaction stop;

	sigaction(SIGTSTP, NULL, &stop);
	terminal.screen = newterm(NULL, stdout, stdin);
	/* We block and read SIGTSTP; ncurses' handler must not run when stop() unblocks it. */
	sigaction(SIGTSTP, &stop, NULL);
	if (!terminal.screen)
		return text_fail(error_ret, -EINVAL,
				 "open the terminal '%s': ncurses cannot use it", getenv("TERM"));
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	terminal_begin_screen();
	return 0;
}

int terminal_open(bool only_ascii, struct text_error *error_ret)
{
	struct termios during;
	int error;

	setlocale(LC_CTYPE, "");
	terminal.is_utf8 = !only_ascii && !strcmp(nl_langinfo(CODESET), "UTF-8");
	tcgetattr(STDIN_FILENO, &terminal.before);
	terminal.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	error = terminal.epoll_fd < 0 ? -errno : watch_terminal_signals();
	if (!error)
		error = watch_fd(terminal.signal_fd) ?: watch_fd(STDIN_FILENO);
	if (error) {
		text_fail(error_ret, 0, "watch the terminal: %s", strerror(-error));
	} else {
		error = begin_curses(error_ret);
	}
	if (error) {
		terminal_close();
		return error;
	}
	gather_reset();
	tcgetattr(STDIN_FILENO, &during);
	rescue_begin(STDIN_FILENO, STDOUT_FILENO, &terminal.before, &during, reset_bytes, reset_len);
	said_begin();
	return 0;
}

/* A terminal without an alternate screen continues on the next line. */
static void leave_screen(void)
{
	endwin();
	if (exit_ca_mode)
		return;
	fputc('\n', stdout);
	fflush(stdout);
}

void terminal_close(void)
{
	if (terminal.screen) {
		rescue_end();
		if (!terminal.is_suspended)
			leave_screen();
		delscreen(terminal.screen);
		terminal.screen = NULL;
		said_end();
	}
	terminal_forget_screen();
	if (terminal.signal_fd >= 0) {
		close(terminal.signal_fd);
		sigprocmask(SIG_SETMASK, &terminal.old_mask, NULL);
	}
	if (terminal.epoll_fd >= 0)
		close(terminal.epoll_fd);
	terminal.signal_fd = terminal.epoll_fd = -1;
}

int terminal_fd(void)
{
	return terminal.epoll_fd;
}

bool terminal_said(char *line, size_t len)
{
	return said_last(line, len);
}

void terminal_size(int *rows_ret, int *cols_ret, bool *is_utf8_ret)
{
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row && size.ws_col &&
	    (size.ws_row != LINES || size.ws_col != COLS))
		resizeterm(size.ws_row, size.ws_col);
	getmaxyx(stdscr, *rows_ret, *cols_ret);
	*is_utf8_ret = terminal.is_utf8;
}

static bool is_end_pending(void)
{
	sigset_t pending;

	return !sigpending(&pending) && (sigismember(&pending, SIGTERM) ||
					 sigismember(&pending, SIGHUP) ||
					 sigismember(&pending, SIGINT));
}

/*
 * Stop after Ctrl-Z, with the terminal restored. If a pending signal asks us to end once we are
 * continued, leave the terminal alone: setting it from the background would stop us again.
 */
static enum terminal_event stop_for_shell(void)
{
	sigset_t mask;

	leave_screen();
	terminal.is_suspended = true;
	sigemptyset(&mask);
	sigaddset(&mask, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	/* We were stopped and continued here; without job control, neither happens. */
	sigprocmask(SIG_BLOCK, &mask, NULL);
	if (is_end_pending())
		return TERMINAL_ENDED;
	reset_prog_mode();
	terminal.is_suspended = false;
	clearok(curscr, TRUE);
	return TERMINAL_REDRAW;
}

static enum terminal_event take_terminal_signal(void)
{
	enum terminal_event event = TERMINAL_REDRAW;
	struct signalfd_siginfo info;

	if (read(terminal.signal_fd, &info, sizeof(info)) != sizeof(info))
		return TERMINAL_NOTHING;
	switch (info.ssi_signo) {
	case SIGTSTP:
		event = stop_for_shell();
		break;
	case SIGCONT:
		/* After SIGSTOP, another program may have changed the terminal's settings. */
		reset_prog_mode();
		clearok(curscr, TRUE);
		break;
	case SIGWINCH:
		break;
	default:
		return TERMINAL_ENDED;
	}
	terminal_forget_screen();
	return event;
}

static u32 translate_key(int result, wint_t key)
{
	static const struct { int curses; enum key ours; } keys[] = {
		{ KEY_UP, TOP_UP }, { KEY_DOWN, TOP_DOWN }, { KEY_LEFT, TOP_LEFT },
		{ KEY_RIGHT, TOP_RIGHT }, { KEY_PPAGE, TOP_PAGE_UP }, { KEY_NPAGE, TOP_PAGE_DOWN },
		{ KEY_HOME, TOP_HOME }, { KEY_END, TOP_END }, { KEY_BACKSPACE, TOP_ERASE },
		{ KEY_ENTER, TOP_ENTER },
	};
	size_t i;

	if (result == OK)
		return key == '\r' || key == '\n' ? TOP_ENTER : key == 0x1b ? TOP_ESCAPE : key;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].curses == (int)key)
			return keys[i].ours;
	return TOP_NONE;
}

static u32 count_waiting_bytes(void)
{
	int nr;

	return ioctl(STDIN_FILENO, FIONREAD, &nr) ? 0 : nr;
}

/*
 * After a read found no key: a terminal that is readable has one that came since, or is at end of file. Bytes that
 * are not a whole character are read without being a key; bytes that cannot be read end the program.
 */
static enum terminal_event take_late_key(u32 *key_ret)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	u32 nr_waiting;
	wint_t key;
	int result;

	poll(&fd, 1, 0);
	if (fd.revents & (POLLHUP | POLLERR | POLLNVAL))
		return TERMINAL_ENDED;
	if (!(fd.revents & POLLIN))
		return TERMINAL_NOTHING;
	nr_waiting = count_waiting_bytes();
	result = get_wch(&key);
	if (result == ERR)
		return count_waiting_bytes() < nr_waiting ? TERMINAL_NOTHING : TERMINAL_ENDED;
	*key_ret = translate_key(result, key);
	return TERMINAL_KEY;
}

enum terminal_event terminal_next(u32 *key_ret)
{
	enum terminal_event event = take_terminal_signal();
	wint_t key;
	int result;

	if (event != TERMINAL_NOTHING)
		return event;
	result = get_wch(&key);
	if (result == ERR)
		return take_late_key(key_ret);
	*key_ret = translate_key(result, key);
	return TERMINAL_KEY;
}
