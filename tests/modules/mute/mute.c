// SPDX-License-Identifier: GPL-2.0-only
/* For tests: a unit of counters, /sys/bus/event_source/devices/mute, that cannot interrupt: they count, and never overflow. */
#include <linux/module.h>
#include <linux/perf_event.h>

static struct pmu mute;

static int mute_init_event(struct perf_event *event)
{
	return event->attr.type == mute.type ? 0 : -ENOENT;
}

static void mute_read(struct perf_event *event)
{
	local64_inc(&event->count);
}

static void mute_start(struct perf_event *event, int flags)
{
}

static void mute_stop(struct perf_event *event, int flags)
{
	mute_read(event);
}

static int mute_add(struct perf_event *event, int flags)
{
	return 0;
}

static void mute_del(struct perf_event *event, int flags)
{
	mute_stop(event, flags);
}

static struct pmu mute = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_INTERRUPT,
	.event_init = mute_init_event,
	.add = mute_add,
	.del = mute_del,
	.start = mute_start,
	.stop = mute_stop,
	.read = mute_read,
};

static int __init mute_init(void)
{
	return perf_pmu_register(&mute, "mute", -1);
}

static void __exit mute_exit(void)
{
	perf_pmu_unregister(&mute);
}

module_init(mute_init);
module_exit(mute_exit);
MODULE_DESCRIPTION("counters that cannot interrupt, for tests");
MODULE_LICENSE("GPL");
