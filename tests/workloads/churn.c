// SPDX-License-Identifier: GPL-2.0-only
/*
 * churn N: runs N sessions one after the other, of every kind and jitter, with zero to two
 * harvests, ended by close, by one STOP or by two, with or without a last harvest. All sums must
 * hold. Prints the number of samples taken.
 */
#include "session.h"

static void one(unsigned int i, __u64 *taken, __u64 *missed)
{
	static const __u64 periods_ns[] = { 50000, 100000, 1000000, 1000000000 };
	struct session session;
	unsigned int kinds = session_kinds(), harvests = i % 3;

	session_open(&session);
	session_equal("open", session.fd < 0, 0);
	session_equal("start", session_start(&session, i % kinds, periods_ns[i / kinds % 4]), 0);
	session_equal("a second start", session_start(&session, i % kinds, 100000), EBUSY);
	while (harvests--) {
		usleep(rand() % 2000);
		session_equal("harvest", session_harvest(&session), 0);
	}
	if (i & 1)
		session_equal("stop", ioctl(session.fd, CPUPROBE_IOC_STOP), 0);
	if (i & 2) {
		session_equal("stop", ioctl(session.fd, CPUPROBE_IOC_STOP), 0);
		session_equal("last harvest", session_harvest(&session), 0);
		session_equal("pending after the end", session.pending, 0);
	}
	close(session.fd);
	*taken += session.taken;
	*missed += session.missed;
}

int main(int argc, char **argv)
{
	unsigned int nr = argc > 1 ? atoi(argv[1]) : 100, i;
	__u64 taken = 0, missed = 0;

	for (i = 0; i < nr; i++)
		one(i, &taken, &missed);
	printf("%u sessions, %llu samples, %llu missed\n", nr, taken, missed);
	return taken ? 0 : 1;
}
