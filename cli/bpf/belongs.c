// SPDX-License-Identifier: GPL-2.0-only
/* Whether a process is of the target: see belongs.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bpf/belongs.h"

static void read_comm(struct belongs_target *target, int exe_fd)
{
	char link[32], path[4096], name[CPUPROBE_NAME_LEN];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", exe_fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return;
	path[len] = '\0';
	proc_task_name_exe(path, name);
	memcpy(target->comm, name, strnlen(name, sizeof(target->comm) - 1));
}

int belongs_init(struct belongs_target *target, const struct cpuprobe_start *start)
{
	memset(target, 0, sizeof(*target));
	target->pid = start->pid;
	target->has_exe = start->exe_fd >= 0;
	if (!target->has_exe)
		return 0;
	if (fstat(start->exe_fd, &target->exe))
		return -errno;
	read_comm(target, start->exe_fd);
	return 0;
}

enum belongs belongs_to(const struct belongs_target *target, u32 pid)
{
	struct proc_exe exe;

	if (!target->has_exe || (!proc_task_exe(pid, &exe) && exe.device == target->exe.st_dev &&
				 exe.inode == target->exe.st_ino))
		return TARGET;
	return target->pid ? OTHER_EXE : OTHER_TASK;
}

bool belongs_by_name(const struct belongs_target *target, const char comm[PROC_TASK_COMM_LEN])
{
	return target->pid || !target->has_exe || !memcmp(comm, target->comm, sizeof(target->comm));
}
