/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting calls from the choice of functions to the counts, on a device of its own. */
#ifndef CALL_SESSION_H
#define CALL_SESSION_H

#include "calls/call_counts.h"
#include "calls/hookable.h"
#include "calls/module_watch.h"
#include "resolve/kernel_names.h"
#include "run/device_calls.h"

/** Options of a session; strings are the caller's. */
struct call_options {
	const char *globs;	/* see hookables_choose(); NULL: no functions */
	u32 flags;		/* CPUPROBE_CALLS_* of timing; 0: calls are counted */
	u64 table_kib;		/* per CPU; 0: the module's default */
	double budget_pct;	/* of each CPU; 0: half of what is left */
	bool may_disturb;	/* although some CPUs are to be kept quiet */
};

/** One session; begins as all zeros. */
struct call_session {
	const struct call_options *options;
	const char *path;			/* of kallsyms */
	struct hookables functions;
	struct module_watch modules;		/* of these functions */
	struct cpuprobe_function *asked;	/* as the functions, with the module's answer */
	struct device device;
	bool is_counting;
	struct cpuprobe_calls request;
};

/**
 * call_session_choose() - choose the functions. @path: of kallsyms. -errno with a reason.
 */
int call_session_choose(struct call_session *session, const struct call_options *options,
			const char *path, struct text_error *error_ret);

/**
 * call_session_open() - open the device. The functions are chosen again if one of their modules has been
 * unloaded since. -errno with a reason.
 */
int call_session_open(struct call_session *session, struct text_error *error_ret);

/**
 * call_session_begin() - call_session_open(), hook the functions and begin to count.
 * @exe_fd, @pid, @cgroup_fd: count only the calls of these tasks, as in struct cpuprobe_start
 * -errno with a reason.
 */
int call_session_begin(struct call_session *session, int exe_fd, u32 pid, int cgroup_fd,
		       struct text_error *error_ret);

/**
 * call_session_restart() - begin to count anew, as call_session_begin(). -errno: counting has ended, and
 * what was counted can still be read.
 */
int call_session_restart(struct call_session *session, int exe_fd, u32 pid, int cgroup_fd,
			 struct text_error *error_ret);

/** call_session_end() - end the session; nothing can be read from it any more. */
void call_session_end(struct call_session *session);

/** call_session_is_over() - whether counting has ended because calls cost too much. */
bool call_session_is_over(const struct call_session *session);

/** call_session_unloaded() - a module that was unloaded, whose later calls were not counted, or NULL. */
const char *call_session_unloaded(const struct call_session *session);

/** call_session_tell_unhookable() - say on stderr which functions cannot be hooked, once it has begun. */
void call_session_tell_unhookable(const struct call_session *session);

/** call_session_stop() - end counting. */
void call_session_stop(struct call_session *session);

/** call_session_read() - all calls so far. NULL and a reason: they cannot be read. */
struct call_counts *call_session_read(const struct call_session *session,
				      struct text_error *error_ret);

/** call_session_find() - position of the chosen function that is hooked at an address; CALLS_NONE: none. */
u32 call_session_find(const struct call_session *session, u64 address);

/**
 * call_session_function() - find or add a chosen function in the counts. @at: its position.
 * CALLS_NONE: out of memory.
 */
u32 call_session_function(const struct call_session *session, u32 at, struct kernel_names *names,
			  struct call_counts *counts);

/** call_session_deinit() - end and free everything; may be called in any state. */
void call_session_deinit(struct call_session *session);

#endif
