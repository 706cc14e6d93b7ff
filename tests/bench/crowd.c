// SPDX-License-Identifier: GPL-2.0-only
/*
 * crowd free|ring P N: P processes, each with its own executable (a copy of this one), share a
 * fixed amount of work. free: N pieces of 100 us, taken by whichever process runs. ring: one token
 * goes round N times from process to process, and each holds the token for 50 us, so that two
 * successive samples hardly ever see the same executable. Reports through meter.h from the first
 * piece to the last.
 */
#include <err.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "meter.h"

#define MAX_PROCESSES	120

/** State shared by all processes; inherited as descriptor SHARED_FD. */
struct shared {
	int is_ring;
	atomic_long pieces_left;
	int nr_processes;
	int go[2], done[2], end[2];	/* go, done: one byte a process; end: closed to stop */
	int ring[MAX_PROCESSES][2];
};

#define SHARED_FD	900

static void spin_us(unsigned long us)
{
	unsigned long turns = us * 50;	/* turns of 20 instructions of 1 ns each */

	__asm__ volatile("1:\n.rept 18\nnop\n.endr\n" NEXT_TURN : "+r"(turns) : : "cc");
}

static void ring(struct shared *shared, int self)
{
	int next = shared->ring[(self + 1) % shared->nr_processes][1];
	long left;

	do {
		if (read(shared->ring[self][0], &left, sizeof(left)) != sizeof(left))
			exit(1);
		if (left)
			spin_us(50);
		left -= left > 0;
		if (write(next, &left, sizeof(left)) != sizeof(left))
			exit(1);
	} while (left);
}

static int worker(int self)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
				     SHARED_FD, 0);
	char byte;

	if (shared == MAP_FAILED)
		return 1;
	close(shared->end[1]);
	/* Printed once before the start and once after the work. */
	if (write(shared->done[1], "", 1) != 1 || read(shared->go[0], &byte, 1) != 1)
		return 1;
	if (shared->is_ring)
		ring(shared, self);
	else
		while (atomic_fetch_sub(&shared->pieces_left, 1) > 0)
			spin_us(100);
	if (write(shared->done[1], "", 1) != 1)
		return 1;
	return read(shared->end[0], &byte, 1);
}

static void copy_self(const char *to)
{
	int in = open("/proc/self/exe", O_RDONLY), out = open(to, O_WRONLY | O_CREAT, 0755);

	if (in < 0 || out < 0 || sendfile(out, in, NULL, 1 << 30) <= 0)
		err(1, "copy %s", to);
	close(in);
	close(out);
}

static void start_worker(int self)
{
	char path[32], number[16];

	snprintf(path, sizeof(path), "crowd-%d", self);
	snprintf(number, sizeof(number), "%d", self);
	copy_self(path);
	if (fork())
		return;
	execl(path, path, "worker", number, NULL);
	err(1, "run %s", path);
}

static void wait_for(const struct shared *shared)
{
	char byte;
	int i;

	for (i = 0; i < shared->nr_processes; i++)
		if (read(shared->done[0], &byte, 1) != 1)
			err(1, "wait");
}

int main(int argc, char **argv)
{
	struct shared *shared;
	struct meter meter;
	char bytes[MAX_PROCESSES] = { 0 };
	long amount;
	int i, fd;

	if (argc == 3)
		return worker(atoi(argv[2]));
	if (argc != 4)
		return 2;
	fd = memfd_create("shared", 0);
	if (ftruncate(fd, sizeof(*shared)) || dup2(fd, SHARED_FD) < 0)
		err(1, "share memory");
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, SHARED_FD, 0);
	shared->nr_processes = atoi(argv[2]);
	amount = atol(argv[3]);
	shared->is_ring = !strcmp(argv[1], "ring");
	shared->pieces_left = amount;
	if (pipe(shared->go) || pipe(shared->done) || pipe(shared->end))
		err(1, "pipe");
	for (i = 0; i < shared->nr_processes; i++)
		if (pipe(shared->ring[i]))
			err(1, "pipe");
	for (i = 0; i < shared->nr_processes; i++)
		start_worker(i);
	wait_for(shared);

	meter_start(&meter);
	if (shared->is_ring && write(shared->ring[0][1], &amount, sizeof(amount)) < 0)
		err(1, "start");
	if (write(shared->go[1], bytes, shared->nr_processes) < 0)
		err(1, "start");
	wait_for(shared);
	meter_stop(&meter);

	close(shared->end[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}
