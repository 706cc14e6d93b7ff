// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interference during a call: a thread that changes the argument and uses and closes descriptors,
 * and signals that interrupt.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "fuzz.h"

static atomic_bool is_burst, is_changing;
static struct fuzzer *main_fuzzer;

/* Change one byte of the argument for a moment. */
static void change_argument(struct fuzzer *random)
{
	volatile uint8_t *byte = (uint8_t *)ARGUMENT + below(random, 208);
	uint8_t before = *byte;

	*byte = draw(random);
	*byte = before;
}

static void use_descriptor(struct fuzzer *random)
{
	struct pollfd poll_fd = { .fd = main_fuzzer->fd[below(random, FILES)], .events = POLLIN };
	static _Alignas(8) unsigned char counts[BUFFER_LEN];
	struct cpuprobe_harvest harvest = REQUEST(harvest,
		.cpu = below(random, main_fuzzer->nr_cpus), .ack = below(random, 8),
		.buffer = (unsigned long)counts, .buffer_len = sizeof(counts));
	int fd;

	switch (below(random, 400)) {
	case 0:
		fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);
		if (fd >= 0 && poll_fd.fd >= 0)
			dup3(fd, poll_fd.fd, O_CLOEXEC);
		close(fd);
		break;
	case 1:
		ioctl(poll_fd.fd, CPUPROBE_IOC_STOP);
		break;
	case 2 ... 100:
		ioctl(poll_fd.fd, CPUPROBE_IOC_HARVEST, &harvest);
		break;
	default:
		poll(&poll_fd, 1, below(random, 2));
	}
}

static void *other(void *unused)
{
	struct fuzzer random = { .random = main_fuzzer->random ^ 1 };
	int i;

	for (;;) {
		atomic_store(&is_changing, true);
		while (atomic_load(&is_burst))
			change_argument(&random);
		atomic_store(&is_changing, false);
		for (i = 0; i < 4; i++)
			use_descriptor(&random);
		usleep(1000 + below(&random, 20000));
	}
	return NULL;
}

static void on_alarm(int number)
{
}

void other_begin(struct fuzzer *fuzzer)
{
	struct itimerval pace = { .it_interval.tv_usec = 20011, .it_value.tv_usec = 20011 };
	struct sigaction action = { .sa_handler = on_alarm };
	pthread_t thread;

	main_fuzzer = fuzzer;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &pace, NULL);
	pthread_create(&thread, NULL, other, NULL);
}

void other_burst(bool is_on)
{
	atomic_store(&is_burst, is_on);
	while (!is_on && atomic_load(&is_changing))
		sched_yield();
}
