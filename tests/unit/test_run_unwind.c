// SPDX-License-Identifier: GPL-2.0-only
/* Asking the module for unwinding by tables: cli/run/run_unwind.c. ioctl() simulates the module. */
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "unit.h"
#include "run/engine.h"
#include "run/run_parts.h"

#define TOLD	"probe: only frame pointers lead to callers: "

/** The module: what it refuses, and the requests that it got. */
static struct {
	u32 refused_flags;	/* START with one of these is refused */
	u32 reason;
	int error;
	struct cpuprobe_start asked[2];
	int nr_asked;
} module;

int ioctl(int fd, unsigned long request, ...)
{
	struct cpuprobe_start *start;
	va_list args;

	va_start(args, request);
	start = va_arg(args, void *);
	va_end(args);
	if (request != CPUPROBE_IOC_START) {
		errno = ENOENT;
		return -1;
	}
	assert_in_range(module.nr_asked, 0, 1);
	module.asked[module.nr_asked++] = *start;
	if (!(start->flags & module.refused_flags))
		return 0;
	start->reason = module.reason;
	errno = module.error;
	return -1;
}

static const struct cpus cpus = { .number = (u32[]){ 0 }, .nr = 1 };
static struct unwind_options options;
static struct run run;
static struct meter meter;
static struct text_error error;

static int begin(void **state)
{
	memset(&module, 0, sizeof(module));
	options = (struct unwind_options){ .how = UNWIND_TABLES };
	run = (struct run){ .unwind = &options };
	run.start = (struct cpuprobe_start){
		.what = CPUPROBE_WHAT_STACKS, .frames = CPUPROBE_FRAMES_USER,
		.stack_kib = CPUPROBE_STACK_KIB_MIN, .period_ns = 1000000,
	};
	meter = (struct meter){
		.run = &run, .device = { .engine = &engine_module, .info.access = 2 },
	};
	meter.device.fd = eventfd(0, EFD_CLOEXEC);
	return 0;
}

static int end(void **state)
{
	meter_end_feeding(&meter);
	feeder_destroy(run.feeder);
	device_close(&meter.device);
	return 0;
}

static void refuse(u32 flags, u32 reason, int why)
{
	module.refused_flags = flags;
	module.reason = reason;
	module.error = why;
}

/* Start, and check what stderr says. */
static int start(const char *expected)
{
	FILE *saved = stderr;
	char *text = NULL;
	size_t len;
	int result;

	stderr = open_memstream(&text, &len);
	result = meter_start_unwinding(&meter, &cpus, &error);
	fclose(stderr);
	stderr = saved;
	assert_string_equal(text, expected);
	free(text);
	return result;
}

static void tables_are_the_default(void **state)
{
	options.kib = 128;
	assert_int_equal(start(""), 0);
	assert_int_equal(module.nr_asked, 1);
	assert_int_equal(module.asked[0].flags, CPUPROBE_START_UNWIND);
	assert_int_equal(module.asked[0].unwind_kib, 128);
	assert_true(meter.device.has_tables);
	assert_non_null(run.feeder);
	assert_false(run_lacks_table(&run, "a"));
	assert_int_equal(meter_unwind_how(&meter), UNWIND_TABLES);
}

static void other_choices(void **state)
{
	options.how = UNWIND_POINTERS;
	assert_int_equal(start(""), 0);
	assert_int_equal(meter_unwind_how(&meter), UNWIND_POINTERS);
	options.how = UNWIND_NONE;
	assert_int_equal(start(""), 0);
	assert_int_equal(meter_unwind_how(&meter), UNWIND_NONE);
	module.nr_asked = 1;
	run.unwind = NULL;
	assert_int_equal(start(""), 0);
	assert_int_equal(module.asked[0].flags | module.asked[1].flags, 0);
	assert_null(run.feeder);
	/* Nothing to feed: no table will come. */
	assert_true(run_lacks_table(&run, "a"));
	meter_feed(&meter);
	meter_stop_feeding(&meter);
	meter_count_tables(&meter);
}

/* The default gives way, and says so once; the remedy depends on the reason. */
static void the_default_gives_way(void **state)
{
	options.kib = 128;
	refuse(CPUPROBE_START_UNWIND, CPUPROBE_REASON_QUIET, EPERM);
	assert_int_equal(start(TOLD "hooks would interrupt isolated CPUs; -unwind tables insists\n"),
			 0);
	assert_int_equal(module.nr_asked, 2);
	assert_int_equal(module.asked[1].flags, 0);
	assert_int_equal(module.asked[1].unwind_kib, 0);
	assert_int_equal(meter_unwind_how(&meter), UNWIND_POINTERS);
	assert_null(run.feeder);
	module.nr_asked = 0;
	assert_int_equal(start(""), 0);
	module.nr_asked = 0;
	meter.has_told_pointers = false;
	module.reason = CPUPROBE_REASON_NO_HOOKS;
	assert_int_equal(start(TOLD "this kernel cannot hook functions; 'probe doctor' says why\n"),
			 0);
	module.nr_asked = 0;
	meter.has_told_pointers = false;
	module.reason = CPUPROBE_REASON_UNHOOKING;
	assert_int_equal(start(TOLD "hooks of an earlier run are still being removed; try again "
			       "later\n"), 0);
}

/* Without the flag the module refuses as well: that is the reason to tell. */
static void other_refusals(void **state)
{
	refuse(CPUPROBE_START_UNWIND, CPUPROBE_REASON_TARGET, ESRCH);
	assert_int_equal(start(""), -ESRCH);
	assert_int_equal(module.nr_asked, 1);
	module.nr_asked = 0;
	run.start.flags = CPUPROBE_START_EXCLUDE_DEFERRED;
	refuse(CPUPROBE_START_EXCLUDE_DEFERRED, CPUPROBE_REASON_QUIET, EPERM);
	assert_int_equal(start(""), -EPERM);
	assert_int_equal(module.nr_asked, 2);
	assert_string_equal(error.what, "start sampling: isolated and nohz_full CPUs need "
			    "CAP_PERFMON");
}

/* An explicit choice fails instead; with full access it may disturb. */
static void a_choice_insists(void **state)
{
	options.is_given = true;
	assert_int_equal(start(""), 0);
	assert_int_equal(module.asked[0].flags, CPUPROBE_START_UNWIND | CPUPROBE_START_DISTURB);
	end(state);
	begin(state);
	options.is_given = true;
	meter.device.info.access = 1;
	refuse(CPUPROBE_START_UNWIND, CPUPROBE_REASON_QUIET, EPERM);
	assert_int_equal(start(""), -EPERM);
	assert_int_equal(module.nr_asked, 1);
	assert_int_equal(module.asked[0].flags, CPUPROBE_START_UNWIND);
	assert_string_equal(error.what, "start sampling: -unwind tables would interrupt isolated "
			    "CPUs: it needs CAP_PERFMON");
	/* `probe calls -disturb` allows hooks, and does not insist on them. */
	module.nr_asked = 0;
	options = (struct unwind_options){ .how = UNWIND_TABLES, .may_disturb = true };
	run.start.flags = 0;
	meter.device.info.access = 2;
	refuse(CPUPROBE_START_UNWIND, CPUPROBE_REASON_NO_HOOKS, EOPNOTSUPP);
	assert_int_equal(start(TOLD "this kernel cannot hook functions; 'probe doctor' says why\n"),
			 0);
	assert_int_equal(module.asked[0].flags, CPUPROBE_START_UNWIND | CPUPROBE_START_DISTURB);
	assert_int_equal(module.asked[1].flags, 0);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(tables_are_the_default), TEST(other_choices), TEST(the_default_gives_way),
		TEST(other_refusals), TEST(a_choice_insists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
