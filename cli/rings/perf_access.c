// SPDX-License-Identifier: GPL-2.0-only
/* The right to sample one's own processes: see perf_access.h. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "rings/perf_access.h"
#include "rings/thread_ring.h"

#define ACTION	"sample own processes with perf events"

int perf_access_explain(int error, int level, struct text_error *error_ret)
{
	const bool is_denied = error == EPERM || error == EACCES;

	/* Only a patch of Debian, Ubuntu and Android knows levels above 2. */
	if (is_denied && level > 2) {
		text_fail(error_ret, 0, ACTION ": not allowed: kernel.perf_event_paranoid is %d", level);
		text_hint(error_ret, "sysctl kernel.perf_event_paranoid=2 allows it; above 2 Debian's "
			  "kernels demand CAP_SYS_ADMIN, CAP_PERFMON is not enough: or run as root");
	} else if (is_denied) {
		text_fail(error_ret, 0, ACTION ": not allowed");
		if (level != INT_MIN)
			text_fail(error_ret, 0, ACTION ": not allowed, although "
				  "kernel.perf_event_paranoid is %d", level);
		text_hint(error_ret, "a seccomp filter or a security module refuses it: in a container, "
			  "allow perf_event_open, or give it CAP_PERFMON");
	} else if (error == ENOSYS) {
		text_fail(error_ret, 0, ACTION ": this kernel has none");
		text_hint(error_ret, "use a kernel with CONFIG_PERF_EVENTS=y; a seccomp filter can also "
			  "be the reason");
	} else if (error == EMFILE) {
		text_fail(error_ret, 0, ACTION ": too many descriptors");
		text_hint(error_ret, "raise the limit (ulimit -n)");
	} else if (error == ENOBUFS) {
		text_fail(error_ret, 0, ACTION ": no memory for a ring");
		text_hint(error_ret, "raise kernel.perf_event_mlock_kb, or the limit on locked memory "
			  "(ulimit -l)");
	} else {
		text_fail(error_ret, 0, ACTION ": %s", strerror(error));
	}
	return -error;
}

int perf_access_try(struct text_error *error_ret)
{
	struct thread_ring ring;
	char line[16];
	int error = thread_ring_open(&ring, gettid(), 1000000, 1);

	if (error)
		return perf_access_explain(-error, sysfile_line("/proc/sys/kernel/perf_event_paranoid",
								line, sizeof(line)) ?
					   INT_MIN : atoi(line), error_ret);
	thread_ring_close(&ring);
	return 0;
}
