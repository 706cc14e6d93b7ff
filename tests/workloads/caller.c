// SPDX-License-Identifier: GPL-2.0-only
/*
 * caller N [THREADS]: calls getppid() exactly N times in each of THREADS threads (1), and then
 * reads one byte of /dev/zero N / 10 times in each.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long nr_calls;

static void *call(void *unused)
{
	int fd = open("/dev/zero", O_RDONLY);
	char byte;
	long i;

	for (i = 0; i < nr_calls; i++)
		syscall(SYS_getppid);
	for (i = 0; i < nr_calls / 10; i++)
		if (read(fd, &byte, 1) != 1)
			abort();
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	int nr_threads = argc > 2 ? atoi(argv[2]) : 1, i;
	pthread_t thread[64];

	nr_calls = argc > 1 ? atol(argv[1]) : 1000;
	for (i = 0; i < nr_threads && i < 64; i++)
		if (pthread_create(&thread[i], NULL, call, NULL))
			return 1;
	while (i--)
		pthread_join(thread[i], NULL);
	return 0;
}
