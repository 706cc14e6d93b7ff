// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters that run a BPF program: see counters.h. A new period gets a new counter, since the kernel
 * takes a sample at once when a period of its own events is changed. Counting ends with the old one
 * before it begins with the new one, so that no event counts twice. A lock protects all counters.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file_limit.h"
#include "base/worker.h"
#include "bpf/comb.h"
#include "bpf/counters.h"
#include "bpf/counts.h"
#include "cpuprobe.h"

#define LOOK_NS		100000000ULL	/* between two looks at all counters */
#define CLOCKS_NS	20000000ULL	/* by how much two clocks of a CPU may differ */

struct counter {
	int fd;			/* -1: none, the CPU is offline */
	u64 period;
	u64 stay;		/* events after which a new period is drawn */
	u64 began_ns;
};

/** Answer of the kernel to a read. */
struct reading {
	u64 events;
	u64 enabled_ns;
	u64 running_ns;
};

struct counters_cpu {
	struct comb comb;
	u32 cpu;
	int program_fd;
	struct counters_sums ended;	/* of counters that are closed */
	u64 retry_ns;			/* of a CPU that is offline */
	struct counter counter[COMB_TEETH];
};

struct counters {
	struct counters_spec spec;
	unsigned int nr_each;	/* counters of each CPU */
	struct counters_cpu *cpus;
	size_t nr_cpus;
	unsigned int nr_looks;
	struct worker worker;	/* draws periods */
};

static int open_counter(const struct counters *counters, const struct counters_cpu *cpu,
			struct counter *counter)
{
	const struct event *event = &counters->spec.event;
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = event->type, .config = event->config, .config1 = event->config1,
		.sample_period = counter->period, .disabled = 1,
		.exclude_user = !!(event->flags & CPUPROBE_EVENT_NO_USER),
		.exclude_kernel = !!(event->flags & CPUPROBE_EVENT_NO_KERNEL),
		.exclude_hv = !!(event->flags & CPUPROBE_EVENT_NO_KERNEL),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	int error;

	counter->fd = syscall(SYS_perf_event_open, &attr, -1, cpu->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (counter->fd < 0)
		return -errno;
	if (!ioctl(counter->fd, PERF_EVENT_IOC_SET_BPF, cpu->program_fd))
		return 0;
	error = -errno;
	close(counter->fd);
	counter->fd = -1;
	return error;
}

/* Adds a reading to sums; the first counter of a CPU tells its events and times. */
static void add_reading(struct counters_sums *sums, const struct counter *counter, bool is_first,
			const struct reading *reading)
{
	sums->expected += reading->events / counter->period;
	if (!is_first)
		return;
	sums->events += reading->events;
	sums->enabled_ns += reading->enabled_ns;
	sums->running_ns += reading->running_ns;
}

static struct reading read_counter(const struct counter *counter)
{
	struct reading reading = { .events = 0 };

	if (read(counter->fd, &reading, sizeof(reading)) != sizeof(reading))
		reading = (struct reading){ .events = 0 };
	return reading;
}

/* Ends a counter and keeps its sums. */
static void end_counter(struct counters_cpu *cpu, unsigned int at)
{
	struct counter *counter = &cpu->counter[at];
	struct reading reading;

	if (counter->fd < 0)
		return;
	ioctl(counter->fd, PERF_EVENT_IOC_DISABLE, 0);
	reading = read_counter(counter);
	add_reading(&cpu->ended, counter, !at, &reading);
	close(counter->fd);
	counter->fd = -1;
}

/* Begins a counter with a new period, after the one that was there. -ENODEV: the CPU is offline. */
static int begin_counter(struct counters *counters, struct counters_cpu *cpu, unsigned int at)
{
	const bool is_fixed = counters->spec.is_fixed;
	struct counter next = {
		.period = is_fixed ? counters->spec.event.period : comb_draw_count(&cpu->comb, at),
	};
	int error;

	next.stay = is_fixed ? UINT64_MAX : comb_draw_stay(&cpu->comb);
	error = open_counter(counters, cpu, &next);
	if (error)
		return error;
	end_counter(cpu, at);
	next.began_ns = clock_ns();
	if (ioctl(next.fd, PERF_EVENT_IOC_ENABLE, 0)) {
		error = -errno;
		close(next.fd);
		return error;
	}
	cpu->counter[at] = next;
	return 0;
}

static bool is_online(const struct counters_cpu *cpu)
{
	return cpu->counter[0].fd >= 0;
}

/* The clock of a counter stops for good when its CPU goes offline. */
static bool has_stopped(const struct counter *counter)
{
	const u64 elapsed = clock_ns() - counter->began_ns;
	const struct reading reading = read_counter(counter);

	return elapsed > LOOK_NS && reading.enabled_ns + CLOCKS_NS < elapsed;
}

static void end_cpu(struct counters *counters, struct counters_cpu *cpu)
{
	unsigned int i;

	for (i = 0; i < counters->nr_each; i++)
		end_counter(cpu, i);
	cpu->retry_ns = clock_ns() + LOOK_NS;
}

/* All counters of a CPU, or none. */
static int begin_cpu(struct counters *counters, struct counters_cpu *cpu)
{
	unsigned int i;
	int error = 0;

	for (i = 0; !error && i < counters->nr_each; i++)
		error = begin_counter(counters, cpu, i);
	if (error)
		end_cpu(counters, cpu);
	return error;
}

/* Looks at one of the CPU's counters, in turn. */
static void look_at_cpu(struct counters *counters, struct counters_cpu *cpu)
{
	const unsigned int at = counters->nr_looks % counters->nr_each;

	if (!is_online(cpu)) {
		if (clock_ns() >= cpu->retry_ns)
			begin_cpu(counters, cpu);
		return;
	}
	if (has_stopped(&cpu->counter[0])) {
		end_cpu(counters, cpu);
		return;
	}
	/*
	 * A look interrupts the CPU. If a new counter cannot be had, the old one counts on. One that ended and
	 * whose next did not begin is tried again.
	 */
	if (cpu->counter[at].fd < 0 || read_counter(&cpu->counter[at]).events >= cpu->counter[at].stay)
		begin_counter(counters, cpu, at);
}

static u64 work(void *context)
{
	struct counters *counters = context;
	const u64 one = 1;
	size_t at;

	for (at = 0; at < counters->nr_cpus; at++)
		look_at_cpu(counters, &counters->cpus[at]);
	counters->nr_looks++;
	if (counters->spec.is_due(counters->spec.context))
		(void)!write(counters->spec.wake_fd, &one, sizeof(one));
	return clock_ns() + LOOK_NS;
}

/* Descriptors for all CPUs: those of their programs are open already. One more while a period is drawn. */
static size_t count_files(const struct counters *counters)
{
	return counters->nr_cpus * (counters->nr_each + COUNTS_FILES) + 1;
}

static void explain_open(const struct counters *counters, int error, struct text_error *error_ret)
{
	text_fail(error_ret, 0, "sample this event: %s",
		  error == -EPERM || error == -EACCES ? "not allowed" :
		  error == -ENOENT || error == -ENODEV || error == -EOPNOTSUPP || error == -EINVAL ?
		  "this machine does not have it, or can only count it" :
		  error == -EBUSY ? "all counters are in use" : strerror(-error));
	if (error == -EMFILE)
		text_hint(error_ret, "%zu descriptors are needed: raise the limit (ulimit -n), or "
			  "choose fewer CPUs (-cpu)", count_files(counters) + FILE_LIMIT_SPARE);
	else if (error == -EPERM || error == -EACCES)
		text_hint(error_ret, "run as root, or with CAP_BPF and CAP_PERFMON; "
			  "'probe doctor' names what is missing");
	else
		text_hint(error_ret, "'probe events' lists those that it has");
}

/* An event of a machine without it fails on its first CPU; another CPU may be offline. */
static int begin_all(struct counters *counters, struct text_error *error_ret)
{
	size_t at, nr = 0;
	int error = 0;

	for (at = 0; at < counters->nr_cpus; at++) {
		error = begin_cpu(counters, &counters->cpus[at]);
		nr += !error;
		if (error && error != -ENODEV)
			break;
	}
	if (!error || (nr && error == -ENODEV))
		return 0;
	explain_open(counters, error, error_ret);
	return error;
}

static struct counters *create_counters(const struct counters_spec *spec)
{
	struct counters *counters = calloc(1, sizeof(*counters));
	unsigned int i;
	size_t at;

	if (!counters)
		return NULL;
	worker_init(&counters->worker);
	counters->spec = *spec;
	/* With a period of 1 each event is a sample. */
	counters->spec.is_fixed |= spec->event.period == 1;
	counters->nr_each = counters->spec.is_fixed || !event_is_software(&spec->event) ? 1 : COMB_TEETH;
	counters->cpus = calloc(spec->nr_cpus, sizeof(*counters->cpus));
	counters->nr_cpus = counters->cpus ? spec->nr_cpus : 0;
	for (at = 0; at < counters->nr_cpus; at++) {
		counters->cpus[at].cpu = spec->cpus[at];
		counters->cpus[at].program_fd = spec->program_fds[at];
		comb_init_events(&counters->cpus[at].comb, spec->seed + spec->cpus[at], spec->event.period,
				 counters->nr_each);
		for (i = 0; i < COMB_TEETH; i++)
			counters->cpus[at].counter[i].fd = -1;
	}
	return counters;
}

static int start_thread(struct counters *counters, struct text_error *error_ret)
{
	int error = worker_start(&counters->worker, work, counters);

	return error ? text_fail(error_ret, error, "start a thread for the counters: %s", strerror(-error)) : 0;
}

struct counters *counters_start(const struct counters_spec *spec, struct text_error *error_ret)
{
	struct counters *counters = create_counters(spec);

	if (!counters || !counters->cpus) {
		text_fail(error_ret, 0, "start sampling: out of memory");
		counters_destroy(counters);
		return NULL;
	}
	file_limit_raise(count_files(counters));
	if (begin_all(counters, error_ret) || start_thread(counters, error_ret)) {
		counters_destroy(counters);
		return NULL;
	}
	return counters;
}

void counters_read(struct counters *counters, size_t at, struct counters_sums *sums_ret)
{
	const struct counters_cpu *cpu = &counters->cpus[at];
	unsigned int i;

	worker_lock(&counters->worker);
	*sums_ret = cpu->ended;
	sums_ret->is_online = is_online(cpu);
	for (i = 0; i < counters->nr_each; i++) {
		struct reading reading;

		if (cpu->counter[i].fd < 0)
			continue;
		reading = read_counter(&cpu->counter[i]);
		add_reading(sums_ret, &cpu->counter[i], !i, &reading);
	}
	worker_unlock(&counters->worker);
}

void counters_stop(struct counters *counters)
{
	size_t at;

	worker_end(&counters->worker);
	for (at = 0; at < counters->nr_cpus; at++)
		end_cpu(counters, &counters->cpus[at]);
}

void counters_destroy(struct counters *counters)
{
	if (!counters)
		return;
	counters_stop(counters);
	worker_deinit(&counters->worker);
	free(counters->cpus);
	free(counters);
}
