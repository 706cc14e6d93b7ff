// SPDX-License-Identifier: GPL-2.0-only
/* kmod/meter.c: the instants of sampling in events, with a counter as the kernel's are. */
#include <math.h>

#include "meter.h"
#include "unit.h"

#define P	1000u
#define ROUNDS	200000u

/** A counter that sets out for its next overflow before the handler of the last one runs. */
struct counter {
	u64 overflow;	/* events at the next overflow */
	u64 period;	/* from that overflow to the next one */
};

static struct meter_step step_on(struct meter *meter, struct counter *counter, u64 late, u64 *instant_ret)
{
	struct meter_step step;
	u64 instant = counter->overflow + late;

	*instant_ret = instant;
	counter->overflow = instant + counter->period;
	step = meter_sample(meter, instant, counter->overflow);
	counter->period = step.gap;
	return step;
}

static struct counter begin(struct meter *meter, u64 period, u32 jitter, u64 seed)
{
	u64 first = meter_init(meter, period, jitter, seed, 0);

	return (struct counter){ .overflow = first, .period = first };
}

/* Each period has one sample, anywhere in it with equal chance, and independent of the one before. */
static void instants_are_uniform(void **state)
{
	double tenths[10] = { 0 }, sum = 0, product = 0, before = 0.5;
	u64 instant, taken = 0, ignored = 0;
	struct meter meter;
	struct counter counter = begin(&meter, P, CPUPROBE_JITTER_GRID, 42);

	while (taken < ROUNDS) {
		struct meter_step step = step_on(&meter, &counter, 0, &instant);
		double place = ((instant - 1) % P + 0.5) / P;

		assert_in_range(step.gap, 1, 2 * P);
		assert_int_equal(step.missed, 0);
		if (!step.is_due) {
			ignored++;
			continue;
		}
		assert_int_equal((instant - 1) / P, taken++);
		assert_int_equal(meter_expected(&meter, instant), taken);
		assert_int_equal(meter_pending(&meter, instant), 0);
		tenths[(int)(place * 10)]++;
		sum += place;
		product += (place - 0.5) * (before - 0.5);
		before = place;
	}
	/* Only the first overflows, whose distance was not drawn, may find their period sampled. */
	assert_true(ignored <= 2);
	for (int i = 0; i < 10; i++)
		assert_true(fabs(tenths[i] - ROUNDS / 10.0) < 5 * sqrt(0.09 * ROUNDS));
	assert_true(fabs(sum / ROUNDS - 0.5) < 5 * sqrt(1 / 12.0 / ROUNDS));
	assert_true(fabs(product / ROUNDS) < 5 / 12.0 / sqrt(ROUNDS));
}

/* Without jitter samples are a period apart; of single events each is a sample. */
static void fixed_and_single_periods(void **state)
{
	u64 instant, before = 0;
	struct meter meter;
	struct counter counter = begin(&meter, P, CPUPROBE_JITTER_NONE, 1);

	for (int i = 0; i < 100; i++) {
		struct meter_step step = step_on(&meter, &counter, 0, &instant);

		if (!step.is_due)
			continue;
		if (i > 2)
			assert_int_equal(instant - before, P);
		before = instant;
	}
	counter = begin(&meter, 1, CPUPROBE_JITTER_GRID, 1);
	for (u64 i = 1; i < 1000; i++) {
		struct meter_step step = step_on(&meter, &counter, 0, &instant);

		assert_true(step.is_due);
		assert_int_equal(instant, i);
		assert_int_equal(meter_expected(&meter, i), i);
	}
}

/* A counter in memory sets out when it is told: of few events to a period, each period has its sample. */
static void counters_in_memory(void **state)
{
	for (u64 period = 1; period < 40; period++) {
		struct meter meter;
		u64 instant = meter_init(&meter, period, CPUPROBE_JITTER_GRID, 9, 0);

		for (u64 i = 0; i < 5000; i++) {
			struct meter_step step = meter_sample(&meter, instant, instant);

			assert_true(step.is_due && !step.missed);
			assert_int_equal((instant - 1) / period, i);
			instant += step.gap;
		}
	}
}

/* Overflows that come late, and some very late: whatever happens, the account adds up. */
static void late_overflows(void **state)
{
	u64 instant = 0, done = 0, missed = 0;
	struct meter meter;
	struct counter counter = begin(&meter, P, CPUPROBE_JITTER_GRID, 7);

	for (u64 i = 0; i < ROUNDS; i++) {
		u64 late = i % 7 ? 0 : i % 5 ? i % P : i % (20 * P);
		struct meter_step step = step_on(&meter, &counter, late, &instant);

		/* Before the overflow is accounted for, its periods are pending. */
		done += step.missed + step.is_due;
		missed += step.missed;
		assert_int_equal(meter_expected(&meter, instant), done);
		assert_int_equal(meter_pending(&meter, instant), 0);
		assert_true(meter_expected(&meter, instant) <= (instant - 1) / P + 1);
	}
	assert_true(missed > ROUNDS / 100);
	/* No overflow comes although five periods pass: they are pending, and the end makes them missed. */
	assert_int_equal(meter_pending(&meter, done * P + 5 * P + 17), 5);
	assert_int_equal(meter_end(&meter, done * P + 5 * P + 17), 5);
	assert_int_equal(meter_pending(&meter, done * P + 5 * P + 17), 0);
	assert_int_equal(meter_expected(&meter, done * P + 5 * P + 17), done + 5);
}

/*
 * Counters that are lost at any number of events: the next one goes on. A period with a sample gets no other, and the
 * instant of one that has begun is anywhere in its rest with equal chance.
 */
static void other_counters_go_on(void **state)
{
	double halves[2] = { 0 };
	struct meter meter;

	for (u64 i = 0; i < ROUNDS; i++) {
		const u64 lost = i % (3 * P);
		u64 instant, gap = meter_init(&meter, P, CPUPROBE_JITTER_GRID, i, 0), done = 0, left;
		struct meter_step step = { .is_due = false };

		for (instant = gap; instant <= lost; instant += step.gap) {
			step = meter_sample(&meter, instant, instant);
			done += step.is_due;
		}
		done += meter_end(&meter, lost);
		assert_int_equal(meter_expected(&meter, lost), done);
		assert_int_equal(meter_pending(&meter, lost), 0);
		gap = meter_go_on(&meter, lost);
		assert_true(gap >= 1);
		instant = lost + gap;
		assert_int_equal((instant - 1) / P, done);
		step = meter_sample(&meter, instant, instant);
		assert_true(step.is_due && !step.missed);
		left = (done + 1) * P - lost;
		if (done * P <= lost && left > 1 && left % 2 == 0)
			halves[gap > left / 2]++;
	}
	assert_true(halves[0] + halves[1] > ROUNDS / 10);
	assert_true(fabs(halves[0] - halves[1]) < 5 * sqrt(halves[0] + halves[1]));
	/* Without jitter, the only instant of the period may be over. */
	meter_init(&meter, P, CPUPROBE_JITTER_NONE, 1, 0);
	assert_int_equal(meter_go_on(&meter, P / 2 - 1), 1);
	assert_int_equal(meter_go_on(&meter, P / 2), P);
	assert_int_equal(meter_go_on(&meter, P / 2 + 1), P - 1);
	/* Events that are samples each */
	meter_init(&meter, 1, CPUPROBE_JITTER_GRID, 1, 0);
	assert_int_equal(meter_go_on(&meter, 0), 1);
	assert_int_equal(meter_end(&meter, 5), 5);
	assert_int_equal(meter_go_on(&meter, 5), 1);
}

/* The fast path serves nearly all overflows of a counter on time, and gives what the other one gives. */
static void planned_overflows(void **state)
{
	for (u32 jitter = CPUPROBE_JITTER_GRID; jitter <= CPUPROBE_JITTER_NONE; jitter++) {
		u64 instant, planned = 0;
		struct meter meter, fast;
		struct counter counter;

		if (jitter == CPUPROBE_JITTER_POISSON)
			continue;
		counter = begin(&meter, P, jitter, 11);
		fast = meter;
		for (u64 i = 0; i < ROUNDS; i++) {
			u64 late = i % 100 ? 0 : i % (3 * P);
			bool is_planned = meter_is_planned(&fast, counter.overflow + late + counter.period);
			struct meter_step step = step_on(&meter, &counter, late, &instant);
			u64 gap = is_planned ? meter_sample_planned(&fast, counter.overflow) :
				meter_sample(&fast, instant, counter.overflow).gap;

			assert_int_equal(gap, step.gap);
			assert_int_equal(fast.index, meter.index);
			assert_true(!is_planned || (step.is_due && !step.missed));
			assert_true(!is_planned || !late);
			planned += is_planned;
		}
		assert_true(planned > ROUNDS * 9 / 10);
		meter_end(&fast, instant);
		assert_false(meter_is_planned(&fast, meter.planned));
	}
}

static void seeds(void **state)
{
	struct meter one, same, other;
	u64 at_one = meter_init(&one, 1 << 30, CPUPROBE_JITTER_GRID, 3, 1);

	assert_int_equal(meter_init(&same, 1 << 30, CPUPROBE_JITTER_GRID, 3, 1), at_one);
	assert_int_not_equal(meter_init(&other, 1 << 30, CPUPROBE_JITTER_GRID, 3, 2), at_one);
	assert_in_range(at_one, 1, 1 << 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instants_are_uniform),
		cmocka_unit_test(fixed_and_single_periods),
		cmocka_unit_test(counters_in_memory),
		cmocka_unit_test(late_overflows),
		cmocka_unit_test(planned_overflows),
		cmocka_unit_test(other_counters_go_on),
		cmocka_unit_test(seeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
