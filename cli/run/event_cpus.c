// SPDX-License-Identifier: GPL-2.0-only
/* The CPUs that count an event: see event_cpus.h. */
#include <errno.h>
#include <stdlib.h>

#include "events/pmu.h"
#include "run/event_cpus.h"

static bool has_cpu(const struct cpus *cpus, u32 cpu)
{
	size_t i;

	for (i = 0; i < cpus->nr && cpus->number[i] != cpu; i++)
		;
	return i < cpus->nr;
}

/* The CPUs of both sets. -ENOMEM. */
static int intersect(const struct cpus *a, const struct cpus *b, struct cpus *both_ret)
{
	size_t i;

	*both_ret = (struct cpus){ .number = calloc(a->nr + 1, sizeof(*both_ret->number)) };
	for (i = 0; both_ret->number && i < a->nr; i++)
		if (has_cpu(b, a->number[i]))
			both_ret->number[both_ret->nr++] = a->number[i];
	return both_ret->number ? 0 : -ENOMEM;
}

int event_cpus(const char *root, const struct event *event, const struct cpus *chosen, struct cpus *counted_ret,
	       struct text_error *error_ret)
{
	char list[PMU_CPUS_LEN];
	struct cpus of_pmu, both;
	int error;

	*counted_ret = (struct cpus){ .nr = 0 };
	if (!event_is_sampled(event) || !pmu_cpus(root, event->type, list)[0] ||
	    cpus_parse(list, &of_pmu, error_ret))
		return 0;
	error = intersect(chosen, &of_pmu, &both);
	if (error)
		text_fail(error_ret, error, "list CPUs: out of memory");
	else if (!both.nr)
		error = text_fail(error_ret, -ENODEV, "%s is counted on CPUs %s only, and none of these is chosen",
				  event->name, list);
	if (error || both.nr == chosen->nr)
		cpus_deinit(&both);
	else
		*counted_ret = both;
	cpus_deinit(&of_pmu);
	return error;
}
