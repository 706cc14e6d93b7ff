// SPDX-License-Identifier: GPL-2.0-only
/* Hooks at tracepoints: see tracepoints.h. */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "tracepoints.h"

struct search {
	const char *name;
	struct tracepoint *found;
};

static void compare_name(struct tracepoint *tracepoint, void *context)
{
	struct search *search = context;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

static struct tracepoint *find_tracepoint(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(compare_name, &search);
	return search.found;
}

int tracepoints_register(const char *name, void *probe, void *data)
{
	struct tracepoint *tracepoint;

	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		return -EOPNOTSUPP;
	tracepoint = find_tracepoint(name);
	return tracepoint ? tracepoint_probe_register(tracepoint, probe, data) : -EOPNOTSUPP;
}

void tracepoints_remove(const char *name, void *probe, void *data)
{
	if (IS_ENABLED(CONFIG_TRACEPOINTS))
		tracepoint_probe_unregister(find_tracepoint(name), probe, data);
}

void tracepoints_wait(void)
{
	tracepoint_synchronize_unregister();
}

void tracepoints_unregister(const char *name, void *probe, void *data)
{
	tracepoints_remove(name, probe, data);
	tracepoints_wait();
}

bool tracepoints_have(const char *name)
{
	return IS_ENABLED(CONFIG_TRACEPOINTS) && find_tracepoint(name);
}
