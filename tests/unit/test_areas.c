// SPDX-License-Identifier: GPL-2.0-only
/* Mapping addresses to objects: kmod/areas.c, the file that the kernel runs. */
#include "unit.h"
#include "areas.h"

#define FIRST CPUPROBE_OBJECT_FIRST

static void order_and_numbers_are_checked(void **state)
{
	struct cpuprobe_area good[] = {
		{ .start = 100, .end = 200, .object = CPUPROBE_OBJECTS - 1 },
		{ .start = 50, .end = 100, .pid = 7, .object = FIRST },
		{ .start = 100, .end = 101, .pid = 7 },
		{ .start = 10, .end = 20, .pid = 8, .object = FIRST + 1, .space = 5 },
	};
	struct cpuprobe_area bad[4];
	u32 nr = 0;

	assert_int_equal(areas_check(good, 4, &nr), 0);
	assert_int_equal(nr, CPUPROBE_OBJECTS);
	assert_int_equal(areas_check(good + 1, 3, &nr), 0);
	assert_int_equal(nr, FIRST + 2);
	assert_int_equal(areas_check(NULL, 0, &nr), 0);
	assert_int_equal(nr, FIRST);
#define BAD(i, field, value) do { \
	memcpy(bad, good, sizeof(bad)); \
	bad[i].field = value; \
	nr = 77; \
	assert_int_equal(areas_check(bad, 4, &nr), -EINVAL); \
	assert_int_equal(nr, 77); \
} while (0)
	BAD(0, end, 100);		/* empty */
	BAD(0, end, 99);
	BAD(0, object, CPUPROBE_OBJECTS);
	BAD(0, object, CPUPROBE_OBJECT_KERNEL);	/* an object with a fixed meaning */
	BAD(0, object, 0);		/* the kernel has no executable */
	BAD(0, space, 1);		/* nor has a stack */
	BAD(1, end, 101);		/* overlap */
	BAD(2, start, 40);		/* order */
	BAD(3, pid, 6);
	BAD(3, pid, 0);
}

/* The reference: a linear search. */
static const struct cpuprobe_area *plain_find(const struct cpuprobe_area *area, u32 nr,
					      u32 pid, u64 addr)
{
	for (u32 i = 0; i < nr; i++)
		if (area[i].pid == pid && addr >= area[i].start && addr < area[i].end)
			return &area[i];
	return NULL;
}

static void every_address_is_found(void **state)
{
	static struct cpuprobe_area area[60];
	u64 x = 88172645463325252ULL;

	for (int round = 0; round < 300; round++) {
		u32 nr = round % 61, pid = 0;
		u64 at = 0;

		for (u32 i = 0; i < nr; i++) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			if (x % 9 == 0)
				pid += x % 3;
			if (i && pid != area[i - 1].pid)
				at = 0;
			area[i].start = at + x % 3;
			area[i].end = area[i].start + 1 + x / 3 % 4;
			area[i].pid = pid;
			at = area[i].end;
		}
		for (u32 p = 0; p <= pid + 1; p++)
			for (u64 addr = 0; addr < 300; addr++)
				assert_ptr_equal(areas_find(area, nr, p, addr),
						 plain_find(area, nr, p, addr));
	}
	area[0] = (struct cpuprobe_area){ .start = 5, .end = UINT64_MAX, .pid = UINT32_MAX };
	assert_ptr_equal(areas_find(area, 1, UINT32_MAX, UINT64_MAX - 1), area);
	assert_null(areas_find(area, 1, UINT32_MAX, UINT64_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_and_numbers_are_checked),
		cmocka_unit_test(every_address_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
