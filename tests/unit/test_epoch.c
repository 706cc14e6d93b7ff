// SPDX-License-Identifier: GPL-2.0-only
/* kmod/epoch.h: no epoch returns, whatever retires and however long the kernel runs. */
#include "epoch.h"
#include "unit.h"

#define HZ	250
#define STEP	(HZ / 4)

/* The low half of jiffies wraps five minutes after boot. */
static u64 jiffies_at(u64 seconds)
{
	return (u32)(-300 * HZ) + seconds * HZ;
}

static void an_epoch_ends_with_each_table_and_each_step(void **state)
{
	u64 now = jiffies_at(1), epoch = epoch_of(7, now, STEP);

	assert_true(epoch_of(7, now, STEP) == epoch);
	assert_true(epoch_of(8, now, STEP) != epoch);
	assert_true(epoch_of(7, now + STEP, STEP) != epoch);
	assert_true(epoch_of(7, jiffies_at(301), STEP) > epoch_of(7, jiffies_at(299), STEP));
}

/* A member replaces the same table again and again, while the low half of jiffies wraps. */
static void no_epoch_returns(void **state)
{
	u64 last = 0, epoch, second;
	u32 nr_retired = 0;

	for (second = 0; second < 3600; second++)
		for (u32 i = 0; i < 1000; i++) {
			epoch = epoch_of(nr_retired++, jiffies_at(second), STEP);
			assert_true(epoch > last);
			last = epoch;
		}
}

/* After 2^32 tables the count begins anew, later. */
static void the_count_of_tables_wraps(void **state)
{
	assert_true(epoch_of(UINT32_MAX, jiffies_at(0), STEP) > epoch_of(0, jiffies_at(0), STEP));
	assert_true(epoch_of(0, jiffies_at(1), STEP) != epoch_of(0, jiffies_at(0), STEP));
	assert_true(epoch_of(1, jiffies_at(0), STEP) > epoch_of(0, jiffies_at(20ULL * 365 * 86400), STEP));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_epoch_ends_with_each_table_and_each_step),
		cmocka_unit_test(no_epoch_returns),
		cmocka_unit_test(the_count_of_tables_wraps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
