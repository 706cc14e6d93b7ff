// SPDX-License-Identifier: GPL-2.0-only
/* Properties of a task in /proc: see proc_task.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "bpf/proc_task.h"

#define FLAG_KTHREAD	0x00200000	/* PF_KTHREAD, in field 9 */

/* Field @wanted of a line whose second field, the name, ends before @at; NULL: too short. */
static const char *find_field(const char *at, int wanted)
{
	int field;

	for (field = 2; at && field < wanted; field++)
		at = strchr(at + 1, ' ');
	return at;
}

static u64 read_field(const char *at, int wanted)
{
	at = find_field(at, wanted);
	return at ? strtoull(at, NULL, 10) : 0;
}

int proc_task_parse(const char *line, struct proc_task *task_ret)
{
	const char *name = strchr(line, '('), *end = strrchr(line, ')'), *flags, *threads, *start;
	size_t len;

	if (!name || !end || end < name)
		return -EINVAL;
	flags = find_field(end, 9);
	threads = find_field(end, 20);
	start = find_field(end, 22);
	if (!start)
		return -EINVAL;
	memset(task_ret, 0, sizeof(*task_ret));
	/* The names of workers are longer here. */
	len = end - name - 1;
	if (len > PROC_TASK_COMM_LEN - 1)
		len = PROC_TASK_COMM_LEN - 1;
	memcpy(task_ret->comm, name + 1, len);
	task_ret->is_kthread = strtoul(flags, NULL, 10) & FLAG_KTHREAD;
	task_ret->nr_threads = strtoul(threads, NULL, 10);
	task_ret->start = strtoull(start, NULL, 10);
	/* Fields of a process only, which the kernel may hide. */
	task_ret->code_start = read_field(end, 26);
	task_ret->code_end = read_field(end, 27);
	task_ret->space = read_field(end, 28);
	/* The kernel then writes 1 for the code; for a process without memory it writes 0. */
	task_ret->is_hidden = task_ret->code_start == 1 && !task_ret->space;
	return 0;
}

int proc_task_read(u32 pid, struct proc_task *task_ret)
{
	char path[32], text[1024];

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	/* The name may contain anything, a newline too. */
	return sysfile_text(path, text, sizeof(text)) || proc_task_parse(text, task_ret) ?
		-ESRCH : 0;
}

/* Appends at most what has room for its NUL; returns where the NUL is. */
static size_t copy_part(char name[CPUPROBE_NAME_LEN], size_t at, const char *from, size_t len)
{
	size_t room = CPUPROBE_NAME_LEN - 1 - at;

	if (len > room)
		len = room;
	memcpy(name + at, from, len);
	return at + len;
}

void proc_task_name_exe(const char *path, char name[CPUPROBE_NAME_LEN])
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(path), file, directory, at;

	if (len > sizeof(deleted) && !strcmp(path + len - (sizeof(deleted) - 1), deleted))
		len -= sizeof(deleted) - 1;
	for (file = len; file && path[file - 1] != '/'; file--)
		;
	memset(name, 0, CPUPROBE_NAME_LEN);
	at = copy_part(name, 0, path + file, len - file) + 1;
	if (file < 2 || at + 1 >= CPUPROBE_NAME_LEN)
		return;
	for (directory = file - 1; directory && path[directory - 1] != '/'; directory--)
		;
	copy_part(name, at, path + directory, file - 1 - directory);
}

int proc_task_exe(u32 pid, struct proc_exe *exe_ret)
{
	char link[32], path[4096];
	struct stat file;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%u/exe", pid);
	if (stat(link, &file))
		return -ESRCH;
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return -ESRCH;
	path[len] = '\0';
	exe_ret->device = file.st_dev;
	exe_ret->inode = file.st_ino;
	proc_task_name_exe(path, exe_ret->name);
	return 0;
}

void proc_task_fold_kthread(const char comm[PROC_TASK_COMM_LEN],
			    char folded[PROC_TASK_COMM_LEN])
{
	const char *slash = memchr(comm, '/', PROC_TASK_COMM_LEN - 2);
	size_t len = slash ? slash + 1 - comm : 0;

	memcpy(folded, comm, PROC_TASK_COMM_LEN);
	folded[PROC_TASK_COMM_LEN - 1] = '\0';
	if (len && comm[len] && (!strncmp(comm, "kworker/", 8) ||
				 strspn(comm + len, "0123456789") == strlen(folded + len))) {
		memset(folded + len, 0, PROC_TASK_COMM_LEN - len);
		folded[len] = '*';
	}
}
