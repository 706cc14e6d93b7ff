// SPDX-License-Identifier: GPL-2.0-only
/*
 * hoard: starts sessions of stacks with the largest buffers until one is refused, which must be for
 * lack of memory, without the OOM killer; then closes all and starts an ordinary session. Prints
 * the number of sessions started.
 */
#include "session.h"

#define SESSIONS_MAX	1000

static int start(int fd, __u32 stack_kib)
{
	struct cpuprobe_start start = START(.what = CPUPROBE_WHAT_STACKS,
		.period_ns = CPUPROBE_PERIOD_MAX_NS, .frames = CPUPROBE_FRAMES_USER,
		.stack_kib = stack_kib);
	int error = ioctl(fd, CPUPROBE_IOC_START, &start) ? errno : 0;

	session_equal("a reason", start.reason, CPUPROBE_REASON_NONE);
	return error;
}

int main(void)
{
	static struct session session[SESSIONS_MAX];
	int nr, error = 0, i;

	for (nr = 0; nr < SESSIONS_MAX && !error; nr++) {
		session_open(&session[nr]);
		session_equal("open", session[nr].fd < 0, 0);
		error = start(session[nr].fd, CPUPROBE_STACK_KIB_MAX);
	}
	for (i = 0; i < nr; i++)
		close(session[i].fd);
	session_equal("refused for", error, ENOMEM);
	session_open(&session[0]);
	session_equal("start afterwards", start(session[0].fd, 0), 0);
	close(session[0].fd);
	printf("%d sessions\n", nr - 1);
	return 0;
}
