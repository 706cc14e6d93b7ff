// SPDX-License-Identifier: GPL-2.0-only
/*
 * stackwatch FRAMES COMMAND...: samples the stacks of all processes while a command runs, with
 * FRAMES (CPUPROBE_FRAMES_*), and harvests after the command has ended. Prints for each stack,
 * separated by tabs: hits, kind, mode, flags, number of kernel frames, number of user frames, first
 * user frame, name of the process, path of its executable at the harvest, size of that file. All
 * sums must hold.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include "session.h"

#define PERIOD_NS 500000

static void print_exe(const struct session *session, const struct cpuprobe_harvest *harvest,
		      __u32 number)
{
	int fd = number ? session_open_exe(session, harvest, number - 1) : -1;
	char link[64], path[256] = "-";
	struct stat info = { .st_size = 0 };

	if (fd >= 0) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		memset(path, 0, sizeof(path));
		session_equal("name of an executable", readlink(link, path, sizeof(path) - 1) > 0,
			      1);
		session_equal("its size", fstat(fd, &info), 0);
		session_equal("its first bytes",
			      pread(fd, link, 4, 0) == 4 && !memcmp(link, "\177ELF", 4), 1);
		close(fd);
	}
	printf("%s\t%lld\n", path, (long long)info.st_size);
}

static void see(const struct session *session, const struct cpuprobe_harvest *harvest,
		const struct cpuprobe_stack *stack)
{
	printf("%llu\t%u\t%u\t%u\t%u\t%u\t%#llx\t%s\t", stack->hits, stack->kind, stack->mode,
	       stack->flags, stack->nr_kernel, stack->nr_user,
	       stack->nr_user ? stack->frame[stack->nr_kernel] : 0, stack->comm);
	print_exe(session, harvest, stack->exe);
}

int main(int argc, char **argv)
{
	struct cpuprobe_start start = START(.what = CPUPROBE_WHAT_STACKS, .period_ns = PERIOD_NS,
		.stack_kib = SESSION_STACK_KIB);
	struct session session;
	int status;
	pid_t pid;

	session_equal("usage: stackwatch FRAMES COMMAND...", argc > 2, 1);
	start.frames = atoi(argv[1]);
	session_open(&session);
	session.what = start.what;
	session.see = see;
	session_equal("start", ioctl(session.fd, CPUPROBE_IOC_START, &start), 0);
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	session_equal("stop", ioctl(session.fd, CPUPROBE_IOC_STOP), 0);
	session_equal("harvest", session_harvest(&session), 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
