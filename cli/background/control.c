// SPDX-License-Identifier: GPL-2.0-only
/* Background runs: names, locks and sockets. See control.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "background/control.h"
#include "background/control_client.h"
#include "background/others.h"
#include "base/clock.h"

/*
 * A holder harvests and packs its profile before it answers, and may read the kernel's symbols first: with a small
 * share of a slow CPU (the guest test containers_agent) that takes half a minute.
 */
#define ANSWER_SECONDS	60
#define OTHER_CONNECT_SECONDS	0.1	/* for another user's run to accept root: its queue has room for some */
#define CLIENT_SECONDS	20	/* for a client to take its answer: harvests must go on */
#define ANSWER_MAX	(1UL << 30)
#define ANSWER_SHORT_MAX	(1UL << 20)
/* A program that examines the lock of a killed run holds it for an instant: how often to try, and how long apart. */
#define LOCK_TRIES	300
#define LOCK_WAIT_NS	10000000

static int make_directory(const char *path, const char *hint, struct text_error *error_ret)
{
	int error;

	if (!mkdir(path, 0700) || errno == EEXIST)
		return 0;
	error = errno;
	text_fail(error_ret, 0, "make %s: %s", path, strerror(error));
	text_hint(error_ret, "%s", hint);
	return -error;
}

int control_directory(const char *root, char *path, size_t len, struct text_error *error_ret)
{
	const char *hint = "probe needs this directory for the sockets of its runs";
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	struct stat info;
	int error;

	if (!geteuid()) {
		/* A container or a rescue system may lack /run. */
		snprintf(path, len, "%s/run", root);
		if (!mkdir(path, 0755))
			chmod(path, 0755);	/* whatever the umask is */
		snprintf(path, len, "%s/run/cpuprobe", root);
	} else if (runtime && runtime[0] == '/') {
		snprintf(path, len, "%s%s/cpuprobe", root, runtime);
		hint = "create the directory XDG_RUNTIME_DIR, or unset XDG_RUNTIME_DIR";
	} else {
		snprintf(path, len, "%s/tmp/cpuprobe-%u", root, geteuid());
	}
	error = make_directory(path, hint, error_ret);
	if (error)
		return error;
	if (lstat(path, &info))
		return text_fail(error_ret, -errno, "examine %s: %s", path, strerror(errno));
	if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid() || info.st_mode & 077)
		return text_fail(error_ret, -EPERM,
				 "use %s: it is not a directory that only you can use", path);
	return 0;
}

static int find_paths(const char *name, struct control *control, struct text_error *error_ret)
{
	char directory[CONTROL_PATH_LEN - CONTROL_NAME_LEN - 8];
	int error = control_check_name(name, error_ret);

	if (!error)
		error = control_directory("", directory, sizeof(directory), error_ret);
	if (error)
		return error;
	snprintf(control->lock, sizeof(control->lock), "%s/%s.lock", directory, name);
	snprintf(control->socket, sizeof(control->socket), "%s/%s.sock", directory, name);
	return 0;
}

static int read_pid(int fd)
{
	char text[16] = "";

	return pread(fd, text, sizeof(text) - 1, 0) > 0 ? atoi(text) : 0;
}

/* Whether the descriptor is the lock's file, which another run may have replaced. */
static bool is_lock_file(int fd, const struct control *control)
{
	struct stat ours, theirs;

	return !fstat(fd, &ours) && !stat(control->lock, &theirs) && ours.st_dev == theirs.st_dev &&
	       ours.st_ino == theirs.st_ino;
}

/* Tries to take the lock. False: held by others, or the file was replaced. */
static bool try_lock(const struct control *control)
{
	return !flock(control->lock_fd, LOCK_EX | LOCK_NB) && is_lock_file(control->lock_fd, control);
}

/* Whether the process that wrote its number into the lock still exists. */
static bool is_holder_alive(const struct control *control)
{
	int pid = read_pid(control->lock_fd);

	return pid > 0 && (!kill(pid, 0) || errno == EPERM);
}

/* Opens the lock and takes it. While its last holder is dead, whoever has it will let go: explain_silence(). */
static bool open_lock(struct control *control)
{
	const struct timespec wait = { .tv_nsec = LOCK_WAIT_NS };
	int tries;

	for (tries = 1;; tries++) {
		control->lock_fd = open(control->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (control->lock_fd < 0 || try_lock(control))
			return true;
		if (tries == LOCK_TRIES || is_holder_alive(control))
			return false;
		close(control->lock_fd);
		nanosleep(&wait, NULL);
	}
}

static int take_lock(const char *name, struct control *control, struct text_error *error_ret)
{
	bool is_free = open_lock(control);

	if (control->lock_fd < 0)
		return text_fail(error_ret, -errno, "open %s: %s", control->lock, strerror(errno));
	if (!is_free) {
		text_fail(error_ret, 0, "start run %s: it is already running (pid %d)", name,
			  read_pid(control->lock_fd));
		text_hint(error_ret, "end it with 'probe stop %s', or choose another name", name);
		return -EEXIST;
	}
	if (ftruncate(control->lock_fd, 0) || dprintf(control->lock_fd, "%d\n", getpid()) < 0)
		return text_fail(error_ret, -errno, "write %s: %s", control->lock, strerror(errno));
	return 0;
}

static int listen_on_socket(struct control *control, struct text_error *error_ret)
{
	struct sockaddr_un address;

	unlink(control->socket);
	control->listen_fd = control_socket(control->socket, &address);
	if (control->listen_fd >= 0 &&
	    !bind(control->listen_fd, (struct sockaddr *)&address, sizeof(address)) &&
	    !listen(control->listen_fd, 8) && !fcntl(control->listen_fd, F_SETFL, O_NONBLOCK))
		return 0;
	return text_fail(error_ret, -errno, "listen at %s: %s", control->socket, strerror(errno));
}

int control_take(const char *name, struct control *control_ret, struct text_error *error_ret)
{
	int error;

	*control_ret = (struct control){ .lock_fd = -1, .listen_fd = -1 };
	error = find_paths(name, control_ret, error_ret);
	if (!error)
		error = take_lock(name, control_ret, error_ret);
	if (!error) {
		error = listen_on_socket(control_ret, error_ret);
		if (!error)
			return 0;
		unlink(control_ret->lock);
	}
	if (control_ret->lock_fd >= 0)
		close(control_ret->lock_fd);
	return error;
}

void control_release(struct control *control)
{
	unlink(control->socket);
	unlink(control->lock);
	close(control->listen_fd);
	close(control->lock_fd);
}

static void set_timeouts(int fd, int seconds)
{
	const struct timeval patience = { .tv_sec = seconds };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

int control_accept(const struct control *control, char *request, size_t len)
{
	int client = accept4(control->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	struct pollfd poll_fd = { .fd = client, .events = POLLIN };
	ssize_t got;

	if (client < 0)
		return -1;
	set_timeouts(client, CLIENT_SECONDS);
	/* A client sends its request at once. Do not wait long: harvests must go on. */
	got = poll(&poll_fd, 1, 1000) == 1 ? read(client, request, len - 1) : -1;
	if (got <= 0 || request[got - 1] != '\n') {
		close(client);
		return -1;
	}
	request[got - 1] = '\0';
	return client;
}

static bool send_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		bytes += sent;
		len -= sent;
	}
	return true;
}

static bool send_answer(int client, const void *bytes, size_t len)
{
	char head[32];

	snprintf(head, sizeof(head), "ok %zu\n", len);
	return send_all(client, head, strlen(head)) && send_all(client, bytes, len);
}

void control_answer(int client, const void *bytes, size_t len)
{
	send_answer(client, bytes, len);
	close(client);
}

bool control_deliver(int client, const void *bytes, size_t len)
{
	bool is_sent = send_answer(client, bytes, len);
	ssize_t more = -1;
	char byte;

	/* A client closes its end when it has read everything. If it closes earlier, read() fails. */
	while (is_sent && (more = read(client, &byte, 1)) < 0 && errno == EINTR)
		;
	close(client);
	return !more;
}

void control_refuse(int client, const char *reason, const char *hint)
{
	char line[sizeof(struct text_error) + 16];

	snprintf(line, sizeof(line), "error %s\t%s\n", reason, hint);
	send_all(client, line, strlen(line));
	close(client);
}

static int explain_no_run(const char *name, struct text_error *error_ret)
{
	text_fail(error_ret, 0, "find run %s: no such run", name);
	text_hint(error_ret, "'probe list' shows all runs");
	return -ENOENT;
}

/* Nobody listens: the run does not exist, its holder hangs, or its holder was killed. */
static int explain_silence(const char *name, const struct control *control,
			   struct text_error *error_ret)
{
	int fd = open(control->lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW), pid;

	if (fd < 0)
		return explain_no_run(name, error_ret);
	pid = read_pid(fd);
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return text_fail(error_ret, -ETIMEDOUT,
				 "ask run %s: its holder (pid %d) does not respond", name, pid);
	}
	/* If the run has ended since open(), the files are those of another run. */
	if (!is_lock_file(fd, control)) {
		close(fd);
		return explain_no_run(name, error_ret);
	}
	unlink(control->socket);
	unlink(control->lock);
	close(fd);
	text_fail(error_ret, 0, "find run %s: its holder (pid %d) was killed; its counts are lost",
		  name, pid);
	text_hint(error_ret, "sampling ended with the holder; 'probe start' begins a new run");
	return -ESRCH;
}

/* Most bytes of an answer. Only dumps, also those of `probe stop`, are large. */
static size_t limit_answer(const char *request)
{
	bool is_long = !strncmp(request, "dump", 4) || !strcmp(request, "stop");

	return is_long ? ANSWER_MAX : ANSWER_SHORT_MAX;
}

/* Connects, as root, to another user's run. Whoever answers must be that user. */
static int connect_to_other(const char *name, struct text_error *error_ret)
{
	char path[CONTROL_PATH_LEN + CONTROL_NAME_LEN + 8];
	struct other_run run;
	struct ucred peer;
	socklen_t len = sizeof(peer);
	int error = others_find("", name, &run, error_ret), fd;

	if (error)
		return error;
	snprintf(path, sizeof(path), "%s/%s.sock", run.directory, run.name);
	fd = control_connect(path, OTHER_CONNECT_SECONDS);
	if (fd >= 0 && !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) && peer.uid == run.uid)
		return fd;
	if (fd >= 0)
		close(fd);
	return text_fail(error_ret, -ETIMEDOUT, "ask run %s of %s: nobody responds", run.name, run.user);
}

/* Connects to a run of one's own, or as root to another user's: then there is no lock. A negative number: -errno. */
static int connect_to_any(const char *name, struct control *control, struct text_error *error_ret)
{
	int error, fd;

	if (strchr(name, '/'))
		return geteuid() ? text_fail(error_ret, -EPERM, "ask run %s: only root may ask others' runs", name) :
			connect_to_other(name, error_ret);
	error = find_paths(name, control, error_ret);
	if (error)
		return error;
	fd = control_connect(control->socket, ANSWER_SECONDS);
	if (fd >= 0)
		return fd;
	fd = geteuid() || !access(control->lock, F_OK) ? -ENOENT : connect_to_other(name, error_ret);
	if (fd == -ENOENT)
		return explain_silence(name, control, error_ret);
	control->lock[0] = '\0';
	return fd;
}

int control_send(const char *name, const char *request, double other_seconds, struct control_asked *asked_ret,
		 struct text_error *error_ret)
{
	struct control control;
	char line[128];
	int fd;

	control.lock[0] = '\0';
	fd = connect_to_any(name, &control, error_ret);
	if (fd < 0)
		return fd;
	*asked_ret = (struct control_asked){
		.name = name,
		.fd = fd,
		.control = control,
		.is_other = !control.lock[0],
		.bytes = limit_answer(request),
	};
	asked_ret->seconds = asked_ret->is_other ? other_seconds : ANSWER_SECONDS;
	asked_ret->end = clock_seconds() + asked_ret->seconds;
	snprintf(line, sizeof(line), "%s\n", request);
	/* A holder that has gone gives no answer either: control_await() says so. */
	send_all(fd, line, strlen(line));
	return 0;
}

static int explain_late(const struct control_asked *asked, struct text_error *error_ret)
{
	/* A holder that is killed may take a connection while its threads are still ending. */
	if (!asked->is_other)
		return explain_silence(asked->name, &asked->control, error_ret);
	text_fail(error_ret, -ETIMEDOUT, "ask run %s: its holder has not answered within %g seconds", asked->name,
		  asked->seconds);
	return -ETIMEDOUT;
}

int control_await(struct control_asked *asked, char **answer_ret, size_t *len_ret, struct text_error *error_ret)
{
	const struct control_limits limits = { .seconds = asked->end - clock_seconds(), .bytes = asked->bytes };
	char *answer = NULL, *hint;
	int error = control_receive(asked->fd, &limits, &answer, len_ret);

	close(asked->fd);
	if (!error) {
		*answer_ret = answer;
		return 0;
	}
	if (error == -ETIMEDOUT)
		return explain_late(asked, error_ret);
	hint = answer;
	text_fail(error_ret, 0, "ask run %s: %s", asked->name,
		  answer ? strsep(&hint, "\t") : "out of memory");
	if (hint)
		text_hint(error_ret, "%s", hint);
	/* Both texts may be another user's. */
	text_clean(error_ret->what);
	text_clean(error_ret->hint);
	free(answer);
	return error;
}

int control_ask(const char *name, const char *request, char **answer_ret, size_t *len_ret,
		struct text_error *error_ret)
{
	struct control_asked asked;
	int error = control_send(name, request, ANSWER_SECONDS, &asked, error_ret);

	return error ?: control_await(&asked, answer_ret, len_ret, error_ret);
}

static int compare_entry_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int put_other(void *context, const struct other_run *run)
{
	fprintf(context, "%s/%s\n", run->user, run->name);
	return 0;
}

char *control_list(void)
{
	char directory[CONTROL_PATH_LEN], *list = NULL;
	struct dirent **entries = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&list, &len);
	int nr, i;

	if (!out)
		return NULL;
	nr = control_directory("", directory, sizeof(directory), NULL) ?
		0 : scandir(directory, &entries, NULL, compare_entry_names);
	for (i = 0; i < nr; i++) {
		char *end = strstr(entries[i]->d_name, ".lock");

		if (end && !end[5])
			fprintf(out, "%.*s\n", (int)(end - entries[i]->d_name), entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (!geteuid())
		others_each("", put_other, out);
	fclose(out);
	return list;
}
