// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machines with several types of cores, as their sysfs is: a phone's (big.LITTLE) and a laptop's (Intel hybrid). Each
 * type has a PMU with a file `cpus`; a PMU of no CPU in particular has a file `cpumask` instead. cli/run/event_cpus.c,
 * cli/events/pmu.c, event_list.c.
 */
#include <errno.h>
#include <stdlib.h>

#include "directory.h"
#include "events/event_find.h"
#include "events/event_list.h"
#include "run/event_cpus.h"

static int make_machines(void **state)
{
	if (make_directory(state))
		return -1;
	sh("pmu() { mkdir -p $1/events $1/format; echo $2 >$1/type; [ -z \"$3\" ] || echo $3 >$1/cpus; }; "
	   "mkdir phone laptop; cd phone; pmu armv8_cortex_a53 8 0-3; pmu armv8_cortex_a72 9 4-5; pmu arm_ccn 12 ''; "
	   "echo 0 >arm_ccn/cpumask; "
	   "for p in armv8_cortex_a53 armv8_cortex_a72; do echo event=0x0011 >$p/events/cpu_cycles; "
	   "echo event=0x0008 >$p/events/inst_retired; echo config:0-15 >$p/format/event; done; "
	   "echo event=0x1 >arm_ccn/events/cycles; echo config:0-7 >arm_ccn/format/event; "
	   "cd ../laptop; pmu cpu_core 4 0-7; pmu cpu_atom 10 8-11; "
	   "for p in cpu_core cpu_atom; do echo event=0x3c >$p/events/cpu-cycles; echo config:0-7 >$p/format/event; done");
	return 0;
}

static struct event find(const char *machine, const char *text)
{
	struct event event = { .period = 0 };
	struct text_error why = { "", "" };

	if (event_find(in_directory(machine), text, &event, &why))
		fail_msg("%s: %s", text, why.what);
	return event;
}

/* Which of the CPUs 0-11, or of those given, count an event: "all", or their list. */
static void assert_counted(const char *machine, const char *text, const char *chosen, const char *expected)
{
	const struct event event = find(machine, text);
	struct cpus cpus, counted;
	struct text_error why;
	char list[64];

	assert_int_equal(cpus_parse(chosen, &cpus, &why), 0);
	assert_int_equal(event_cpus(in_directory(machine), &event, &cpus, &counted, &why), 0);
	cpus_print(&counted, list, sizeof(list));
	assert_string_equal(counted.nr ? list : "all", expected);
	cpus_deinit(&counted);
	cpus_deinit(&cpus);
}

static void each_type_of_cores_counts_its_own(void **state)
{
	assert_counted("phone", "armv8_cortex_a53/cpu_cycles/", "0-5", "0-3");
	assert_counted("phone", "armv8_cortex_a72/cpu_cycles/u", "0-5", "4-5");
	assert_counted("phone", "armv8_cortex_a72/inst_retired/", "3,5", "5");
	assert_counted("phone", "armv8_cortex_a72/inst_retired/", "4-5", "all");
	assert_counted("laptop", "cpu_core/cpu-cycles/", "0-11", "0-7");
	assert_counted("laptop", "cpu_atom/cpu-cycles/", "0-11", "8-11");
	/* Raw numbers are those of the processor's first PMU, where one has its type. */
	assert_counted("laptop", "r3c", "0-11", "0-7");
	assert_counted("phone", "r11", "0-5", "all");
	/* The kernel's own names are counted by the PMU of each CPU. */
	assert_counted("phone", "cycles", "0-5", "all");
	assert_counted("laptop", "instructions:k", "0-11", "all");
	assert_counted("laptop", "page-faults", "0-11", "all");
	assert_counted("phone", "arm_ccn/cycles/", "0-5", "all");
}

static void other_cores_do_not_count(void **state)
{
	const struct event event = find("phone", "armv8_cortex_a72/cpu_cycles/");
	struct text_error why = { "", "" };
	struct cpus cpus, counted;

	assert_int_equal(cpus_parse("0-3", &cpus, &why), 0);
	assert_int_equal(event_cpus(in_directory("phone"), &event, &cpus, &counted, &why), -ENODEV);
	assert_string_equal(why.what, "armv8_cortex_a72/cpu_cycles/ is counted on CPUs 4-5 only, and none of these is chosen");
	assert_int_equal(counted.nr, 0);
	/* Time is sampled everywhere; a file that is no list of CPUs says nothing. */
	assert_int_equal(event_cpus(in_directory("phone"), &(struct event){ .period = 0 }, &cpus, &counted, &why), 0);
	assert_int_equal(counted.nr, 0);
	sh("echo many >phone/armv8_cortex_a72/cpus");
	assert_int_equal(event_cpus(in_directory("phone"), &event, &cpus, &counted, &why), 0);
	assert_int_equal(counted.nr, 0);
	sh("echo 4-5 >phone/armv8_cortex_a72/cpus");
	cpus_deinit(&cpus);
}

/* `probe events` names the PMU of each type, with its CPUs. */
static void all_types_are_listed(void **state)
{
	struct event_entry *list;
	size_t nr, i, nr_found = 0;

	assert_int_equal(event_list(in_directory("phone"), &list, &nr), 0);
	for (i = 0; i < nr; i++) {
		if (!strcmp(list[i].event.name, "armv8_cortex_a53/cpu_cycles/")) {
			assert_string_equal(list[i].help, "CPUs 0-3, type 8, config 0x11");
			assert_int_equal(list[i].cpu, 0);
		} else if (!strcmp(list[i].event.name, "armv8_cortex_a72/cpu_cycles/")) {
			assert_string_equal(list[i].help, "CPUs 4-5, type 9, config 0x11");
			assert_int_equal(list[i].cpu, 4);
		} else if (!strcmp(list[i].event.name, "arm_ccn/cycles/")) {
			assert_string_equal(list[i].help, "type 12, config 0x1");
		} else {
			continue;
		}
		nr_found++;
	}
	assert_int_equal(nr_found, 3);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_of_cores_counts_its_own),
		cmocka_unit_test(other_cores_do_not_count),
		cmocka_unit_test(all_types_are_listed),
	};

	return cmocka_run_group_tests(tests, make_machines, remove_directory);
}
