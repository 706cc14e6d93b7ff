// SPDX-License-Identifier: GPL-2.0-only
/*
 * For tests: stops a CPU on its way online or offline. While is_shut is 1, a CPU that comes waits after the kernel's
 * counters of events can count there, and before modules that were loaded later are told of it; a CPU that goes waits in
 * the opposite order; with is_early=1 before and after it has counters. is_occupied says that one waits.
 */
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/module.h>

static bool is_shut;
module_param(is_shut, bool, 0644);
MODULE_PARM_DESC(is_shut, "CPUs wait");

static bool is_occupied;
module_param(is_occupied, bool, 0444);
MODULE_PARM_DESC(is_occupied, "a CPU waits");

static bool is_early;
module_param(is_early, bool, 0444);
MODULE_PARM_DESC(is_early, "where the kernel has no counters of events yet, or any more");

static enum cpuhp_state state;

static int wait_in_doorway(unsigned int cpu)
{
	WRITE_ONCE(is_occupied, READ_ONCE(is_shut));
	while (READ_ONCE(is_shut))
		msleep(10);
	WRITE_ONCE(is_occupied, false);
	return 0;
}

static int __init doorway_init(void)
{
	/* A state of machines that tests do not have. */
	int result = cpuhp_setup_state_nocalls(is_early ? CPUHP_AP_ARM_MVEBU_SYNC_CLOCKS : CPUHP_AP_ONLINE_DYN,
					       "doorway:online", wait_in_doorway, wait_in_doorway);

	state = is_early ? CPUHP_AP_ARM_MVEBU_SYNC_CLOCKS : result;
	return min(result, 0);
}

static void __exit doorway_exit(void)
{
	cpuhp_remove_state_nocalls(state);
}

module_init(doorway_init);
module_exit(doorway_exit);
MODULE_DESCRIPTION("stops CPUs on their way online or offline, for tests");
MODULE_LICENSE("GPL");
