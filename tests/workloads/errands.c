// SPDX-License-Identifier: GPL-2.0-only
/*
 * errands N: N rounds of system calls whose kernel functions take distinct shares of the time: getppid(),
 * reads of /dev/zero of three sizes, a byte through a pipe, stat() of a short and a long path, and open().
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char buffer[65536];

static void must(int is_good)
{
	if (!is_good)
		abort();
}

static void run_round(int zero, const int pipes[2])
{
	struct stat status;
	int i, fd;

	for (i = 0; i < 4; i++)
		syscall(SYS_getppid);
	must(read(zero, buffer, 1) == 1);
	must(read(zero, buffer, 4096) == 4096);
	must(read(zero, buffer, sizeof(buffer)) == sizeof(buffer));
	for (i = 0; i < 2; i++) {
		must(write(pipes[1], buffer, 2048) == 2048);
		must(read(pipes[0], buffer, 2048) == 2048);
	}
	must(!stat("/", &status));
	must(!stat("/proc/self/status", &status));
	fd = open("/dev/zero", O_RDONLY);
	must(fd >= 0 && !close(fd));
}

int main(int argc, char **argv)
{
	int zero = open("/dev/zero", O_RDONLY), pipes[2];
	long rounds = argc > 1 ? atol(argv[1]) : 1000;

	must(zero >= 0 && !pipe(pipes));
	while (rounds--)
		run_round(zero, pipes);
	return 0;
}
