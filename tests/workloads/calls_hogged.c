// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls_hogged: a real-time task that never sleeps occupies CPU 1, so that no hook can be removed. A
 * session that counts calls ends at once all the same, by STOP, close() and SIGKILL; the next one is
 * refused after some seconds, with the reason. Once the task is gone, the hooks leave and sessions
 * begin again. Needs sched_rt_runtime_us = -1 and an otherwise idle CPU 0.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "session.h"
#include "syscall_function.h"

#define MOST_S	0.5		/* for one step; the host may delay it */

static struct cpuprobe_function getppid_function;

static pid_t start_hog(void)
{
	const struct sched_param param = { .sched_priority = 50 };
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		session_equal("sched_setaffinity", stay_on(1), 0);
		session_equal("sched_setscheduler", sched_setscheduler(0, SCHED_FIFO, &param), 0);
		for (;;)
			;
	}
	sleep(1);
	return pid;
}

static void stop_hog(pid_t hog)
{
	kill(hog, SIGKILL);
	session_equal("waitpid", waitpid(hog, NULL, 0), hog);
}

static void find_getppid(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	char line[512], name[256];

	while (!getppid_function.address && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %255s", &address, name) == 2 &&
		    !strcmp(name, SYSCALL_FUNCTION("getppid")))
			getppid_function.address = address;
	fclose(file);
}

/* Returns errno; sets the reason. */
static int count_calls(int fd, __u32 *reason)
{
	struct cpuprobe_calls request = REQUEST(calls, .exe_fd = -1, .cgroup_fd = -1,
		.functions = (unsigned long)&getppid_function, .nr_functions = 1);
	int error = ioctl(fd, CPUPROBE_IOC_CALLS, &request) ? errno : 0;

	*reason = request.reason;
	return error;
}

static int open_device(void)
{
	int fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);

	session_equal("open", fd >= 0, 1);
	return fd;
}

/* Waits until sessions can begin again. */
static void await_unhooked(void)
{
	__u32 reason;
	int fd, error;

	do {
		fd = open_device();
		error = count_calls(fd, &reason);
		close(fd);
	} while (error == EBUSY && reason == CPUPROBE_REASON_UNHOOKING);
	session_equal("CALLS without the hog", error, 0);
	sleep(2);	/* the hooks of this session leave */
}

static double step(const char *what, double since)
{
	double now = now_s();

	printf("%-8s %.6f s\n", what, now - since);
	session_equal(what, now - since < MOST_S, 1);
	return now_s();
}

static void stop_and_close(int fd)
{
	double at = now_s();

	session_equal("STOP", ioctl(fd, CPUPROBE_IOC_STOP), 0);
	at = step("STOP", at);
	close(fd);
	step("close", at);
}

static void kill_counting(void)
{
	int ready[2];
	__u32 reason;
	pid_t pid;
	double at;
	char byte;

	session_equal("pipe", pipe(ready), 0);
	pid = fork();
	if (!pid) {
		session_equal("CALLS", count_calls(open_device(), &reason), 0);
		session_equal("write", write(ready[1], "", 1), 1);
		for (;;)
			syscall(SYS_getppid);
	}
	session_equal("read", read(ready[0], &byte, 1), 1);
	at = now_s();
	kill(pid, SIGKILL);
	session_equal("waitpid", waitpid(pid, NULL, 0), pid);
	step("SIGKILL", at);
}

/* The hooks of an earlier session are still there. */
static void be_refused(void)
{
	double at = now_s();
	__u32 reason;
	int fd = open_device();

	session_equal("CALLS while hooks are removed", count_calls(fd, &reason), EBUSY);
	session_equal("its reason", reason, CPUPROBE_REASON_UNHOOKING);
	session_equal("refused in time", now_s() - at < 10, 1);
	close(fd);
}

int main(void)
{
	__u32 reason;
	pid_t hog;
	int fd;

	session_equal("sched_setaffinity", stay_on(0), 0);
	find_getppid();
	hog = start_hog();
	fd = open_device();
	session_equal("CALLS", count_calls(fd, &reason), 0);
	stop_and_close(fd);
	be_refused();
	stop_hog(hog);
	await_unhooked();
	hog = start_hog();
	kill_counting();
	be_refused();
	stop_hog(hog);
	await_unhooked();
	return 0;
}
