// SPDX-License-Identifier: GPL-2.0-only
/* cpuprobe.ko: initialise in order, clean up in reverse order, nothing else. */
#include <linux/module.h>
#include <linux/stringify.h>

#include "access.h"
#include "calibrate.h"
#include "chardev.h"
#include "cpuprobe.h"
#include "release.h"
#include "address_spaces.h"
#include "timers.h"
#include "unhooking.h"

static int __init cpuprobe_init(void)
{
	int error;

	access_setup();
	error = timers_setup();
	if (error)
		return error;
	error = unhooking_setup();
	if (error)
		goto teardown_timers;
	error = spaces_setup();
	if (error)
		goto teardown_unhooking;
	error = calibrate();
	if (!error)
		error = chardev_setup();
	if (!error)
		return 0;
	spaces_teardown();
teardown_unhooking:
	unhooking_teardown();
teardown_timers:
	timers_teardown();
	return error;
}

static void __exit cpuprobe_exit(void)
{
	chardev_teardown();
	spaces_teardown();
	unhooking_teardown();
	timers_teardown();
}

module_init(cpuprobe_init);
module_exit(cpuprobe_exit);

MODULE_DESCRIPTION("CPU probes: where processor time goes, by unbiased sampling");
MODULE_VERSION(CPUPROBE_RELEASE);
/* Lets the tool recognise a module file of another interface version before loading it. */
MODULE_INFO(interface, __stringify(CPUPROBE_ABI_VERSION));
MODULE_AUTHOR("The cpuprobe authors");
MODULE_LICENSE("GPL");
