// SPDX-License-Identifier: GPL-2.0-only
/*
 * The directories that keep track of background runs, and how runs are asked: cli/background/control.c,
 * control_client.c, others.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "background/control.h"
#include "background/control_client.h"
#include "background/others.h"
#include "base/clock.h"

static char root[] = "/tmp/cpuprobe-control-XXXXXX";

/* A user other than root, whom a test run by root becomes for a while. */
static uid_t become_user(void)
{
	uid_t before = geteuid();

	if (!before)
		assert_int_equal(seteuid(65534), 0);
	return before;
}

static void is_refused(int reason, const char *what, const char *hint)
{
	struct text_error error = { "", "" };
	char path[128];

	assert_int_equal(control_directory(root, path, sizeof(path), &error), reason);
	if (strncmp(error.what, "make ", 5) || !strstr(error.what, what) ||
	    !strstr(error.hint, hint))
		fail_msg("%s; %s", error.what, error.hint);
}

/* A system without /run, such as a rescue shell: the directory is made, for all users. */
static void root_makes_run(void **state)
{
	char path[128], wanted[128];
	struct stat info;
	mode_t mask;

	if (geteuid())
		skip();
	mask = umask(077);
	assert_int_equal(control_directory(root, path, sizeof(path), NULL), 0);
	snprintf(wanted, sizeof(wanted), "%s/run/cpuprobe", root);
	assert_string_equal(path, wanted);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	rmdir(path);
	*strrchr(path, '/') = '\0';
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0755);
	/* An existing directory stays as it is. */
	assert_int_equal(chmod(path, 0711), 0);
	assert_int_equal(control_directory(root, path, sizeof(path), NULL), 0);
	rmdir(path);
	*strrchr(path, '/') = '\0';
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0711);
	rmdir(path);
	umask(mask);
}

static void errors_for_users_have_hints(void **state)
{
	uid_t before = become_user();

	setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
	is_refused(-ENOENT, "/run/user/7/cpuprobe: No such file", "XDG_RUNTIME_DIR");
	unsetenv("XDG_RUNTIME_DIR");
	is_refused(-ENOENT, "/tmp/cpuprobe-", "needs this directory");
	assert_int_equal(seteuid(before), 0);
}

/* Holds the lock of a run, as a program does that asks about it; @pid: the number in it. Then removes it. */
static void examine_lock(const char *path, int pid, int ready, unsigned int milliseconds)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);

	if (fd < 0 || dprintf(fd, "%d\n", pid) < 0 || flock(fd, LOCK_EX) || write(ready, "", 1) != 1)
		_exit(1);
	usleep(milliseconds * 1000);
	unlink(path);
	_exit(0);
}

static int take_beside(int pid, unsigned int milliseconds, struct text_error *error_ret)
{
	char directory[128], path[192], name[32], byte;
	struct control control;
	int ready[2], error;
	pid_t child;

	assert_int_equal(control_directory("", directory, sizeof(directory), error_ret), 0);
	snprintf(name, sizeof(name), "unit-%d", getpid());
	snprintf(path, sizeof(path), "%s/%s.lock", directory, name);
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (!child)
		examine_lock(path, pid, ready[1], milliseconds);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	error = control_take(name, &control, error_ret);
	if (!error)
		control_release(&control);
	close(ready[0]);
	close(ready[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	return error;
}

/* A run begins while another program finds that its namesake was killed; not while that one lives. */
static void locks_of_the_dead(void **state)
{
	struct text_error error = { "", "" };
	pid_t dead = fork();

	if (!dead)
		_exit(0);
	assert_int_equal(waitpid(dead, NULL, 0), dead);
	assert_int_equal(take_beside(dead, 100, &error), 0);
	assert_int_equal(take_beside(getpid(), 100, &error), -EEXIST);
	assert_non_null(strstr(error.what, "it is already running"));
}

static const char *to_replace;		/* a lock that becomes another file when it is about to be taken; NULL: none */

/* Instead of the one of libc. */
int flock(int fd, int operation)
{
	if (to_replace) {
		unlink(to_replace);
		close(open(to_replace, O_RDWR | O_CREAT, 0600));
		to_replace = NULL;
	}
	return syscall(SYS_flock, fd, operation);
}

static int ask_a_dead_one(const char *name, const char *path, struct text_error *error_ret)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *answer;
	size_t len;

	assert_true(fd >= 0);
	close(fd);
	return control_ask(name, "status", &answer, &len, error_ret);
}

/* Remains of a run that was killed are removed, but not the files of a run that began just now. */
static void files_of_new_runs_stay(void **state)
{
	char directory[128], path[192], name[32];
	struct text_error error = { "", "" };

	assert_int_equal(control_directory("", directory, sizeof(directory), &error), 0);
	snprintf(name, sizeof(name), "unit-%d", getpid());
	snprintf(path, sizeof(path), "%s/%s.lock", directory, name);
	assert_int_equal(ask_a_dead_one(name, path, &error), -ESRCH);
	assert_int_equal(access(path, F_OK), -1);
	to_replace = path;
	assert_int_equal(ask_a_dead_one(name, path, &error), -ENOENT);
	assert_null(to_replace);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
}

/* Leaves the socket of a run in @directory, of user 65534. */
static void leave_socket(const char *directory, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s.sock", directory, name);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(lchown(address.sun_path, 65534, 65534), 0);
	close(fd);
}

static int note_name(void *context, const struct other_run *run)
{
	char *names = context;

	strcat(strcat(names, run->name), " ");
	return 0;
}

/* Another user's files whose names would be commands to root's terminal, or several names, are no runs. */
static void names_of_others_are_checked(void **state)
{
	static const char *const names[] = { "good", "\033[2Jbad", "bad\n", "\n\nbad", "-bad", "",
					     "123456789012345678901234567890123" };
	char directory[128], names_found[256] = "", file[256];
	size_t i;

	if (geteuid())
		skip();
	snprintf(directory, sizeof(directory), "%s/tmp", root);
	assert_int_equal(mkdir(directory, 0755), 0);
	strcat(directory, "/cpuprobe-65534");
	assert_int_equal(mkdir(directory, 0700), 0);
	assert_int_equal(chown(directory, 65534, 65534), 0);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		leave_socket(directory, names[i]);
	assert_int_equal(others_each(root, note_name, names_found), 0);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(file, sizeof(file), "%s/%s.sock", directory, names[i]);
		unlink(file);
	}
	rmdir(directory);
	*strrchr(directory, '/') = '\0';
	rmdir(directory);
	assert_string_equal(names_found, "good ");
}

/* Sends single bytes after @head, for ten seconds. */
static pid_t send_slowly(int fd, const char *head)
{
	pid_t child = fork();
	int i;

	if (child)
		return child;
	if (write(fd, head, strlen(head)) < 0)
		_exit(1);
	for (i = 0; i < 100; i++) {
		usleep(100000);
		if (send(fd, "x", 1, MSG_NOSIGNAL) < 0)
			_exit(0);
	}
	_exit(0);
}

static void is_given_up(const char *head)
{
	const struct control_limits limits = { .seconds = 0.5, .bytes = 1 << 20 };
	double began = clock_seconds();
	char *answer = NULL;
	pid_t child;
	int ends[2];
	size_t len;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	child = send_slowly(ends[1], head);
	close(ends[1]);
	assert_int_equal(control_receive(ends[0], &limits, &answer, &len), -ETIMEDOUT);
	assert_true(clock_seconds() < began + 5);
	assert_null(answer);
	close(ends[0]);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Single bytes do not make an answer that is waited for: not in its first line, and not after that. */
static void slow_answers_are_given_up(void **state)
{
	is_given_up("");
	is_given_up("ok 90\n");
	is_given_up("ok 1048576\n");
	is_given_up("ok 1048577\n");
}

/* Answers arrive whole, though there was no room for them at first. */
static void answers_arrive_whole(void **state)
{
	static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 300000 };
	const struct control_limits limits = { .seconds = 10, .bytes = 300000 };
	char *answer, *bytes = malloc(300000);
	int ends[2];
	size_t i, len;

	for (i = 0; i < 300000; i++)
		bytes[i] = i % 251;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		pid_t child;

		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
		child = fork();
		if (!child) {
			control_answer(ends[1], bytes, sizes[i]);
			_exit(0);
		}
		close(ends[1]);
		assert_int_equal(control_receive(ends[0], &limits, &answer, &len), 0);
		assert_int_equal(len, sizes[i]);
		assert_memory_equal(answer, bytes, len);
		assert_int_equal(answer[len], 0);
		free(answer);
		close(ends[0]);
		assert_int_equal(waitpid(child, NULL, 0), child);
	}
	free(bytes);
}

/* Whether an answer is delivered to a client that reads some bytes of it and ends. */
static bool is_delivered(size_t len, size_t nr_read)
{
	char *bytes = calloc(1, len + nr_read + 1);
	bool is_done;
	int ends[2];
	pid_t child;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	child = fork();
	if (!child) {
		close(ends[0]);
		/* Time for the whole answer to be in the socket */
		usleep(50000);
		_exit(nr_read && recv(ends[1], bytes, nr_read, MSG_WAITALL) != (ssize_t)nr_read);
	}
	close(ends[1]);
	is_done = control_deliver(ends[0], bytes, len);
	free(bytes);
	assert_int_equal(waitpid(child, NULL, 0), child);
	return is_done;
}

/* A client that ends early has not got the counts of the run that it stopped, though all were sent. */
static void holders_know_what_was_read(void **state)
{
	assert_true(is_delivered(4, 5 + 4));
	assert_true(is_delivered(1000000, 11 + 1000000));
	assert_false(is_delivered(4, 5 + 3));
	assert_false(is_delivered(4, 0));
	assert_false(is_delivered(1000000, 11 + 999999));
	assert_false(is_delivered(1000000, 11 + 1000));
}

/* A listener that accepts nobody, and whose queue is full, does not hold a client for ever. */
static void full_queues_are_given_up(void **state)
{
	double began = clock_seconds();
	struct sockaddr_un address;
	int listener, first;
	char path[64];

	snprintf(path, sizeof(path), "%s/queue", root);
	listener = control_socket(path, &address);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(listener, 0), 0);
	first = control_connect(path, 0.2);
	assert_true(first >= 0);
	assert_int_equal(control_connect(path, 0.2), -1);
	assert_true(clock_seconds() < began + 5);
	unlink(path);
	close(first);
	close(listener);
}

/* A run of user 65534 in @directory, which answers "ok" to its first client or, if @is_silent, never. */
static pid_t start_other(const char *directory, const char *name, bool is_silent)
{
	struct control control = { .lock_fd = -1 };
	struct sockaddr_un address;
	char path[128], request[32], byte;
	int ready[2], client;
	pid_t child;

	snprintf(path, sizeof(path), "%s/%s.sock", directory, name);
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child) {
		close(ready[1]);
		assert_int_equal(read(ready[0], &byte, 1), 1);
		close(ready[0]);
		return child;
	}
	control.listen_fd = control_socket(path, &address);
	if (seteuid(65534) || bind(control.listen_fd, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(control.listen_fd, 8) || write(ready[1], "", 1) != 1)
		_exit(1);
	client = control_accept(&control, request, sizeof(request));
	if (is_silent)
		pause();
	control_answer(client, "ok", 2);
	_exit(0);
}

static void end_other(pid_t child, const char *directory, const char *name)
{
	char path[128];

	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	snprintf(path, sizeof(path), "%s/%s.sock", directory, name);
	unlink(path);
}

/* Runs of another user that never answer delay root's list once, not once each, and hide no run that answers. */
static void silent_runs_are_awaited_together(void **state)
{
	static const char *const names[] = { "unit-silent1", "unit-silent2", "unit-silent3", "unit-talks" };
	struct text_error error = { "", "" };
	struct control_asked asked[4];
	char directory[] = "/tmp/cpuprobe-unit-XXXXXX", *answer;
	pid_t children[4];
	double began;
	size_t len;
	int i;

	if (geteuid())
		skip();
	assert_non_null(mkdtemp(directory));
	assert_int_equal(chown(directory, 65534, 65534), 0);
	for (i = 0; i < 4; i++)
		children[i] = start_other(directory, names[i], i < 3);
	began = clock_seconds();
	for (i = 0; i < 4; i++)
		assert_int_equal(control_send(names[i], "status", 1, &asked[i], &error), 0);
	for (i = 0; i < 3; i++) {
		assert_int_equal(control_await(&asked[i], &answer, &len, &error), -ETIMEDOUT);
		assert_non_null(strstr(error.what, names[i]));
		assert_non_null(strstr(error.what, "has not answered within 1 seconds"));
	}
	assert_int_equal(control_await(&asked[3], &answer, &len, &error), 0);
	assert_string_equal(answer, "ok");
	assert_true(clock_seconds() < began + 2);
	free(answer);
	for (i = 0; i < 4; i++)
		end_other(children[i], directory, names[i]);
	rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(root_makes_run),
		cmocka_unit_test(errors_for_users_have_hints),
		cmocka_unit_test(locks_of_the_dead),
		cmocka_unit_test(files_of_new_runs_stay),
		cmocka_unit_test(names_of_others_are_checked),
		cmocka_unit_test(slow_answers_are_given_up),
		cmocka_unit_test(answers_arrive_whole),
		cmocka_unit_test(full_queues_are_given_up),
		cmocka_unit_test(holders_know_what_was_read),
		cmocka_unit_test(silent_runs_are_awaited_together),
	};
	int status;

	if (!mkdtemp(root) || chmod(root, 0755))
		return 1;
	status = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(root);
	return status;
}
