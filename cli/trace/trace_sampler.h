/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sampler that runs beside a trace: a session of kernel stacks of the same tasks, on a device of its
 * own. It begins before the trace, and what it saw until the trace began is dropped; it ends with the trace.
 */
#ifndef TRACE_SAMPLER_H
#define TRACE_SAMPLER_H

#include "trace/trace_beside.h"
#include "trace/trace_session.h"

/** One session; begins as all zeros, except the device's descriptor, which is -1. */
struct trace_sampler {
	const struct trace_session *session;	/* whose functions are looked for */
	struct device device;
	struct kernel_names names;
	struct trace_beside *beside;		/* NULL until the trace began */
	bool stops_at_interrupts;		/* they are traced: they are in no function's net time */
};

/**
 * trace_sampler_start() - begin to sample all CPUs.
 * @session: has chosen its functions
 * @exe_fd, @pid, @cgroup_fd: as in struct cpuprobe_start
 * -errno with a reason.
 */
int trace_sampler_start(struct trace_sampler *sampler, const struct trace_session *session, u64 period_ns,
			int exe_fd, u32 pid, int cgroup_fd, struct text_error *error_ret);

/** trace_sampler_begin() - the trace has begun: drop earlier samples. -errno with a reason. */
int trace_sampler_begin(struct trace_sampler *sampler, struct text_error *error_ret);

/** trace_sampler_harvest() - make room when the device is readable. -errno with a reason. */
int trace_sampler_harvest(struct trace_sampler *sampler, struct text_error *error_ret);

/** trace_sampler_stop() - the trace has ended: take no more samples. May be called in any state. */
void trace_sampler_stop(struct trace_sampler *sampler);

/** trace_sampler_read() - the samples, after the end; the caller owns them. NULL with a reason. */
struct trace_beside *trace_sampler_read(struct trace_sampler *sampler, struct text_error *error_ret);

/** trace_sampler_deinit() - end and free everything; may be called in any state. */
void trace_sampler_deinit(struct trace_sampler *sampler);

#endif
