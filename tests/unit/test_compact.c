// SPDX-License-Identifier: GPL-2.0-only
/* Compact indexes have the symbols of indexes: symbolizer/compact.c, spans.c. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "directory.h"
#include "inputs.h"
#include "spans.h"
#include "sym_compact.h"

static void assert_same_name(const char *name, const char *expected)
{
	char shown[512], wanted[512];

	sym_name(&(struct sym){ .name = name }, shown, sizeof(shown));
	sym_name(&(struct sym){ .name = expected }, wanted, sizeof(wanted));
	assert_string_equal(shown, wanted);
}

/* Both indexes answer alike at both ends of each symbol, and beside it. */
static void assert_same(const struct sym_compact *compact, const struct sym_index *index)
{
	char name[SYM_COMPACT_NAME];
	struct sym found;
	size_t i;

	assert_true(sym_index_size(index) > 0);
	for (i = 0; i < sym_index_size(index); i++) {
		const struct sym *sym = sym_index_at(index, i);
		u64 at[] = { sym->start - 1, sym->start, sym->end - 1, sym->end };
		size_t k;

		for (k = 0; k < 4; k++) {
			const struct sym *expected = sym_index_find(index, at[k]);

			assert_int_equal(sym_compact_find(compact, at[k], &found, name), expected != NULL);
			if (!expected)
				continue;
			assert_true(found.start == expected->start && found.end == expected->end &&
				    found.entry == expected->entry);
			assert_true(found.name == name);
			assert_same_name(name, expected->name);
		}
	}
}

/* One name with symbols of both kinds: the default version is no part of it, an older one is. */
static void versions_are_cut(void **state)
{
	struct sym_compact *compact;
	struct sym_index *index;
	u64 addr, older;
	int fd;

	write_file(in_directory("versions.s"),
		   ".symver now, shown@@V2\n.symver before, shown@V1\n.globl now, before\n.type now,@function\n"
		   ".type before,@function\nbefore: nop\nret\n.size before, .-before\n"
		   "now: nop\nnop\nret\n.size now, .-now\n");
	write_file(in_directory("versions.map"), "V1 { local: *; };\nV2 { global: shown; } V1;\n");
	sh("as -o versions.o versions.s && ld -shared --version-script versions.map -o versions.so versions.o");
	fd = open(in_directory("versions.so"), O_RDONLY);
	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_int_equal(sym_compact_create_object(fd, NULL, NULL, &compact, NULL), 0);
	assert_true(sym_index_by_name(index, "shown", &addr));
	assert_true(sym_index_by_name(index, "shown@V1", &older) && older != addr);
	assert_same(compact, index);
	sym_compact_destroy(compact);
	sym_index_destroy(index);
	close(fd);
}

static void an_executable(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	struct sym_compact *compact;
	struct sym_index *index;
	struct sym found;

	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_int_equal(sym_compact_create_object(fd, NULL, NULL, &compact, NULL), 0);
	close(fd);
	assert_same(compact, index);
	assert_true(sym_compact_find(compact, sym_index_at(index, 0)->start, &found, NULL));
	assert_null(found.name);
	/* names of linkage tables are kept, all others are in the file */
	assert_in_range(sym_compact_bytes(compact), 16 * sym_index_size(index),
			20 * sym_index_size(index) + 65536);
	sym_index_destroy(index);
	sym_compact_destroy(compact);
	sym_compact_destroy(NULL);
}

/* Texts have nested symbols, aliases, and code of more than 4 GiB. */
static void a_text(void **state)
{
	static const char text[] =
		"1000 100 T outer\n1010 10 t inner\n1010 10 T _alias\n2000 t no_size\t[module]\n"
		"100001000 10 T far\n100001020 10 T farther\n7fffffff00000000 10 T farthest\n"
		"ffffffff81000000 T _stext\nffffffff82000000 T _etext\n";
	int fd = memfd_of(text, sizeof(text) - 1);
	struct sym_compact *compact;
	struct sym_index *index;
	char path[64];
	u64 low, high;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(sym_index_create_kallsyms(path, &index, NULL), 0);
	assert_int_equal(sym_compact_create_kallsyms(path, &compact, &low, &high, NULL), 0);
	assert_true(low == 0xffffffff81000000 && high == 0xffffffff82000000);
	assert_same(compact, index);
	sym_compact_destroy(compact);
	assert_int_equal(sym_compact_create_kallsyms(path, &compact, NULL, NULL, NULL), 0);
	sym_compact_destroy(compact);
	sym_index_destroy(index);
	close(fd);
	fd = memfd_of("1000 T only\n", 12);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(sym_compact_create_kallsyms(path, &compact, &low, &high, NULL), 0);
	assert_true(low == 0 && high == UINT64_MAX);
	sym_compact_destroy(compact);
	close(fd);
	assert_int_equal(sym_compact_create_kallsyms("/nonexistent", &compact, &low, &high, NULL), -ENOENT);
}

static int copy_of(const char *path)
{
	static char bytes[32 << 20];
	int from = open(path, O_RDONLY), fd;
	ssize_t len = read(from, bytes, sizeof(bytes));

	assert_in_range(len, 4096, sizeof(bytes) - 1);
	close(from);
	fd = memfd_of(bytes, len);
	return fd;
}

/* Names of a file that was written to since could be anybody's: there are none. */
static void a_changed_file(void **state)
{
	int fd = copy_of("/proc/self/exe");
	struct sym_compact *compact;
	char name[SYM_COMPACT_NAME];
	struct sym_index *index;
	struct sym found;
	u64 addr;

	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_true(sym_index_by_name(index, "main", &addr));
	sym_index_destroy(index);
	assert_int_equal(sym_compact_create_object(fd, NULL, NULL, &compact, NULL), 0);
	assert_true(sym_compact_find(compact, addr, &found, name));
	assert_string_equal(name, "main");
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_true(sym_compact_find(compact, addr, &found, name));
	assert_string_equal(name, "");
	assert_true(found.entry == addr);
	sym_compact_destroy(compact);
	close(fd);
}

/* The same length, another time. */
static void a_file_written_in_place(void **state)
{
	int fd = copy_of("/proc/self/exe");
	struct timespec times[2] = { { 1, 0 }, { 1, 5 } };
	struct sym_compact *compact;
	char name[SYM_COMPACT_NAME];
	struct sym_index *index;
	struct sym found;
	u64 addr;

	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_true(sym_index_by_name(index, "main", &addr));
	sym_index_destroy(index);
	assert_int_equal(futimens(fd, times), 0);
	assert_int_equal(sym_compact_create_object(fd, NULL, NULL, &compact, NULL), 0);
	assert_true(sym_compact_find(compact, addr, &found, name));
	assert_string_equal(name, "main");
	times[1].tv_nsec = 6;
	assert_int_equal(futimens(fd, times), 0);
	assert_true(sym_compact_find(compact, addr, &found, name));
	assert_string_equal(name, "");
	sym_compact_destroy(compact);
	close(fd);
}

static void no_symbols(void **state)
{
	struct sym_compact *compact;
	int fd = memfd_of("nothing", 7);

	assert_int_equal(sym_compact_create_object(fd, NULL, NULL, &compact, NULL), -ENOEXEC);
	close(fd);
}

static void ranges_far_from_each_other(void **state)
{
	static const u64 starts[] = { 5, 10, 1ULL << 32, (1ULL << 32) + 5, (1ULL << 32) + 6, 1ULL << 40,
				      UINT64_MAX - 5 };
	struct spans spans;
	u64 start, end;
	size_t i, at;

	assert_int_equal(spans_init(&spans, 7), 0);
	assert_false(spans_find(&spans, 5, &at, &start, &end));
	for (i = 0; i < 7; i++)
		assert_int_equal(spans_add(&spans, starts[i], starts[i] + 1), 0);
	for (i = 0; i < 7; i++) {
		assert_true(spans_find(&spans, starts[i], &at, &start, &end));
		assert_true(at == i && start == starts[i] && end == start + 1);
		if (i != 3)
			assert_false(spans_find(&spans, starts[i] + 1, &at, &start, &end));
	}
	assert_false(spans_find(&spans, 4, &at, &start, &end));
	assert_false(spans_find(&spans, UINT64_MAX, &at, &start, &end));
	/* 5 to 2^32 + 4 need 32 bits; each of the other two begins a base */
	assert_int_equal(spans.nr_bases, 4);
	assert_int_equal(spans_bytes(&spans), 7 * 8 + 4 * 16);
	spans_deinit(&spans);
	assert_int_equal(spans_init(&spans, 1), 0);
	assert_int_equal(spans_add(&spans, 0, 1ULL << 33), 0);
	assert_true(spans_find(&spans, 7, &at, &start, &end));
	assert_true(end == UINT32_MAX);
	spans_deinit(&spans);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_executable), cmocka_unit_test(versions_are_cut),
		cmocka_unit_test(a_text),
		cmocka_unit_test(a_changed_file),
		cmocka_unit_test(a_file_written_in_place),
		cmocka_unit_test(no_symbols),
		cmocka_unit_test(ranges_far_from_each_other),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
