// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbols FILE: processor time (user + system) and memory that reading and indexing the symbols of
 * a large file takes, compared with nm -n, each in a process of its own. The file is read once
 * beforehand; the two alternate, so that a busy machine slows both down; medians. One line:
 * "symbols NAME MB PROBE_MS PROBE_KB NM_MS NM_KB". Exits with 3 above RATIO_MAX times nm.
 * `symbols load FILE` is the process that is measured.
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
#include <unistd.h>

#include "symbolizer.h"

#define ROUNDS		9
#define RATIO_MAX	0.6

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

/* Read the whole file from the disk, so that neither process waits or pays for reading. */
static void read_beforehand(const char *path)
{
	static char bytes[1 << 20];
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		err(1, "%s", path);
	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
	close(fd);
}

struct cost {
	double ms;
	long kb;
};

static double ms_of(const struct timeval *time)
{
	return time->tv_sec * 1e3 + time->tv_usec / 1e3;
}

static struct cost run(char *const *argv)
{
	struct rusage usage;
	int status;
	pid_t pid = vfork();

	if (!pid) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) < 0 || status)
		errx(1, "%s failed", argv[0]);
	return (struct cost){ ms_of(&usage.ru_utime) + ms_of(&usage.ru_stime), usage.ru_maxrss };
}

static int compare(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	return (x->ms > y->ms) - (x->ms < y->ms);
}

static struct cost median(struct cost costs[ROUNDS])
{
	qsort(costs, ROUNDS, sizeof(costs[0]), compare);
	return costs[ROUNDS / 2];
}

static void measure(char *const *probe, char *const *nm, struct cost *probe_ret,
		    struct cost *nm_ret)
{
	struct cost probe_costs[ROUNDS], nm_costs[ROUNDS];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		probe_costs[i] = run(probe);
		nm_costs[i] = run(nm);
	}
	*probe_ret = median(probe_costs);
	*nm_ret = median(nm_costs);
}

/* Whether nm finds the usual symbol table; otherwise there is only the dynamic one. */
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
	read_beforehand(path);
	measure(probe, nm, &ours, &theirs);
	printf("symbols %s %.0f %.1f %ld %.1f %ld\n", basename(path), info.st_size / 1e6, ours.ms,
	       ours.kb, theirs.ms, theirs.kb);
	return ours.ms > RATIO_MAX * theirs.ms ? 3 : 0;
}
