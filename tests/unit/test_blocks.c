// SPDX-License-Identifier: GPL-2.0-only
/* How shares of functions vary: cli/profile/blocks.c, blocks_save.c. */
#include <errno.h>
#include <math.h>

#include "unit.h"
#include "profile/blocks_save.h"
#include "profile/profile_save.h"
#include "profiles.h"

static u32 function_of(const struct profile *profile, const char *name)
{
	u32 i;

	for (i = 0; i < profile->nr_functions; i++)
		if (!strcmp(profile->functions[i].name, name))
			return i;
	fail_msg("no function %s", name);
	return 0;
}

static void assert_sums(const struct block_sums *sums, double self, double self2, double total,
			double total2)
{
	assert_non_null(sums);
	assert_float_equal(sums->self, self, 1e-12);
	assert_float_equal(sums->self2, self2, 1e-12);
	assert_float_equal(sums->total, total, 1e-12);
	assert_float_equal(sums->total2, total2, 1e-12);
}

static const char some_text[] = "a 1 user main@a;f@a;g@a;f@a 40\na 1 user main@a 20\n"
	"IDLE 0 kernel [idle] 40\n";

/* Two blocks of 100 and of 50 samples. f is recursive: a stack counts once. */
static struct profile *make_blocks(struct blocks *blocks)
{
	struct profile *profile = profiles_of(some_text);

	*blocks = (struct blocks){ 0 };
	assert_null(blocks_busy(blocks));
	assert_int_equal(blocks_add(blocks, profile, 0, 30), 0);
	assert_int_equal(blocks_add(blocks, profile, 1, 20), 0);
	assert_int_equal(blocks_add(blocks, profile, 0, 10), 0);
	assert_int_equal(blocks_add(blocks, profile, 2, 40), 0);
	assert_null(blocks_of(blocks, 0));
	blocks_end(blocks, 100);
	blocks_end(blocks, 100);	/* nothing was sampled: no block */
	assert_int_equal(blocks_add(blocks, profile, 0, 10), 0);
	blocks_end(blocks, 150);
	assert_int_equal(blocks->nr, 2);
	return profile;
}

static void assert_known(const struct blocks *blocks, const struct profile *profile)
{
	assert_sums(blocks_of(blocks, function_of(profile, "f")), 0.6, 0.2, 0.6, 0.2);
	assert_sums(blocks_of(blocks, function_of(profile, "g")), 0, 0, 0.6, 0.2);
	assert_sums(blocks_of(blocks, function_of(profile, "main")), 0.2, 0.04, 0.8, 0.4);
	assert_sums(blocks_of(blocks, MARK_IDLE), 0.4, 0.16, 0.4, 0.16);
	assert_sums(blocks_busy(blocks), 0, 0, 0.8, 0.4);
	assert_null(blocks_of(blocks, PROFILE_NONE));
}

static void sums_of_blocks(void **state)
{
	struct blocks blocks;
	struct profile *profile = make_blocks(&blocks);

	assert_known(&blocks, profile);
	/* Without inlined functions the sums do not fit; the heading of a comparison still tells the blocks. */
	blocks_drop_sums(&blocks);
	assert_int_equal(blocks.nr, 2);
	assert_null(blocks_of(&blocks, 0));
	assert_null(blocks_busy(&blocks));
	blocks_deinit(&blocks);
	assert_int_equal(blocks.nr, 0);
	assert_null(blocks_of(&blocks, 0));
	blocks_deinit(&blocks);
	profile_destroy(profile);
}

/* Functions that appear later were in none of the earlier blocks. */
static void functions_appear(void **state)
{
	struct profile *profile = profiles_of("a 1 user f@a 1\n");
	struct blocks blocks = { 0 };
	char name[16];
	u32 i, frame;

	for (i = 1; i <= 100; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		frame = profile_add_frame(profile, &(struct profile_frame){
			.function = profile_add_function(profile, &(struct profile_function){
				.name = name, .object = 1 }) });
		profile_add_stack(profile, 0, CPUPROBE_MODE_USER, &frame, 1, 1, 1);
		assert_int_equal(blocks_add(&blocks, profile, i, 1), 0);
		blocks_end(&blocks, 2 * i);
	}
	for (i = 1; i <= 100; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		assert_sums(blocks_of(&blocks, function_of(profile, name)), 0.5, 0.25, 0.5, 0.25);
	}
	assert_sums(blocks_busy(&blocks), 0, 0, 50, 25);
	blocks_deinit(&blocks);
	profile_destroy(profile);
}

static void add_functions(struct profile *profile, u32 nr)
{
	char name[16];
	u32 i;

	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "later%u", i);
		profile_add_function(profile, &(struct profile_function){ .name = name,
									  .object = 1 });
	}
}

/* A run in memory; @spoil changes the section, whose length it returns. */
static int load_saved(const struct profile *profile, const struct blocks *blocks,
		      size_t (*spoil)(char *bytes, size_t len), struct blocks *blocks_ret,
		      struct profile **profile_ret)
{
	struct record_writer writer;
	struct record record = { 0 };
	char *section;
	size_t len;
	int error;

	record_begin(&writer, open_memstream(&record.bytes, &record.len));
	profile_save(&writer, profile);
	blocks_save(&writer, blocks, profile);
	assert_int_equal(record_commit(&writer, NULL), 0);
	section = (char *)record_find(&record, "PBLK", &len);
	if (section && spoil) {
		*(u64 *)(section - 8) = spoil(section, len);
		assert_non_null(section);
	}
	*profile_ret = profile_load(&record, NULL);
	assert_non_null(*profile_ret);
	error = blocks_load(&record, *profile_ret, blocks_ret);
	record_deinit(&record);
	return error;
}

static size_t no_blocks(char *bytes, size_t len)
{
	memset(bytes, 0, 8);
	return len;
}

static size_t too_short(char *bytes, size_t len)
{
	return len - 8;
}

static size_t no_number(char *bytes, size_t len)
{
	const double number = NAN;

	memcpy(bytes + len - 8, &number, 8);
	return len;
}

static size_t too_large(char *bytes, size_t len)
{
	const double number = 2.1;

	memcpy(bytes + len - 24, &number, 8);
	return len;
}

static void saved(void **state)
{
	size_t (*const spoils[])(char *bytes, size_t len) = {
		no_blocks, too_short, no_number, too_large
	};
	struct blocks blocks, loaded;
	struct profile *profile = make_blocks(&blocks), *other;

	assert_int_equal(load_saved(profile, &blocks, NULL, &loaded, &other), 0);
	assert_int_equal(loaded.nr, 2);
	assert_known(&loaded, other);
	blocks_deinit(&loaded);
	profile_destroy(other);
	/* functions that the profile has since the last sample */
	add_functions(profile, 100);
	assert_int_equal(load_saved(profile, &blocks, NULL, &loaded, &other), 0);
	assert_known(&loaded, other);
	assert_sums(blocks_of(&loaded, function_of(other, "later99")), 0, 0, 0, 0);
	blocks_deinit(&loaded);
	profile_destroy(other);
	for (size_t i = 0; i < sizeof(spoils) / sizeof(spoils[0]); i++) {
		assert_int_equal(load_saved(profile, &blocks, spoils[i], &loaded, &other), -ENOENT);
		assert_int_equal(loaded.nr, 0);
		profile_destroy(other);
	}
	blocks_deinit(&blocks);
	assert_int_equal(load_saved(profile, &blocks, NULL, &loaded, &other), -ENOENT);
	profile_destroy(other);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_of_blocks),
		cmocka_unit_test(functions_appear),
		cmocka_unit_test(saved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
