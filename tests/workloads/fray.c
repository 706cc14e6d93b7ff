// SPDX-License-Identifier: GPL-2.0-only
/*
 * fray: starts processes and threads that execute other programs and end as fast as they can, in
 * every way there is, until killed.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void *end_thread(void *arg)
{
	prctl(PR_SET_NAME, arg);
	return NULL;
}

static void *exit_process(void *arg)
{
	_exit(0);
}

static void *exec_process(void *arg)
{
	execl("/bin/tiny", "tiny", NULL);
	_exit(1);
}

static void threads(void *(*last)(void *))
{
	pthread_t thread;

	for (int i = 0; i < 4; i++)
		if (!pthread_create(&thread, NULL, end_thread, "ending"))
			pthread_detach(thread);
	if (!pthread_create(&thread, NULL, last, NULL))
		for (;;)
			pause();
	_exit(1);
}

static void child(unsigned int how)
{
	switch (how % 6) {
	case 0:
		_exit(0);
	case 1:
		execl("/bin/tiny", "tiny", NULL);
		_exit(1);
	case 2:
		threads(exit_process);
		break;
	case 3:
		threads(exec_process);
		break;
	case 4:		/* the parent ends while the child lives */
		if (!fork())
			execl("/bin/busybox", "true", NULL);
		_exit(0);
	case 5:
		raise(SIGKILL);
	}
}

static void start_vfork(void)
{
	pid_t pid = vfork();

	if (!pid) {
		execl("/bin/tiny", "tiny", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

int main(void)
{
	for (unsigned int i = 0;; i++) {
		pid_t pid = fork();

		if (!pid)
			child(i);
		waitpid(pid, NULL, 0);
		if (i % 4 == 0)
			start_vfork();
	}
}
