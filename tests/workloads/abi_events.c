// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi_events: tests sessions that sample events through the bare interface, by the software events that every
 * kernel has: refusals; page faults whose number, place and process are known; a storm; the end. Prints
 * each broken promise; exits with 1 then. Needs full access. "abi_events exact" tests cycles instead: in exact time, on a
 * processor that has counters.
 */
#pragma GCC optimize("no-omit-frame-pointer")
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "abi.h"
#include "count_down.h"
#include "page.h"
#include "session.h"

#define HARDWARE	1	/* PERF_TYPE_HARDWARE plus one */
#define PAGES		4096
#define PERIOD		16

static struct cpuprobe_start good_event(void)
{
	struct cpuprobe_start start = good_start();

	start.period_ns = CPUPROBE_PERIOD_MIN_NS;
	start.event_type = SESSION_SOFTWARE;
	start.event_config = SESSION_PAGE_FAULTS;
	start.event_period = 1;
	return start;
}

static void refusals(void)
{
	struct cpuprobe_start late = good_event();

	late.what = CPUPROBE_WHAT_LATE;
	refused(late, EINVAL, __LINE__);
	TAKES(good_event(), event_period, CPUPROBE_EVENTS_MAX);
	TAKES(good_event(), event_flags, CPUPROBE_EVENT_NO_USER);
	TAKES(good_event(), jitter, CPUPROBE_JITTER_NONE);
	REFUSES(good_event(), event_period, 0, EINVAL);
	REFUSES(good_event(), event_period, CPUPROBE_EVENTS_MAX + 1, EINVAL);
	REFUSES(good_event(), event_flags, 3, EINVAL);
	REFUSES(good_event(), event_config, 0, EINVAL);		/* cpu-clock */
	REFUSES(good_event(), event_config, 1, EINVAL);		/* task-clock */
	REFUSES(good_event(), event_config, 1000, ENOENT);
	REFUSES(good_event(), event_type, 3, EINVAL);		/* tracepoints */
	REFUSES(good_event(), event_type, 6, EINVAL);		/* breakpoints */
	REFUSES(good_event(), event_type, ~0u, ENOENT);
	REFUSES(good_event(), jitter, CPUPROBE_JITTER_POISSON, EINVAL);
	REFUSES(good_event(), flags, CPUPROBE_START_IDLE_SLEEP, EINVAL);
	REFUSES(good_start(), event_period, 1, EINVAL);
	REFUSES(good_start(), event_config, 1, EINVAL);
	REFUSES(good_start(), event_config1, 1, EINVAL);
	REFUSES(good_start(), event_flags, 1, EINVAL);
}

/* A function whose code lies within CODE bytes of its address, and no other's. */
#define CODE	256
#define APART	__attribute__((noinline, noclone, aligned(CODE)))

/* Write to @nr pages that are not in memory yet: each one is a page fault. */
static APART void touch_some(char *memory, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		((volatile char *)memory)[i * page_bytes] = 1;
}

static APART void touch_more(char *memory, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		((volatile char *)memory)[i * page_bytes] = 2;
}

static APART void work_six(void)
{
	COUNT_DOWN(60000);
}

static APART void work_three(void)
{
	COUNT_DOWN(30000);
}

static APART void work_one(void)
{
	COUNT_DOWN(10000);
}

/* The functions whose samples are counted apart. */
enum place { TOUCH_SOME, TOUCH_MORE, WORK_SIX, WORK_THREE, WORK_ONE, PLACES };

static enum place place_of(__u64 pc)
{
	const unsigned long function[PLACES] = {
		(unsigned long)touch_some, (unsigned long)touch_more, (unsigned long)work_six,
		(unsigned long)work_three, (unsigned long)work_one,
	};
	unsigned int i;

	for (i = 0; i < PLACES; i++)
		if (pc - function[i] < CODE)
			break;
	return i;
}

static APART char *fresh_pages(unsigned int nr)
{
	char *memory = mmap(NULL, nr * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	CHECK(memory != MAP_FAILED);
	madvise(memory, nr * page_bytes, MADV_NOHUGEPAGE);
	return memory;
}

static long my_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

/** Sums of a session that this program harvests. */
struct sums {
	__u64 hits;	/* of this process, in user mode */
	__u64 taken, missed, expected, events;
	__u64 enabled_ns, running_ns;
	__u64 in[PLACES + 1];	/* stacks, by place */
};

static void add_stacks(const struct cpuprobe_harvest *harvest, struct sums *sums)
{
	const struct cpuprobe_stack *stack;

	for_each_stack(stack, (const char *)(unsigned long)harvest->buffer, &harvest->account) {
		__u64 pc = stack->nr_user ? stack->frame[stack->nr_kernel] : 0;

		if ((int)stack->pid != getpid())
			continue;
		sums->hits += stack->hits;
		sums->in[place_of(pc)] += stack->hits;
	}
}

static void add_records(const struct cpuprobe_harvest *harvest, struct sums *sums)
{
	const struct cpuprobe_record *record = (const void *)(unsigned long)harvest->buffer;
	unsigned int i;

	for (i = 0; i < harvest->account.entries; i++)
		if (record[i].kind == CPUPROBE_KIND_PROCESS && (int)(record[i].id[0] >> 32) == getpid())
			sums->hits += record[i].hits[CPUPROBE_MODE_USER];
}

/* Stop, and take all counts. */
static struct sums end(int fd, bool is_stacks)
{
	static __u64 buffer[CPUPROBE_STACK_KIB * 512 / 8];
	struct sums sums = { 0 };
	int cpu, nr = session_cpus();

	CHECK(!ioctl(fd, CPUPROBE_IOC_STOP, 0));
	for (cpu = 0; cpu < nr; cpu++) {
		struct cpuprobe_harvest harvest = REQUEST(harvest, .cpu = cpu,
			.buffer = (unsigned long)buffer, .buffer_len = sizeof(buffer));

		CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest));
		CHECK(!(harvest.account.flags & (CPUPROBE_ACCOUNT_DAMAGED | CPUPROBE_ACCOUNT_UNCOUNTED)));
		CHECK(harvest.account.taken + harvest.account.missed == harvest.account.expected);
		CHECK(!harvest.account.pending);
		sums.taken += harvest.account.taken;
		sums.missed += harvest.account.missed;
		sums.expected += harvest.account.expected;
		sums.events += harvest.account.events;
		sums.enabled_ns += harvest.account.enabled_ns;
		sums.running_ns += harvest.account.running_ns;
		if (is_stacks)
			add_stacks(&harvest, &sums);
		else
			add_records(&harvest, &sums);
	}
	close(fd);
	return sums;
}

static int begin(struct cpuprobe_start start)
{
	int fd = device();

	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	return fd;
}

/* Each fault is a sample: a slow program misses none, and the kernel's own count of its faults agrees. */
static void every_fault(void)
{
	struct cpuprobe_start start = good_event();
	const unsigned int nr = 500;
	char *memory = fresh_pages(nr);
	struct sums sums;
	unsigned int i;
	long faults;
	int fd;

	start.by = CPUPROBE_BY_PID;
	fd = begin(start);
	faults = my_faults();
	for (i = 0; i < nr; i++) {
		touch_some(memory + i * page_bytes, 1);
		usleep(200);	/* below the claimed rate */
	}
	faults = my_faults() - faults;
	sums = end(fd, false);
	munmap(memory, nr * page_bytes);
	CHECK(faults >= nr);
	/* The last calls before the end may have faulted once or twice more. */
	CHECK(sums.hits >= (__u64)faults && sums.hits <= (__u64)faults + 8);
	CHECK(sums.expected == sums.events);
	CHECK(sums.enabled_ns && sums.running_ns == sums.enabled_ns);
}

/*
 * One in PERIOD faults, at random places in the period: as many as there are periods, to one at each end, and
 * by function in proportion.
 */
static void one_in_some(void)
{
	struct cpuprobe_start start = good_stacks();
	char *memory = fresh_pages(PAGES);
	__u64 some, more;
	struct sums sums;
	unsigned int i;
	cpu_set_t cpu;
	int fd;

	start.period_ns = CPUPROBE_PERIOD_MIN_NS;
	start.event_type = SESSION_SOFTWARE;
	start.event_config = SESSION_PAGE_FAULTS;
	start.event_period = PERIOD;
	start.seed = 5;
	start.pid = getpid();
	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	fd = begin(start);
	/* A loop in step with the period, which a fixed number of events between samples would follow. */
	for (i = 0; i + PERIOD <= PAGES; i += PERIOD) {
		touch_some(memory + i * page_bytes, PERIOD / 4);
		touch_more(memory + (i + PERIOD / 4) * page_bytes, PERIOD - PERIOD / 4);
		if (i % (64 * PERIOD) == 0)
			usleep(5000);
	}
	sums = end(fd, true);
	some = sums.in[TOUCH_SOME];
	more = sums.in[TOUCH_MORE];
	munmap(memory, PAGES * page_bytes);
	/* In a period that it shares with another program the sample may be of the other. */
	CHECK(sums.expected >= PAGES / PERIOD && sums.hits + sums.missed >= PAGES / PERIOD - 16);
	/* 1/4 of 256 samples are 64 +- 7: five times that happens once in a million runs. */
	CHECK(some + 35 >= (some + more) / 4 && some <= (some + more) / 4 + 35);
	CHECK(some + more >= sums.hits - sums.hits / 8);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/*
 * A session gets the burst that it may have and then the rate that it claims. All else is missed, not lost: some before
 * the next sample, after a rest, and some at the end.
 */
static void storm(void)
{
	struct cpuprobe_start start = good_event();
	char *memory = fresh_pages(2 * PAGES);
	double began = seconds();
	struct sums sums;
	int fd;

	start.period_ns = 10000000;
	start.by = CPUPROBE_BY_PID;
	fd = begin(start);
	touch_some(memory, PAGES);
	sleep(1);
	touch_some(memory + PAGES * page_bytes, PAGES);
	sums = end(fd, false);
	munmap(memory, 2 * PAGES * page_bytes);
	CHECK(sums.taken <= (__u64)session_cpus() * (66 + (seconds() - began) * 1e9 / start.period_ns));
	CHECK(sums.events >= 2 * PAGES && sums.taken + sums.missed == sums.expected);
}

/* The processor's own events, where it has counters. */
static void hardware(void)
{
	struct cpuprobe_start start = good_event();
	int fd = device();

	start.event_type = HARDWARE;
	start.event_config = 0;
	start.event_period = 1000003;
	if (ioctl(fd, CPUPROBE_IOC_START, &start)) {
		CHECK(errno == ENOENT || errno == EOPNOTSUPP || errno == ENODEV);
		CHECK(start.reason == CPUPROBE_REASON_EVENT);
		still_starts(fd, __LINE__);
		return;
	}
	usleep(300000);
	CHECK(end(fd, false).expected > 10);
}

static double square(double x)
{
	return x * x;
}

/*
 * Cycles in exact time: each instruction takes equally many. Functions of a loop have 60, 30 and 10% of its samples. By
 * chance chi-square with two degrees of freedom is above 20 once in 20,000 times.
 */
static void shares_of_cycles(__u64 seed)
{
	struct cpuprobe_start start = good_stacks();
	struct sums sums;
	double all, six, three, one;
	unsigned int i;
	int fd;

	start.period_ns = CPUPROBE_PERIOD_MIN_NS;
	start.event_type = HARDWARE;
	start.event_config = 0;		/* PERF_COUNT_HW_CPU_CYCLES */
	start.event_period = 100003;
	start.seed = seed;
	start.pid = getpid();
	fd = begin(start);
	for (i = 0; i < 100; i++) {
		work_six();
		work_three();
		work_one();
	}
	sums = end(fd, true);
	six = sums.in[WORK_SIX];
	three = sums.in[WORK_THREE];
	one = sums.in[WORK_ONE];
	all = six + three + one;
	/* At 8 cycles for each of 20 million instructions. */
	CHECK(all > 1500 && sums.missed < sums.expected / 50);
	CHECK(all >= sums.hits - sums.hits / 50.0);
	CHECK(square(six - 0.6 * all) / (0.6 * all) + square(three - 0.3 * all) / (0.3 * all) +
	      square(one - 0.1 * all) / (0.1 * all) < 20);
}

static int test_exact(void)
{
	__u64 seed;

	for (seed = 1; seed <= 5; seed++)
		shares_of_cycles(seed);
	return nr_wrong != 0;
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc == 2 && !strcmp(argv[1], "exact"))
		return test_exact();
	refusals();
	every_fault();
	one_in_some();
	storm();
	hardware();
	/* Sessions that are closed while they count. */
	for (i = 0; i < 50; i++) {
		close(begin(good_event()));
		close(begin(WITH(good_event(), what, CPUPROBE_WHAT_SYSTEM)));
	}
	return nr_wrong != 0;
}
