// SPDX-License-Identifier: GPL-2.0-only
/* Slot geometry and counting: kmod/slots.c, the file that the kernel runs. */
#include "unit.h"
#include "slots.h"

/* The rule, in the slowest and plainest form. */
static u32 plain_shift(u64 low, u64 high)
{
	for (u32 shift = 0;; shift++) {
		__uint128_t slot = (__uint128_t)1 << shift;
		__uint128_t base = low / slot * slot;

		if (512 * slot >= high - base)
			return shift;
	}
}

/* Slots are adjacent, begin and end with the range, and are complete except at its ends. */
static void check_ends(const struct slots_layout *layout)
{
	u32 last = layout->nr_slots - 1, i;

	assert_true(slots_low(layout, 0) == layout->low);
	assert_true(slots_high(layout, last) == layout->high);
	for (i = 1; i <= last; i++) {
		assert_true(slots_low(layout, i) == slots_high(layout, i - 1));
		assert_true(slots_low(layout, i) == layout->base + ((u64)i << layout->shift));
	}
}

static void check_layout(u64 low, u64 high)
{
	struct slots_layout layout;
	u32 shift = plain_shift(low, high);

	assert_int_equal(slots_layout_init(&layout, low, high), 0);
	assert_int_equal(layout.shift, shift);
	assert_true(layout.base == low >> shift << shift);
	assert_in_range(layout.nr_slots, 1, 512);
	assert_true(layout.base + ((u64)(layout.nr_slots - 1) << shift) <= high - 1);
	assert_true((high - 1 - layout.base) >> shift == layout.nr_slots - 1);
	check_ends(&layout);
}

/* Figure 5: 025200..042600 octal, 6,912 bytes, slot size 020. */
static void paper_range(void **state)
{
	struct slots_layout layout;

	assert_int_equal(slots_layout_init(&layout, 025200, 042600), 0);
	assert_int_equal(1 << layout.shift, 020);
	assert_int_equal(layout.base, 025200);
	/* the same range as Linux would have it, in hexadecimal */
	assert_int_equal(slots_layout_init(&layout, 0x2a80, 0x4580), 0);
	assert_int_equal(1 << layout.shift, 0x10);
	assert_int_equal(layout.nr_slots, 0x1b0);
}

static void many_ranges(void **state)
{
	u64 x = 88172645463325252ULL;

	for (int i = 0; i < 200000; i++) {
		u64 low, len;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		low = x >> (i % 50);
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		len = (x >> (8 + i % 55)) + 1;
		if (low + len > low)
			check_layout(low, low + len);
	}
	for (u64 len = 1; len < 3000; len++)
		for (u64 low = 0; low < 20; low++)
			check_layout(low, low + len);
	check_layout(0, UINT64_MAX);
	check_layout(0xffffffff81000000, 0xffffffff82000000);
	check_layout(UINT64_MAX - 1, UINT64_MAX);
}

static void empty_range(void **state)
{
	struct slots_layout layout = { .nr_slots = 7 };

	assert_int_equal(slots_layout_init(&layout, 5, 5), -EINVAL);
	assert_int_equal(slots_layout_init(&layout, 6, 5), -EINVAL);
	assert_int_equal(layout.nr_slots, 7);
}

static void counting(void **state)
{
	static struct slots slots;
	struct slots_layout layout;

	slots_layout_init(&layout, 0x1003, 0x1403);	/* 1 KiB off the grid: slots of 4 */
	assert_int_equal(layout.shift, 2);
	slots_add(&slots, &layout, 0x1002);
	slots_add(&slots, &layout, 0x1003);
	slots_add(&slots, &layout, 0x1004);
	slots_add(&slots, &layout, 0x1402);
	slots_add(&slots, &layout, 0x1403);
	slots_add(&slots, &layout, 0);
	slots_add(&slots, &layout, UINT64_MAX);
	assert_int_equal(slots.outside, 4);
	assert_int_equal(slots.hits[0], 1);
	assert_int_equal(slots.hits[1], 1);
	assert_int_equal(slots.hits[(0x1402 - 0x1000) / 4], 1);
	assert_int_equal(slots_hits(&slots), 3);
	slots.objects[CPUPROBE_OBJECT_EXE] = 3;
	slots.objects[CPUPROBE_OBJECTS - 1] = 4;
	assert_int_equal(slots_objects(&slots), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paper_range), cmocka_unit_test(many_ranges),
		cmocka_unit_test(empty_range), cmocka_unit_test(counting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
