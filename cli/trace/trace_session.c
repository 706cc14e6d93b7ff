// SPDX-License-Identifier: GPL-2.0-only
/* Following calls: see trace_session.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run/device_trace.h"
#include "trace/trace_session.h"

#define START_LEN	512	/* bytes of the function of -start-at, with its NUL */
#define START_COUNT_MAX	INT32_MAX	/* the module's limit: it counts down in an atomic_t */

/* Splits "FUNCTION:N"; a module and its function have a ':' between them too. */
static int parse_start(const char *text, char *name, size_t len, u32 *count_ret, struct text_error *error_ret)
{
	const char *colon = strrchr(text, ':');
	bool has_count = colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
	unsigned long count = has_count ? strtoul(colon + 1, NULL, 10) : 1;

	if (!count || count > START_COUNT_MAX)
		return text_fail(error_ret, -EINVAL, "-start-at %s: calls are numbered from 1 to %d", text, START_COUNT_MAX);
	snprintf(name, len, "%.*s", has_count ? (int)(colon - text) : (int)strlen(text), text);
	*count_ret = count;
	return 0;
}

int trace_options_check(const struct trace_options *options, struct text_error *error_ret)
{
	char name[START_LEN];
	u32 count;

	if (!options->globs && !options->user.nr && !options->syscalls && !options->irqs && !options->wakeups) {
		text_fail(error_ret, 0, "-fn is missing: which functions?");
		text_hint(error_ret,
			  "-fn 'vfs_*' follows the calls of all functions named so, -ufn those of programs; "
			  "-syscalls, -irq and -sched need none");
		return -EINVAL;
	}
	if (options->max_events && options->wraps)
		return text_fail(error_ret, -EINVAL, "-events cannot be combined with -wrap");
	if (options->start_mark && (!options->start_mark[0] ||
				    strlen(options->start_mark) >= CPUPROBE_MARK_START))
		return text_fail(error_ret, -EINVAL, "-start-mark: a text has from 1 to %zu bytes",
				 (size_t)CPUPROBE_MARK_START - 1);
	return options->start_at ? parse_start(options->start_at, name, sizeof(name), &count, error_ret) : 0;
}

/* The address of the only function with a name; 0 and a reason: there is none, or several. */
static u64 find_function(const char *name, const char *path, struct text_error *error_ret)
{
	struct hookables all = { .nr = 0 };
	u64 address = 0;

	if (hookables_read(&all, path, error_ret) || hookables_choose(&all, name, error_ret)) {
		hookables_deinit(&all);
		return 0;
	}
	if (all.nr == 1)
		address = all.list[0].address;
	else
		text_fail(error_ret, 0, "find function %s: %u functions have this name", name, all.nr);
	hookables_deinit(&all);
	return address;
}

/* The functions of triggers are hooked too. */
static char *join_globs(const char *globs, const char *start, const char *stop)
{
	const char *const part[] = { globs, start, stop };
	char *joined = NULL;
	size_t len, i;
	FILE *out = open_memstream(&joined, &len);
	bool has_any = false;

	if (!out)
		return NULL;
	for (i = 0; i < 3; i++) {
		if (!part[i] || !part[i][0])
			continue;
		fprintf(out, "%s%s", has_any ? "," : "", part[i]);
		has_any = true;
	}
	return fclose(out) ? NULL : joined;
}

/* A chosen function of a program comes before one of the kernel. */
static int find_triggers(struct trace_session *session, char *start, size_t start_len, const char *path,
			 struct text_error *error_ret)
{
	const struct trace_options *options = session->options;

	if (options->start_at) {
		if (parse_start(options->start_at, start, start_len, &session->start_count, error_ret))
			return -EINVAL;
		session->start_user = user_functions_find(&session->users, start);
		if (session->start_user == UINT32_MAX)
			session->start_address = find_function(start, path, error_ret);
		else
			start[0] = '\0';
		if (session->start_user == UINT32_MAX && !session->start_address)
			return -ENOENT;
	}
	if (options->stop_at) {
		session->stop_user = user_functions_find(&session->users, options->stop_at);
		if (session->stop_user == UINT32_MAX)
			session->stop_address = find_function(options->stop_at, path, error_ret);
		if (session->stop_user == UINT32_MAX && !session->stop_address)
			return -ENOENT;
	}
	return 0;
}

int trace_session_choose(struct trace_session *session, const struct trace_options *options,
			 const struct task *task, const char *path, struct text_error *error_ret)
{
	char start[START_LEN] = "";
	int error;

	*session = (struct trace_session){ .options = options, .calls.device.fd = -1, .start_count = 1,
		.start_user = UINT32_MAX, .stop_user = UINT32_MAX };
	error = user_functions_choose(&session->users, &options->user, task, error_ret) ?:
		find_triggers(session, start, sizeof(start), path, error_ret);
	if (error)
		return error;
	session->globs = join_globs(options->globs, start, session->stop_address ? options->stop_at : NULL);
	if (!session->globs)
		return text_fail(error_ret, -ENOMEM, "find functions: out of memory");
	session->choice.globs = session->globs[0] ? session->globs : NULL;
	return call_session_choose(&session->calls, &session->choice, path, error_ret);
}

static u32 flags_of(const struct trace_options *options)
{
	return (options->syscalls ? CPUPROBE_TRACE_SYSCALLS : 0) | (options->irqs ? CPUPROBE_TRACE_IRQ : 0) |
		(options->wakeups ? CPUPROBE_TRACE_WAKEUPS : 0) | (options->wraps ? CPUPROBE_TRACE_WRAP : 0) |
		(options->may_disturb ? CPUPROBE_TRACE_DISTURB : 0) |
		(options->start_at || options->start_mark ? CPUPROBE_TRACE_WAIT : 0);
}

/* The number of the function of a trigger. */
static u32 number_of(const struct trace_session *session, u64 address, u32 user)
{
	u32 at;

	if (user != UINT32_MAX)
		return session->calls.functions.nr + user;
	at = address ? call_session_find(&session->calls, address) : CALLS_NONE;

	return at == CALLS_NONE ? CPUPROBE_NO_FUNCTION : at;
}

int trace_session_begin(struct trace_session *session, int exe_fd, u32 pid, int cgroup_fd,
			struct text_error *error_ret)
{
	const struct trace_options *options = session->options;
	int error = call_session_open(&session->calls, error_ret);

	if (error)
		return error;
	session->request = (struct cpuprobe_trace){
		.functions = (uintptr_t)session->calls.asked, .nr_functions = session->calls.functions.nr,
		.flags = flags_of(options), .buffer_kib = options->buffer_kib,
		.budget_ppm = options->budget_pct * 1e4, .exe_fd = exe_fd, .pid = pid, .cgroup_fd = cgroup_fd,
		.start_function = number_of(session, session->start_address, session->start_user),
		.start_count = options->start_at ? session->start_count : 0,
		.stop_function = number_of(session, session->stop_address, session->stop_user), .max_events = options->max_events,
		.user_functions = (uintptr_t)session->users.asked, .nr_user_functions = session->users.nr,
		.user_cost_ps = session->user_cost_ps,
	};
	if (options->start_mark)
		memcpy(session->request.start_mark, options->start_mark, strlen(options->start_mark));
	error = device_trace(&session->calls.device, &session->request, error_ret);
	session->calls.is_counting = !error;
	return error;
}

void trace_session_deinit(struct trace_session *session)
{
	call_session_deinit(&session->calls);
	user_functions_deinit(&session->users);
	free(session->globs);
	session->globs = NULL;
}
