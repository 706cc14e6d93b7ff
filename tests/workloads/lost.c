// SPDX-License-Identifier: GPL-2.0-only
/*
 * lost: runs more threads, each with a record of its own, than a table has room for, on one CPU
 * that is neither idle nor harvested while they run. Samples are lost, even those of the idle CPU
 * afterwards, and all of them must be counted as lost. Prints the sums; exits 1 if they do not add
 * up.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "abi.h"
#include "machine.h"

#define THREADS	300

static void *burn(void *number)
{
	double end = now_s() + 0.01;
	char name[16];

	snprintf(name, sizeof(name), "t%lu", (unsigned long)number);
	prctl(PR_SET_NAME, name);
	while (now_s() < end)
		;
	return NULL;
}

static void use_up_records(void)
{
	pthread_t thread;
	unsigned long i;

	for (i = 0; i < THREADS; i++)
		if (!pthread_create(&thread, NULL, burn, (void *)i))
			pthread_join(thread, NULL);
}

static void lose(__u32 flags, __u32 deferred_ns)
{
	static struct cpuprobe_record records[CPUPROBE_RECORDS];
	struct cpuprobe_start start = good_start();
	struct cpuprobe_harvest harvest = good_harvest(records);
	const struct cpuprobe_account *account = &harvest.account;
	static unsigned char first = 1;
	int fd = device();
	__u64 lost;

	start.by = CPUPROBE_BY_THREAD;
	start.flags = flags;
	start.deferred_ns = deferred_ns;
	start.period_ns = 2000000;
	start.cpus = (unsigned long)&first;
	start.cpus_len = 1;
	CHECK(!ioctl(fd, CPUPROBE_IOC_START, &start));
	use_up_records();
	/* Idle finds no free record either, unless it got one before the threads began. */
	usleep(100000);
	CHECK(!ioctl(fd, CPUPROBE_IOC_STOP));
	CHECK(!ioctl(fd, CPUPROBE_IOC_HARVEST, &harvest));
	lost = lost_samples(account);
	printf("%llu taken, %llu lost, %llu left out, %u records\n",
	       (unsigned long long)account->taken, (unsigned long long)lost,
	       (unsigned long long)account->excluded, account->entries);
	CHECK(lost || account->excluded);
	CHECK(hits_of_records(records, account->entries) + lost + account->excluded ==
	      account->taken);
	CHECK(!(account->flags & CPUPROBE_ACCOUNT_DAMAGED));
	close(fd);
}

int main(void)
{
	CHECK(!stay_on(0));
	lose(0, 0);
	lose(CPUPROBE_START_IDLE_SLEEP, 0);
	/* A bound of 1 ns makes all samples late. */
	lose(CPUPROBE_START_EXCLUDE_DEFERRED, 1);
	return nr_wrong != 0;
}
