// SPDX-License-Identifier: GPL-2.0-only
/*
 * orders ROUNDS: runs everything that can race with a session's sampling, in every order. Six
 * actors share one open file: they harvest, poll, stop, only close, take a CPU offline and online,
 * and unload the module. In each round an actor begins one step after its predecessor in the
 * round's permutation; a step is 0 to 400 us long, so that the actors overlap more or less. Sums
 * hold in every harvest; the module stays while the file is open; after the last close it can be
 * unloaded, and is loaded again. Prints how many operations were refused and how many succeeded.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "session.h"

enum { HARVEST, POLL, STOP, CLOSE, HOTPLUG, UNLOAD, ACTORS };
#define PERMUTATIONS	720

/** One actor's part of a round. */
struct part {
	pthread_t thread;
	unsigned int who;
	double at;		/* when to act */
	int insists;	/* retry the unload until the file is closed */
	struct session session;	/* a descriptor of its own, of the same open file */
};

static struct {
	unsigned int harvests, harvests_stopped, polls, unloads, unloads_refused, offs;
} tally;

static void load(void)
{
	int fd = open("/lib/modules/cpuprobe.ko", O_RDONLY | O_CLOEXEC);

	if (syscall(SYS_finit_module, fd, "max_rate=1000000 max_overhead_pct=10000", 0))
		session_fail("load", errno, 0);
	close(fd);
}

static int act_unload(void)
{
	if (!syscall(SYS_delete_module, "cpuprobe", O_NONBLOCK)) {
		tally.unloads++;
		return 1;
	}
	session_equal("unload", errno, EWOULDBLOCK);
	tally.unloads_refused++;
	return 0;
}

static void act_hotplug(void)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY | O_CLOEXEC);

	if (pwrite(fd, "0", 1, 0) != 1 || pwrite(fd, "1", 1, 0) != 1)
		session_fail("CPU off and on", errno, 0);
	tally.offs++;
	close(fd);
}

static void act(struct part *part)
{
	struct pollfd poll_fd = { .fd = part->session.fd, .events = POLLIN };

	switch (part->who) {
	case HARVEST:
		session_equal("harvest", session_harvest(&part->session), 0);
		session_equal("harvest", session_harvest(&part->session), 0);
		tally.harvests++;
		tally.harvests_stopped += poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLHUP;
		break;
	case POLL:
		tally.polls += poll(&poll_fd, 1, 2) == 1;
		break;
	case STOP:
		session_equal("stop", ioctl(part->session.fd, CPUPROBE_IOC_STOP), 0);
		break;
	case HOTPLUG:
		act_hotplug();
		break;
	case UNLOAD:
		while (!act_unload() && part->insists)
			;
		break;
	}
}

static void *play(void *arg)
{
	struct part *part = arg;

	while (now_s() < part->at)
		;
	/* These two do not need the file; the last actor to close it ends the session. */
	if (part->who == HOTPLUG || part->who == UNLOAD)
		close(part->session.fd);
	act(part);
	if (part->who != HOTPLUG && part->who != UNLOAD)
		close(part->session.fd);
	return NULL;
}

/* Writes the actors in the order of permutation @number. */
static void permute(unsigned int number, unsigned int order[ACTORS])
{
	unsigned int left[ACTORS] = { 0, 1, 2, 3, 4, 5 }, i, k;

	for (i = 0; i < ACTORS; i++) {
		k = number % (ACTORS - i);
		number /= ACTORS - i;
		order[i] = left[k];
		memmove(&left[k], &left[k + 1], (ACTORS - 1 - k) * sizeof(left[0]));
	}
}

static void play_round(unsigned int round)
{
	double begin, step = rand() % 401 * 1e-6;
	unsigned int order[ACTORS], i;
	struct part part[ACTORS];
	struct session session;

	session_open(&session);
	if (session.fd < 0) {
		load();
		session_open(&session);
	}
	session_equal("start", session_start(&session, round % session_kinds(), 100000), 0);
	usleep(rand() % 1000);
	/* Steps of 271 make a few rounds differ widely, and 720 rounds cover all permutations. */
	permute(round * 271 % PERMUTATIONS, order);
	begin = now_s() + 0.0005;
	for (i = 0; i < ACTORS; i++) {
		part[i].who = order[i];
		part[i].at = begin + i * step;
		part[i].insists = round % 5 == 0;	/* not always: loading again is slow */
		part[i].session = session;
		part[i].session.fd = dup(session.fd);
		if (pthread_create(&part[i].thread, NULL, play, &part[i]))
			session_fail("thread", errno, 0);
	}
	close(session.fd);
	for (i = 0; i < ACTORS; i++)
		pthread_join(part[i].thread, NULL);
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? atoi(argv[1]) : 24, i;

	for (i = 0; i < rounds; i++)
		play_round(i);
	tally.unloads += !syscall(SYS_delete_module, "cpuprobe", O_NONBLOCK);
	printf("%u rounds: %u harvests, %u of them after the end; %u polls with an event; "
	       "%u unloads, %u refused; a CPU %u times off and on\n", rounds, tally.harvests,
	       tally.harvests_stopped, tally.polls, tally.unloads, tally.unloads_refused,
	       tally.offs);
	return tally.unloads && tally.unloads_refused ? 0 : 1;
}
