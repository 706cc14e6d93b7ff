// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine for users who may use neither the module nor BPF: events of the kernel's clock, one for each
 * thread of their own processes, in user mode. Threads move between CPUs, so all counts are in one account, that
 * of the session's first CPU. Its expected periods are those of the threads' running time. See engine.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include "bpf/identities.h"
#include "bpf/tally.h"
#include "rings/own_sampler.h"
#include "rings/perf_access.h"
#include "run/cpus.h"
#include "run/engine.h"
#include "run/receipt.h"
#include "run/roll.h"

#define KEYS_BY_TASK	4096
#define PLACES_MIN	4096	/* by address nearly every sample may have a key of its own ... */
#define PLACES_MAX	65536	/* ... for two seconds on each CPU */

struct perf_session {
	u32 nr_cpu_ids;
	struct own_sampler *sampler;
	struct tally *tally;
	struct area_list areas;
	struct own_sums sums;	/* as of the last harvest */
	u64 taken;
	u64 missed;
	u64 period_ns;
	u64 seq;
	bool is_stopped;
};

static int perf_open(struct device *device, struct text_error *error_ret)
{
	struct perf_session *session;
	struct cpus possible = { .nr = 0 };
	int error = perf_access_try(error_ret);

	if (error)
		return error;
	session = calloc(1, sizeof(*session));
	if (!session)
		return text_fail(error_ret, -ENOMEM, "sample with perf events: out of memory");
	device->perf = session;
	device->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	device->info = (struct cpuprobe_info){
		.size = sizeof(device->info), .version = CPUPROBE_ABI_VERSION, .access = 1,
	};
	if (device->fd < 0)
		return text_fail(error_ret, -errno, "sample with perf events: %s", strerror(errno));
	error = cpus_parse("all", &possible, error_ret);
	if (!error)
		device->info.nr_cpu_ids = possible.number[possible.nr - 1] + 1;
	session->nr_cpu_ids = device->info.nr_cpu_ids;
	cpus_deinit(&possible);
	return error;
}

static const char *perf_lacks(const struct cpuprobe_start *start)
{
	if (start->what == CPUPROBE_WHAT_LATE)
		return "lateness of samples";
	if (start->event_type)
		return "-event";
	if (start->flags & CPUPROBE_START_NMI)
		return "-nmi";
	if (start->what == CPUPROBE_WHAT_STACKS)
		return "stacks";
	if (start->what == CPUPROBE_WHAT_PROCESS && start->mode != CPUPROBE_MODE_USER)
		return "kernel mode";
	if (start->what == CPUPROBE_WHAT_SYSTEM && start->by == CPUPROBE_BY_CGROUP)
		return "-by cgroup";
	if (start->flags & CPUPROBE_START_IDLE_SLEEP)
		return "-idle sleep";
	if (start->flags & CPUPROBE_START_EXCLUDE_DEFERRED)
		return "-deferred exclude";
	if (start->deferred_ns != RECEIPT_DEFERRED_NS)
		return "-deferred-over";
	return start->jitter == CPUPROBE_JITTER_POISSON ? "-jitter poisson" : NULL;
}

static void end_session(struct perf_session *session)
{
	own_sampler_destroy(session->sampler);
	session->sampler = NULL;
	if (session->tally)
		session->tally->destroy(session->tally);
	session->tally = NULL;
}

/* Keys of a session's samples between two harvests. */
static u32 count_keys(const struct perf_session *session, const struct cpuprobe_start *start)
{
	const u64 places = 2000000000ULL / start->period_ns * session->nr_cpu_ids;

	return start->what != CPUPROBE_WHAT_PROCESS ? KEYS_BY_TASK :
	       places < PLACES_MIN ? PLACES_MIN : places > PLACES_MAX ? PLACES_MAX : places;
}

static int perf_start(struct device *device, struct cpuprobe_start *start, const u32 *cpus,
		      size_t nr_cpus, struct text_error *error_ret)
{
	struct perf_session *session = device->perf;
	const bool is_process = start->what == CPUPROBE_WHAT_PROCESS;
	const u32 nr_keys = count_keys(session, start);
	struct own_threads_spec spec = {
		.by = is_process ? COUNTS_BY_ADDRESS : identities_counted_by(start->by),
		.only_pid = start->pid, .period_ns = start->period_ns,
		.is_fixed = start->jitter == CPUPROBE_JITTER_NONE,
	};

	end_session(session);
	if (!start->seed && getrandom(&start->seed, sizeof(start->seed), 0) < 0)
		return text_fail(error_ret, -errno, "draw a seed: %s", strerror(errno));
	session->tally = is_process ? tally_create_addresses(start, &session->areas) :
				      tally_create_records(start->by, nr_keys);
	if (!session->tally)
		return text_fail(error_ret, -ENOMEM, "start sampling: out of memory");
	roll_call(session->tally, &(struct roll_spec){ .by = spec.by, .only_pid = spec.only_pid });
	session->period_ns = start->period_ns;
	spec.seed = start->seed;
	session->sampler = own_sampler_start(&spec, nr_keys, device->fd, error_ret);
	return session->sampler ? 0 : -EIO;
}

static int perf_set_areas(struct device *device, const struct cpuprobe_area *areas, size_t nr_areas,
			  bool is_exact, struct text_error *error_ret)
{
	return area_list_set(&device->perf->areas, areas, nr_areas, error_ret);
}

static int perf_open_exe(const struct device *device, u32 cpu,
			 const struct cpuprobe_account *account, u32 exe)
{
	return -ENOENT;
}

static void fill_account(struct perf_session *session, const struct counts *counts, u64 lost,
			 struct cpuprobe_account *account, const void **entries_ret)
{
	*account = (struct cpuprobe_account){
		.seq = session->seq, .period_ns = session->period_ns, .taken = lost,
		.lost[CPUPROBE_MODE_USER] = lost,
		.flags = session->is_stopped ? CPUPROBE_ACCOUNT_STOPPED : 0,
	};
	session->tally->begin(session->tally, counts);
	account->taken += session->tally->fill(session->tally, counts, 0, account, entries_ret);
	session->taken += account->taken;
	if (session->sums.expected > session->taken + session->missed)
		account->missed = session->sums.expected - session->taken - session->missed;
	session->missed += account->missed;
	account->expected = account->taken + account->missed;
}

static int perf_harvest(struct device *device, u32 cpu, u64 ack, bool only_due,
			struct cpuprobe_account *account_ret, const void **entries_ret,
			struct text_error *error_ret)
{
	struct perf_session *session = device->perf;
	const u64 lost_before = session->sums.lost;
	struct counts counts;
	u64 nr;

	account_ret->seq = ack;
	if (cpu != device->cpus[0].cpu)
		return 0;
	(void)!read(device->fd, &nr, sizeof(nr));
	if (only_due && !own_sampler_is_due(session->sampler))
		return 0;
	own_sampler_take(session->sampler, &counts, &session->sums);
	session->seq++;
	fill_account(session, &counts, session->sums.lost - lost_before, account_ret, entries_ret);
	return 0;
}

static void perf_coverage(const struct device *device, struct receipt_own *own_ret)
{
	const struct own_coverage *coverage = &device->perf->sums.coverage;

	*own_ret = (struct receipt_own){
		.late_ns = coverage->late_ns, .nr_threads = coverage->nr_threads,
		.nr_gone = coverage->nr_gone, .nr_no_file = coverage->nr_no_file,
		.nr_no_memory = coverage->nr_no_memory, .nr_refused = coverage->nr_refused,
		.nr_throttled = coverage->nr_throttled,
	};
}

static void perf_restart_coverage(struct device *device)
{
	own_sampler_restart_coverage(device->perf->sampler, &device->perf->sums.coverage);
}

static int perf_stop(struct device *device, struct text_error *error_ret)
{
	own_sampler_stop(device->perf->sampler);
	device->perf->is_stopped = true;
	return 0;
}

static void perf_close(struct device *device)
{
	if (device->perf) {
		end_session(device->perf);
		free(device->perf->areas.area);
		free(device->perf);
	}
	device->perf = NULL;
	if (device->fd >= 0)
		close(device->fd);
	device->fd = -1;
}

const struct engine engine_perf = {
	.open = perf_open,
	.lacks = perf_lacks,
	.start = perf_start,
	.set_areas = perf_set_areas,
	.harvest = perf_harvest,
	.open_exe = perf_open_exe,
	.coverage = perf_coverage,
	.restart_coverage = perf_restart_coverage,
	.stop = perf_stop,
	.close = perf_close,
};
