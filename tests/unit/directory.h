/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory for the files of a group of tests. The group lists make_directory() and
 * remove_directory() as its setup and teardown, or calls them.
 */
#ifndef DIRECTORY_H
#define DIRECTORY_H

#include <unistd.h>

#include "unit.h"

static char directory[] = "/tmp/cpuprobe-unit-XXXXXX";

/* The path of a file in the directory; its buffer is reused eight calls later. */
static inline const char *in_directory(const char *name)
{
	static char paths[8][128];
	static int last;
	char *path = paths[last = (last + 1) % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

/* Run shell commands in the directory. */
static inline void sh(const char *text)
{
	char command[4096];

	snprintf(command, sizeof(command), "cd %s && { %s; }", directory, text);
	assert_int_equal(system(command), 0);
}

static inline void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static inline int make_directory(void **state)
{
	return mkdtemp(directory) ? 0 : -1;
}

static inline int remove_directory(void **state)
{
	sh("rm -r \"$PWD\"");
	return 0;
}

#endif
