// SPDX-License-Identifier: GPL-2.0-only
/*
 * toll: measures how much sampling slows work down, at the highest rate that the limits admit. For
 * each kind of session it times a fixed amount of work, in the program and in the kernel
 * (abyss.ko), with and without sampling; the work is called through more functions than a stack has
 * frames. The slowdown must not exceed the limit, and the larger one must reach LEAST of it.
 * `toll work SECONDS` only works in the program.
 */
#include "session.h"

#define DEPTH		70
#define PLAIN_S		0.5
#define LEAST		0.6
#define LOOPS_FILE	"/sys/module/abyss/parameters/loops"

static const struct kind {
	const char *name;
	__u32 what, by, frames, mode;
	enum cpuprobe_cost cost;
} kinds[] = {
	{ "system", CPUPROBE_WHAT_SYSTEM, 0, 0, 0, CPUPROBE_COST_SYSTEM },
	{ "by pid", CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_PID, 0, 0, CPUPROBE_COST_BY },
	{ "by thread", CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_THREAD, 0, 0, CPUPROBE_COST_BY },
	{ "by comm", CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_COMM, 0, 0, CPUPROBE_COST_BY },
	{ "by cgroup", CPUPROBE_WHAT_SYSTEM, CPUPROBE_BY_CGROUP, 0, 0, CPUPROBE_COST_BY },
	{ "process, user", CPUPROBE_WHAT_PROCESS, 0, 0, CPUPROBE_MODE_USER,
	  CPUPROBE_COST_PROCESS },
	{ "process, kernel", CPUPROBE_WHAT_PROCESS, 0, 0, CPUPROBE_MODE_KERNEL,
	  CPUPROBE_COST_PROCESS },
	{ "late", CPUPROBE_WHAT_LATE, 0, 0, 0, CPUPROBE_COST_LATE },
	{ "stacks, user", CPUPROBE_WHAT_STACKS, 0, CPUPROBE_FRAMES_USER, 0,
	  CPUPROBE_COST_STACKS },
	{ "stacks, kernel", CPUPROBE_WHAT_STACKS, 0, CPUPROBE_FRAMES_KERNEL, 0,
	  CPUPROBE_COST_STACKS + 1 },
	{ "stacks, both", CPUPROBE_WHAT_STACKS, 0, CPUPROBE_FRAMES_USER | CPUPROBE_FRAMES_KERNEL,
	  0, CPUPROBE_COST_STACKS + 2 },
};

static void work_in_program(unsigned long loops)
{
	while (loops--)
		__asm__ volatile("" ::: "memory");
}

static void work_for(unsigned long ms)
{
	double end = now_s() + ms / 1e3;

	while (now_s() < end)
		work_in_program(1000000);
}

static void work_in_kernel(unsigned long loops)
{
	FILE *file = fopen(LOOPS_FILE, "w");

	session_equal("open " LOOPS_FILE, file != NULL, 1);
	fprintf(file, "%lu", loops);
	session_equal("write " LOOPS_FILE, fclose(file), 0);
}

static void descend(unsigned int depth, void (*work)(unsigned long loops), unsigned long loops)
{
	if (depth)
		descend(depth - 1, work, loops);
	else
		work(loops);
	__asm__ volatile("");
}

static double seconds_of(void (*work)(unsigned long loops), unsigned long loops)
{
	double began = now_s();

	descend(DEPTH, work, loops);
	return now_s() - began;
}

static int start(const struct kind *kind, __u64 period_ns)
{
	static const __u64 cpu0 = 1;
	int exe = kind->mode == CPUPROBE_MODE_USER ? open("/proc/self/exe", O_RDONLY | O_CLOEXEC) : -1;
	int fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC);
	struct cpuprobe_start start = START(.what = kind->what, .by = kind->by,
		.frames = kind->frames, .mode = kind->mode, .period_ns = period_ns,
		.cpus = (unsigned long)&cpu0, .cpus_len = sizeof(cpu0));

	start.exe_fd = exe;
	if (kind->what == CPUPROBE_WHAT_PROCESS) {
		start.pid = getpid();
		start.high = ~0ULL;
	}
	if (ioctl(fd, CPUPROBE_IOC_START, &start)) {
		close(fd);
		fd = -1;
	}
	close(exe);
	return fd;
}

/* Shortest period that is admitted; START must refuse the next higher rate in Hz. */
static __u64 shortest_period_ns(const struct kind *kind, const struct cpuprobe_info *info)
{
	__u64 cost_ns = info->sample_cost_ns[kind->cost];
	__u64 hz = info->overhead_limit_ppm * 1000ULL / cost_ns;
	__u64 period_ns = 1000000000 / hz + !!(1000000000 % hz);
	int fd = start(kind, 1000000000 / (hz + 1));

	session_equal("above the limit", fd, -1);
	session_equal("a limit below that of periods", period_ns > CPUPROBE_PERIOD_MIN_NS, 1);
	return period_ns;
}

/* Slowdown of the work by sampling, as a fraction of the limit. */
static double share_of_limit(const struct kind *kind, const struct cpuprobe_info *info,
			     void (*work)(unsigned long loops), unsigned long loops)
{
	double plain_s = seconds_of(work, loops), sampled_s;
	int fd = start(kind, shortest_period_ns(kind, info));

	session_equal("start", fd >= 0, 1);
	sampled_s = seconds_of(work, loops);
	close(fd);
	return (sampled_s - plain_s) / sampled_s * 1e6 / info->overhead_limit_ppm;
}

static unsigned long loops_of(void (*work)(unsigned long loops))
{
	unsigned long few = 10000000;

	return PLAIN_S / seconds_of(work, few) * few;
}

int main(int argc, char **argv)
{
	struct cpuprobe_info info = { .size = sizeof(info) };
	int fd = open("/dev/cpuprobe", O_RDWR | O_CLOEXEC), bad = 0;
	unsigned long in_program, in_kernel;
	size_t i;

	if (argc == 3) {
		descend(DEPTH, work_for, atof(argv[2]) * 1e3);
		return 0;
	}
	in_program = loops_of(work_in_program);
	session_equal("INFO", ioctl(fd, CPUPROBE_IOC_INFO, &info), 0);
	in_kernel = loops_of(work_in_kernel);
	printf("an interrupt takes %u ns; of the limit, working in the program and the kernel:\n",
	       info.cost_ns);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		double program = share_of_limit(&kinds[i], &info, work_in_program, in_program);
		double kernel = share_of_limit(&kinds[i], &info, work_in_kernel, in_kernel);
		double most = program > kernel ? program : kernel;

		printf("%-16s %6u ns a sample: %.3f, %.3f\n", kinds[i].name,
		       info.sample_cost_ns[kinds[i].cost], program, kernel);
		bad += most < LEAST || most > 1;
	}
	return bad != 0;
}
