// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine for machines that load no module: BPF programs count, run by events of the kernel's clock.
 * A harvest takes the counts of all CPUs at once, when it asks for the first one. See engine.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/file_limit.h"
#include "bpf/counters.h"
#include "bpf/identities.h"
#include "bpf/maps.h"
#include "bpf/softirq.h"
#include "bpf/stack_store.h"
#include "bpf/tally.h"
#include "bpf/teeth.h"
#include "run/cpus.h"
#include "run/engine.h"
#include "run/receipt.h"
#include "run/roll.h"

#define INITIAL_NAMESPACE "pid:[4026531836]"	/* PROC_PID_INIT_INO of the kernel */

/** One sampled CPU. All sums are since the start. */
struct bpf_cpu {
	u32 cpu;
	u32 part;		/* its part of a value */
	u64 taken;
	u64 missed;
	u64 expected;		/* as of the last harvest */
	struct counters_sums sums;	/* as of the last harvest; all 0: time is sampled */
	struct counters_sums told;	/* in earlier accounts */
	u64 weighed;		/* events that the samples of earlier accounts stand for */
	u64 lost[2];		/* kernel, user */
	bool is_online;
};

struct bpf_session {
	struct cpus possible;
	struct counts counts;
	struct teeth *teeth;		/* NULL: an event is sampled */
	struct counters *counters;	/* NULL: time is sampled */
	struct tally *tally;
	struct area_list areas;
	struct bpf_cpu *cpus;
	u32 *parts;		/* of their values */
	size_t nr_cpus;
	u64 period_ns;
	u64 seq;		/* number of the last harvest */
	bool is_fresh;		/* the CPUs that follow belong to this harvest */
	bool is_stopped;
};

static int check_namespace(struct text_error *error_ret)
{
	char name[64];
	ssize_t len = readlink("/proc/self/ns/pid", name, sizeof(name) - 1);

	name[len > 0 ? len : 0] = '\0';
	if (!strcmp(name, INITIAL_NAMESPACE))
		return 0;
	text_fail(error_ret, 0, "sample with BPF: this is not the initial pid namespace");
	text_hint(error_ret, "run outside of containers");
	return -EPERM;
}

/* Whether maps can be made at all: the rest is known at the start. */
static int try_map(struct text_error *error_ret)
{
	const struct map_spec spec = {
		.type = BPF_MAP_TYPE_ARRAY, .key_len = sizeof(u32), .value_len = sizeof(u64), .nr = 1,
	};
	int fd = maps_create(&spec, error_ret);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int bpf_open(struct device *device, struct text_error *error_ret)
{
	struct bpf_session *session;
	int error = check_namespace(error_ret) ?: try_map(error_ret);

	if (error)
		return error;
	session = calloc(1, sizeof(*session));
	if (!session)
		return text_fail(error_ret, -ENOMEM, "sample with BPF: out of memory");
	device->bpf = session;
	device->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	device->info = (struct cpuprobe_info){
		.size = sizeof(device->info), .version = CPUPROBE_ABI_VERSION, .access = 2,
	};
	if (device->fd < 0)
		return text_fail(error_ret, -errno, "sample with BPF: %s", strerror(errno));
	error = cpus_parse("all", &session->possible, error_ret);
	if (!error)
		device->info.nr_cpu_ids = session->possible.number[session->possible.nr - 1] + 1;
	return error;
}

static const char *bpf_lacks(const struct cpuprobe_start *start)
{
	if (start->flags & CPUPROBE_START_NMI)
		return "-nmi";
	if (start->what == CPUPROBE_WHAT_LATE)
		return "lateness of samples";
	if (start->flags & CPUPROBE_START_UNWIND)
		return start->unwind_kib ? "-unwind-memory" : "-unwind tables";
	if (start->flags & CPUPROBE_START_IDLE_SLEEP)
		return "-idle sleep";
	if (start->flags & CPUPROBE_START_EXCLUDE_DEFERRED)
		return "-deferred exclude";
	if (start->deferred_ns != RECEIPT_DEFERRED_NS)
		return "-deferred-over";
	return start->jitter == CPUPROBE_JITTER_POISSON ? "-jitter poisson" : NULL;
}

static bool is_session_due(void *context)
{
	return counts_are_due(context);
}

static void end_session(struct bpf_session *session)
{
	teeth_destroy(session->teeth);
	session->teeth = NULL;
	counters_destroy(session->counters);
	session->counters = NULL;
	counts_close(&session->counts);
	if (session->tally)
		session->tally->destroy(session->tally);
	session->tally = NULL;
	free(session->cpus);
	session->cpus = NULL;
	free(session->parts);
	session->parts = NULL;
}

/* Which part of a value is this CPU's: its place among the possible CPUs. */
static u32 find_part(const struct cpus *possible, u32 cpu)
{
	u32 part = 0;

	while (part + 1 < possible->nr && possible->number[part] != cpu)
		part++;
	return part;
}

static int set_cpus(struct bpf_session *session, const u32 *cpus, size_t nr_cpus)
{
	size_t i;

	session->cpus = calloc(nr_cpus, sizeof(*session->cpus));
	session->parts = calloc(nr_cpus, sizeof(*session->parts));
	if (!session->cpus || !session->parts)
		return -ENOMEM;
	session->nr_cpus = nr_cpus;
	for (i = 0; i < nr_cpus; i++) {
		session->parts[i] = find_part(&session->possible, cpus[i]);
		session->cpus[i] = (struct bpf_cpu){ .cpu = cpus[i], .part = session->parts[i] };
	}
	return 0;
}

static int create_tally(struct bpf_session *session, const struct cpuprobe_start *start)
{
	switch (start->what) {
	case CPUPROBE_WHAT_PROCESS:
		session->tally = tally_create_addresses(start, &session->areas);
		break;
	case CPUPROBE_WHAT_STACKS:
		session->tally = tally_create_stacks(start, session->possible.number);
		break;
	default:
		session->tally = tally_create_records(start->by, session->counts.nr_entries);
	}
	return session->tally ? 0 : -ENOMEM;
}

static enum counts_by counted_by(const struct cpuprobe_start *start)
{
	return start->what == CPUPROBE_WHAT_PROCESS ? COUNTS_BY_ADDRESS :
	       start->what == CPUPROBE_WHAT_STACKS ? COUNTS_BY_STACK : identities_counted_by(start->by);
}

/* Stacks have no softirq mode. If the kernel refuses the program that tells softirqs, another one does not. */
static int open_counts(struct device *device, struct counts_spec *spec, struct text_error *error_ret)
{
	struct counts *counts = &device->bpf->counts;

	device->tells_softirqs = spec->by != COUNTS_BY_STACK && !softirq_find(&spec->softirq) &&
		!counts_open(counts, spec, error_ret);
	if (device->tells_softirqs)
		return 0;
	spec->softirq = (struct btf_place){ .id = 0 };
	return counts_open(counts, spec, error_ret);
}

/* An event's counters take the place of the clock's events. */
static int start_counters(struct device *device, const struct cpuprobe_start *start, const u32 *cpus,
			  struct text_error *error_ret)
{
	struct bpf_session *session = device->bpf;
	const struct counters_spec spec = {
		.program_fds = session->counts.program_fds, .cpus = cpus, .nr_cpus = session->nr_cpus,
		.event = {
			.type = start->event_type - 1, .flags = start->event_flags, .config = start->event_config,
			.config1 = start->event_config1, .period = start->event_period,
		},
		.seed = start->seed, .is_fixed = start->jitter == CPUPROBE_JITTER_NONE,
		.wake_fd = device->fd, .is_due = is_session_due, .context = &session->counts,
	};

	session->period_ns = start->event_period;
	session->counters = counters_start(&spec, error_ret);
	return session->counters ? 0 : -EIO;
}

static int bpf_start(struct device *device, struct cpuprobe_start *start, const u32 *cpus,
		     size_t nr_cpus, struct text_error *error_ret)
{
	struct bpf_session *session = device->bpf;
	struct teeth_spec spec = {
		.cpus = cpus, .nr_cpus = nr_cpus, .period_ns = start->period_ns,
		.is_fixed = start->jitter == CPUPROBE_JITTER_NONE, .wake_fd = device->fd,
		.is_due = is_session_due, .context = &session->counts,
	};
	struct counts_spec counts = {
		.by = counted_by(start), .pid = start->pid,
		.cpus = cpus, .nr_cpus = nr_cpus, .nr_possible = session->possible.nr,
		.nr_cpu_ids = device->info.nr_cpu_ids,
		.rate_hz = 1e9 / start->period_ns,
		.cgroup_fd = start->cgroup_fd, .frames = start->frames,
		.stack_bytes = stack_store_bytes(start->stack_kib, nr_cpus),
	};
	int error;

	end_session(session);
	if (!start->seed && getrandom(&start->seed, sizeof(start->seed), 0) < 0)
		return text_fail(error_ret, -errno, "draw a seed: %s", strerror(errno));
	if (set_cpus(session, cpus, nr_cpus))
		return text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
	counts.parts = session->parts;
	file_limit_raise(nr_cpus * COUNTS_FILES);
	error = open_counts(device, &counts, error_ret);
	if (error)
		return error;
	if (create_tally(session, start))
		return text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
	roll_call(session->tally, &(struct roll_spec){
		.by = counts.by, .only_pid = start->pid, .of_all_users = true
	});
	session->is_stopped = false;
	if (start->event_type)
		return start_counters(device, start, cpus, error_ret);
	session->period_ns = start->period_ns;
	spec.program_fds = session->counts.program_fds;
	spec.seed = start->seed;
	spec.look_ns = counts_look_ns(&session->counts, start->period_ns);
	session->teeth = teeth_start(&spec, error_ret);
	if (!session->teeth)
		return -EIO;
	device->began = teeth_began(session->teeth) / 1e9;
	return 0;
}

static int bpf_set_areas(struct device *device, const struct cpuprobe_area *areas, size_t nr_areas,
			 bool is_exact, struct text_error *error_ret)
{
	return area_list_set(&device->bpf->areas, areas, nr_areas, error_ret);
}

static int bpf_open_exe(const struct device *device, u32 cpu,
			const struct cpuprobe_account *account, u32 exe)
{
	struct tally *tally = device->bpf->tally;

	return tally->open_exe ? tally->open_exe(tally, exe - 1) : -ENOENT;
}

static void read_expected(struct bpf_session *session, size_t at)
{
	struct bpf_cpu *cpu = &session->cpus[at];

	if (session->counters) {
		counters_read(session->counters, at, &cpu->sums);
		cpu->expected = cpu->sums.expected;
		cpu->is_online = cpu->sums.is_online;
	} else {
		cpu->expected = teeth_expected(session->teeth, at, &cpu->is_online);
	}
}

/* Takes the counts of all CPUs. The expected ones are read before, so that they do not exceed those. */
static int take_counts(struct bpf_session *session, struct text_error *error_ret)
{
	size_t i;
	int error;

	if (!session->is_stopped && session->teeth)
		teeth_check(session->teeth);
	for (i = 0; i < session->nr_cpus; i++)
		read_expected(session, i);
	error = counts_take(&session->counts, error_ret);
	if (error)
		return error;
	session->seq++;
	session->tally->begin(session->tally, &session->counts);
	return 0;
}

static u64 take_lost(struct bpf_session *session, struct bpf_cpu *cpu,
		     struct cpuprobe_account *account)
{
	u64 sum = 0;
	int is_user;

	for (is_user = 0; is_user < 2; is_user++) {
		u64 lost = counts_lost(&session->counts, cpu->cpu, is_user);

		account->lost[is_user ? CPUPROBE_MODE_USER : CPUPROBE_MODE_KERNEL] +=
			lost - cpu->lost[is_user];
		sum += lost - cpu->lost[is_user];
		cpu->lost[is_user] = lost;
	}
	return sum;
}

/*
 * The number of events that a sample of this account represents. Periods are random, and the last one is cut
 * short, so the weight follows from the events counted. It is between half and twice the mean period.
 */
static u64 weigh_samples(struct bpf_cpu *cpu, u64 period, u64 expected)
{
	const u64 left = cpu->sums.events > cpu->weighed ? cpu->sums.events - cpu->weighed : 0;
	u64 weight = expected ? (left + expected / 2) / expected : period;

	weight = weight > 2 * period ? 2 * period : weight < (period + 1) / 2 ? (period + 1) / 2 : weight;
	cpu->weighed += weight * expected;
	return weight;
}

static void fill_account(struct bpf_session *session, struct bpf_cpu *cpu,
			 struct cpuprobe_account *account, const void **entries_ret)
{
	*account = (struct cpuprobe_account){
		.seq = session->seq, .period_ns = session->period_ns,
		.flags = (cpu->is_online || session->is_stopped ? 0 : CPUPROBE_ACCOUNT_OFFLINE) |
			(session->is_stopped ? CPUPROBE_ACCOUNT_STOPPED : 0),
	};
	account->taken = take_lost(session, cpu, account);
	account->taken += session->tally->fill(session->tally, &session->counts, cpu->part, account,
					       entries_ret);
	cpu->taken += account->taken;
	if (cpu->expected > cpu->taken + cpu->missed)
		account->missed = cpu->expected - cpu->taken - cpu->missed;
	cpu->missed += account->missed;
	account->expected = account->taken + account->missed;
	if (session->counters)
		account->period_ns = weigh_samples(cpu, session->period_ns, account->expected);
	account->events = cpu->sums.events - cpu->told.events;
	account->enabled_ns = cpu->sums.enabled_ns - cpu->told.enabled_ns;
	account->running_ns = cpu->sums.running_ns - cpu->told.running_ns;
	cpu->told = cpu->sums;
}

static int bpf_harvest(struct device *device, u32 cpu, u64 ack, bool only_due,
		       struct cpuprobe_account *account_ret, const void **entries_ret,
		       struct text_error *error_ret)
{
	struct bpf_session *session = device->bpf;
	struct bpf_cpu *own = session->cpus;
	u64 nr;

	if (cpu == own->cpu) {
		(void)!read(device->fd, &nr, sizeof(nr));
		session->is_fresh = !only_due || counts_are_due(&session->counts);
		if (session->is_fresh && take_counts(session, error_ret)) {
			session->is_fresh = false;
			return -EIO;
		}
	}
	account_ret->seq = ack;
	if (!session->is_fresh)
		return 0;
	while (own->cpu != cpu)
		own++;
	fill_account(session, own, account_ret, entries_ret);
	return 0;
}

static int bpf_stop(struct device *device, struct text_error *error_ret)
{
	if (device->bpf->counters)
		counters_stop(device->bpf->counters);
	else
		device->ended = teeth_stop(device->bpf->teeth) / 1e9;
	device->bpf->is_stopped = true;
	return 0;
}

static void bpf_close(struct device *device)
{
	if (device->bpf) {
		end_session(device->bpf);
		free(device->bpf->areas.area);
		cpus_deinit(&device->bpf->possible);
		free(device->bpf);
	}
	device->bpf = NULL;
	if (device->fd >= 0)
		close(device->fd);
	device->fd = -1;
}

const struct engine engine_bpf = {
	.open = bpf_open,
	.lacks = bpf_lacks,
	.start = bpf_start,
	.set_areas = bpf_set_areas,
	.harvest = bpf_harvest,
	.open_exe = bpf_open_exe,
	.stop = bpf_stop,
	.close = bpf_close,
};
