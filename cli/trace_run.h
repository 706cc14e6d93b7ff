/* SPDX-License-Identifier: GPL-2.0-only */
/* A run of `probe trace`: a session that follows calls, until it ends by itself or somebody ends it. */
#ifndef TRACE_RUN_H
#define TRACE_RUN_H

#include "run/child.h"
#include "run/task.h"
#include "trace/trace_sampler.h"

/** The command sets the options. */
struct trace_run {
	struct trace_options options;
	const char *task;		/* a pid, a path or a name; NULL: everybody */
	const char *cgroup;		/* a path; NULL: any */
	double seconds;			/* 0: until recording or the COMMAND ends, or 10 s without both */
	bool has_sampler;		/* sample the same time too */
	u64 period_ns;			/* of the sampler; 0: 1 ms */
	struct trace_session session;
	struct trace_sampler sampler;
	struct task target;
	int cgroup_fd;
	struct child child;
	int signal_fd;
	double began;			/* seconds since 1970 */
	double elapsed_seconds;
	int command_status;		/* valid if a command ran */
	int command_error;		/* -errno of its exec */
};

void trace_run_init(struct trace_run *run);

/** trace_run_prepare() - choose functions and find the target. @command: NULL: none. -errno with a reason. */
int trace_run_prepare(struct trace_run *run, char **command, struct text_error *error_ret);

/** trace_run_record() - record until there is a reason to stop, and read the trace. NULL with a reason. */
struct trace *trace_run_record(struct trace_run *run, char **command, struct text_error *error_ret);

/** trace_run_wait() - wait until the COMMAND has ended, if there is one. */
void trace_run_wait(struct trace_run *run);

void trace_run_deinit(struct trace_run *run);

#endif
