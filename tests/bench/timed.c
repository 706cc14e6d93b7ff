// SPDX-License-Identifier: GPL-2.0-only
/* timed COMMAND...: report through meter.h how long a command takes. */
#include <sys/wait.h>
#include <unistd.h>

#include "meter.h"

int main(int argc, char **argv)
{
	struct meter meter;
	int status = 1;
	pid_t pid;

	if (argc < 2)
		return 2;
	meter_start(&meter);
	pid = vfork();
	if (!pid) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	meter_stop(&meter);
	return status != 0;
}
