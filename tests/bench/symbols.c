// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbols FILE: the time and memory that reading and indexing the symbols of a large file takes,
 * beside nm -n, each in a process of its own, warm cache, median of five. One line: "symbols NAME
 * MB PROBE_MS PROBE_KB NM_MS NM_KB". `symbols load FILE` is the process that is measured.
 */
#include <err.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "symbolizer.h"

#define ROUNDS	5

static int load(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct sym_index *index;
	struct sym_error error;

	if (fd < 0)
		err(1, "%s", path);
	if (sym_index_create_elf(fd, &index, &error))
		errx(1, "%s: %s", path, error.text);
	return sym_index_size(index) == 0;
}

struct cost {
	double ms;
	long kb;
};

static struct cost run(char *const *argv)
{
	struct timespec from, to;
	struct rusage usage;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &from);
	pid = vfork();
	if (!pid) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) < 0 || status)
		errx(1, "%s failed", argv[0]);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return (struct cost){ (to.tv_sec - from.tv_sec) * 1e3 + (to.tv_nsec - from.tv_nsec) / 1e6,
			      usage.ru_maxrss };
}

static int compare(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	return (x->ms > y->ms) - (x->ms < y->ms);
}

static struct cost median(char *const *argv)
{
	struct cost costs[ROUNDS];
	int i;

	run(argv);
	for (i = 0; i < ROUNDS; i++)
		costs[i] = run(argv);
	qsort(costs, ROUNDS, sizeof(costs[0]), compare);
	return costs[ROUNDS / 2];
}

/* Whether nm finds its usual table; else the dynamic one is all there is. */
static int has_symtab(const char *path)
{
	char command[4096];

	snprintf(command, sizeof(command), "readelf -SW '%s' | grep -q ' \\.symtab '", path);
	return !system(command);
}

int main(int argc, char **argv)
{
	char self[] = "/proc/self/exe", *path = argv[argc - 1];
	char *probe[] = { self, (char *)"load", path, NULL };
	char *nm[] = { (char *)"nm", (char *)"-n", path, NULL };
	struct cost ours, theirs;
	struct stat info;

	if (argc == 3)
		return load(path);
	if (argc != 2 || stat(path, &info))
		errx(2, "usage: symbols FILE");
	if (!has_symtab(path))
		nm[1] = (char *)"-nD";
	ours = median(probe);
	theirs = median(nm);
	printf("symbols %s %.0f %.1f %ld %.1f %ld\n", basename(path), info.st_size / 1e6, ours.ms,
	       ours.kb, theirs.ms, theirs.kb);
	return 0;
}
