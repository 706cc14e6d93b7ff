// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwind FILE...: processor time (user + system) and memory of compiling the call frame information of
 * files, as the tool does it, and the size of the tables. Each file is read once beforehand; the least
 * of several rounds counts, because a busy machine only adds. A line for each file: "unwind NAME
 * FUNCTIONS ROWS RULES KB BYTES_PER_ROW MS UNSUPPORTED_ROWS UNSUPPORTED_PERCENT", the last one of the
 * code. Exits with 3 if a file takes more than LEAST_MS plus NS_PER_ROW_MAX for each row, or
 * BYTES_PER_ROW_MAX.
 */
#include <err.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sym_unwind.h"

#define ROUNDS			7
#define NS_PER_ROW_MAX		150
#define LEAST_MS		2
#define BYTES_PER_ROW_MAX	6.0

/* Read the whole file from the disk, so that no round waits or pays for reading. */
static void read_beforehand(int fd)
{
	static char bytes[1 << 20];

	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
}

static double cpu_ms(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
		(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static struct sym_unwind *compile(const char *path, int fd, double *ms_ret)
{
	struct sym_unwind *unwind;
	struct sym_error error;
	double begin = cpu_ms();

	if (sym_unwind_create(fd, &unwind, &error))
		errx(1, "%s: %s", path, error.text);
	*ms_ret = cpu_ms() - begin;
	return unwind;
}

/* Whether the file keeps the limits. */
static int measure(char *path)
{
	int fd = open(path, O_RDONLY), round;
	struct sym_unwind *unwind = NULL;
	double least_ms = 1e9, ms, bytes;

	if (fd < 0)
		err(1, "%s", path);
	read_beforehand(fd);
	for (round = 0; round < ROUNDS; round++) {
		sym_unwind_destroy(unwind);
		unwind = compile(path, fd, &ms);
		least_ms = ms < least_ms ? ms : least_ms;
	}
	close(fd);
	bytes = (double)sym_unwind_bytes(unwind) / unwind->nr_rows;
	printf("unwind %s %u %u %u %.0f %.2f %.1f %u %.4f\n", basename(path), unwind->nr_functions,
	       unwind->nr_rows, unwind->nr_rules, sym_unwind_bytes(unwind) / 1024.0, bytes, least_ms,
	       unwind->nr_unsupported, 100.0 * unwind->unsupported_len / unwind->code_len);
	ms = LEAST_MS + unwind->nr_rows * NS_PER_ROW_MAX / 1e6;
	sym_unwind_destroy(unwind);
	return least_ms <= ms && bytes <= BYTES_PER_ROW_MAX;
}

int main(int argc, char **argv)
{
	int i, is_good = 1;

	if (argc < 2)
		errx(2, "usage: unwind FILE...");
	for (i = 1; i < argc; i++)
		is_good = measure(argv[i]) && is_good;
	return is_good ? 0 : 3;
}
