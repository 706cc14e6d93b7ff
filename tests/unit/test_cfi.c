// SPDX-License-Identifier: GPL-2.0-only
/* Checking and searching tables of call frame information: kmod/cfi.c, the file that the kernel runs. */
#include "unit.h"
#include "cfi.h"

#define ROW(place, rule) ((u32)(rule) << 16 | (place))

static const struct cpuprobe_rule good_rules[] = {
	{ .kind = CPUPROBE_RULE_NONE },
	{ .kind = CPUPROBE_RULE_CFA, .offset = 8, .ra = CPUPROBE_SAVED_STACK, .ra_words = -1 },
	{ .kind = CPUPROBE_RULE_CFA, .base = 1, .offset = 16, .fp = CPUPROBE_SAVED_STACK, .fp_words = -2,
	  .ra = CPUPROBE_SAVED_STACK, .ra_words = -1 },
	{ .kind = CPUPROBE_RULE_DEREF, .offset = -24, .add = 8, .fp = CPUPROBE_SAVED_LOST,
	  .ra = CPUPROBE_SAVED_STACK, .ra_words = -1 },
	{ .kind = CPUPROBE_RULE_PLT, .offset = 8, .add = 15, .ra = CPUPROBE_SAVED_STACK, .ra_words = -1 },
	{ .kind = CPUPROBE_RULE_SIGNAL, .offset = 160, .fp = CPUPROBE_SAVED_STACK, .fp_words = 15,
	  .ra = CPUPROBE_SAVED_STACK, .ra_words = 21 },
	{ .kind = CPUPROBE_RULE_OUTERMOST },
	{ .kind = CPUPROBE_RULE_UNSUPPORTED },
	{ .kind = CPUPROBE_RULE_REGISTER, .base = 31, .offset = 8, .ra = CPUPROBE_SAVED_STACK, .ra_words = -1 },
	{ .kind = CPUPROBE_RULE_REALIGNED, .base = 1, .offset = -8, .add = 8, .fp = CPUPROBE_SAVED_STACK,
	  .ra = CPUPROBE_SAVED_STACK, .ra_words = -1 },
	{ .kind = CPUPROBE_RULE_CFA, .offset = 0 },	/* the return address is in the link register */
};
#define NR_RULES (sizeof(good_rules) / sizeof(good_rules[0]))

static const u32 good_pages[] = { 0, 3, 3, 3, 5 };
static const u32 good_rows[] = {
	ROW(0, 1), ROW(5, 2), ROW(0xffff, 0), ROW(0, 3), ROW(0x8000, NR_RULES - 1),
};

static const struct cfi good = {
	.first_page = 7, .nr_pages = 4, .nr_rows = 5, .nr_rules = NR_RULES,
	.pages = good_pages, .rows = good_rows, .rules = good_rules,
};

static void numbers_are_checked(void **state)
{
	struct cfi bad;

	assert_int_equal(cfi_check(&good), 0);
#define BAD(field, value) do { \
	bad = good; \
	bad.field = value; \
	assert_int_equal(cfi_check(&bad), -EINVAL); \
} while (0)
	BAD(first_page, 65533);		/* beyond 4 GiB */
	BAD(first_page, 0xfffffffd);
	BAD(nr_pages, 0);
	BAD(nr_pages, 3);
	BAD(nr_pages, 65537);
	BAD(nr_rows, 0);
	BAD(nr_rows, 4);
	BAD(nr_rows, 6);
	BAD(nr_rows, CPUPROBE_UNWIND_ROWS_MAX + 1);
	BAD(nr_rules, 0);
	BAD(nr_rules, NR_RULES - 1);
	BAD(nr_rules, CPUPROBE_UNWIND_RULES_MAX + 1);
	bad = good;
	bad.first_page = 65532;
	assert_int_equal(cfi_check(&bad), 0);
}

static void no_information_is_a_table(void **state)
{
	struct cfi none = { .nr_rows = 0 };

	assert_int_equal(cfi_check(&none), 0);
	assert_null(cfi_find(&none, 0));
	assert_null(cfi_find(&none, ~0ULL));
	none.first_page = 1;
	assert_int_equal(cfi_check(&none), -EINVAL);
	none = (struct cfi){ .nr_rules = 1 };
	assert_int_equal(cfi_check(&none), -EINVAL);
	none = (struct cfi){ .nr_pages = 1 };
	assert_int_equal(cfi_check(&none), -EINVAL);
}

static void order_of_pages_and_rows_is_checked(void **state)
{
	u32 pages[5], rows[5];
	struct cfi bad = good;

	bad.pages = pages;
	bad.rows = rows;
#define BAD_ITEM(array, i, value) do { \
	memcpy(pages, good_pages, sizeof(pages)); \
	memcpy(rows, good_rows, sizeof(rows)); \
	array[i] = value; \
	assert_int_equal(cfi_check(&bad), -EINVAL); \
} while (0)
	BAD_ITEM(pages, 0, 1);
	BAD_ITEM(pages, 1, 0);		/* no row in the first page */
	BAD_ITEM(pages, 1, 4);
	BAD_ITEM(pages, 1, 0x80000000);
	BAD_ITEM(pages, 2, 2);
	BAD_ITEM(pages, 2, 6);
	BAD_ITEM(pages, 3, 5);		/* no row in the last page */
	BAD_ITEM(pages, 4, 4);
	BAD_ITEM(pages, 4, 6);
	BAD_ITEM(rows, 1, ROW(0, 2));
	BAD_ITEM(rows, 2, ROW(4, 2));
	BAD_ITEM(rows, 4, ROW(0, NR_RULES - 1));
	BAD_ITEM(rows, 0, ROW(0, NR_RULES));
	BAD_ITEM(rows, 4, ROW(0x8000, 0xffff));
	memcpy(rows, good_rows, sizeof(rows));
	rows[4] = ROW(1, 0);
	memcpy(pages, good_pages, sizeof(pages));
	assert_int_equal(cfi_check(&bad), 0);
}

static int check_rule(struct cpuprobe_rule rule)
{
	u32 pages[] = { 0, 1 }, row = 0;
	struct cfi cfi = { 0, 1, 1, 1, pages, &row, &rule };

	return cfi_check(&cfi);
}

static void fields_of_rules_are_checked(void **state)
{
	struct cpuprobe_rule bad;

	for (size_t i = 0; i < NR_RULES; i++)
		assert_int_equal(check_rule(good_rules[i]), 0);
#define BAD_RULE(i, field, value) do { \
	bad = good_rules[i]; \
	bad.field = value; \
	assert_int_equal(check_rule(bad), -EINVAL); \
} while (0)
	BAD_RULE(0, kind, CPUPROBE_RULE_KINDS);
	BAD_RULE(1, kind, 255);
	for (size_t i = 0; i < NR_RULES; i++) {
		BAD_RULE(i, base, good_rules[i].kind == CPUPROBE_RULE_REGISTER ? 32 : 2);
		BAD_RULE(i, fp, CPUPROBE_SAVED_LOST + 1);
		BAD_RULE(i, ra, CPUPROBE_SAVED_LOST + 1);
		BAD_RULE(i, ra, CPUPROBE_SAVED_LOST);
		if (good_rules[i].fp != CPUPROBE_SAVED_STACK)
			BAD_RULE(i, fp_words, 1);
		if (good_rules[i].ra != CPUPROBE_SAVED_STACK)
			BAD_RULE(i, ra_words, 1);
		if (good_rules[i].kind != CPUPROBE_RULE_NONE &&
		    good_rules[i].kind != CPUPROBE_RULE_OUTERMOST &&
		    good_rules[i].kind != CPUPROBE_RULE_UNSUPPORTED)
			continue;
		BAD_RULE(i, base, 1);
		BAD_RULE(i, fp, CPUPROBE_SAVED_LOST);
		BAD_RULE(i, fp, CPUPROBE_SAVED_STACK);
		BAD_RULE(i, ra, CPUPROBE_SAVED_STACK);
		BAD_RULE(i, offset, 1);
		BAD_RULE(i, add, 1);
	}
	BAD_RULE(1, add, 1);
	BAD_RULE(4, add, 16);
	BAD_RULE(4, add, -1);
	BAD_RULE(5, add, 1);
	BAD_RULE(8, add, 1);
	BAD_RULE(9, fp, CPUPROBE_SAVED_SAME);
	BAD_RULE(9, fp, CPUPROBE_SAVED_LOST);
	bad = good_rules[5];
	bad.ra = CPUPROBE_SAVED_SAME;
	bad.ra_words = 0;
	assert_int_equal(check_rule(bad), -EINVAL);
	bad = good_rules[1];
	bad.offset = INT32_MIN;
	bad.ra_words = INT16_MIN;
	assert_int_equal(check_rule(bad), 0);
}

static void places_are_found(void **state)
{
	u64 base = 7 << 16;

	assert_null(cfi_find(&good, 0));
	assert_null(cfi_find(&good, base - 1));
	assert_ptr_equal(cfi_find(&good, base), &good_rules[1]);
	assert_ptr_equal(cfi_find(&good, base + 4), &good_rules[1]);
	assert_ptr_equal(cfi_find(&good, base + 5), &good_rules[2]);
	assert_ptr_equal(cfi_find(&good, base + 0xffff), &good_rules[0]);
	assert_ptr_equal(cfi_find(&good, base + 0x10000), &good_rules[0]);	/* pages without rows */
	assert_ptr_equal(cfi_find(&good, base + 0x2ffff), &good_rules[0]);
	assert_ptr_equal(cfi_find(&good, base + 0x30000), &good_rules[3]);
	assert_ptr_equal(cfi_find(&good, base + 0x37fff), &good_rules[3]);
	assert_ptr_equal(cfi_find(&good, base + 0x38000), &good_rules[NR_RULES - 1]);
	assert_ptr_equal(cfi_find(&good, base + 0x40000), &good_rules[NR_RULES - 1]);
	assert_ptr_equal(cfi_find(&good, 1ULL << 32 | base), &good_rules[NR_RULES - 1]);
	assert_ptr_equal(cfi_find(&good, ~0ULL), &good_rules[NR_RULES - 1]);
}

/* The reference: a linear search. */
static const struct cpuprobe_rule *plain_find(const struct cfi *cfi, u64 offset)
{
	const struct cpuprobe_rule *found = NULL;

	for (u32 page = 0; page < cfi->nr_pages; page++)
		for (u32 i = cfi->pages[page]; i < cfi->pages[page + 1]; i++)
			if (((u64)cfi->first_page + page) * 65536 + (u16)cfi->rows[i] <= offset)
				found = &cfi->rules[cfi->rows[i] >> 16];
	return found;
}

static u32 random_below(u32 limit)
{
	static u64 x = 88172645463325252ULL;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (x >> 20) % limit;
}

/* Pages of every number of rows from 0 to 40, the last one not empty. */
static void every_number_of_rows_is_searched(void **state)
{
	static struct cpuprobe_rule rules[600];
	u32 pages[12], rows[600], nr = 0;
	struct cfi cfi = { .first_page = 1, .nr_rules = 600, .pages = pages, .rows = rows, .rules = rules };

	for (int round = 0; round < 400; round++) {
		cfi.nr_pages = 1 + random_below(11);
		nr = 0;
		for (u32 page = 0; page < cfi.nr_pages; page++) {
			u32 count = random_below(41), place = random_below(3);

			if (!count && (!page || page + 1 == cfi.nr_pages))
				count = 1;
			pages[page] = nr;
			for (; count; count--, nr++, place += 1 + random_below(3))
				rows[nr] = ROW(place, nr);
		}
		pages[cfi.nr_pages] = nr;
		cfi.nr_rows = nr;
		assert_int_equal(cfi_check(&cfi), 0);
		for (u32 page = 0; page < 14; page++)
			for (u32 place = 0; place < 130; place++)
				assert_ptr_equal(cfi_find(&cfi, page << 16 | place),
						 plain_find(&cfi, page << 16 | place));
	}
}

static void a_page_may_be_full(void **state)
{
	u32 pages[] = { 0, 65536 }, *rows = malloc(65536 * sizeof(*rows));
	static struct cpuprobe_rule rules[65536];
	struct cfi cfi = { 65535, 1, 65536, 65536, pages, rows, rules };

	assert_non_null(rows);
	for (u32 i = 0; i < 65536; i++)
		rows[i] = ROW(i, i);
	assert_int_equal(cfi_check(&cfi), 0);
	for (u32 i = 0; i < 65536; i++)
		assert_ptr_equal(cfi_find(&cfi, 0xffff0000ULL + i), &rules[i]);
	assert_null(cfi_find(&cfi, 0xfffeffff));
	free(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_checked),
		cmocka_unit_test(no_information_is_a_table),
		cmocka_unit_test(order_of_pages_and_rows_is_checked),
		cmocka_unit_test(fields_of_rules_are_checked),
		cmocka_unit_test(places_are_found),
		cmocka_unit_test(every_number_of_rows_is_searched),
		cmocka_unit_test(a_page_may_be_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
