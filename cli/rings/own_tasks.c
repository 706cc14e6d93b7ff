// SPDX-License-Identifier: GPL-2.0-only
/* The user's own processes and threads: see own_tasks.h. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "rings/own_tasks.h"

/* The number that a directory of /proc has as its name; 0: another entry. */
static u32 read_number(const char *name)
{
	char *end;
	unsigned long number = strtoul(name, &end, 10);

	return *end || *name < '0' || *name > '9' ? 0 : number;
}

static void scan_threads(u32 pid, own_tasks_found found, void *context)
{
	struct dirent *entry;
	char path[32];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks))) {
		u32 tid = read_number(entry->d_name);

		if (tid)
			found(context, pid, tid);
	}
	if (tasks)
		closedir(tasks);
}

static int scan_processes(bool of_all_users, own_tasks_found found, void *context)
{
	struct dirent *entry;
	struct stat owner;
	DIR *proc = opendir("/proc");

	if (!proc)
		return -errno;
	while ((entry = readdir(proc))) {
		u32 pid = read_number(entry->d_name);

		if (pid && (of_all_users || (!fstatat(dirfd(proc), entry->d_name, &owner, 0) &&
					     owner.st_uid == geteuid())))
			scan_threads(pid, found, context);
	}
	closedir(proc);
	return 0;
}

int own_tasks_scan(u32 only_pid, own_tasks_found found, void *context)
{
	if (!only_pid)
		return scan_processes(false, found, context);
	scan_threads(only_pid, found, context);
	return 0;
}

int own_tasks_scan_all(own_tasks_found found, void *context)
{
	return scan_processes(true, found, context);
}

void own_tasks_children(u32 pid, u32 tid, own_tasks_found found, void *context)
{
	unsigned int child;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/children", pid, tid);
	file = fopen(path, "re");
	while (file && fscanf(file, "%u", &child) == 1)
		found(context, child, child);
	if (file)
		fclose(file);
}

bool own_tasks_are_ours(u32 pid)
{
	struct stat own, other;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	return !stat("/proc/self/exe", &own) && !stat(path, &other) && own.st_dev == other.st_dev &&
	       own.st_ino == other.st_ino;
}

u64 own_tasks_runtime(u32 tid)
{
	char path[32], line[64];

	/* Threads are not listed in /proc, but are there. */
	snprintf(path, sizeof(path), "/proc/%u/schedstat", tid);
	return sysfile_line(path, line, sizeof(line)) ? 0 : strtoull(line, NULL, 10);
}
