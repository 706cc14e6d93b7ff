// SPDX-License-Identifier: GPL-2.0-only
/* The file of a saved run: cli/run/record.c. Every file is treated as hostile. */
#include <errno.h>
#include <sys/stat.h>

#include "records.h"

static char bytes[1 << 16];
static size_t len;

static void read_bytes(void)
{
	int fd = open(path, O_RDONLY);

	len = read(fd, bytes, sizeof(bytes));
	close(fd);
	assert_in_range(len, 100, sizeof(bytes) - 1);
}

static void write_bytes(const char *from, size_t nr)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, from, nr), (ssize_t)nr);
	close(fd);
}

static int read_record(void)
{
	struct text_error error = { "", "" };
	struct record record;
	int result = record_read(path, &record, &error);

	if (result)
		assert_true(error.what[0]);
	else
		record_deinit(&record);
	return result;
}

static void every_truncation_is_noticed(void **state)
{
	keep_proc();
	read_bytes();
	assert_int_equal(read_record(), 0);
	for (size_t cut = 0; cut < len; cut++) {
		write_bytes(bytes, cut);
		assert_int_equal(read_record(), cut < 16 ? -ENOEXEC : -EBADMSG);
	}
}

/* A checksum covers each byte of the sections' content; the format's version is checked. */
static void every_changed_byte_is_noticed(void **state)
{
	static char other[sizeof(bytes)];
	int accepted = 0;

	keep_sys();
	read_bytes();
	for (size_t i = 0; i < len; i++) {
		memcpy(other, bytes, len);
		other[i] ^= 0x10;
		write_bytes(other, len);
		accepted += read_record() == 0;
	}
	/* only reserved bytes, the tags and the padding between sections are accepted */
	assert_in_range(accepted, 4, 40);
	memcpy(other, bytes, len);
	other[8] = RECORD_VERSION + 1;
	write_bytes(other, len);
	assert_int_equal(read_record(), -EPROTO);
	write_bytes("#!/bin/sh\nexit 0\n and so on\n", 29);
	assert_int_equal(read_record(), -ENOEXEC);
}

static void unknown_sections_are_skipped(void **state)
{
	struct record_writer writer;
	struct record record;
	size_t found_len = 9;

	record_start(&writer);
	record_add(&writer, "XTRA", "future", 6);
	record_add(&writer, "KEPT", "abc", 3);
	record_add(&writer, "NONE", NULL, 0);
	record_reopen(&writer, &record);
	assert_memory_equal(record_find(&record, "KEPT", &found_len), "abc", 3);
	assert_int_equal(found_len, 3);
	assert_non_null(record_find(&record, "NONE", &found_len));
	assert_int_equal(found_len, 0);
	assert_null(record_find(&record, "LOST", &found_len));
	record_deinit(&record);
}

/* A section may be shorter or longer than its struct, but not shorter than the required part. */
static void sections_may_grow(void **state)
{
	u32 kept[4] = { 1, 2, 3, 4 }, loaded[4] = { 9, 9, 9, 9 };
	struct record_writer writer;
	struct text_error error;
	struct record record;

	record_start(&writer);
	record_add(&writer, "PART", kept, 12);
	record_add(&writer, "MORE", kept, sizeof(kept));
	record_add(&writer, "EVEN", kept, 8);
	record_reopen(&writer, &record);
	assert_int_equal(record_get(&record, "PART", loaded, sizeof(loaded), 16, &error), -EBADMSG);
	assert_string_equal(error.what, "its section 'PART' is missing or too short");
	assert_int_equal(record_get(&record, "PART", loaded, sizeof(loaded), 12, NULL), 0);
	assert_int_equal(loaded[2], 3);
	assert_int_equal(loaded[3], 0);
	assert_int_equal(record_get(&record, "MORE", loaded, 8, 4, NULL), 0);
	assert_int_equal(loaded[1], 2);
	assert_int_equal(loaded[2], 3);
	assert_int_equal(record_get(&record, "EVEN", loaded, sizeof(loaded), 4, NULL), 0);
	assert_int_equal(loaded[1], 2);
	assert_int_equal(record_get(&record, "NONE", loaded, sizeof(loaded), 0, NULL), -EBADMSG);
	record_deinit(&record);
}

/* An existing file stays until the new one is complete. */
static void nothing_is_lost(void **state)
{
	struct text_error error;
	struct record_writer writer;
	struct stat info;

	keep_sys();
	record_start(&writer);
	record_add(&writer, "PART", "x", 1);
	record_abandon(&writer);
	record_abandon(&writer);
	assert_null(writer.out.temporary);
	assert_int_equal(read_record(), 0);
	assert_int_equal(record_create(&writer, "/proc/none/x", &error), -ENOENT);
	assert_int_equal(record_create(&writer, "/dev/full", NULL), 0);
	record_add(&writer, "PART", bytes, sizeof(bytes));
	/* An error before the end keeps its reason, too. */
	assert_int_equal(setvbuf(writer.out.file, NULL, _IONBF, 0), 0);
	record_add(&writer, "PART", bytes, sizeof(bytes));
	assert_int_equal(record_commit(&writer, &error), -EIO);
	assert_string_equal(error.what, "write /dev/full: No space left on device");
	assert_int_equal(stat("/dev/full", &info), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_truncation_is_noticed),
		cmocka_unit_test(every_changed_byte_is_noticed),
		cmocka_unit_test(unknown_sections_are_skipped), cmocka_unit_test(sections_may_grow),
		cmocka_unit_test(nothing_is_lost),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
