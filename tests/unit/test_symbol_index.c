// SPDX-License-Identifier: GPL-2.0-only
/* Indexes, images and names, to the byte: symbolizer/index.c, elf.c, name.c. */
#include "inputs.h"

static struct sym_index *kallsyms_of(const char *text)
{
	int fd = memfd_of(text, strlen(text));
	struct sym_index *index = NULL;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(sym_index_create_kallsyms(path, &index, NULL), 0);
	close(fd);
	return index;
}

/** [start, end) of an entry, the start of its symbol, and its name; NULL ends a list. */
struct entry {
	u64 start, end, entry;
	const char *name;
};

static void assert_entries(const struct sym_index *index, const struct entry *expected)
{
	size_t nr = 0;

	for (; expected[nr].name; nr++) {
		const struct sym *sym = sym_index_at(index, nr);

		assert_true(nr < sym_index_size(index));
		assert_int_equal(sym->start, expected[nr].start);
		assert_int_equal(sym->end, expected[nr].end);
		assert_int_equal(sym->entry, expected[nr].entry);
		assert_string_equal(sym->name, expected[nr].name);
	}
	assert_int_equal(sym_index_size(index), nr);
}

static void assert_symbols(const char *text, const struct entry *expected)
{
	struct sym_index *index = symbols_of(text);

	assert_entries(index, expected);
	sym_index_destroy(index);
}

/* The name shown for two symbols at one address may be the one of the symbol without a size. */
static void an_alias_gets_the_size(void **state)
{
	static const struct entry expected[] = {
		{ 0x1000, 0x1010, 0x1000, "shown" }, { 0x2000, 0x2020, 0x2000, "own" }, { 0 },
	};
	struct sym_index *index = symbols_of("1000 T shown\n1000 10 t sized\n"
					     "2000 20 T own\n2000 10 t other\n");
	u64 addr = 0;

	assert_entries(index, expected);
	assert_null(sym_index_find(index, 0x1010));
	assert_true(sym_index_by_name(index, "sized", &addr));
	assert_int_equal(addr, 0x1000);
	sym_index_destroy(index);
}

/* Global names go first, then names with fewer underscores, shorter names, then in their order. */
static void global_and_short_aliases_are_shown(void **state)
{
	static const struct entry expected[] = {
		{ 0x1000, 0x1010, 0x1000, "__global_name" },
		{ 0x2000, 0x2010, 0x2000, "plain_and_longest" },
		{ 0x3000, 0x3010, 0x3000, "short" }, { 0x4000, 0x4010, 0x4000, "ab" },
		{ 0x5000, 0x5010, 0x5000, "weaker_name" }, { 0 },
	};

	assert_symbols("1000 10 t a\n1000 10 W weak\n1000 10 T __global_name\n"
		       "2000 10 T __x\n2000 10 T _longer\n2000 10 T plain_and_longest\n"
		       "3000 10 T longer\n3000 10 T short\n4000 10 T bb\n4000 10 T ab\n"
		       "5000 10 t local\n5000 10 W weaker_name\n", expected);
}

/*
 * A symbol of text without a size extends to the next one, however far; the last one extends to the
 * end of its page.
 */
static void unknown_ends(void **state)
{
	static const struct entry unsized[] = {
		{ 0, 0x1000, 0, "zero" }, { 0x1000, 0x9000, 0x1000, "far" },
		{ 0x9000, 0x9010, 0x9000, "next" }, { 0x9010, 0xa000, 0x9010, "last" }, { 0 },
	};
	static const struct entry top[] = {
		{ 0xfffffffffffff010, UINT64_MAX, 0xfffffffffffff010, "top" }, { 0 },
	};
	static const struct entry wrapping[] = {
		{ 0x1000, 0x1001, 0x1000, "one" },
		{ 0xfffffffffffff000, UINT64_MAX, 0xfffffffffffff000, "wraps" }, { 0 },
	};

	assert_symbols("0 T zero\n1000 T far\n9000 T next\n9010 T last\n", unsized);
	assert_symbols("fffffffffffff010 T top\n", top);
	/* A size that would wrap is ignored. */
	assert_symbols("fffffffffffff000 2000 T wraps\n1000 1 T one\n", wrapping);
}

/* A symbol continues after the symbols inside it. */
static void symbols_inside_others(void **state)
{
	static const struct entry expected[] = {
		{ 0x1000, 0x1010, 0x1000, "outer" }, { 0x1010, 0x1020, 0x1010, "inner" },
		{ 0x1020, 0x1030, 0x1000, "outer" }, { 0x1030, 0x1040, 0x1030, "to_the_end" },
		{ 0x1040, 0x1050, 0x1040, "beside" }, { 0 },
	};

	assert_symbols("1000 40 T outer\n1010 10 T inner\n1030 10 T to_the_end\n"
		       "1040 10 T beside\n", expected);
}

/* Positions around entries with a gap between them. */
static void bounds(void **state)
{
	struct sym_index *index = symbols_of("1000 10 T a\n1010 10 T b\n1030 10 T c\n");

	assert_int_equal(sym_index_lower_bound(index, 0), 0);
	assert_int_equal(sym_index_lower_bound(index, 0x100f), 0);
	assert_int_equal(sym_index_lower_bound(index, 0x1010), 1);
	assert_int_equal(sym_index_lower_bound(index, 0x1020), 2);
	assert_int_equal(sym_index_lower_bound(index, 0x103f), 2);
	assert_int_equal(sym_index_lower_bound(index, 0x1040), 3);
	assert_null(sym_index_find(index, 0xfff));
	assert_ptr_equal(sym_index_find(index, 0x1010), sym_index_at(index, 1));
	assert_null(sym_index_find(index, 0x1020));
	assert_null(sym_index_find(index, 0x102f));
	assert_ptr_equal(sym_index_find(index, 0x1030), sym_index_at(index, 2));
	assert_null(sym_index_find(index, 0x1040));
	sym_index_destroy(index);
}

/* Half of 64 bytes has names; a range that ends inside a symbol counts a part of the symbol. */
static void coverage(void **state)
{
	struct sym_index *index = symbols_of("1000 10 T a\n1020 10 T b\n");

	assert_true(sym_index_coverage(index, 0x1000, 0x1040) == 0.5);
	assert_true(sym_index_coverage(index, 0x0fc0, 0x1000) == 0);
	assert_true(sym_index_coverage(index, 0x1008, 0x1010) == 1);
	assert_true(sym_index_coverage(index, 0x1008, 0x1018) == 0.5);
	assert_true(sym_index_coverage(index, 0x1018, 0x1028) == 0.5);
	assert_true(sym_index_coverage(index, 0x1004, 0x1008) == 1);
	assert_true(sym_index_coverage(index, 0x1010, 0x1020) == 0);
	assert_true(sym_index_coverage(index, 0x1030, 0x2000) == 0);
	assert_true(sym_index_coverage(index, 0x1000, 0x1000) == 0);
	assert_true(sym_index_coverage(index, 0x1010, 0x1000) == 0);
	sym_index_destroy(index);
}

/* All addresses of an index move: entries, starts of symbols, and results of searches by name. */
static void moved(void **state)
{
	static const struct entry expected[] = {
		{ 0xffffffff80001000, 0xffffffff80001010, 0xffffffff80001000, "outer" },
		{ 0xffffffff80001010, 0xffffffff80001020, 0xffffffff80001010, "inner" },
		{ 0xffffffff80001020, 0xffffffff80001040, 0xffffffff80001000, "outer" }, { 0 },
	};
	struct sym_index *index = symbols_of("1000 40 T outer\n1010 10 T inner\n"
					     "1010 10 t alias\n");
	u64 addr = 0;

	sym_index_move(index, 0xffffffff80000000);
	assert_entries(index, expected);
	assert_true(sym_index_by_name(index, "alias", &addr));
	assert_int_equal(addr, 0xffffffff80001010);
	sym_index_move(index, -0xffffffff80000000);
	assert_ptr_equal(sym_index_find(index, 0x1018), sym_index_at(index, 1));
	assert_true(sym_index_by_name(index, "outer", &addr));
	assert_int_equal(addr, 0x1000);
	sym_index_destroy(index);
}

/* A readable name is found only as a whole: neither its parts nor names of other classes match. */
static void by_readable_name(void **state)
{
	struct sym_index *index = symbols_of("1000 10 T _ZN3foo3barEi\n1010 10 T _ZN3baz3barEi\n"
					     "1020 10 T _ZN3fooD1Ev\n1030 10 T plain\n"
					     "1040 10 T plain\n");
	u64 addr = 7;

	assert_true(sym_index_by_name(index, "foo::bar", &addr));
	assert_int_equal(addr, 0x1000);
	assert_true(sym_index_by_name(index, "baz::bar", &addr));
	assert_int_equal(addr, 0x1010);
	assert_true(sym_index_by_name(index, "foo::~foo", &addr));
	assert_int_equal(addr, 0x1020);
	/* the lowest of several */
	assert_true(sym_index_by_name(index, "plain", &addr));
	assert_int_equal(addr, 0x1030);
	addr = 7;
	assert_false(sym_index_by_name(index, "bar", &addr));
	assert_false(sym_index_by_name(index, "other::bar", &addr));
	assert_false(sym_index_by_name(index, "", &addr));
	assert_false(sym_index_by_name(index, "plai", &addr));
	assert_int_equal(addr, 7);
	sym_index_destroy(index);
}

/* Only names that both have are compared. */
static void agreement_is_over_common_names(void **state)
{
	struct sym_index *truth = symbols_of("1000 T a\n1010 T b\n1020 T c\n1030 T d\n"
					     "1040 T own\n");
	struct sym_index *index = symbols_of("1000 T a\n1010 T b\n1018 T c\n1038 T d\n"
					     "1050 T mine\n");
	struct sym_index *late = symbols_of("1000 T a\n1001 T b\n1002 T c\n1003 T d\n");
	struct sym_index *early = symbols_of("f00 T a\n1010 T b\n");

	assert_true(sym_index_agreement(index, truth) == 0.5);
	assert_true(sym_index_agreement(truth, index) == 0.5);
	assert_true(sym_index_agreement(late, truth) == 0.25);
	assert_true(sym_index_agreement(early, truth) == 0.5);
	assert_true(sym_index_agreement(truth, truth) == 1);
	sym_index_destroy(truth);
	sym_index_destroy(index);
	sym_index_destroy(late);
	sym_index_destroy(early);
}

/* "nf" is neither "nf_tables" nor "tables]"; a module's text spans its first to last symbol. */
static void ranges_of_modules(void **state)
{
	struct sym_index *index = kallsyms_of(
		"ffffffff81000000 T _stext\nffffffff82000000 T _etext\n"
		"ffffffffc0001000 t nft_first\t[nf_tables]\n"
		"ffffffffc0001800 t nft_mid\t[nf_tables]\n"
		"ffffffffc0002000 t other\t[nf_tables_set]\n"
		"ffffffffc0003010 T array[3]\t[x]\nffffffffc0003020 T last\t[x]\n");
	u64 low = 1, high = 2;

	assert_false(sym_index_module_range(index, "nf", &low, &high));
	assert_false(sym_index_module_range(index, "tables", &low, &high));
	assert_false(sym_index_module_range(index, "", &low, &high));
	assert_false(sym_index_module_range(index, "3", &low, &high));
	assert_int_equal(low, 1);
	assert_int_equal(high, 2);
	assert_true(sym_index_module_range(index, "nf_tables", &low, &high));
	assert_int_equal(low, 0xffffffffc0001000);
	assert_int_equal(high, 0xffffffffc0002000);
	assert_true(sym_index_module_range(index, "x", &low, &high));
	assert_int_equal(low, 0xffffffffc0003010);
	assert_int_equal(high, 0xffffffffc0004000);
	sym_index_destroy(index);
}

/* Pages are mapped whole: those around a segment's bytes count, the page after them does not. */
static void offsets_of_segments(void **state)
{
	const struct sym_image image = {
		.nr_segments = 3,
		.segment = { { 0x1000, 0x800, 0x401000 }, { 0x3800, 0x800, 0x603800 },
			     { 0x7800, 0x900, 0x907800 } },
	};
	u64 addr = 7;

	assert_false(sym_image_addr(&image, 0xfff, &addr));
	assert_int_equal(addr, 7);
	assert_true(sym_image_addr(&image, 0x1000, &addr));
	assert_int_equal(addr, 0x401000);
	assert_true(sym_image_addr(&image, 0x1fff, &addr));
	assert_int_equal(addr, 0x401fff);
	assert_false(sym_image_addr(&image, 0x2000, &addr));
	assert_false(sym_image_addr(&image, 0x2fff, &addr));
	assert_true(sym_image_addr(&image, 0x3000, &addr));
	assert_int_equal(addr, 0x603000);
	assert_true(sym_image_addr(&image, 0x3fff, &addr));
	assert_int_equal(addr, 0x603fff);
	/* from the middle of a page into the next page */
	assert_true(sym_image_addr(&image, 0x8fff, &addr));
	assert_int_equal(addr, 0x908fff);
	assert_false(sym_image_addr(&image, 0x9000, &addr));
	/* exactly at the segment's end */
	addr = 7;
	assert_false(sym_image_addr(&image, 0x4000, &addr));
	assert_int_equal(addr, 7);
}

/* Both segments map the page, each at its own address: each has its own bytes. */
static void segments_share_a_page(void **state)
{
	const struct sym_image image = {
		.nr_segments = 2, .segment = { { 0x1000, 0x400, 0x401000 }, { 0x1400, 0x400, 0x602400 } },
	};
	u64 addr;

	assert_true(sym_image_addr(&image, 0x13ff, &addr));
	assert_int_equal(addr, 0x4013ff);
	assert_true(sym_image_addr(&image, 0x1400, &addr));
	assert_int_equal(addr, 0x602400);
	assert_true(sym_image_addr(&image, 0x1800, &addr));
	assert_int_equal(addr, 0x401800);
}

static void same_build(void **state)
{
	struct sym_image a = { .build_id_len = 4, .build_id = { 1, 2, 3, 4 } }, b = a,
		none = { .build_id_len = 0 };

	assert_true(sym_image_is_same(&a, &b));
	b.build_id[3] = 5;
	assert_false(sym_image_is_same(&a, &b));
	b = a;
	b.build_id_len = 3;
	assert_false(sym_image_is_same(&a, &b));
	assert_false(sym_image_is_same(&a, &none));
	assert_false(sym_image_is_same(&none, &none));
}

/* The check value of CRC-32, at once and in parts. */
static void checksum(void **state)
{
	assert_int_equal(sym_crc32(0, "123456789", 9), 0xcbf43926);
	assert_int_equal(sym_crc32(sym_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
	assert_int_equal(sym_crc32(0, "", 0), 0);
}

static void assert_name(const char *name, size_t len, const char *expected)
{
	const struct sym sym = { .name = name };
	char text[64];

	memset(text, 'x', sizeof(text));
	sym_name(&sym, text, len);
	assert_string_equal(text, expected);
}

/* Cut to the buffer, but not inside a character of several bytes. */
static void names_that_are_cut(void **state)
{
	assert_name("plain", 6, "plain");
	assert_name("plain", 5, "plai");
	assert_name("plain", 1, "");
	assert_name("caf\xc3\xa9", 6, "caf\xc3\xa9");
	assert_name("caf\xc3\xa9", 5, "caf");
	assert_name("caf\xc3\xa9s", 6, "caf\xc3\xa9");
	assert_name("\xe1\x88\xb4", 3, "");
	assert_name("a\tb\x7f" "c\x1f", 20, "a b?c?");
	assert_name("_ZN3foo3barEi", 8, "foo::ba");
}

/* Expected hashes are CRC-32 of 41 bytes, by zlib.crc32() of Python. */
static void cut_names_end_in_a_hash(void **state)
{
	char a[42] = "", b[42] = "";

	memset(a, 'a', 41);
	memset(b, 'a', 40);
	b[40] = 'b';
	assert_name(a, 42, a);
	assert_name(a, 41, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~a37a318e");
	assert_name(b, 41, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~3a736034");
	assert_name(a, 32, "aaaaaaaaaaaaaaaaaaaaaa~a37a318e");
	assert_name(a, 31, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
	/* The hash is of the raw bytes, although they are shown alike. */
	b[40] = '\x1f';
	assert_name(b, 42, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?");
	assert_name(b, 41, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~14c76db5");
}

/* "DIGITS TYPE NAME": which lines are symbols of code. */
static void lines_of_text(void **state)
{
	struct sym_index *index = symbols_of(
		"1000 T upper\n1010 t lower\n1020 W weak\n1030 w weaker\n1040 i ifunc\n"
		"1050 D data\n1060 B bss\n1070 U undefined\n"
		"ABCDEF0 T hex\nabcdf00 T Hex\n 2000 T indented\n2010\tT\ttabs\n"
		"00000000000002020 T too_many_digits\n2030 10 T sized\n2040  T  blanks\n"
		"2050 10 x\n2060 T\n2070 T returned\r\n__pfx_2080 T x\n2090 T __pfx_x\n"
		"20a0 T __pfx\n20b0 D _etext\n2030 t $x\n20b8 t $d.1\n20c0 D _etexts\n20d0 D my_etext\n");
	static const char *const known[] = {
		"upper", "lower", "weak", "weaker", "ifunc", "hex", "Hex", "sized", "blanks",
		"returned", "__pfx", "_etext",
	};
	u64 addr;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!sym_index_by_name(index, known[i], &addr))
			fail_msg("%s", known[i]);
	assert_true(sym_index_by_name(index, "hex", &addr));
	assert_int_equal(addr, 0xabcdef0);
	assert_false(sym_index_by_name(index, "data", &addr));
	assert_false(sym_index_by_name(index, "bss", &addr));
	assert_false(sym_index_by_name(index, "undefined", &addr));
	assert_false(sym_index_by_name(index, "indented", &addr));
	assert_false(sym_index_by_name(index, "too_many_digits", &addr));
	assert_false(sym_index_by_name(index, "__pfx_x", &addr));
	assert_false(sym_index_by_name(index, "$x", &addr));
	assert_false(sym_index_by_name(index, "$d.1", &addr));
	assert_false(sym_index_by_name(index, "_etexts", &addr));
	assert_false(sym_index_by_name(index, "my_etext", &addr));
	sym_index_destroy(index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_alias_gets_the_size),
		cmocka_unit_test(global_and_short_aliases_are_shown),
		cmocka_unit_test(unknown_ends), cmocka_unit_test(symbols_inside_others),
		cmocka_unit_test(bounds), cmocka_unit_test(coverage), cmocka_unit_test(moved),
		cmocka_unit_test(by_readable_name),
		cmocka_unit_test(agreement_is_over_common_names),
		cmocka_unit_test(ranges_of_modules), cmocka_unit_test(offsets_of_segments), cmocka_unit_test(segments_share_a_page),
		cmocka_unit_test(same_build), cmocka_unit_test(checksum),
		cmocka_unit_test(names_that_are_cut), cmocka_unit_test(cut_names_end_in_a_hash), cmocka_unit_test(lines_of_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
