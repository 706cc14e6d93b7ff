// SPDX-License-Identifier: GPL-2.0-only
/*
 * crowd forks N MS: N children one after the other, each of which computes for MS milliseconds.
 * crowd execs SECONDS DIRECTORY: copies /bin/tiny to c0000 to c1999 in DIRECTORY; then, for
 * SECONDS, starts children that each execute the next of these programs.
 * Prints the pid and name of each child.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"

#define PROGRAMS 2000

static void compute(double seconds)
{
	double until = now_s() + seconds;

	while (now_s() < until)
		;
}

static int forks(int nr, double seconds)
{
	for (int i = 0; i < nr; i++) {
		pid_t pid = fork();

		if (!pid) {
			compute(seconds);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		printf("%d crowd\n", pid);
	}
	return 0;
}

static void copy_program(const char *to)
{
	struct stat info;
	int in = open("/bin/tiny", O_RDONLY), out = open(to, O_WRONLY | O_CREAT, 0755);

	if (in < 0 || out < 0 || fstat(in, &info) || sendfile(out, in, NULL, info.st_size) < 0)
		exit(1);
	close(in);
	close(out);
}

static pid_t start(const char *path)
{
	pid_t pid = vfork();

	if (!pid) {
		execl(path, path, NULL);
		_exit(1);
	}
	return pid;
}

static int execs(double seconds, const char *folder)
{
	double until;
	char path[256];
	pid_t pid;

	for (int i = 0; i < PROGRAMS; i++) {
		snprintf(path, sizeof(path), "%s/c%04d", folder, i);
		if (access(path, X_OK))
			copy_program(path);
	}
	until = now_s() + seconds;
	for (int i = 0; now_s() < until; i++) {
		snprintf(path, sizeof(path), "%s/c%04d", folder, i % PROGRAMS);
		pid = start(path);
		waitpid(pid, NULL, 0);
		printf("%d c%04d\n", pid, i % PROGRAMS);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "forks"))
		return forks(atoi(argv[2]), atof(argv[3]) / 1000);
	if (argc == 4 && !strcmp(argv[1], "execs"))
		return execs(atof(argv[2]), argv[3]);
	return 2;
}
