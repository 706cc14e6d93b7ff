// SPDX-License-Identifier: GPL-2.0-only
/* The fuzzer's changes to saved runs stay inside its buffer: tests/fuzz/section_mutator.c. */
#include "unit.h"
#include "symbolizer.h"

#define HEAD_LEN	16
#define CHANGES		64	/* more than a file has ways to be changed */

size_t LLVMFuzzerCustomMutator(u8 *bytes, size_t len, size_t max_len, unsigned int seed);
size_t LLVMFuzzerMutate(u8 *bytes, size_t len, size_t max_len);

/* The worst that libFuzzer may do: fill all the room that it is told of. */
size_t LLVMFuzzerMutate(u8 *bytes, size_t len, size_t max_len)
{
	assert_true(max_len > 0);
	assert_true(len <= max_len);
	memset(bytes, 0xa5, max_len);
	return max_len;
}

/* A file's head and two sections of this many bytes; the second one ends with @padding bytes. */
static size_t two_sections(u8 *bytes, u64 first, u64 second, size_t padding)
{
	u8 *at = bytes + HEAD_LEN;

	memcpy(at + 8, &first, sizeof(first));
	at += 16 + (first + 7) / 8 * 8;
	memcpy(at + 8, &second, sizeof(second));
	return at + 16 + second + padding - bytes;
}

static void expect_right_sum(const u8 *bytes)
{
	u64 len;
	u32 sum;

	memcpy(&sum, bytes + HEAD_LEN + 4, sizeof(sum));
	memcpy(&len, bytes + HEAD_LEN + 8, sizeof(len));
	assert_int_equal(sum, sym_crc32(0, bytes + HEAD_LEN + 16, len));
}

/* Sections of each length, the last one padded or cut, in a buffer of each size from the file's. */
static void stays_inside(void **state)
{
	for (unsigned int kind = 0; kind < 10 * 10 * 2 * 20; kind++) {
		size_t first = kind % 10, second = kind / 10 % 10, spare = kind / 200;
		size_t padding = kind / 100 % 2 ? (8 - second % 8) % 8 : 0;

		for (unsigned int seed = 1; seed < CHANGES; seed++) {
			u8 file[128] = { 0 };
			size_t len = two_sections(file, first, second, padding);
			u8 *bytes = calloc(1, len + spare);
			size_t new_len;

			memcpy(bytes, file, len);
			new_len = LLVMFuzzerCustomMutator(bytes, len, len + spare, seed);
			assert_true(new_len <= len + spare);
			/* The head changes only with the whole file. */
			if (seed % 4 && !bytes[0])
				expect_right_sum(bytes);
			free(bytes);
		}
	}
}

/* A file without a complete section is changed as a whole. */
static void no_section(void **state)
{
	u8 *bytes = calloc(1, 40);

	assert_int_equal(LLVMFuzzerCustomMutator(bytes, 20, 40, 1), 40);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stays_inside),
		cmocka_unit_test(no_section),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
