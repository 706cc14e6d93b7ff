// SPDX-License-Identifier: GPL-2.0-only
/* The table of all operations. */
#include "whomay.h"

#define SYSTEM(by)	try_start, CPUPROBE_WHAT_SYSTEM, by, 0, -1, -1
#define PROCESS(exe, pid) try_start, CPUPROBE_WHAT_PROCESS, 0, CPUPROBE_MODE_USER, exe, pid
#define KERNEL(exe, pid) try_start, CPUPROBE_WHAT_PROCESS, 0, CPUPROBE_MODE_KERNEL, exe, pid
#define SAMPLES(how, exe, pid) how, CPUPROBE_WHAT_PROCESS, 0, CPUPROBE_MODE_USER, exe, pid
#define STACKS(how, frames, exe, pid) \
	how, CPUPROBE_WHAT_STACKS, CPUPROBE_FRAMES_ ## frames, 0, exe, pid

const struct operation operations[] = {
	{ "open the device", try_open, 0, 0, 0, -1, -1 },
	{ "INFO, what it says of access", try_info, 0, 0, 0, -1, -1 },
	{ "START system by executable", SYSTEM(CPUPROBE_BY_EXE) },
	{ "START system by process", SYSTEM(CPUPROBE_BY_PID) },
	{ "START system by thread", SYSTEM(CPUPROBE_BY_THREAD) },
	{ "START system by command name", SYSTEM(CPUPROBE_BY_COMM) },
	{ "START system by control group", SYSTEM(CPUPROBE_BY_CGROUP) },
	{ "ids by executable tell generations of inodes",
	  try_generation, CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_EXE, 0, -1, -1 },
	{ "ids by executable are the same in another session",
	  try_same_id, CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_EXE, 0, -1, -1 },
	{ "ids by process tell generations of inodes",
	  try_generation, CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_PID, 0, -1, -1 },
	{ "START own executable", PROCESS(OWN, -1) },
	{ "START another's executable", PROCESS(THEIRS, -1) },
	{ "START another's executable that only he can read", PROCESS(SECRET, -1) },
	{ "START own process", PROCESS(OWN, OWN) },
	{ "START own process of another's executable", PROCESS(THEIRS_BY_ME, THEIRS_BY_ME) },
	{ "START own process of a setuid program", PROCESS(SETUID, SETUID) },
	{ "START own process that may not be dumped", PROCESS(HIDDEN, HIDDEN) },
	{ "START another's process", PROCESS(THEIRS, THEIRS) },
	{ "START another's process of own executable", PROCESS(OWN_BY_THEM, OWN_BY_THEM) },
	{ "START kernel mode of own process", KERNEL(-1, OWN) },
	{ "START kernel mode of own executable", KERNEL(OWN, -1) },
	{ "START kernel mode of another's process", KERNEL(-1, THEIRS) },
	{ "START lateness", try_start, CPUPROBE_WHAT_LATE, 0, 0, -1, -1 },
	{ "START events", try_start_event, CPUPROBE_WHAT_SYSTEM, 0, 0, -1, -1 },
	{ "START by NMI", try_start_nmi, CPUPROBE_WHAT_SYSTEM, 0, 0, -1, -1 },
	{ "CALLS of a kernel function", try_calls, 0, 0, 0, -1, -1 },
	{ "TRACE of a kernel function", try_trace, 0, 0, 0, -1, -1 },
	{ "a mark", try_mark, 0, 0, 0, -1, -1 },
	{ "AREAS of own process", try_areas, 0, 0, 0, -1, OWN },
	{ "AREAS of another's process", try_areas, 0, 0, 0, -1, THEIRS },
	{ "AREAS of the kernel", try_areas, 0, 0, 0, -1, -1 },
	{ "HARVEST and STOP", try_harvest_and_stop, CPUPROBE_WHAT_SYSTEM, 0, 0, -1, -1 },
	{ "samples of own executable, run by itself", SAMPLES(try_samples, SPINNER, -1) },
	{ "samples of own executable, run by another", SAMPLES(try_samples, SPINNER_BY_THEM, -1) },
	{ "samples of own process that may no longer be dumped",
	  SAMPLES(try_samples_of_hidden, SPINNER, SPINNER) },
	{ "START user stacks of the machine", STACKS(try_start, USER, -1, -1) },
	{ "START kernel stacks of the machine", STACKS(try_start, KERNEL, -1, -1) },
	{ "START user stacks of own executable", STACKS(try_start, USER, OWN, -1) },
	{ "START user stacks of another's executable", STACKS(try_start, USER, THEIRS, -1) },
	{ "START user stacks of own process", STACKS(try_start, USER, -1, OWN) },
	{ "START kernel stacks of own process", STACKS(try_start, KERNEL, -1, OWN) },
	{ "START user stacks of own process of a setuid program",
	  STACKS(try_start, USER, -1, SETUID) },
	{ "START user stacks of another's process", STACKS(try_start, USER, -1, THEIRS) },
	{ "START user stacks of a control group", STACKS(try_start_cgroup, USER, -1, -1) },
	{ "START kernel stacks of a control group", STACKS(try_start_cgroup, KERNEL, -1, -1) },
	{ "START stacks in more memory than a member may hold",
	  STACKS(try_start_large, USER, -1, -1) },
	{ "stacks of own process", STACKS(try_stacks, USER, -1, SPINNER) },
	{ "stacks of own process that may no longer be dumped",
	  STACKS(try_stacks_of_hidden, USER, -1, SPINNER) },
	{ "stacks of another's process", STACKS(try_stacks, USER, -1, SPINNER_BY_THEM) },
	{ "stacks of the kernel's threads, of idle or of another's processes",
	  STACKS(try_stacks_of_others, USER, -1, SPINNER_BY_THEM) },
	{ "EXE of what all may read", STACKS(try_exe, USER, -1, SPINNER) },
	{ "EXE of what only root may read", STACKS(try_exe, USER, -1, SECRET_SPINNER) },
};

const size_t nr_operations = sizeof(operations) / sizeof(operations[0]);

_Static_assert(sizeof(operations) / sizeof(operations[0]) <= OPERATIONS_MAX,
	       "raise OPERATIONS_MAX");
