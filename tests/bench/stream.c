// SPDX-License-Identifier: GPL-2.0-only
/*
 * stream N: send N MB to itself through a TCP connection on the loopback interface. Each 64 KB
 * block is acknowledged, so that sender and receiver alternate equally in each run.
 */
#include <err.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char buffer[65536];

static void send_all(const struct sockaddr_in *to, long bytes)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)to, sizeof(*to)))
		err(1, "connect");
	for (; bytes > 0; bytes -= sizeof(buffer))
		if (send(fd, buffer, sizeof(buffer), 0) != sizeof(buffer) ||
		    read(fd, buffer, 1) != 1)
			err(1, "send");
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd;

	if (argc != 2)
		return 2;
	if (bind(listener, (struct sockaddr *)&address, len) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&address, &len))
		err(1, "listen");
	if (!fork()) {
		close(listener);
		send_all(&address, atol(argv[1]) << 20);
		_exit(0);
	}
	fd = accept(listener, NULL, NULL);
	while (recv(fd, buffer, sizeof(buffer), MSG_WAITALL) == sizeof(buffer))
		if (write(fd, "", 1) != 1)
			err(1, "acknowledge");
	wait(NULL);
	return 0;
}
