// SPDX-License-Identifier: GPL-2.0-only
/* Names in saved runs of whole stacks, made to take hours or gigabytes: see hostile.h. */
#include "hostile.h"
#include "profile/profile_save.h"
#include "run/record.h"

/* Entries of the section PFUN, see docs/format.md. */
struct kept_function {
	u32 name;
	u32 object;
	u64 addr;
};

/* A run of that many functions, whose names are the texts at multiples of @step. */
static struct profile *load_names(const char *texts, size_t len, u32 nr, u32 step)
{
	static const char totals[48], object[48];
	struct kept_function *functions = calloc(nr, sizeof(*functions));
	char path[] = "/tmp/cpuprobe-hostile-XXXXXX";
	struct record_writer writer;
	struct profile *profile;
	struct record record;

	close(mkstemp(path));
	for (u32 i = 0; i < nr; i++)
		functions[i] = (struct kept_function){ 1 + i * step, 0, 4096 + i };
	assert_int_equal(record_create(&writer, path, NULL), 0);
	record_add(&writer, "PROF", totals, sizeof(totals));
	record_add(&writer, "PTXT", texts, len);
	record_add(&writer, "POBJ", object, sizeof(object));
	record_add(&writer, "PFUN", functions, nr * sizeof(*functions));
	assert_int_equal(record_commit(&writer, NULL), 0);
	assert_int_equal(record_read(path, &record, NULL), 0);
	profile = profile_load(&record, NULL);
	record_deinit(&record);
	unlink(path);
	free(functions);
	return profile;
}

/* 8,000 names, each a suffix of the previous one: half a gigabyte of names in a file of 200 KB. */
static void texts_share_their_end(void **state)
{
	enum { NR = 8000, LEN = 65536 };
	size_t before = __sanitizer_get_current_allocated_bytes();
	char *texts = calloc(1, LEN);
	struct profile *profile;

	memset(texts + 1, 'a', LEN - 2);
	profile = load_names(texts, LEN, NR, 1);
	assert_in_range(__sanitizer_get_current_allocated_bytes() - before, 1, 4 << 20);
	assert_int_equal(profile->nr_functions, PROFILE_MARK_COUNT + NR);
	assert_int_equal(strlen(profile->functions[PROFILE_MARK_COUNT].name), PROFILE_NAME_MAX - 1);
	assert_string_equal(profile->functions[PROFILE_MARK_COUNT + 1].name, "");
	profile_destroy(profile);
	free(texts);
}

/* 30,000 functions that share a name of a megabyte, which must not be read as often. */
static void one_long_text(void **state)
{
	enum { NR = 30000, LEN = 1 << 20 };
	char *texts = calloc(1, LEN);
	struct profile *profile;
	double before;

	memset(texts + 1, 'a', LEN - 2);
	before = own_seconds();
	profile = load_names(texts, LEN, NR, 0);
	assert_true(own_seconds() - before < SECONDS_MAX);
	assert_int_equal(profile->nr_functions, PROFILE_MARK_COUNT + NR);
	profile_destroy(profile);
	free(texts);
}

/* Names of a recording stay whole; a cut is between characters. */
static void long_names_are_cut(void **state)
{
	char text[PROFILE_PATH_MAX + 2];
	struct profile *profile = profile_create();
	struct profile_object object = { .kind = PROFILE_FILE, .name = text, .path = text };
	const struct profile_object *kept;

	memset(text, 'a', sizeof(text));
	text[PROFILE_NAME_MAX - 1] = '\0';
	kept = &profile->objects[profile_add_object(profile, &object)];
	assert_string_equal(kept->name, text);
	assert_string_equal(kept->path, text);
	/* The last character of the name has two bytes, only one of which would fit. */
	memcpy(text + PROFILE_NAME_MAX - 2, "\u00b5", 2);
	text[PROFILE_PATH_MAX] = '\0';
	kept = &profile->objects[profile_add_object(profile, &object)];
	assert_int_equal(strlen(kept->name), PROFILE_NAME_MAX - 2);
	assert_int_equal(strlen(kept->path), PROFILE_PATH_MAX - 1);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIMITED(texts_share_their_end), LIMITED(one_long_text), LIMITED(long_names_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
