// SPDX-License-Identifier: GPL-2.0-only
/*
 * hogged ROUNDS: a real-time task that never sleeps occupies CPU 1 while sessions on CPU 0 alone
 * begin and end, at least ROUNDS of them and until standard input ends. In the median of the rounds
 * (the host may delay single ones) each step may take at most 100 ms plus twice the time to kill a
 * process without a session (0.3 ms; 40 ms on a debug kernel). No work may remain queued for CPU 1,
 * and hardly an interrupt may reach it. Needs an otherwise idle CPU 0, and
 * sched_rt_runtime_us = -1.
 */
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "session.h"

#define MEDIAN_MAX_S	0.1
/* Under emulation, debug kernels take up to ten seconds to take a CPU offline and online. */
#define GIVE_UP_MS	600000
#define ROUNDS_MAX	1000

enum step { OPEN, START, HARVEST, STOP, CLOSE, KILL, KILL_PLAIN, STEPS };

static const char *const step_name[] = {
	"open", "START", "HARVEST", "STOP", "close", "SIGKILL", "SIGKILL without a session",
};

/* Memory shared with the child that takes the steps. */
static struct shared {
	double took_s[STEPS][ROUNDS_MAX];
	unsigned int nr[STEPS];
	unsigned int rounds;
} *shared;

static pid_t start_hog(void)
{
	const struct sched_param param = { .sched_priority = 50 };
	pid_t pid = fork();

	if (pid)
		return pid;
	session_equal("sched_setaffinity", stay_on(1), 0);
	session_equal("sched_setscheduler", sched_setscheduler(0, SCHED_FIFO, &param), 0);
	for (;;)
		;
}

static double note(enum step step, double since)
{
	double now = now_s();

	if (shared->nr[step] < ROUNDS_MAX)
		shared->took_s[step][shared->nr[step]++] = now - since;
	return now;
}

static void take_round(unsigned int kind)
{
	struct session session;
	double at = now_s();

	session_open(&session);
	session_equal("open", session.fd < 0, 0);
	session.cpus = 1;
	at = note(OPEN, at);
	session_equal("start", session_start(&session, kind, 1000000), 0);
	at = note(START, at);
	session_equal("harvest", session_harvest(&session), 0);
	at = note(HARVEST, at);
	session_equal("stop", ioctl(session.fd, CPUPROBE_IOC_STOP), 0);
	at = note(STOP, at);
	close(session.fd);
	note(CLOSE, at);
}

/*
 * Kills a process that samples (KILL) or does not (KILL_PLAIN), and notes how long it takes to end
 * and close its session.
 */
static void take_kill(enum step step, unsigned int kind)
{
	int ready[2];
	double at;
	pid_t pid;
	char byte;

	session_equal("pipe", pipe(ready), 0);
	pid = fork();
	if (!pid) {
		struct session session;

		if (step == KILL) {
			session_open(&session);
			session.cpus = 1;
			session_equal("start", session_start(&session, kind, 1000000), 0);
		}
		session_equal("write", write(ready[1], "", 1), 1);
		for (;;)
			pause();
	}
	session_equal("read", read(ready[0], &byte, 1), 1);
	at = now_s();
	kill(pid, SIGKILL);
	session_equal("waitpid", waitpid(pid, NULL, 0), pid);
	note(step, at);
	close(ready[0]);
	close(ready[1]);
}

/* Nobody writes to standard input, so it is readable only once it has ended. */
static int input_ended(void)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&input, 1, 0) != 0;
}

static pid_t start_rounds(unsigned int rounds, int done)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	session_equal("sched_setaffinity", stay_on(0), 0);
	while (shared->rounds < rounds || !input_ended()) {
		take_round(shared->rounds % SESSION_KINDS_STILL);
		take_kill(KILL, shared->rounds % SESSION_KINDS_STILL);
		take_kill(KILL_PLAIN, 0);
		shared->rounds++;
	}
	session_equal("write", write(done, "", 1), 1);
	_exit(0);
}

/* Number of interrupts that other CPUs sent to CPU 1: calls, reschedules, flushes, irq_work. */
static unsigned long long interrupts_sent(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	unsigned long long at0, at1, sum = 0;
	char line[1024], name[8];

	while (fgets(line, sizeof(line), file))
		if (sscanf(line, " %7[A-Z]: %llu %llu", name, &at0, &at1) == 3 &&
		    strstr("CAL RES TLB IWI", name))
			sum += at1;
	fclose(file);
	return sum;
}

/* State of CPU 1's hotplug thread. R: work waits for the CPU; S: no work is queued. */
static char hotplug_thread_state(void)
{
	char state = '?', name[32];
	FILE *file;
	int pid;

	for (pid = 1; pid < 100 && state == '?'; pid++) {
		snprintf(name, sizeof(name), "/proc/%d/stat", pid);
		file = fopen(name, "r");
		if (!file)
			continue;
		if (fscanf(file, "%*d (%31[^)]) %c", name, &state) != 2 || strcmp(name, "cpuhp/1"))
			state = '?';
		fclose(file);
	}
	return state;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Prints and returns the median time of a step. */
static double median_s(enum step step)
{
	double *took_s = shared->took_s[step];
	unsigned int nr = shared->nr[step];

	qsort(took_s, nr, sizeof(*took_s), compare);
	printf("%-25s median %.6f s, longest %.6f s of %u\n", step_name[step], took_s[nr / 2],
	       took_s[nr - 1], nr);
	return took_s[nr / 2];
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? atoi(argv[1]) : 50, step, slow = 0;
	double most_s;
	unsigned long long before, sent;
	struct pollfd done;
	int ends[2];
	pid_t hog;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	session_equal("mmap", shared == MAP_FAILED, 0);
	session_equal("pipe", pipe(ends), 0);
	session_equal("sched_setaffinity", stay_on(0), 0);
	hog = start_hog();
	sleep(1);
	before = interrupts_sent();
	start_rounds(rounds, ends[1]);
	done = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	if (poll(&done, 1, GIVE_UP_MS) != 1) {
		printf("a step hangs: cpuhp/1 is in state %c\n", hotplug_thread_state());
		kill(hog, SIGKILL);
		return 1;
	}
	sent = interrupts_sent() - before;
	printf("cpuhp/1 is in state %c; %llu interrupts sent to CPU 1 in %u sessions\n",
	       hotplug_thread_state(), sent, 2 * shared->rounds);
	session_equal("cpuhp/1's state", hotplug_thread_state(), 'S');
	kill(hog, SIGKILL);
	most_s = MEDIAN_MAX_S + 2 * median_s(KILL_PLAIN);
	for (step = 0; step < KILL_PLAIN; step++)
		slow += median_s(step) > most_s;
	/* The kernel sends a few of its own, as after a large vunmap, but not in every session. */
	session_equal("interrupts at every session", sent > shared->rounds / 5, 0);
	return slow != 0;
}
