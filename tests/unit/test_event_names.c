// SPDX-License-Identifier: GPL-2.0-only
/* Events by name, on a machine that is made up: cli/events. */
#include <errno.h>
#include <linux/perf_event.h>

#include "directory.h"
#include "cpuprobe.h"
#include "events/event_find.h"
#include "events/event_names.h"
#include "events/event_rate.h"
#include "events/pmu.h"

static struct event find(const char *text)
{
	struct event event = { .name = "" };
	struct text_error why = { "", "" };

	if (event_find(in_directory("devices"), text, &event, &why))
		fail_msg("%s: %s", text, why.what);
	assert_string_equal(event.name, text);
	return event;
}

static void assert_refused(const char *text, const char *what, const char *hint)
{
	struct event event = { .period = 77 };
	struct text_error why = { "", "" };

	assert_true(event_find(in_directory("devices"), text, &event, &why) < 0);
	assert_string_equal(why.what, what);
	if (hint)
		assert_string_equal(why.hint, hint);
	assert_int_equal(event.period, 77);
}

static int make_machine(void **state)
{
	if (make_directory(state))
		return -1;
	sh("mkdir -p devices/toy/events devices/toy/format devices/empty devices/kprobe devices/software; "
	   "echo 6 >devices/kprobe/type; echo 1 >devices/software/type; "
	   "echo 42 >devices/toy/type; echo 7 >devices/empty/type; "
	   "echo 'event=0x3c,umask=0x1' >devices/toy/events/hits; echo 'event=0x12,wide=0x1ff,one' >devices/toy/events/misses; "
	   "echo 1 >devices/toy/events/hits.scale; "
	   "echo 'config:0-7' >devices/toy/format/event; echo 'config:8-15' >devices/toy/format/umask; "
	   "echo 'config:0-7,32-35' >devices/toy/format/wide; echo 'config1:0-15' >devices/toy/format/filter; "
	   "echo 'config:23' >devices/toy/format/one; echo 'config2:0-3' >devices/toy/format/far; "
	   "echo 'config:9-3' >devices/toy/format/bent");
	return 0;
}

static void names_of_the_kernel(void **state)
{
	struct event event = find("cycles");

	assert_int_equal(event.type, PERF_TYPE_HARDWARE);
	assert_int_equal(event.config, PERF_COUNT_HW_CPU_CYCLES);
	assert_int_equal(event.flags, 0);
	event = find("page-faults");
	assert_int_equal(event.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(event.config, PERF_COUNT_SW_PAGE_FAULTS);
	assert_int_equal(event.period, 101);
	assert_true(event_is_software(&event));
	assert_int_equal(find("cs").config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	event = find("L1-dcache-load-misses");
	assert_int_equal(event.type, PERF_TYPE_HW_CACHE);
	assert_int_equal(event.config, 0x10000);
	assert_int_equal(find("iTLB-loads").config, PERF_COUNT_HW_CACHE_ITLB);
	assert_int_equal(find("LLC-store-misses").config, 0x10102);
	event = find("r01C2");
	assert_int_equal(event.type, PERF_TYPE_RAW);
	assert_int_equal(event.config, 0x1c2);
	assert_int_equal(find("rffffffffffffffff").config, UINT64_MAX);
}

static void modes_follow_names(void **state)
{
	assert_int_equal(find("cycles:u").flags, CPUPROBE_EVENT_NO_KERNEL);
	assert_int_equal(find("cycles:k").flags, CPUPROBE_EVENT_NO_USER);
	assert_int_equal(find("rc0:k").config, 0xc0);
	assert_int_equal(find("toy/hits/u").flags, CPUPROBE_EVENT_NO_KERNEL);
	assert_int_equal(find("toy/hits/:k").flags, CPUPROBE_EVENT_NO_USER);
	assert_refused("cycles:uk", "mode 'uk' of an event is neither u (user) nor k (kernel)", NULL);
	assert_refused("cycles:", "mode '' of an event is neither u (user) nor k (kernel)", NULL);
}

/* Values go into the bits that the format names, also into several ranges. */
static void pmus_of_sysfs(void **state)
{
	struct event event = find("toy/hits/");

	assert_int_equal(event.type, 42);
	assert_int_equal(event.config, 0x13c);
	assert_int_equal(event.config1, 0);
	assert_int_equal(event.period, EVENT_PERIOD_OTHER);
	assert_int_equal(find("toy/misses/").config, 0x1008000ffULL);
	event = find("toy/event=0x12,umask=3,filter=0x123,one/");
	assert_int_equal(event.config, 0x800312);
	assert_int_equal(event.config1, 0x123);
	assert_int_equal(find("toy/hits,umask=0x2/").config, 0x23c);
	assert_int_equal(find("toy/event=010/").config, 10);
	assert_int_equal(find("toy/config=0x99,config1=5/").config1, 5);
	assert_int_equal(find("empty/config=3/").type, 7);
}

static void pmus_are_checked(void **state)
{
	assert_refused("none/hits/", "this machine has no PMU 'none'", NULL);
	assert_refused("../hits/", "this machine has no PMU '..'", NULL);
	assert_refused("toy/hit/", "toy has no event and no field 'hit'", NULL);
	assert_refused("toy/../type=1/", "toy has no event and no field '../type'", NULL);
	assert_refused("toy/event=0x100/", "0x100 is too large for field 'event' of toy", NULL);
	assert_refused("toy/event=x/", "'event' of toy is no number: x", NULL);
	assert_refused("toy/event=-1/", "'event' of toy is no number: -1", NULL);
	assert_refused("toy/far=1/", "field 'far' of toy is in 'config2', which cannot be set", NULL);
	assert_refused("toy/bent=1/", "field 'bent' of toy has invalid bits: 9-3", NULL);
	assert_refused("kprobe/config=1/", "kprobe/config=1/: tracepoints, breakpoints and probes are not sampled",
		       "'probe calls' and 'probe trace' follow functions");
	assert_refused("software/config=0/", "software/config=0/ is time, not an event",
		       "leave -event out: time is sampled then");
	assert_int_equal(find("software/config=2/").config, PERF_COUNT_SW_PAGE_FAULTS);
	assert_refused("toy/hits", "'toy/hits' is not of the form PMU/EVENT/", NULL);
	assert_refused("toy//", "'toy//' is not of the form PMU/EVENT/", NULL);
}

static void unknown_names_have_likes(void **state)
{
	assert_refused("page-fault", "unknown event 'page-fault'",
		       "like it: page-faults; 'probe events' lists those of this machine");
	assert_refused("cycels", "unknown event 'cycels'",
		       "like it: cycles; 'probe events' lists those of this machine");
	assert_refused("hit", "unknown event 'hit'",
		       "like it: toy/hits/; 'probe events' lists those of this machine");
	assert_refused("xyzzy", "unknown event 'xyzzy'", "'probe events' lists those of this machine");
	assert_refused("task-clock", "task-clock is time, not an event", "leave -event out: time is sampled then");
	assert_refused("", "empty name of an event", "'probe events' lists those of this machine");
	assert_refused("rxyz", "unknown event 'rxyz'", NULL);
	assert_refused("r12345678901234567", "unknown event 'r12345678901234567'", NULL);
	assert_refused("cycles,instructions", "'cycles,instructions': this command samples on one event",
		       "start a run of each: 'probe start NAME -event cycles'");
}

static void assert_several_refused(const char *text, const char *what)
{
	struct event events[EVENTS_MOST];
	struct text_error why = { "", "" };
	unsigned int nr = 77;

	assert_true(event_find_several(in_directory("devices"), text, events, &nr, &why) < 0);
	assert_string_equal(why.what, what);
	assert_int_equal(nr, 77);
}

static void several_events(void **state)
{
	struct event events[EVENTS_MOST];
	struct text_error why = { "", "" };
	unsigned int nr;

	assert_int_equal(event_find_several(in_directory("devices"), "cycles:u,toy/event=0x12,one/k,cs", events, &nr, &why), 0);
	assert_int_equal(nr, 3);
	assert_string_equal(events[0].name, "cycles:u");
	assert_string_equal(events[1].name, "toy/event=0x12,one/k");
	assert_int_equal(events[1].flags, CPUPROBE_EVENT_NO_USER);
	assert_string_equal(events[2].name, "cs");
	assert_int_equal(event_find_several(in_directory("devices"), "cycles", events, &nr, &why), 0);
	assert_int_equal(nr, 1);
	/* One event in two modes. */
	assert_int_equal(event_find_several(in_directory("devices"), "cycles:u,cycles:k", events, &nr, &why), 0);
	assert_int_equal(nr, 2);
	assert_several_refused("cycles,cs,faults,toy/hits/,migrations", "a run samples on at most 4 events");
	assert_several_refused("cs,cycles,context-switches", "event 'context-switches' is there twice");
	assert_several_refused("cs,", "empty name of an event");
	assert_several_refused(",cs", "empty name of an event");
	assert_several_refused("cs,page-fault", "unknown event 'page-fault'");
}

/* The rate of a period is refused above the limit, with a period that keeps to the rate that is wanted. */
static void storms_are_refused(void **state)
{
	const struct event cycles = { .name = "cycles", .period = 1000 }, faults = {
		.name = "page-faults", .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .period = 1,
	};
	struct text_error why = { "", "" };

	assert_int_equal(event_check_rate(&cycles, 2e7, 1000, &why), 0);
	assert_int_equal(event_check_rate(&cycles, 0, 1000, &why), 0);
	assert_int_equal(event_check_rate(&cycles, 2.93e9, 500, &why), -EINVAL);
	assert_string_equal(why.what, "sample cycles with a period of 1000: a busy CPU would take 2.9e+06 samples a "
			    "second, more than 20000");
	assert_string_equal(why.hint, "-period 5900000 takes about 500");
	/* A loop that touches no new page. */
	assert_true(event_rate(&faults) < 20000);
	assert_true(event_rate(&(struct event){ .name = "none", .type = 4711, .period = 1 }) == 0);
}

static void events_with_a_role(void **state)
{
	assert_int_equal(event_role(&(struct event){ .name = "x/instructions/", .type = 4 }), EVENT_INSTRUCTIONS);
	assert_int_equal(event_role(&(struct event){ .name = "x/cpu-cycles/:u", .type = 4 }), EVENT_CYCLES);
	assert_int_equal(event_role(&(struct event){ .name = "x/event=1/", .type = 4 }), EVENT_OTHER);
	assert_int_equal(event_role(&(struct event){ .name = "/", .type = 4 }), EVENT_OTHER);
	assert_int_equal(event_role(&(struct event){ .name = "instructions", .type = 1 }), EVENT_OTHER);
}

static void note_event(void *context, const char *text)
{
	strcat(strcat(context, text), " ");
}

/* Files about the scale of an event are no events. */
static void sysfs_is_listed(void **state)
{
	char all[256] = "";

	pmu_each(in_directory("devices"), note_event, all);
	assert_string_equal(all, "toy/hits/ toy/misses/ ");
	all[0] = '\0';
	pmu_each(in_directory("missing"), note_event, all);
	assert_string_equal(all, "");
}

/* Each name is unique and found again; none is so long that it would be cut. */
static void known_names_are_found(void **state)
{
	struct event_name name, again;
	size_t i;

	for (i = 0; event_name_at(i, &name); i++) {
		assert_true(event_name_find(name.name, &again));
		assert_int_equal(again.type, name.type);
		assert_int_equal(again.config, name.config);
		assert_true(name.period >= 1 && name.period <= CPUPROBE_EVENTS_MAX);
		assert_true(strlen(name.name) <= 25 && strlen(name.help) <= 33);
	}
	assert_int_equal(i, 18 + 7 * 3 * 2);
}

static void events_of_files_are_checked(void **state)
{
	struct event event = { .name = "a\033b", .flags = 0xff, .period = 5 };
	char text[128];

	event_clean(&event);
	assert_null(strchr(event.name, '\033'));
	assert_int_equal(event.flags, CPUPROBE_EVENT_NO_USER | CPUPROBE_EVENT_NO_KERNEL);
	memset(event.name, 'x', sizeof(event.name));
	event_clean(&event);
	assert_int_equal(strlen(event.name), EVENT_NAME_LEN - 1);
	event.period = CPUPROBE_EVENTS_MAX + 1;
	event_clean(&event);
	assert_false(event_is_sampled(&event));
	event = (struct event){ .period = 5 };
	event_clean(&event);
	assert_false(event_is_sampled(&event));
	event = (struct event){ .name = "page-faults", .period = 101 };
	assert_string_equal(event_heading(&event, text, sizeof(text)),
			    "Counted page-faults with a period of 101");
}

/* The period may differ: shares are shares of the same events. */
static void equal_events_are_told(void **state)
{
	struct event a = find("cycles"), b = a, none = { .period = 0 };

	b.period = 5;
	assert_true(event_are_equal(&a, &b));
	assert_true(event_are_equal(&none, &none));
	assert_false(event_are_equal(&a, &none));
	b = find("cycles:u");
	assert_false(event_are_equal(&a, &b));
	b = find("instructions");
	assert_false(event_are_equal(&a, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_the_kernel),
		cmocka_unit_test(modes_follow_names),
		cmocka_unit_test(pmus_of_sysfs),
		cmocka_unit_test(pmus_are_checked),
		cmocka_unit_test(unknown_names_have_likes),
		cmocka_unit_test(several_events),
		cmocka_unit_test(events_with_a_role),
		cmocka_unit_test(storms_are_refused),
		cmocka_unit_test(sysfs_is_listed),
		cmocka_unit_test(known_names_are_found),
		cmocka_unit_test(events_of_files_are_checked),
		cmocka_unit_test(equal_events_are_told),
	};

	return cmocka_run_group_tests(tests, make_machine, remove_directory);
}
