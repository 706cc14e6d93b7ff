// SPDX-License-Identifier: GPL-2.0-only
/*
 * dies N: N children, one after the other, that die in inner(), which outer() calls, after one getppid().
 * By turns: a write to address 0, SIGKILL, SIGABRT, and an alarm during a read() that waits for ever.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

void inner(int how);
void outer(int how);

static volatile long done;

static void wait_for_alarm(void)
{
	const struct itimerval soon = { .it_value.tv_usec = 20000 };
	int ends[2];
	char byte;

	if (pipe(ends) || setitimer(ITIMER_REAL, &soon, NULL) || read(ends[0], &byte, 1))
		_exit(1);
}

__attribute__((noipa)) void inner(int how)
{
	syscall(SYS_getppid);
	if (how == 0)
		*(volatile int *)0 = 0;
	else if (how == 3)
		wait_for_alarm();
	else
		syscall(SYS_kill, getpid(), how == 1 ? SIGKILL : SIGABRT);
	done++;
}

__attribute__((noipa)) void outer(int how)
{
	inner(how);
	done++;
}

int main(int argc, char **argv)
{
	const struct rlimit no_core = { .rlim_cur = 0 };
	int nr = argc > 1 ? atoi(argv[1]) : 4, i, status;

	setrlimit(RLIMIT_CORE, &no_core);
	for (i = 0; i < nr; i++) {
		pid_t child = fork();

		if (!child) {
			outer(i % 4);
			_exit(1);
		}
		if (child < 0 || waitpid(child, &status, 0) != child || !WIFSIGNALED(status))
			return 1;
	}
	return 0;
}
