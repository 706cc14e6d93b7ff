// SPDX-License-Identifier: GPL-2.0-only
/* Options of sampling with several events: cli/run/sampling.c. */
#include <errno.h>
#include <string.h>

#include "run/sampling.h"
#include "unit.h"

/* The options of -event EVENTS -period PERIODS; NULL: none. */
static struct sampling_options parsed(const char *events, const char *periods)
{
	struct sampling_options options;
	const struct option_spec *spec;
	struct text_error error;

	sampling_init(&options);
	for (spec = events_specs; spec->name; spec++) {
		const char *value = strcmp(spec->name, "event") ? periods : events;

		if (value)
			assert_int_equal(spec->parse(spec, value, &options, &error), 0);
	}
	assert_int_equal(sampling_check(&options, &error), 0);
	return options;
}

static void assert_event(const struct sampling_options *options, const char *name, u64 period)
{
	const struct event event = sampling_event(options);

	assert_string_equal(event.name, name);
	assert_int_equal(event.period, period);
}

static void others_have_runs_of_their_own(void **state)
{
	const struct sampling_options options = parsed("page-faults,cs,migrations:u", "7,3,2");
	const struct sampling_options alike = parsed("page-faults,cs", "7");
	struct sampling_options beside;

	assert_event(&options, "page-faults", 7);
	assert_int_equal(options.nr_others, 2);
	sampling_beside(&options, 0, &beside);
	assert_event(&beside, "cs", 3);
	assert_int_equal(beside.nr_others, 0);
	sampling_beside(&options, 1, &beside);
	assert_event(&beside, "migrations:u", 2);
	sampling_beside(&alike, 0, &beside);
	assert_event(&beside, "cs", 7);
}

static void each_event_has_its_turn(void **state)
{
	struct sampling_options options = parsed("page-faults,cs,migrations:u", "7,3,2");
	struct sampling_options alike = parsed("page-faults,cs", "7");
	struct sampling_options one = parsed("page-faults", "7"), two = parsed("page-faults,cs", "7,3");

	sampling_turn(&options);
	assert_event(&options, "cs", 3);
	sampling_turn(&options);
	assert_event(&options, "migrations:u", 2);
	assert_int_equal(options.nr_others, 2);
	sampling_turn(&options);
	assert_event(&options, "page-faults", 7);
	sampling_turn(&alike);
	assert_event(&alike, "cs", 7);
	sampling_turn(&alike);
	assert_event(&alike, "page-faults", 7);
	sampling_turn(&two);
	assert_event(&two, "cs", 3);
	sampling_turn(&one);
	assert_event(&one, "page-faults", 7);
}

/* A number that is cut would be another one. */
static void long_numbers_are_refused(void **state)
{
	struct sampling_options options;
	struct text_error error;
	const struct option_spec *spec = events_specs;

	sampling_init(&options);
	while (strcmp(spec->name, "period"))
		spec++;
	assert_int_equal(spec->parse(spec, "0x0000000000000000003e8", &options, &error), 0);
	assert_int_equal(options.event_period, 1000);
	assert_int_equal(spec->parse(spec, "0x00000000000000000003e8", &options, &error), -EINVAL);
	assert_int_equal(spec->parse(spec, "7,0x00000000000000000003e8,8", &options, &error), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_have_runs_of_their_own),
		cmocka_unit_test(each_event_has_its_turn),
		cmocka_unit_test(long_numbers_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
