// SPDX-License-Identifier: GPL-2.0-only
/*
 * spin SECONDS [NAME...]: computes in a thread of each NAME, or in its only thread.
 * "spin -exec SECONDS PROGRAM [ARGUMENT...]" computes and then executes PROGRAM;
 * "spin -vfork PROGRAM [ARGUMENT...]" executes PROGRAM in a child made by vfork().
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"

static double seconds;

static void *compute(void *name)
{
	double until = now_s() + seconds;

	if (name)
		pthread_setname_np(pthread_self(), name);
	while (now_s() < until)
		for (volatile int i = 0; i < 10000; i++)
			;
	return NULL;
}

static int become_in_child(char **command)
{
	if (!vfork()) {
		execv(command[0], command);
		_exit(1);
	}
	wait(NULL);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[16];
	int nr = 0;

	if (argc > 3 && !strcmp(argv[1], "-exec")) {
		seconds = atof(argv[2]);
		compute(NULL);
		execv(argv[3], argv + 3);
		return 1;
	}
	if (argc > 2 && !strcmp(argv[1], "-vfork"))
		return become_in_child(argv + 2);
	seconds = argc > 1 ? atof(argv[1]) : 1;
	if (argc < 3)
		compute(NULL);
	for (argv += 2; argc > 2 && *argv && nr < 16; argv++)
		pthread_create(&threads[nr++], NULL, compute, *argv);
	while (nr--)
		pthread_join(threads[nr], NULL);
	return 0;
}
