/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tool's only access to /dev/cpuprobe. It hands out plain structs, checks the sums of every
 * account and keeps the acknowledged sequence numbers. Functions return 0 or -errno and fill in
 * an error text; they never print.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "cpuprobe.h"
#include "run/run_kind.h"
#include "types.h"

/** One CPU's part of a session. */
struct device_cpu {
	u32 cpu;
	u64 seq;		/* the last account's; the next harvest acknowledges it */
	u64 expected;		/* sums since the start */
	u64 counted;		/* taken + missed */
};

struct engine;
struct bpf_session;
struct perf_session;
struct receipt_own;

struct device {
	int fd;			/* what poll() waits for; -1: closed */
	const struct engine *engine;	/* NULL: never opened */
	const struct run_kind *kind;
	struct cpuprobe_info info;
	struct device_cpu *cpus;
	size_t nr_cpus;
	void *buffer;		/* the module's answers */
	size_t buffer_len;
	struct bpf_session *bpf;	/* of the engine that needs no module */
	struct perf_session *perf;	/* of the engine that needs no rights */
	double began, ended;	/* clock_seconds() at the start and the stop of the events: the mean, if there are many */
	bool tells_softirqs;	/* apart from other kernel time, by an engine without the module */
	bool has_areas;		/* the session was told a memory map */
	bool has_tables;	/* the session follows user frames by tables */
};

/** A receiver of harvests, called once for each new account of a CPU. */
typedef void (*device_sink)(void *context, u32 cpu, const struct cpuprobe_account *account,
			    const void *entries);

/** device_open() - open the device, loading the module if necessary, and read its limits. */
int device_open(struct device *device, struct text_error *error_ret);

/** Which engine a session may have. */
enum device_engine { DEVICE_AUTO, DEVICE_MODULE, DEVICE_BPF, DEVICE_PERF };

/**
 * device_open_for() - open the device with the engine that is wanted for a session. DEVICE_AUTO: the
 * module; else BPF; else perf events of the user's own processes. An engine that lacks something that
 * the session needs is not tried.
 * @why_ret: why engines that DEVICE_AUTO prefers to this one cannot serve; "": there is none
 */
int device_open_for(struct device *device, enum device_engine engine,
		    const struct cpuprobe_start *start, struct text_error *why_ret,
		    struct text_error *error_ret);

/**
 * device_try_bpf() - whether this user can sample this machine with BPF: samples the first possible CPU
 * for a moment. -errno with a reason.
 */
int device_try_bpf(struct text_error *error_ret);

/** device_try_perf() - whether this user can sample his own processes. -errno with a reason. */
int device_try_perf(struct text_error *error_ret);

/** device_engine() - which engine an open device has. */
enum device_engine device_engine(const struct device *device);

/** device_coverage() - what the samples of an open device did not cover; unchanged: unknown. */
void device_coverage(const struct device *device, struct receipt_own *own_ret);

/** device_restart_coverage() - count what the samples do not cover from now on. Without a session: nothing. */
void device_restart_coverage(struct device *device);

/** device_has_module() - whether the engine is the module. */
bool device_has_module(const struct device *device);

/**
 * device_start() - start sampling; fills in size, version and CPU mask of @start, and @device->began.
 * @cpus: CPU numbers to sample, ascending; copied
 */
int device_start(struct device *device, struct cpuprobe_start *start, const u32 *cpus,
		 size_t nr_cpus, struct text_error *error_ret);

/**
 * device_set_areas() - tell the module where code is mapped, before or after device_start().
 * @areas: as described in uapi/cpuprobe.h; copied by the module
 * @is_exact: CPUPROBE_AREAS_EXACT
 */
int device_set_areas(struct device *device, const struct cpuprobe_area *areas, size_t nr_areas,
		     bool is_exact, struct text_error *error_ret);

/**
 * device_harvest() - hand every CPU's new counts to @sink and check their sums.
 * @only_due: skip CPUs whose tables can wait
 * -EBADMSG: a sum is wrong; @sink has received the counts nevertheless.
 */
int device_harvest(struct device *device, bool only_due, device_sink sink, void *context,
		   struct text_error *error_ret);

/**
 * device_open_exe() - open an executable that stacks refer to, while the sink is called with these
 * stacks. @exe: as in struct cpuprobe_stack, above 0. Returns a descriptor or -errno.
 */
int device_open_exe(const struct device *device, u32 cpu, const struct cpuprobe_account *account,
		    u32 exe);

/**
 * device_stop() - stop sampling; one more device_harvest() gets the remaining counts. Fills in @device->ended, also
 * after an error.
 */
int device_stop(struct device *device, struct text_error *error_ret);

/** device_close() - close and free; may be called in any state, also twice. */
void device_close(struct device *device);

#endif
