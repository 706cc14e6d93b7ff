// SPDX-License-Identifier: GPL-2.0-only
/* Properties of a process from /proc: see procstat.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/procstat.h"

static int read_pid_file(int pid, const char *name, char *text, size_t text_len)
{
	char path[64];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	file = fopen(path, "re");
	if (!file)
		return -ESRCH;
	len = fread(text, 1, text_len - 1, file);
	fclose(file);
	text[len] = '\0';
	return 0;
}

int procstat_space(int pid, u64 *space_ret)
{
	char line[1024], state = 0;
	const char *at;
	u64 space;
	int field;

	if (read_pid_file(pid, "stat", line, sizeof(line)))
		return -ESRCH;
	/* Count fields after the command name, which may contain anything. */
	at = strrchr(line, ')');
	if (at && at[1] == ' ')
		state = at[2];
	for (field = 2; at && field < 28; field++)
		at = strchr(at + 1, ' ');
	space = at ? strtoull(at, NULL, 10) : 0;
	if (!space)
		return !at || state == 'Z' || state == 'X' ? -ESRCH : -EACCES;
	*space_ret = space;
	return 0;
}

int procstat_user(int pid, uid_t *user_ret, int *own_pid_ret)
{
	unsigned int user;
	const char *at, *last;
	char text[8192];

	if (read_pid_file(pid, "status", text, sizeof(text)))
		return -ESRCH;
	at = strstr(text, "\nUid:");
	if (!at || sscanf(at, "\nUid: %*u %u", &user) != 1)
		return -ESRCH;
	*own_pid_ret = pid;
	at = strstr(text, "\nNSpid:");
	if (at) {
		/* The list goes from the outermost namespace to the process's own. */
		for (last = ++at; *at && *at != '\n'; at++)
			if (*at == '\t' || *at == ' ')
				last = at;
		*own_pid_ret = atoi(last);
	}
	*user_ret = user;
	return 0;
}

bool procstat_shares_root(int pid)
{
	struct stat its, ours;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	return !stat(path, &its) && !stat("/", &ours) &&
	       its.st_dev == ours.st_dev && its.st_ino == ours.st_ino;
}
