// SPDX-License-Identifier: GPL-2.0-only
/* Operations on stacks: whose stacks a session shows, and which executables it opens. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "whomay.h"

/** Findings about a session of stacks. */
struct told {
	int is_target, are_others;	/* a stack of the target; one that a member may not see */
	int exe_fd, exe_errno;		/* the target's executable, or the error of its open */
};

static void look_at_stacks(int fd, const struct cpuprobe_harvest *harvest, pid_t target,
			   struct told *told)
{
	const struct cpuprobe_stack *stack;

	for_each_stack(stack, (unsigned long)harvest->buffer, &harvest->account) {
		struct cpuprobe_open request = REQUEST(open, .cpu = harvest->cpu,
			.exe = stack->exe - 1, .seq = harvest->account.seq);

		told->are_others |= stack->kind != CPUPROBE_KIND_PROCESS ||
			(pid_t)stack->pid == running[SPINNER_BY_THEM].pid ||
			(pid_t)stack->pid == running[SECRET_SPINNER].pid;
		if ((pid_t)stack->pid != target || told->is_target)
			continue;
		told->is_target = 1;
		told->exe_fd = ioctl(fd, CPUPROBE_IOC_EXE, &request);
		told->exe_errno = errno;
	}
}

static void harvest_stacks(int fd, pid_t target, struct told *told)
{
	static __u64 counts[STACK_KIB * 512 / 8], seq[64];
	struct cpuprobe_harvest request = REQUEST(harvest, .buffer = (unsigned long)counts,
		.buffer_len = sizeof(counts));

	memset(seq, 0, sizeof(seq));
	for (int i = 0; i < 4 && !told->is_target; i++) {
		process_let_run(target, LONG_ENOUGH_NS);
		for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
			request.cpu = cpu;
			request.ack = seq[cpu];
			need(!ioctl(fd, CPUPROBE_IOC_HARVEST, &request), "harvest");
			if (request.account.seq != seq[cpu])
				look_at_stacks(fd, &request, target, told);
			seq[cpu] = request.account.seq;
		}
	}
}

static const char *tell_stacks(const struct operation *operation, int fd, struct told *told)
{
	struct operation everybody = *operation;
	const char *word;

	everybody.pid = -1;
	memset(told, 0, sizeof(*told));
	told->exe_fd = -1;
	word = try_start(&everybody, fd);
	if (!strcmp(word, "yes"))
		harvest_stacks(fd, running[operation->pid].pid, told);
	return word;
}

/* Checks whether a session of all processes shows stacks of the target. */
const char *try_stacks(const struct operation *operation, int fd)
{
	struct told told;

	if (strcmp(tell_stacks(operation, fd, &told), "yes"))
		return "not started";
	close(told.exe_fd);
	return told.is_target ? "yes" : "none";
}

const char *try_stacks_of_hidden(const struct operation *operation, int fd)
{
	const char *word;

	program_set_dumpable(0);
	word = try_stacks(operation, fd);
	program_set_dumpable(1);
	return word;
}

const char *try_stacks_of_others(const struct operation *operation, int fd)
{
	struct told told;

	if (strcmp(tell_stacks(operation, fd, &told), "yes"))
		return "not started";
	close(told.exe_fd);
	return told.are_others ? "yes" : "none";
}

/* EXE must open the file or fail as open() does; all users may enter the file's directory. */
const char *try_exe(const struct operation *operation, int fd)
{
	int by_name = open(programs[operation->pid].path, O_RDONLY), error = errno;
	struct told told;
	const char *word = "as open()";

	if (strcmp(tell_stacks(operation, fd, &told), "yes"))
		return "not started";
	if (!told.is_target)
		word = "none";
	else if ((told.exe_fd < 0) != (by_name < 0) || (by_name < 0 && told.exe_errno != error))
		word = "not as open()";
	close(by_name);
	close(told.exe_fd);
	return word;
}
