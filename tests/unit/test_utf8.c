// SPDX-License-Identifier: GPL-2.0-only
/* UTF-8 texts, and symbol names in UTF-8: symbolizer/utf8.c, name.c. */
#include <unistd.h>

#include "inputs.h"
#include "internal.h"
#include "base/text.h"
#include "utf8.h"

/* The definition of UTF-8 (RFC 3629, section 3): one of four forms, then bits by place. */
static size_t encode(u32 c, unsigned char bytes[5])
{
	memset(bytes, 0, 5);
	if (c < 0x80) {
		bytes[0] = c;
		return 1;
	}
	if (c < 0x800) {
		bytes[0] = 0xc0 + c / 64;
		bytes[1] = 0x80 + c % 64;
		return 2;
	}
	if (c < 0x10000) {
		bytes[0] = 0xe0 + c / 4096;
		bytes[1] = 0x80 + c / 64 % 64;
		bytes[2] = 0x80 + c % 64;
		return 3;
	}
	bytes[0] = 0xf0 + c / 262144;
	bytes[1] = 0x80 + c / 4096 % 64;
	bytes[2] = 0x80 + c / 64 % 64;
	bytes[3] = 0x80 + c % 64;
	return 4;
}

static bool is_surrogate(u32 c)
{
	return c >= 0xd800 && c <= 0xdfff;
}

/* All sequences: every lead byte from C2 to F4 with all possible continuations. */
static void every_character_is_read(void **state)
{
	bool is_lead_seen[256] = { false };
	unsigned char bytes[5];
	u32 c;

	for (c = 0; c <= 0x10ffff; c++) {
		const char *at = (const char *)bytes;
		size_t len = encode(c, bytes);

		if (is_surrogate(c))
			continue;
		if (utf8_read(&at) != c || at != (const char *)bytes + len)
			fail_msg("U+%04X", c);
		is_lead_seen[bytes[0]] = true;
	}
	for (c = 0xc2; c <= 0xf4; c++)
		assert_true(is_lead_seen[c]);
}

/* A decoded character must encode to the same bytes; other bytes are not characters. */
static void other_bytes_are_no_characters(void **state)
{
	static const unsigned char third[] = { 0, 0x7f, 0x80, 0xbf, 0xc0, 0xff };
	unsigned char bytes[5] = { 0 }, again[5];
	u32 i, c;
	size_t len;

	for (i = 0; i < 65536 * sizeof(third) * sizeof(third); i++) {
		const char *at = (const char *)bytes;

		bytes[0] = i;
		bytes[1] = i >> 8;
		bytes[2] = third[(i >> 16) % sizeof(third)];
		bytes[3] = third[(i >> 16) / sizeof(third)];
		c = utf8_read(&at);
		len = at - (const char *)bytes;
		if (c == UTF8_NONE ? len != 1 : c > 0x10ffff || is_surrogate(c) ||
		    encode(c, again) != len || memcmp(bytes, again, len))
			fail_msg("%02x %02x %02x %02x", bytes[0], bytes[1], bytes[2], bytes[3]);
	}
}

static void invalid_bytes_are_no_characters(void **state)
{
	static const char *const none[] = {
		"\xc0\x80", "\xc1\xbf", "\xe0\x80\xaf", "\xe0\x9f\xbf", "\xf0\x80\x80\xaf",
		"\xf0\x8f\xbf\xbf",				/* overlong */
		"\xed\xa0\x80", "\xed\xbf\xbf",			/* surrogates */
		"\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xff",
		"\xc2", "\xe2\x82", "\xf0\x9f\x98", "\xe2" "a", "\xf0\x9f" "a",	/* truncated */
		"\x80", "\xbf",					/* continuation alone */
	};
	size_t i;

	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		const char *at = none[i];

		assert_int_equal(utf8_read(&at), UTF8_NONE);
		assert_ptr_equal(at, none[i] + 1);
	}
}

/* A cut is at the end of a character; invalid bytes are cut anywhere. */
static void cuts_keep_characters_whole(void **state)
{
	static const char text[] = "a\u00b5\ud55c\U0001f600z";
	static const size_t cut[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10 };
	size_t len;

	for (len = 0; len < sizeof(cut) / sizeof(cut[0]); len++)
		assert_int_equal(utf8_cut(text, len), cut[len]);
	assert_int_equal(utf8_cut("\x80\x80\x80\x80\x80\x80", 5), 5);
	assert_int_equal(utf8_cut("\x80\x80\x80", 2), 2);
	assert_int_equal(utf8_cut("\x80", 0), 0);
}

static const char *name_of(const char *name, size_t len)
{
	static char readable[64];
	const struct sym sym = { .name = name };

	memset(readable, 'x', sizeof(readable));
	sym_name(&sym, readable, len);
	return readable;
}

/* Names in characters of all lengths are equal through symbols and through the tool's texts. */
static void names_keep_their_letters(void **state)
{
	static const char *const names[] = {
		"µs_to_ticks", "한글", "naïve_Σ", "\u0800\ud7ff\ue000\uffff", "🦀::run",
		"𝒇_\U0010ffff",
	};
	char copy[64];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_string_equal(name_of(names[i], 64), names[i]);
		snprintf(copy, sizeof(copy), "%s", names[i]);
		text_clean(copy);
		assert_string_equal(copy, names[i]);
	}
	/* An invalid byte loses only itself; C1 controls of two bytes are controls too. */
	assert_string_equal(name_of("µ\xff\xe0\x80한\033[m\t[nf]\xc2\x9b", 64), "µ???한?[m [nf]??");
}

static void names_are_cut_between_letters(void **state)
{
	static const struct { const char *name; size_t len; const char *shown; } cases[] = {
		{ "abµ", 5, "abµ" }, { "abµ", 4, "ab" }, { "abµ", 3, "ab" }, { "a🦀b", 6, "a🦀" },
		{ "a🦀b", 5, "a" }, { "µ", 2, "" }, { "µ", 1, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(name_of(cases[i].name, cases[i].len), cases[i].shown);
}

static void symbols_of_a_text_file(void **state)
{
	struct sym_index *index = symbols_of("1000 T µs_to_ticks\n2000 T 한글\n"
					     "3000 t \xff\xc2\xa0\n");
	char name[32];

	sym_name(sym_index_find(index, 0x1000), name, sizeof(name));
	assert_string_equal(name, "µs_to_ticks");
	sym_name(sym_index_find(index, 0x2000), name, sizeof(name));
	assert_string_equal(name, "한글");
	sym_name(sym_index_find(index, 0x3000), name, sizeof(name));
	assert_string_equal(name, "?\u00a0");
	sym_index_destroy(index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_character_is_read),
		cmocka_unit_test(other_bytes_are_no_characters),
		cmocka_unit_test(invalid_bytes_are_no_characters),
		cmocka_unit_test(cuts_keep_characters_whole),
		cmocka_unit_test(names_keep_their_letters),
		cmocka_unit_test(names_are_cut_between_letters),
		cmocka_unit_test(symbols_of_a_text_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
