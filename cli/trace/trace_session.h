/* SPDX-License-Identifier: GPL-2.0-only */
/* Following calls from the choice of functions to the trace, on a device of its own. */
#ifndef TRACE_SESSION_H
#define TRACE_SESSION_H

#include "calls/call_session.h"
#include "trace/trace_data.h"
#include "trace/user_functions.h"

/** Options of a session; strings are the caller's. */
struct trace_options {
	const char *globs;	/* see hookables_choose(); NULL: no functions but those of triggers */
	struct user_choices user;	/* functions of programs */
	const char *start_at;	/* "FUNCTION" or "FUNCTION:N": begin with its Nth call; NULL: at once */
	const char *start_mark;	/* begin with a mark of this text, or NULL */
	const char *stop_at;	/* end when a call of this function returns, or NULL */
	bool syscalls, irqs, wakeups, wraps, may_disturb;
	u64 max_events;		/* slots per CPU; 0: as many as fit */
	u64 buffer_kib;		/* per CPU; 0: the module's default */
	double budget_pct;	/* of each CPU; 0: half of what is left */
};

/** One session; begins as all zeros. */
struct trace_session {
	const struct trace_options *options;
	struct call_options choice;
	struct call_session calls;	/* its functions and its device */
	char *globs;			/* with the functions of triggers */
	struct user_functions users;	/* numbered after the kernel's */
	u64 start_address, stop_address;	/* 0: none in the kernel */
	u32 start_user, stop_user;	/* positions in @users; UINT32_MAX: none */
	u32 start_count;
	u32 user_cost_ps;		/* of a call of @users; 0: unknown */
	struct cpuprobe_trace request;
};

/** trace_options_check() - check options for conflicts. -EINVAL with a reason. */
int trace_options_check(const struct trace_options *options, struct text_error *error_ret);

/**
 * trace_session_choose() - choose the functions.
 * @task: whose objects functions of programs may be in; NULL: none is known
 * @path: of kallsyms
 * -errno with a reason.
 */
int trace_session_choose(struct trace_session *session, const struct trace_options *options,
			 const struct task *task, const char *path, struct text_error *error_ret);

/**
 * trace_session_begin() - hook the functions and begin to record, or to wait for the trigger.
 * @exe_fd, @pid, @cgroup_fd: as in struct cpuprobe_start
 * -errno with a reason.
 */
int trace_session_begin(struct trace_session *session, int exe_fd, u32 pid, int cgroup_fd,
			struct text_error *error_ret);

/** trace_session_read() - the trace, after recording has ended. NULL with a reason. */
struct trace *trace_session_read(const struct trace_session *session, struct text_error *error_ret);

/** trace_session_deinit() - end and free everything; may be called in any state. */
void trace_session_deinit(struct trace_session *session);

#endif
