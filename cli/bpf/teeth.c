// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events that run a BPF program: see teeth.h. A lock protects all stretches. The instant at which
 * the kernel starts an event lies between two readings of the clock: the later one begins a stretch,
 * the earlier one ends it, so that no sample is expected that could not come.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_limit.h"
#include "base/worker.h"
#include "bpf/comb.h"
#include "bpf/counts.h"
#include "bpf/teeth.h"

#define CHECK_NS	100000000ULL	/* least uptime that is judged */
#define CLOCKS_NS	20000000ULL	/* by how much two clocks of a CPU may differ then */

/** The mean of some instants. */
struct mean {
	u64 first_ns;		/* the sum is of the times since then */
	u64 sum_ns;
	u64 nr;
};

struct tooth {
	int fd;			/* -1: none, the CPU is offline */
	struct comb_stretch stretch;
	u64 draw_ns;		/* when the next period is drawn */
};

struct teeth_cpu {
	struct comb comb;
	u32 cpu;
	int program_fd;
	u64 whole;		/* periods of completed stretches */
	u64 checked_whole;	/* all periods, when the CPU was last known to be online */
	u64 checked_ns;
	u64 checked_count;	/* running time of its first event then */
	struct tooth tooth[COMB_TEETH];
};

struct teeth {
	struct teeth_spec spec;
	unsigned int nr_teeth;	/* of each CPU */
	struct teeth_cpu *cpus;
	size_t nr_cpus;
	u64 began_ns;
	struct worker worker;	/* draws periods */
};

static void mean_add(struct mean *mean, u64 instant_ns)
{
	if (!mean->nr++)
		mean->first_ns = instant_ns;
	mean->sum_ns += instant_ns - mean->first_ns;
}

static u64 mean_of(const struct mean *mean)
{
	return mean->nr ? mean->first_ns + mean->sum_ns / mean->nr : clock_ns();
}

/* Opens a tooth's event. -ENODEV: the CPU is offline. */
static int open_tooth(const struct teeth_cpu *cpu, struct tooth *tooth)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = tooth->stretch.period_ns, .disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu->cpu, -1, PERF_FLAG_FD_CLOEXEC), error;

	if (fd < 0)
		return -errno;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, cpu->program_fd) ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		error = -errno;
		close(fd);
		return error;
	}
	tooth->fd = fd;
	return 0;
}

/* Starts a tooth. Its first sample comes after a whole period: teeth have different ones. */
static int start_tooth(struct teeth *teeth, struct teeth_cpu *cpu, unsigned int at)
{
	struct tooth *tooth = &cpu->tooth[at];
	u64 period_ns = teeth->spec.is_fixed ? teeth->spec.period_ns :
		comb_draw_period(&cpu->comb, at);
	int error;

	/* The kernel's shortest period. */
	tooth->stretch.period_ns = period_ns < 10000 ? 10000 : period_ns;
	error = open_tooth(cpu, tooth);
	tooth->stretch.began_ns = clock_ns();
	if (!at) {
		cpu->checked_ns = tooth->stretch.began_ns;
		cpu->checked_count = 0;
		cpu->checked_whole = cpu->whole;
	}
	tooth->draw_ns = error ? tooth->stretch.began_ns + cpu->comb.gap_ns :
		teeth->spec.is_fixed ? UINT64_MAX : tooth->stretch.began_ns + comb_draw_gap(&cpu->comb);
	return error;
}

static u64 sum_whole(const struct teeth *teeth, const struct teeth_cpu *cpu, u64 now)
{
	u64 sum = cpu->whole;
	unsigned int i;

	for (i = 0; i < teeth->nr_teeth; i++)
		if (cpu->tooth[i].fd >= 0)
			sum += comb_whole(&cpu->tooth[i].stretch, now);
	return sum;
}

/* Draws a new period for a tooth, or starts it if its CPU was offline. */
static void draw_tooth(struct teeth *teeth, struct teeth_cpu *cpu, unsigned int at)
{
	struct tooth *tooth = &cpu->tooth[at];
	u64 period_ns = comb_draw_period(&cpu->comb, at), before;

	if (tooth->fd < 0) {
		start_tooth(teeth, cpu, at);
		return;
	}
	before = clock_ns();
	if (!ioctl(tooth->fd, PERF_EVENT_IOC_PERIOD, &period_ns)) {
		cpu->whole += comb_whole(&tooth->stretch, before);
		tooth->stretch = (struct comb_stretch){ clock_ns(), period_ns };
	}
	tooth->draw_ns = before + comb_draw_gap(&cpu->comb);
}

/* Draws what is due; returns when the next draw is due. */
static u64 draw_due(struct teeth *teeth)
{
	const u64 now = clock_ns();
	u64 next = now + teeth->spec.look_ns;
	unsigned int i;
	size_t at;

	for (at = 0; at < teeth->nr_cpus; at++)
		for (i = 0; i < teeth->nr_teeth; i++) {
			struct tooth *tooth = &teeth->cpus[at].tooth[i];

			if (tooth->draw_ns <= now)
				draw_tooth(teeth, &teeth->cpus[at], i);
			if (tooth->draw_ns < next)
				next = tooth->draw_ns;
		}
	return next;
}

static u64 work(void *context)
{
	struct teeth *teeth = context;
	const u64 next = draw_due(teeth), one = 1;

	if (teeth->spec.is_due(teeth->spec.context))
		(void)!write(teeth->spec.wake_fd, &one, sizeof(one));
	return next;
}

/* Descriptors for all CPUs: those of their programs are open already. */
static size_t count_files(const struct teeth *teeth)
{
	return teeth->nr_cpus * (teeth->nr_teeth + COUNTS_FILES);
}

static void explain_open(const struct teeth *teeth, int error, struct text_error *error_ret)
{
	text_fail(error_ret, 0, "open an event of the clock: %s",
		  error == -EPERM || error == -EACCES ? "not allowed" : strerror(-error));
	if (error == -EMFILE)
		text_hint(error_ret, "%zu descriptors are needed: raise the limit (ulimit -n), or "
			  "choose fewer CPUs (-cpu)", count_files(teeth) + FILE_LIMIT_SPARE);
	else if (error == -EPERM || error == -EACCES)
		text_hint(error_ret, "run as root, or with CAP_BPF and CAP_PERFMON; "
			  "'probe doctor' names what is missing");
}

static int start_events(struct teeth *teeth, struct text_error *error_ret)
{
	struct mean began = { .nr = 0 };
	unsigned int i;
	size_t at;
	int error = 0;

	for (at = 0; at < teeth->nr_cpus; at++) {
		struct teeth_cpu *cpu = &teeth->cpus[at];

		for (i = 0; i < teeth->nr_teeth; i++) {
			error = start_tooth(teeth, cpu, i);
			if (error && error != -ENODEV) {
				explain_open(teeth, error, error_ret);
				return error;
			}
			if (!error)
				mean_add(&began, cpu->tooth[i].stretch.began_ns);
		}
	}
	teeth->began_ns = mean_of(&began);
	return began.nr ? 0 :
		text_fail(error_ret, -ENODEV, "start sampling: no chosen CPU is online");
}

static int start_thread(struct teeth *teeth, struct text_error *error_ret)
{
	int error = worker_start(&teeth->worker, work, teeth);

	return error ? text_fail(error_ret, error, "start a thread for the clock: %s", strerror(-error)) : 0;
}

static struct teeth *create_teeth(const struct teeth_spec *spec)
{
	struct teeth *teeth = calloc(1, sizeof(*teeth));
	unsigned int i;
	size_t at;

	if (!teeth)
		return NULL;
	worker_init(&teeth->worker);
	teeth->spec = *spec;
	teeth->nr_teeth = spec->is_fixed ? 1 : COMB_TEETH;
	teeth->cpus = calloc(spec->nr_cpus, sizeof(*teeth->cpus));
	teeth->nr_cpus = teeth->cpus ? spec->nr_cpus : 0;
	for (at = 0; at < teeth->nr_cpus; at++) {
		teeth->cpus[at].cpu = spec->cpus[at];
		teeth->cpus[at].program_fd = spec->program_fds[at];
		comb_init(&teeth->cpus[at].comb, spec->seed + spec->cpus[at], spec->period_ns);
		for (i = 0; i < COMB_TEETH; i++)
			teeth->cpus[at].tooth[i].fd = -1;
	}
	return teeth;
}

struct teeth *teeth_start(const struct teeth_spec *spec, struct text_error *error_ret)
{
	struct teeth *teeth = create_teeth(spec);

	if (!teeth || !teeth->cpus) {
		text_fail(error_ret, 0, "start sampling: out of memory");
		teeth_destroy(teeth);
		return NULL;
	}
	file_limit_raise(count_files(teeth));
	if (start_events(teeth, error_ret) || start_thread(teeth, error_ret)) {
		teeth_destroy(teeth);
		return NULL;
	}
	return teeth;
}

u64 teeth_expected(struct teeth *teeth, size_t at, bool *is_online_ret)
{
	const struct teeth_cpu *cpu = &teeth->cpus[at];
	u64 sum;

	worker_lock(&teeth->worker);
	sum = sum_whole(teeth, cpu, clock_ns());
	*is_online_ret = cpu->tooth[0].fd >= 0;
	worker_unlock(&teeth->worker);
	return sum;
}

/* Ends the events of a CPU that went offline after @ran_ns of running since it was last known to be online. */
static void end_cpu(struct teeth *teeth, struct teeth_cpu *cpu, u64 ran_ns, u64 now)
{
	const u64 periods = ran_ns / teeth->spec.period_ns;
	unsigned int i;

	for (i = 0; i < teeth->nr_teeth; i++) {
		close(cpu->tooth[i].fd);
		cpu->tooth[i].fd = -1;
		/* Tries to begin again. */
		cpu->tooth[i].draw_ns = now;
	}
	/* Draws since then took the stretches for running. Each tooth may have been in a period. */
	cpu->whole = cpu->checked_whole + (periods > teeth->nr_teeth ? periods - teeth->nr_teeth : 0);
}

/* The clock of an event stops for good when its CPU goes offline. No sample is expected from then on. */
static void check_cpu(struct teeth *teeth, struct teeth_cpu *cpu)
{
	const u64 now = clock_ns(), elapsed = now - cpu->checked_ns;
	u64 count;

	if (cpu->tooth[0].fd < 0 || elapsed < CHECK_NS)
		return;
	if (read(cpu->tooth[0].fd, &count, sizeof(count)) != sizeof(count))
		count = cpu->checked_count;
	if (count - cpu->checked_count + CLOCKS_NS < elapsed)
		end_cpu(teeth, cpu, count - cpu->checked_count, now);
	else
		cpu->checked_whole = sum_whole(teeth, cpu, now);
	/* After the count was read: until the next reading it runs at least as long as the time from now on. */
	cpu->checked_ns = clock_ns();
	cpu->checked_count = count;
}

void teeth_check(struct teeth *teeth)
{
	size_t at;

	worker_lock(&teeth->worker);
	for (at = 0; at < teeth->nr_cpus; at++)
		check_cpu(teeth, &teeth->cpus[at]);
	worker_unlock(&teeth->worker);
}

u64 teeth_began(const struct teeth *teeth)
{
	return teeth->began_ns;
}

u64 teeth_stop(struct teeth *teeth)
{
	struct mean ended = { .nr = 0 };
	unsigned int i;
	size_t at;

	worker_end(&teeth->worker);
	for (at = 0; at < teeth->nr_cpus; at++)
		for (i = 0; i < teeth->nr_teeth; i++) {
			struct tooth *tooth = &teeth->cpus[at].tooth[i];
			const u64 now = clock_ns();

			if (tooth->fd < 0)
				continue;
			mean_add(&ended, now);
			teeth->cpus[at].whole += comb_whole(&tooth->stretch, now);
			close(tooth->fd);
			tooth->fd = -1;
		}
	return mean_of(&ended);
}

void teeth_destroy(struct teeth *teeth)
{
	if (!teeth)
		return;
	teeth_stop(teeth);
	worker_deinit(&teeth->worker);
	free(teeth->cpus);
	free(teeth);
}
