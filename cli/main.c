// SPDX-License-Identifier: GPL-2.0-only
/* probe: finds the command and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

/*
 * The next open() would return a closed descriptor 0, 1 or 2, and output would go to the device.
 * /dev/null occupies the descriptor instead, opened so that using it fails.
 */
static void occupy_standard_fds(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			_exit(EXIT_FAILED);
}

/* Accepts the commands help and version as options too: -help, -h, --version. */
static const struct command *find_command(const char *name)
{
	const char *word = name + (name[0] == '-') + (name[0] == '-' && name[1] == '-');

	if (word != name && !strcmp(word, "h"))
		word = "help";
	if (word != name && strcmp(word, "help") && strcmp(word, "version"))
		return NULL;
	return command_find(word);
}

int main(int argc, char **argv)
{
	const struct command *command;

	command_set_all(commands);
	occupy_standard_fds();
	/* Without SIGPIPE, a closed pipe is a failed write, which command_finish() handles. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		welcome(stderr);
		return EXIT_USAGE;
	}
	command = find_command(argv[1]);
	return command ? command_finish(command_run(command, argv + 1)) : command_unknown(argv[1]);
}
