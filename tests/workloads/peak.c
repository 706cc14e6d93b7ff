// SPDX-License-Identifier: GPL-2.0-only
/* peak COMMAND...: runs COMMAND, prints its peak resident memory in KB, exits with its status. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (argc < 2 || pid < 0)
		return 125;
	if (!pid) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	wait4(pid, &status, 0, &usage);
	fprintf(stderr, "peak: %ld\n", usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
