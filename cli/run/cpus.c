// SPDX-License-Identifier: GPL-2.0-only
/* The CPUs to sample: see cpus.h. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/cpus.h"

#define SYS_CPU "/sys/devices/system/cpu/"
/* The path with systemd, from kernel 6.8 on. CPUs of isolcpus= are in both lists. */
#define CGROUP_ISOLATED "/sys/fs/cgroup/cpuset.cpus.isolated"

static int parse_cpu_number(const char **text, u32 *value_ret)
{
	unsigned long value;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	value = strtoul(*text, &end, 10);
	if (value >= CPUS_MAX)
		return -EINVAL;
	*text = end;
	*value_ret = value;
	return 0;
}

/* Sets is_member[] for each number in the list. */
static int parse_cpu_list(const char *text, bool is_member[CPUS_MAX])
{
	u32 first, last;

	for (;;) {
		if (parse_cpu_number(&text, &first))
			return -EINVAL;
		last = first;
		if (*text == '-' && (text++, parse_cpu_number(&text, &last)))
			return -EINVAL;
		if (last < first)
			return -EINVAL;
		memset(&is_member[first], true, last - first + 1);
		if (!*text || *text == '\n')
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

static int collect_cpus(const bool is_member[CPUS_MAX], struct cpus *cpus_ret,
			struct text_error *error_ret)
{
	struct cpus cpus = { 0 };
	u32 i;

	for (i = 0; i < CPUS_MAX; i++)
		cpus.nr += is_member[i];
	cpus.number = calloc(cpus.nr + 1, sizeof(*cpus.number));
	if (!cpus.number)
		return text_fail(error_ret, -ENOMEM, "list CPUs: out of memory");
	for (i = cpus.nr = 0; i < CPUS_MAX; i++)
		if (is_member[i])
			cpus.number[cpus.nr++] = i;
	*cpus_ret = cpus;
	return 0;
}

/* Reads a CPU list of the kernel; a missing or empty file is an empty list. */
static void read_cpu_list(const char *path, bool is_member[CPUS_MAX])
{
	FILE *file = fopen(path, "re");
	char line[4096];

	if (file && fgets(line, sizeof(line), file))
		parse_cpu_list(line, is_member);
	if (file)
		fclose(file);
}

static void read_possible_cpus(bool is_member[CPUS_MAX])
{
	long i, nr = sysconf(_SC_NPROCESSORS_CONF);

	read_cpu_list(SYS_CPU "possible", is_member);
	if (memchr(is_member, true, CPUS_MAX))
		return;
	for (i = 0; i < nr && i < CPUS_MAX; i++)	/* no sysfs */
		is_member[i] = true;
}

int cpus_parse(const char *text, struct cpus *cpus_ret, struct text_error *error_ret)
{
	bool is_member[CPUS_MAX] = { false };

	if (!strcmp(text, "all")) {
		read_possible_cpus(is_member);
	} else if (strchr(text, '\n') || parse_cpu_list(text, is_member)) {
		text_fail(error_ret, 0, "'%s' is not a list of CPUs", text);
		text_hint(error_ret, "numbers and ranges such as 0,2-3, or all");
		return -EINVAL;
	}
	return collect_cpus(is_member, cpus_ret, error_ret);
}

int cpus_default(struct cpus *cpus_ret, struct cpus *quiet_ret, struct text_error *error_ret)
{
	bool is_member[CPUS_MAX] = { false }, is_quiet[CPUS_MAX] = { false };
	size_t i, nr_left = 0;
	int error;

	read_possible_cpus(is_member);
	read_cpu_list(SYS_CPU "isolated", is_quiet);
	read_cpu_list(SYS_CPU "nohz_full", is_quiet);
	read_cpu_list(CGROUP_ISOLATED, is_quiet);
	for (i = 0; i < CPUS_MAX; i++) {
		is_quiet[i] &= is_member[i];
		nr_left += is_member[i] && !is_quiet[i];
	}
	for (i = 0; i < CPUS_MAX; i++) {
		is_quiet[i] &= nr_left > 0;
		is_member[i] &= !is_quiet[i];
	}
	error = collect_cpus(is_quiet, quiet_ret, error_ret);
	return error ? error : collect_cpus(is_member, cpus_ret, error_ret);
}

void cpus_print(const struct cpus *cpus, char *text, size_t len)
{
	size_t i, last, used = 0;
	char range[32];

	text[0] = '\0';
	for (i = 0; i < cpus->nr; i = last + 1) {
		for (last = i; last + 1 < cpus->nr &&
		     cpus->number[last + 1] == cpus->number[last] + 1;)
			last++;
		snprintf(range, sizeof(range), last > i ? "%s%u-%u" : "%s%u", i ? "," : "",
			 cpus->number[i], cpus->number[last]);
		/* Keep room for ",..." until the last range. */
		if (used + strlen(range) + (last + 1 < cpus->nr ? sizeof(",...") : 1) > len) {
			snprintf(text + used, len - used, ",...");
			return;
		}
		used += snprintf(text + used, len - used, "%s", range);
	}
}

int cpus_check(const struct cpus *cpus, struct text_error *error_ret)
{
	bool is_member[CPUS_MAX] = { false };
	size_t i;

	read_possible_cpus(is_member);
	for (i = 0; i < cpus->nr; i++)
		if (!is_member[cpus->number[i]])
			return text_fail(error_ret, -ENODEV, "sample CPU %u: no such CPU",
					 cpus->number[i]);
	return 0;
}

void cpus_deinit(struct cpus *cpus)
{
	free(cpus->number);
	cpus->number = NULL;
	cpus->nr = 0;
}
