// SPDX-License-Identifier: GPL-2.0-only
/* The last minutes of a run: cli/stacks/ring.c. */
#include "unit.h"
#include "profiles.h"
#include "stacks/ring.h"

static const char text[] =
	"a 1 user main@a;one@a 1\n"
	"a 1 user main@a;two@a 1\n"
	"a 1 user main@a;three@a 1\n";

static struct receipt_rates rates;

/* A table each second: ten samples of one stack, five of another, two of other processes. */
static void add_second(struct ring *ring, double ended, u32 stack)
{
	const struct ring_totals totals = { .taken = 17, .other = 2, .taken_ns = 17,
					    .other_ns = 2 };

	ring_begin(ring, ended);
	ring_add(ring, stack, 4, 4);
	ring_add(ring, stack, 6, 6);
	ring_add(ring, 2, 5, 5);
	ring_add_totals(ring, &totals);
}

static void wanted_seconds_are_extracted(void **state)
{
	struct ring *ring = ring_create(65536);
	struct profile *profile = profiles_of(text), *part;
	int second;

	for (second = 1; second <= 10; second++)
		add_second(ring, second, second > 7);
	part = ring_extract(ring, profile, 5, &rates);
	assert_int_equal(part->nr_stacks, 3);
	assert_int_equal(part->stacks[0].hits, 20);
	assert_int_equal(part->stacks[1].hits, 30);
	assert_int_equal(part->stacks[2].hits, 25);
	assert_int_equal(part->taken, 85);
	assert_int_equal(part->other, 10);
	assert_int_equal(part->lost, 0);
	assert_true(part->lost_ns == 0 && part->taken_ns == 85);
	profile_destroy(part);
	part = ring_extract(ring, profile, 8, &rates);
	assert_int_equal(part->nr_stacks, 2);
	assert_int_equal(part->taken, 34);
	profile_destroy(part);
	assert_true(ring_reach(ring) == 0);
	ring_clear(ring);
	part = ring_extract(ring, profile, 0, &rates);
	assert_int_equal(part->nr_stacks, 0);
	profile_destroy(part);
	profile_destroy(profile);
	ring_destroy(ring);
}

/* A part has the rates of its own samples, not those of the whole run. */
static void parts_have_rates_of_their_own(void **state)
{
	struct ring *ring = ring_create(65536);
	struct profile *profile = profiles_of(text);
	struct ring_totals totals;
	int second;

	for (second = 1; second <= 10; second++) {
		totals = (struct ring_totals){ .taken = 0 };
		receipt_add_rate(&totals.rates, second > 5 ? 100 : 1000, second > 5 ? 200 : 20);
		ring_begin(ring, second);
		ring_add_totals(ring, &totals);
		/* An account without samples has no rate. */
		ring_add_totals(ring, &(struct ring_totals){ .lost = 1 });
	}
	profile_destroy(ring_extract(ring, profile, 0, &rates));
	assert_int_equal(rates.least_ns, 100);
	assert_int_equal(rates.most_ns, 1000);
	assert_true(rates.taken == 1100 && rates.taken_ns == 200000);
	profile_destroy(ring_extract(ring, profile, 5, &rates));
	assert_int_equal(rates.least_ns, 100);
	assert_int_equal(rates.most_ns, 100);
	assert_true(rates.taken == 1000);
	profile_destroy(ring_extract(ring, profile, 10, &rates));
	assert_int_equal(rates.most_ns, 0);
	profile_destroy(profile);
	ring_destroy(ring);
}

/* Thousands of seconds: the newest ones are complete, and the ring knows how far they go back. */
static void oldest_tables_are_dropped(void **state)
{
	struct ring *ring = ring_create(65536);
	struct profile *profile = profiles_of(text), *part;
	double reach;
	int second;

	for (second = 1; second <= 5000; second++)
		add_second(ring, second, 0);
	reach = ring_reach(ring);
	assert_true(reach > 4000 && reach < 4950);
	part = ring_extract(ring, profile, reach, &rates);
	assert_int_equal(part->taken, 17 * (5000 - (int)reach));
	assert_int_equal(part->stacks[0].hits, 10 * (5000 - (int)reach));
	assert_int_equal(part->lost, 0);
	profile_destroy(part);
	profile_destroy(profile);
	ring_destroy(ring);
}

/* Two tables fit in 1,000 bytes: only the third one replaces the first. */
static void two_tables_fit(void **state)
{
	struct ring *ring = ring_create(1000);
	struct profile *profile = profiles_of(text), *part;

	add_second(ring, 1, 0);
	add_second(ring, 2, 0);
	assert_true(ring_reach(ring) == 0);
	part = ring_extract(ring, profile, 0, &rates);
	assert_int_equal(part->taken, 34);
	profile_destroy(part);
	add_second(ring, 3, 0);
	assert_true(ring_reach(ring) == 1);
	part = ring_extract(ring, profile, 0, &rates);
	assert_int_equal(part->taken, 34);
	assert_int_equal(part->stacks[0].hits, 20);
	profile_destroy(part);
	profile_destroy(profile);
	ring_destroy(ring);
}

/*
 * A second with more stacks than the ring has room for: the stacks dropped are lost, and counted as
 * lost.
 */
static void a_full_table_is_not_whole(void **state)
{
	struct ring *ring = ring_create(65536);
	struct profile *profile = profiles_of(text), *part;
	struct ring_totals totals = { .taken = 100000, .taken_ns = 100000 };
	int i;

	add_second(ring, 1, 0);
	ring_begin(ring, 2);
	for (i = 0; i < 100000; i++)
		ring_add(ring, i % 3, 1, 1);
	ring_add_totals(ring, &totals);
	assert_true(ring_reach(ring) == 2);
	part = ring_extract(ring, profile, 1, &rates);
	assert_int_equal(part->taken, 100000);
	assert_true(part->lost > 90000);
	assert_int_equal(part->stacks[0].hits + part->stacks[1].hits + part->stacks[2].hits +
			 part->lost, 100000);
	profile_destroy(part);
	profile_destroy(profile);
	ring_destroy(ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wanted_seconds_are_extracted),
		cmocka_unit_test(parts_have_rates_of_their_own),
		cmocka_unit_test(oldest_tables_are_dropped),
		cmocka_unit_test(two_tables_fit),
		cmocka_unit_test(a_full_table_is_not_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
