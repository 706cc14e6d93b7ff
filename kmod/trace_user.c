// SPDX-License-Identifier: GPL-2.0-only
/* The functions of programs in TRACE: see trace.h. */
#include <linux/err.h>
#include <linux/mm.h>

#include "functions.h"
#include "trace.h"

static bool is_trigger_hooked(const struct cpuprobe_trace *request,
			      const struct cpuprobe_user_function *function, u32 number)
{
	return number == CPUPROBE_NO_FUNCTION || number < request->nr_functions ||
		function[number - request->nr_functions].state == CPUPROBE_FUNCTION_HOOKED;
}

static int attach(struct trace *trace, struct cpuprobe_trace *request,
		  struct cpuprobe_user_function *function)
{
	u32 nr = request->nr_user_functions, i;
	int error = 0;

	for (i = 0; i < nr && !error; i++)
		error = user_hooks_get(&trace->tracer.users, i, function[i].fd);
	if (error) {
		request->reason = CPUPROBE_REASON_OBJECT;
		return error;
	}
	error = tracer_attach_user(&trace->tracer, function);
	if (error < 0)
		return error;
	request->nr_hooked += error;
	error = functions_tell(request->user_functions, function, nr, sizeof(*function));
	if (!error && (!is_trigger_hooked(request, function, request->start_function) ||
		       !is_trigger_hooked(request, function, request->stop_function))) {
		request->reason = CPUPROBE_REASON_FUNCTIONS;
		return -EINVAL;
	}
	return error;
}

int trace_attach_user(struct trace *trace, struct cpuprobe_trace *request)
{
	struct cpuprobe_user_function *function;
	int error;

	if (!request->nr_user_functions)
		return 0;
	function = functions_copy(request->user_functions, request->nr_user_functions, sizeof(*function));
	if (IS_ERR(function))
		return PTR_ERR(function);
	error = attach(trace, request, function);
	kvfree(function);
	return error;
}
