// SPDX-License-Identifier: GPL-2.0-only
/* Perf maps, in which a JIT describes its code, truthfully or not: symbolizer/perfmap.c. */
#include <errno.h>

#include "inputs.h"

static struct sym_index *index_of;
static struct sym_perfmap found;

static int load(const char *text)
{
	int fd = memfd_of(text, strlen(text));
	int error;

	sym_index_destroy(index_of);
	index_of = NULL;
	error = sym_index_create_perfmap(fd, &index_of, &found, NULL);
	close(fd);
	return error;
}

/* The name of the owner of an address; "" for none. */
static const char *name_at(u64 addr)
{
	static char name[256];
	const struct sym *sym = sym_index_find(index_of, addr);

	name[0] = '\0';
	if (sym)
		sym_name(sym, name, sizeof(name));
	return name;
}

static void plain(void **state)
{
	assert_int_equal(load("7f0000001000 40 LazyCompile:~add /app/my file.js:1\n"
			      "0x7f0000002000  0x10 Foo::bar(int)\r\n"), 0);
	assert_int_equal(sym_index_size(index_of), 2);
	assert_string_equal(name_at(0x7f0000001000), "LazyCompile:~add /app/my file.js:1");
	assert_string_equal(name_at(0x7f000000103f), "LazyCompile:~add /app/my file.js:1");
	assert_string_equal(name_at(0x7f0000001040), "");
	assert_string_equal(name_at(0x7f0000000fff), "");
	assert_string_equal(name_at(0x7f000000200f), "Foo::bar(int)");
	assert_int_equal(found.nr_lines, 2);
	assert_int_equal(found.nr_odd + found.nr_overwritten, 0);
	assert_false(found.is_cut);
}

static void odd_lines(void **state)
{
	assert_int_equal(load("1000 10 good\n"
			      "\nx 10 a\n1000 y b\n1000 10\n1000 10 \n1000 0 none\n -1 10 c\n"
			      "+1 10 d\n1000 -1 e\nfffffffffffffff8 10 around\n0 ffffffffffff all\n"
			      "11111111111111111 1 long\n2000 10 after\n"), 0);
	assert_int_equal(sym_index_size(index_of), 2);
	assert_string_equal(name_at(0x1000), "good");
	assert_string_equal(name_at(0x2000), "after");
	assert_int_equal(found.nr_lines, 14);
	assert_int_equal(found.nr_odd, 12);
	assert_int_equal(load(""), -ENODATA);
	assert_int_equal(load("garbage\n"), -ENODATA);
}

/* The writer is in the middle of a line. */
static void unfinished_line(void **state)
{
	assert_int_equal(load("1000 10 whole\n1000 10 par"), 0);
	assert_string_equal(name_at(0x1000), "whole");
	assert_int_equal(found.nr_lines, 1);
}

static void zero_bytes(void **state)
{
	static const char text[] = "1000 10 a\0b\n2000 10 c\n";
	int fd = memfd_of(text, sizeof(text) - 1);

	sym_index_destroy(index_of);
	assert_int_equal(sym_index_create_perfmap(fd, &index_of, &found, NULL), 0);
	assert_string_equal(name_at(0x1000), "");
	assert_string_equal(name_at(0x2000), "c");
	assert_int_equal(found.nr_odd, 1);
	close(fd);
}

/* Only the newest of overlapping code remains; code that is overwritten in part is gone. */
static void overwritten(void **state)
{
	assert_int_equal(load("1000 100 old\n1080 10 new\n"), 0);
	assert_string_equal(name_at(0x1000), "");
	assert_string_equal(name_at(0x1080), "new");
	assert_int_equal(found.nr_overwritten, 1);
	/* even beyond the end of the code that overwrote it */
	assert_int_equal(load("1000 100 first\n1080 100 second\n1100 100 third\n"), 0);
	assert_int_equal(sym_index_size(index_of), 1);
	assert_string_equal(name_at(0x1100), "third");
	assert_int_equal(found.nr_overwritten, 2);
	/* the same code twice */
	assert_int_equal(load("1000 100 f\n1000 100 f optimized\n1100 10 neighbour\n"), 0);
	assert_string_equal(name_at(0x10ff), "f optimized");
	assert_int_equal(sym_index_size(index_of), 2);
	/* an entry that covers everything replaces earlier ones and is replaced by later ones */
	assert_int_equal(load("1000 10 a\n0 10000 liar\n2000 10 b\n"), 0);
	assert_int_equal(sym_index_size(index_of), 1);
	assert_string_equal(name_at(0x2000), "b");
}

/* The definition of the rule, on random histories. */
static void overwriting_follows_its_definition(void **state)
{
	unsigned int seed = 7, round, i, k, n;
	struct { unsigned int start, end; } line[12];
	char text[1024], name[16];

	for (round = 0; round < 3000; round++) {
		n = 1 + rand_r(&seed) % 12;
		text[0] = '\0';
		for (i = 0; i < n; i++) {
			line[i].start = rand_r(&seed) % 40;
			line[i].end = line[i].start + 1 + rand_r(&seed) % 12;
			sprintf(text + strlen(text), "%x %x f%u\n", line[i].start,
				line[i].end - line[i].start, i);
		}
		assert_int_equal(load(text), 0);
		for (i = 0; i < n; i++) {
			for (k = i + 1; k < n; k++)
				if (line[k].start < line[i].end && line[i].start < line[k].end)
					break;
			sprintf(name, "f%u", i);
			if (k == n)
				assert_string_equal(name_at(line[i].start), name);
			else
				assert_string_not_equal(name_at(line[i].start), name);
		}
	}
}

static void huge(void **state)
{
	int fd = memfd_create("perfmap", 0), i;
	FILE *file = fdopen(dup(fd), "w");

	for (i = 0; i < SYM_PERFMAP_SYMS_MAX + 5; i++)
		fprintf(file, "%x 8 f\n", i * 8);
	fclose(file);
	sym_index_destroy(index_of);
	assert_int_equal(sym_index_create_perfmap(fd, &index_of, &found, NULL), 0);
	assert_int_equal(sym_index_size(index_of), SYM_PERFMAP_SYMS_MAX);
	assert_true(found.is_cut);
	/* longer than the limit, most of it a hole */
	assert_int_equal(ftruncate(fd, SYM_PERFMAP_BYTES_MAX + 1L), 0);
	sym_index_destroy(index_of);
	assert_int_equal(sym_index_create_perfmap(fd, &index_of, &found, NULL), 0);
	assert_true(found.is_cut);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain), cmocka_unit_test(odd_lines),
		cmocka_unit_test(unfinished_line), cmocka_unit_test(zero_bytes),
		cmocka_unit_test(overwritten), cmocka_unit_test(overwriting_follows_its_definition),
		cmocka_unit_test(huge),
	};
	int status = cmocka_run_group_tests(tests, NULL, NULL);

	sym_index_destroy(index_of);
	return status;
}
