// SPDX-License-Identifier: GPL-2.0-only
/* The hosts of a saved run: see host.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "run/host.h"

#define CPUS_MAX	8192	/* of one host, as in sys_load() */

_Static_assert(sizeof(struct run_host) == 200, "saved in files");

static void read_boot_id(char boot[HOST_BOOT_LEN])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	boot[0] = '\0';
	if (!file)
		return;
	if (!fgets(boot, HOST_BOOT_LEN, file))
		boot[0] = '\0';
	boot[strcspn(boot, "\n")] = '\0';
	fclose(file);
}

void host_identify(struct run_host *host)
{
	struct utsname node;

	if (!uname(&node))
		snprintf(host->name, sizeof(host->name), "%.63s", node.nodename);
	read_boot_id(host->boot);
}

void host_count(struct run_host *host, const struct run_result *result, const struct receipt *receipt)
{
	const struct run_account *account = &result->account;

	host->began = result->began;
	host->ended = result->began + result->elapsed_seconds + receipt->paused_seconds;
	host->expected = account->expected;
	host->taken = account->taken;
	host->missed = account->missed;
	host->lost = account->lost;
	host->deferred = account->deferred;
	host->excluded = account->excluded;
	host->sampled_ns = receipt->sampled_ns;
	host->period_ns = result->period_ns;
	host->excess = account->excess;
}

void host_save(struct record_writer *writer, const struct run_host *hosts, size_t nr)
{
	record_add(writer, "HOST", hosts, nr * sizeof(*hosts));
}

static bool is_host_valid(const struct run_host *host)
{
	return memchr(host->name, '\0', sizeof(host->name)) &&
		memchr(host->boot, '\0', sizeof(host->boot)) &&
		fabs(host->began) <= RECORD_SECONDS_MAX && fabs(host->ended) <= RECORD_SECONDS_MAX &&
		host->excess >= 0 && host->excess <= RECORD_EXCESS_MAX &&
		host->first_cpu <= CPUS_MAX && host->nr_cpus <= CPUS_MAX;
}

const struct run_host *host_load(const struct record *record, size_t *nr_ret)
{
	size_t len = 0, nr, i;
	const struct run_host *hosts = record_find(record, "HOST", &len);

	*nr_ret = 0;
	nr = hosts && len % sizeof(*hosts) == 0 ? len / sizeof(*hosts) : 0;
	for (i = 0; i < nr; i++)
		if (!is_host_valid(&hosts[i]))
			return NULL;
	*nr_ret = nr;
	return nr ? hosts : NULL;
}

bool host_is_merged(const struct record *record)
{
	size_t nr;

	return host_load(record, &nr) && nr > 1;
}

void host_name(const struct run_host *host, char name_ret[HOST_NAME_LEN])
{
	memcpy(name_ret, host->name, HOST_NAME_LEN);
	record_text(name_ret, HOST_NAME_LEN);
}

double *host_cpu_excess(const struct run_host *hosts, size_t nr, size_t nr_cpus)
{
	double *excess = calloc(nr_cpus + 1, sizeof(*excess));
	size_t i, cpu;

	for (i = 0; excess && i < nr; i++)
		for (cpu = hosts[i].first_cpu; cpu < nr_cpus && cpu - hosts[i].first_cpu < hosts[i].nr_cpus;
		     cpu++)
			excess[cpu] = fmax(excess[cpu], hosts[i].excess);
	return excess;
}
