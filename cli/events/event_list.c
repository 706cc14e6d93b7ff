// SPDX-License-Identifier: GPL-2.0-only
/* All events that have a name: see event_list.h. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpuprobe.h"
#include "events/event_find.h"
#include "events/event_list.h"
#include "events/event_names.h"
#include "events/pmu.h"

/** A list in the making. */
struct making {
	const char *root;
	struct event_entry *entry;
	size_t nr;
	int error;
};

static struct event_entry *add_entry(struct making *making)
{
	struct event_entry *grown = reallocarray(making->entry, making->nr + 1, sizeof(*grown));

	if (!grown) {
		making->error = -ENOMEM;
		return NULL;
	}
	making->entry = grown;
	grown += making->nr++;
	memset(grown, 0, sizeof(*grown));
	return grown;
}

static void add_name(struct making *making, const struct event_name *name)
{
	struct event_entry *entry = add_entry(making);

	if (!entry)
		return;
	entry->kind = name->kind;
	entry->event = (struct event){ .type = name->type, .config = name->config, .period = name->period };
	snprintf(entry->event.name, sizeof(entry->event.name), "%s", name->name);
	snprintf(entry->help, sizeof(entry->help), "%s", name->help);
}

/* The kernel does not say what an event of a PMU means: its fields say which it is. */
static void add_pmu_event(void *context, const char *text)
{
	struct making *making = context;
	char cpus[PMU_CPUS_LEN];
	struct event event;
	struct text_error why;
	struct event_entry *entry;
	int used;

	if (event_find(making->root, text, &event, &why))
		return;
	entry = add_entry(making);
	if (!entry)
		return;
	entry->kind = "pmu";
	entry->event = event;
	pmu_cpus(making->root, event.type, cpus);
	entry->cpu = atoi(cpus);
	used = snprintf(entry->help, sizeof(entry->help), "%s%s%stype %u, config %#llx", cpus[0] ? "CPUs " : "", cpus,
			cpus[0] ? ", " : "", event.type, event.config);
	if (event.config1)
		snprintf(entry->help + used, sizeof(entry->help) - used, ", config1 %#llx", event.config1);
}

static int open_event(const struct event *event, int cpu, u64 period)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = event->type, .config = event->config, .config1 = event->config1,
		.sample_period = period, .disabled = 1,
		.exclude_user = !!(event->flags & CPUPROBE_EVENT_NO_USER),
		.exclude_kernel = !!(event->flags & CPUPROBE_EVENT_NO_KERNEL),
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Try to sample an event on a CPU, and else to count it. */
static enum event_state try_event(const struct event *event, int cpu)
{
	int error = open_event(event, cpu, event->period ?: EVENT_PERIOD_OTHER);

	if (!error)
		return EVENT_SAMPLES;
	if (error == -EPERM || error == -EACCES)
		return EVENT_FORBIDDEN;
	if (error == -EBUSY)
		return EVENT_BUSY;
	return open_event(event, cpu, 0) ? EVENT_LACKS : EVENT_COUNTS;
}

const char *event_state_name(enum event_state state)
{
	static const char *const names[] = {
		[EVENT_SAMPLES] = "yes", [EVENT_COUNTS] = "counts only", [EVENT_LACKS] = "no",
		[EVENT_FORBIDDEN] = "not allowed", [EVENT_BUSY] = "busy",
	};

	return names[state];
}

int event_list(const char *root, struct event_entry **list_ret, size_t *nr_ret)
{
	struct making making = { .root = root };
	struct event_name name;
	size_t i;

	for (i = 0; event_name_at(i, &name); i++)
		add_name(&making, &name);
	pmu_each(root, add_pmu_event, &making);
	if (making.error) {
		free(making.entry);
		return making.error;
	}
	for (i = 0; i < making.nr; i++)
		making.entry[i].state = try_event(&making.entry[i].event, making.entry[i].cpu);
	*list_ret = making.entry;
	*nr_ret = making.nr;
	return 0;
}
