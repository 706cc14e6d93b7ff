// SPDX-License-Identifier: GPL-2.0-only
/* Finds the processes of a row of the machine's table in /proc: see zoom.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "cpuprobe.h"
#include "top/zoom.h"

/** A search for the processes of a row, and its result. */
struct quest {
	const struct row *row;
	unsigned long long inode;
	int best_pid;		/* 0: none */
	int best;		/* quality of the match: higher is better */
	size_t nr;		/* number of matching processes */
};

static size_t base_len(const char *name)
{
	/* A name that several executables share is followed by " (directory)". */
	const char *addition = strstr(name, " (");

	return addition && addition != name ? (size_t)(addition - name) : strlen(name);
}

/* Quality of a match by inode (3), by name alone if the inodes differ (2), or no match (0): some
   file systems show different inode numbers in the kernel and in stat(). */
static int fits_exe(const struct quest *quest, int pid)
{
	char link[64], path[4096];
	struct stat info;
	ssize_t len;
	size_t name_len = base_len(quest->row->name);
	const char *name;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0 || stat(link, &info))
		return 0;
	path[len] = '\0';
	name = text_base_name(path);
	text_clean(path);
	if (strncmp(name, quest->row->name, name_len))
		return 0;
	return info.st_ino == quest->inode ? 3 : name[name_len] ? 0 : 2;
}

bool who_is_kernel_thread(int pid)
{
	char link[64], byte;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	return readlink(link, &byte, 1) < 0 && errno == ENOENT;
}

/* A name that ends in '*' matches every command that starts with it. */
static int fits_comm(const struct quest *quest, int pid)
{
	char path[64], comm[64];
	const char *name = quest->row->name;
	size_t len = strlen(name);
	bool is_folded = len && name[len - 1] == '*';

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (sysfile_line(path, comm, sizeof(comm)))
		return 0;
	text_clean(comm);
	if (is_folded ? strncmp(comm, name, len - 1) : strcmp(comm, name))
		return 0;
	/* A row by command name may be of kernel threads too: prefer processes. */
	if (who_is_kernel_thread(pid))
		return 1;
	return quest->row->kind == CPUPROBE_KIND_KTHREAD ? 0 : 2;
}

static void search_processes(struct quest *quest)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int fits, pid;

	while (proc && (entry = readdir(proc))) {
		pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
		if (!pid)
			continue;
		fits = quest->row->kind == CPUPROBE_KIND_EXE ?
			fits_exe(quest, pid) : fits_comm(quest, pid);
		quest->nr += fits > 0;
		if (fits > quest->best) {
			quest->best = fits;
			quest->best_pid = pid;
		}
	}
	if (proc)
		closedir(proc);
}

static int explain_no_process(const struct row *row, struct text_error *error_ret)
{
	const char *reason = row->kind == CPUPROBE_KIND_IDLE ? "nothing runs there" :
		row->kind == CPUPROBE_KIND_SOFTIRQ ? "softirqs belong to no task" :
		row_has_only_name(row) ? "it has ended, or may not be examined" :
		row->kind == CPUPROBE_KIND_EXITING ? "these tasks have ended" :
		row->kind == FOLD_KIND_LOST ? "nothing is known of these samples" :
		row->kind == CPUPROBE_KIND_CGROUP ?
			"a group has many programs; start with -by exe" :
		"not a task";

	return text_fail(error_ret, -EINVAL, "zoom into %s: %s", row->name, reason);
}

static int find_named_process(const struct row *row, char word[16],
			      struct target_request *request_ret, struct text_error *error_ret)
{
	struct quest quest = {
		.row = row,
		.inode = (row->id[0] ^ (u32)row->id[1]) * CPUPROBE_INODE_INVERSE,
	};

	search_processes(&quest);
	if (!quest.best_pid)
		return text_fail(error_ret, -ENOENT,
				 "zoom into %s: none of its processes is running", row->name);
	if (!who_is_kernel_thread(quest.best_pid)) {
		request_ret->all_of = quest.best_pid;
		return 0;
	}
	if (quest.nr > 1)
		return text_fail(error_ret, -EINVAL, "zoom into %s: %zu kernel threads have that "
				 "name; start with -by pid", row->name, quest.nr);
	snprintf(word, 16, "%d", quest.best_pid);
	request_ret->word = word;
	request_ret->is_kernel = true;
	return 0;
}

int who_find(const struct row *row, char word[16], struct target_request *request_ret,
	     struct text_error *error_ret)
{
	*request_ret = (struct target_request){ 0 };
	switch (row->kind) {
	case CPUPROBE_KIND_PROCESS:
	case CPUPROBE_KIND_THREAD:
		snprintf(word, 16, "%u", row->pid);
		request_ret->word = word;
		request_ret->is_kernel = who_is_kernel_thread(row->pid);
		return 0;
	case CPUPROBE_KIND_EXE:
	case CPUPROBE_KIND_COMM:
	case CPUPROBE_KIND_KTHREAD:
		return find_named_process(row, word, request_ret, error_ret);
	default:
		return explain_no_process(row, error_ret);
	}
}
