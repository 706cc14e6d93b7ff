// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions of events that begin while CPU 1 comes or goes: later its events are counted, and an account says that some may
 * not have been. Prints each broken promise; exits with 1 then.
 * - halfway up|down: the module doorway holds CPU 1 while the session begins. With an event of the processor: software
 *   events cannot begin then, since the kernel waits until CPU 1 is there.
 * - halfway back: CPU 1 goes and comes back just before the end.
 * - halfway race TIMES: CPU 1 goes and comes while sessions of page faults, which want much memory, begin.
 * - halfway refused TYPE CONFIG NAME: an event that the module refuses is asked for on CPU 1, which is offline. Then CPU 1
 *   comes, and nothing may be counted there. NAME: a function of the kernel, if the type is kprobe; else "".
 */
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "abi.h"
#include "count_down.h"
#include "page.h"
#include "session.h"

#define PAGES	50
#define LARGE_KIB 32768	/* so much memory for CPU 2 takes a while, in which CPU 1 goes */
#define HARDWARE	1	/* PERF_TYPE_HARDWARE plus one */
#define CYCLES	0	/* PERF_COUNT_HW_CPU_CYCLES */
#define PERIOD	100003

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static void set_online(const char *state)
{
	write_text("/sys/devices/system/cpu/cpu1/online", state);
}

static void set_shut(const char *state)
{
	write_text("/sys/module/doorway/parameters/is_shut", state);
}

static bool is_occupied(void)
{
	char state = 'N';
	int fd = open("/sys/module/doorway/parameters/is_occupied", O_RDONLY);

	CHECK(read(fd, &state, 1) == 1);
	close(fd);
	return state == 'Y';
}

/* Let CPU 1 come or go as far as the doorway. */
static pid_t send_halfway(const char *state)
{
	pid_t pid;

	set_shut("1");
	pid = fork();
	if (!pid) {
		nr_wrong = 0;
		set_online(state);
		_exit(nr_wrong);
	}
	while (!is_occupied())
		usleep(10000);
	return pid;
}

static void send_on(pid_t pid)
{
	int status;

	set_shut("0");
	CHECK(waitpid(pid, &status, 0) == pid && !status);
}

static long my_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

static void run_on_1(void)
{
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(1, &cpu);
	CHECK(!sched_setaffinity(0, sizeof(cpu), &cpu));
}

static void run_anywhere(void)
{
	cpu_set_t cpus;

	memset(&cpus, 255, sizeof(cpus));
	CHECK(!sched_setaffinity(0, sizeof(cpus), &cpus));
}

/* Fault on CPU 1, below the claimed rate. Returns how often. */
static long fault(void)
{
	char *memory = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;
	long faults;

	CHECK(memory != MAP_FAILED);
	madvise(memory, PAGES * page_bytes, MADV_NOHUGEPAGE);
	run_on_1();
	faults = my_faults();
	for (i = 0; i < PAGES; i++) {
		((volatile char *)memory)[i * page_bytes] = 1;
		usleep(200);
	}
	faults = my_faults() - faults;
	munmap(memory, PAGES * page_bytes);
	run_anywhere();
	return faults;
}

/** CPU 1 of a session. */
struct half {
	int fd;
	__u64 ack, events, taken, missed, expected;
	bool is_uncounted;	/* some account says so */
};

static void harvest(struct half *half)
{
	static __u64 buffer[LARGE_KIB * 512 / 8];
	struct cpuprobe_harvest harvest = REQUEST(harvest, .cpu = 1, .buffer = (unsigned long)buffer,
		.buffer_len = sizeof(buffer), .ack = half->ack);

	CHECK(!ioctl(half->fd, CPUPROBE_IOC_HARVEST, &harvest));
	half->is_uncounted |= !!(harvest.account.flags & CPUPROBE_ACCOUNT_UNCOUNTED);
	if (harvest.account.seq == half->ack)
		return;
	half->ack = harvest.account.seq;
	half->events += harvest.account.events;
	half->taken += harvest.account.taken;
	half->missed += harvest.account.missed;
	half->expected += harvest.account.expected;
}

static struct cpuprobe_start faults_of(const __u64 *cpus)
{
	struct cpuprobe_start start = good_start();

	start.period_ns = CPUPROBE_PERIOD_MIN_NS;
	start.cpus = (unsigned long)cpus;
	start.cpus_len = cpus ? sizeof(*cpus) : 0;
	start.event_type = SESSION_SOFTWARE;
	start.event_config = SESSION_PAGE_FAULTS;
	start.event_period = 1;
	return start;
}

static void end(struct half *half)
{
	CHECK(!ioctl(half->fd, CPUPROBE_IOC_STOP, 0));
	harvest(half);
	CHECK(half->taken + half->missed == half->expected);
	close(half->fd);
}

static void compute_on_1(void)
{
	unsigned int i;

	run_on_1();
	for (i = 0; i < 10; i++)
		COUNT_DOWN(1000000);
}

static int start_halfway(bool is_up)
{
	struct cpuprobe_start start = faults_of(NULL);
	struct half half = { .fd = device() };
	__u64 before;
	pid_t pid;

	start.event_type = HARDWARE;
	start.event_config = CYCLES;
	start.event_period = PERIOD;
	if (is_up)
		set_online("0");
	pid = send_halfway(is_up ? "1" : "0");
	CHECK(!ioctl(half.fd, CPUPROBE_IOC_START, &start));
	harvest(&half);
	send_on(pid);
	if (!is_up)
		set_online("1");
	harvest(&half);
	before = half.events;
	compute_on_1();
	harvest(&half);
	CHECK(half.events > before + 10000000);
	CHECK(half.is_uncounted);
	end(&half);
	return nr_wrong != 0;
}

/* Take CPU 1 offline and online in a while. */
static pid_t send_away(unsigned int us)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	nr_wrong = 0;
	usleep(us);
	set_online("0");
	set_online("1");
	_exit(nr_wrong);
}

static int start_in_a_race(unsigned int times)
{
	const __u64 two = 6;
	struct cpuprobe_start faults = faults_of(&two);
	unsigned int i, nr_uncounted = 0;
	int status;

	faults.what = CPUPROBE_WHAT_STACKS;
	faults.frames = CPUPROBE_FRAMES_USER;
	faults.stack_kib = LARGE_KIB;
	for (i = 0; i < times; i++) {
		struct cpuprobe_start start = faults;
		struct half half = { .fd = device() };
		pid_t pid = send_away(i % 20 * 2000);
		__u64 before;
		long nr;

		CHECK(!ioctl(half.fd, CPUPROBE_IOC_START, &start));
		CHECK(waitpid(pid, &status, 0) == pid && !status);
		harvest(&half);
		before = half.events;
		nr = fault();
		harvest(&half);
		CHECK(nr >= PAGES && half.events >= before + nr);
		nr_uncounted += half.is_uncounted;
		end(&half);
	}
	fprintf(stderr, "%u of %u sessions say that they lost CPU 1\n", nr_uncounted, i);
	return nr_wrong != 0;
}

/* CPU 1 comes back just before the end: nobody has looked, and no other counter was made. */
static int stop_after_return(void)
{
	struct cpuprobe_start start = faults_of(NULL);
	struct half half = { .fd = device() };

	CHECK(!ioctl(half.fd, CPUPROBE_IOC_START, &start));
	fault();
	harvest(&half);
	CHECK(!half.is_uncounted);
	set_online("0");
	set_online("1");
	fault();
	end(&half);
	CHECK(half.is_uncounted);
	return nr_wrong != 0;
}

static int start_refused(char **argument)
{
	const __u64 one = 2;
	struct cpuprobe_start start = faults_of(&one);
	struct half half = { .fd = device() };

	start.event_type = atoi(argument[0]) + 1;
	start.event_config = atoi(argument[1]);
	start.event_config1 = argument[2][0] ? (unsigned long)argument[2] : 0;
	start.event_period = 1000;
	set_online("0");
	if (!ioctl(half.fd, CPUPROBE_IOC_START, &start)) {
		set_online("1");
		harvest(&half);
		fault();
		end(&half);
		CHECK(!half.events && half.is_uncounted);
		return nr_wrong != 0;
	}
	CHECK(start.reason == CPUPROBE_REASON_EVENT);
	set_online("1");
	return nr_wrong != 0;
}

int main(int argc, char **argv)
{
	if (argc == 5)
		return start_refused(argv + 2);
	if (argc == 3)
		return start_in_a_race(atoi(argv[2]));
	if (!strcmp(argv[1], "back"))
		return stop_after_return();
	return start_halfway(!strcmp(argv[1], "up"));
}
