// SPDX-License-Identifier: GPL-2.0-only
/* The client's side of a run's socket: see control_client.h. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "background/control_client.h"
#include "base/clock.h"
#include "base/text.h"

#define ROOM_FIRST	(64UL << 10)
#define BYTES_A_SECOND	(1UL << 20)	/* least rate of a long answer, which comes from memory */

int control_socket(const char *path, struct sockaddr_un *address_ret)
{
	*address_ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(address_ret->sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(address_ret->sun_path, path);
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

int control_connect(const char *path, double seconds)
{
	const struct timeval patience = { .tv_sec = seconds, .tv_usec = 1e6 * (seconds - (long)seconds) };
	struct sockaddr_un address;
	int fd = control_socket(path, &address);

	/* connect() waits as long as send() while the queue of the listener is full. */
	if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) ||
			connect(fd, (struct sockaddr *)&address, sizeof(address)))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Reads bytes that have come, also after @end. 0 or less: there is an end or an error, or none come until @end. */
static ssize_t read_until(int fd, double end, char *bytes, size_t len)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	double left = end - clock_seconds();

	if (poll(&poll_fd, 1, left > 0 ? 1000 * left + 1 : 0) != 1)
		return -1;
	return read(fd, bytes, len);
}

/* Makes room for twice the bytes, at most @len, and a NUL. */
static bool double_room(char **bytes, size_t *room, size_t len)
{
	size_t wanted = *room ? 2 * *room : ROOM_FIRST;
	char *more;

	if (wanted > len)
		wanted = len;
	more = realloc(*bytes, wanted + 1);
	if (!more)
		return false;
	*bytes = more;
	*room = wanted;
	return true;
}

static int receive_bytes(int fd, double end, size_t len, char **answer_ret)
{
	size_t got = 0, room = 0;
	char *answer = NULL;
	ssize_t more;

	while (double_room(&answer, &room, len)) {
		for (; got < room; got += more) {
			more = read_until(fd, end + (double)got / BYTES_A_SECOND, answer + got, room - got);
			if (more <= 0) {
				free(answer);
				return -ETIMEDOUT;
			}
		}
		if (got == len) {
			answer[len] = '\0';
			*answer_ret = answer;
			return 0;
		}
	}
	free(answer);
	return -ENOMEM;
}

int control_receive(int fd, const struct control_limits *limits, char **answer_ret, size_t *len_ret)
{
	double end = clock_seconds() + limits->seconds;
	char head[sizeof(struct text_error) + 16];
	size_t got = 0, len;
	int error;

	while (got < sizeof(head) - 1 && read_until(fd, end, head + got, 1) == 1 && head[got] != '\n')
		got++;
	head[got] = '\0';
	if (!strncmp(head, "error ", 6)) {
		*answer_ret = strdup(head + 6);
		return *answer_ret ? -EINVAL : -ENOMEM;
	}
	if (strncmp(head, "ok ", 3))
		return -ETIMEDOUT;
	len = strtoul(head + 3, NULL, 10);
	if (len > limits->bytes)
		return -ETIMEDOUT;
	error = receive_bytes(fd, end, len, answer_ret);
	if (!error)
		*len_ret = len;
	return error;
}
