// SPDX-License-Identifier: GPL-2.0-only
/* A fixed amount of work in a child process: see work.h. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/cpus.h"
#include "run/work.h"

#define FIRST_LOOPS	1000000
#define LEAST_SECONDS	0.02	/* a shorter time says too little about the speed */

static void do_loops(u64 loops)
{
	while (loops--)
		__asm__ volatile("" ::: "memory");
}

bool work_may_use(u32 cpu)
{
	cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
	size_t len = CPU_ALLOC_SIZE(CPUS_MAX);
	bool may_use = set && !sched_getaffinity(0, len, set) && CPU_ISSET_S(cpu, len, set);

	CPU_FREE(set);
	return may_use;
}

/* Returns 0 or an errno. */
static int move_to_cpu(u32 cpu)
{
	cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
	size_t len = CPU_ALLOC_SIZE(CPUS_MAX);
	int error;

	if (!set)
		return ENOMEM;
	CPU_ZERO_S(len, set);
	CPU_SET_S(cpu, len, set);
	error = sched_setaffinity(0, len, set) ? errno : 0;
	CPU_FREE(set);
	return error;
}

/* The child: tells whether it is on its CPU, then works until the tool closes the pipe or ends. */
static void run_worker(int order_fd, int done_fd, u32 cpu)
{
	double began, seconds = move_to_cpu(cpu);
	u64 loops;

	while (write(done_fd, &seconds, sizeof(seconds)) == sizeof(seconds) &&
	       read(order_fd, &loops, sizeof(loops)) == sizeof(loops)) {
		began = clock_seconds();
		do_loops(loops);
		seconds = clock_seconds() - began;
	}
	_exit(0);
}

static int read_seconds(const struct work *work, double *seconds_ret, struct text_error *error_ret)
{
	if (read(work->done_fd, seconds_ret, sizeof(*seconds_ret)) == sizeof(*seconds_ret))
		return 0;
	return text_fail(error_ret, -ECHILD, "time the work: its process has ended");
}

static int start_worker(struct work *work, u32 cpu, struct text_error *error_ret)
{
	int order[2] = { -1, -1 }, done[2] = { -1, -1 }, error = 0;
	double refused;

	work->pid = pipe2(order, O_CLOEXEC) || pipe2(done, O_CLOEXEC) ? -1 : fork();
	if (work->pid < 0)
		error = errno;
	if (!work->pid) {
		close(order[1]);
		close(done[0]);
		run_worker(order[0], done[1], cpu);
	}
	close(order[0]);
	close(done[1]);
	work->order_fd = order[1];
	work->done_fd = done[0];
	if (error)
		return text_fail(error_ret, -error, "start the work: %s", strerror(error));
	error = read_seconds(work, &refused, error_ret);
	if (!error && refused)
		error = text_fail(error_ret, -(int)refused, "work on CPU %u: %s", cpu,
				  strerror((int)refused));
	return error;
}

int work_start(struct work *work, u32 cpu, double seconds, struct text_error *error_ret)
{
	double took = 0;
	int error;

	*work = (struct work){ .loops = FIRST_LOOPS };
	error = start_worker(work, cpu, error_ret);
	while (!error && took < LEAST_SECONDS) {
		work->loops *= took ? 2 : 1;
		error = work_do(work, &took, error_ret);
	}
	if (error)
		work_end(work);
	else
		work->loops *= seconds / took;
	return error;
}

int work_do(const struct work *work, double *seconds_ret, struct text_error *error_ret)
{
	if (write(work->order_fd, &work->loops, sizeof(work->loops)) != sizeof(work->loops))
		return text_fail(error_ret, -errno, "start the work: %s", strerror(errno));
	return read_seconds(work, seconds_ret, error_ret);
}

void work_end(struct work *work)
{
	if (!work->pid)
		return;
	close(work->order_fd);
	close(work->done_fd);
	if (work->pid > 0) {
		kill(work->pid, SIGKILL);
		waitpid(work->pid, NULL, 0);
	}
	work->pid = 0;
}
