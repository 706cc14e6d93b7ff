/* SPDX-License-Identifier: GPL-2.0-only */
/* Properties of a task in /proc that identify it: its executable, its start, its kind. */
#ifndef PROC_TASK_H
#define PROC_TASK_H

#include <stdbool.h>

#include "cpuprobe.h"
#include "types.h"

#define PROC_TASK_COMM_LEN	16

struct proc_task {
	u64 start;		/* ticks after boot: distinguishes tasks of one number in turn */
	/* where the executable's code was loaded, and the bottom of the stack; 0: unknown */
	u64 code_start, code_end, space;
	bool is_hidden;		/* it has memory, but may not be examined: these three are unknown */
	u32 nr_threads;
	bool is_kthread;
	char comm[PROC_TASK_COMM_LEN];	/* NUL-padded */
};

struct proc_exe {
	u64 device;
	u64 inode;
	char name[CPUPROBE_NAME_LEN];	/* of the file, NUL, and of its directory if there is room */
};

/** proc_task_read() - read /proc/PID/stat, of a process or a thread. -ESRCH: it is gone. */
int proc_task_read(u32 pid, struct proc_task *task_ret);

/** proc_task_parse() - proc_task_read() for a line in memory. -EINVAL: not such a line. */
int proc_task_parse(const char *line, struct proc_task *task_ret);

/** proc_task_exe() - find the executable of a process. -ESRCH: it has none, or is gone. */
int proc_task_exe(u32 pid, struct proc_exe *exe_ret);

/** proc_task_name_exe() - name an executable by its path: see struct proc_exe. */
void proc_task_name_exe(const char *path, char name[CPUPROBE_NAME_LEN]);

/**
 * proc_task_fold_kthread() - replace the part of a kernel thread's name that counts CPUs or workers by
 * an asterisk, as the module does: ksoftirqd/1, and everything after kworker/.
 */
void proc_task_fold_kthread(const char comm[PROC_TASK_COMM_LEN],
			    char folded[PROC_TASK_COMM_LEN]);

#endif
