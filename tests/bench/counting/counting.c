// SPDX-License-Identifier: GPL-2.0-only
/*
 * The baseline of the bench's part "events": a counter of the first CPU's cycles that overflows at a fixed
 * period, as the kernel's own counters do, and only counts its overflows.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/perf_event.h>

static unsigned long period = 1000003;
module_param(period, ulong, 0444);
MODULE_PARM_DESC(period, "cycles between two overflows");

static unsigned long fired;
module_param(fired, ulong, 0444);
MODULE_PARM_DESC(fired, "overflows so far");

static struct perf_event *counter;

static void counting_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	fired++;
}

static int __init counting_init(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = period,
	};

	counter = perf_event_create_kernel_counter(&attr, 0, NULL, counting_overflow, NULL);
	return PTR_ERR_OR_ZERO(counter);
}

static void __exit counting_exit(void)
{
	perf_event_release_kernel(counter);
}

module_init(counting_init);
module_exit(counting_exit);
MODULE_DESCRIPTION("a counter that only counts its overflows, to compare with");
MODULE_LICENSE("GPL");
