// SPDX-License-Identifier: GPL-2.0-only
/* pprof's format, unpacked and decoded: cli/export/export_pprof.c. */
#include <math.h>
#include <zlib.h>

#include "unit.h"
#include "profiles.h"
#include "export/export.h"
#include "release.h"

/** A message, read field by field. */
struct reader {
	const u8 *at;
	const u8 *end;
	u32 field;
	u64 number;			/* value of a varint */
};

static u64 read_number(struct reader *reader)
{
	u64 value = 0;
	int shift = 0;

	do {
		assert_true(reader->at < reader->end);
		value |= (u64)(*reader->at & 0x7f) << shift;
		shift += 7;
	} while (*reader->at++ & 0x80);
	return value;
}

/* Find the next @field, its bytes in @inner if it has any; false: there is none. */
static bool next(struct reader *reader, u32 field, struct reader *inner)
{
	u64 key, len;

	while (reader->at < reader->end) {
		key = read_number(reader);
		reader->number = 0;
		if ((key & 7) == 2) {
			len = read_number(reader);
			assert_true(len <= (u64)(reader->end - reader->at));
			if (inner)
				*inner = (struct reader){ reader->at, reader->at + len };
			reader->at += len;
		} else {
			assert_int_equal(key & 7, 0);
			reader->number = read_number(reader);
		}
		if (key >> 3 == field)
			return true;
	}
	return false;
}

/* The number in the first occurrence of @field. */
static u64 number_in(struct reader reader, u32 field)
{
	return next(&reader, field, NULL) ? reader.number : 0;
}

static struct reader nth(struct reader reader, u32 field, u64 nth)
{
	struct reader inner = { 0 };

	do
		assert_true(next(&reader, field, &inner));
	while (nth--);
	return inner;
}

static u32 count(struct reader reader, u32 field)
{
	u32 nr = 0;

	while (next(&reader, field, NULL))
		nr++;
	return nr;
}

static void want_string(struct reader message, u64 number, const char *want)
{
	struct reader text = nth(message, 6, number);

	assert_int_equal(text.end - text.at, strlen(want));
	assert_memory_equal(text.at, want, strlen(want));
}

static u8 unpacked[1 << 20];

static struct reader exported(struct profile *profile, struct run_result result)
{
	struct stack_run stacks = { .profile = profile, .result = result };
	z_stream stream = { .next_out = unpacked, .avail_out = sizeof(unpacked) };
	char *packed;
	size_t len;
	FILE *out = open_memstream(&packed, &len);

	assert_int_equal(export_pprof(out, &stacks), 0);
	fclose(out);
	stream.next_in = (u8 *)packed;
	stream.avail_in = len;
	assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	inflateEnd(&stream);
	free(packed);
	profile_destroy(profile);
	return (struct reader){ .at = unpacked, .end = unpacked + stream.total_out };
}

static const char some_text[] =
	"sh 7 user main{sh.c:10}@sh#c0ffee;read+0x30@libc.so.6 12\n"
	"sh 8 kernel main{sh.c:10}@sh#c0ffee;do_syscall_64@kernel;ext4_read@[ext4] 3\n"
	"make 9 user main@make 2\n"
	"IDLE 0 kernel [idle] 70\n"
	"lost 4\n"
	"other 5\n";

static struct reader some(void)
{
	return exported(profiles_of(some_text), (struct run_result){
		.began = 1.5, .elapsed_seconds = 0.096, .period_ns = 1000000 });
}

static void want_type(struct reader message, struct reader type, const char *name, const char *unit)
{
	want_string(message, number_in(type, 1), name);
	want_string(message, number_in(type, 2), unit);
}

static void head_of_a_run(void **state)
{
	struct reader message = some();

	assert_int_equal(count(message, 1), 2);
	want_type(message, nth(message, 1, 0), "samples", "count");
	want_type(message, nth(message, 1, 1), "cpu", "nanoseconds");
	want_type(message, nth(message, 11, 0), "cpu", "nanoseconds");
	assert_int_equal(number_in(message, 12), 1000000);
	assert_int_equal(number_in(message, 9), 1500000000);
	assert_int_equal(number_in(message, 10), 96000000);
	want_string(message, 0, "");
	want_string(message, number_in(message, 14), "cpu");
	want_string(message, number_in(message, 13), "cpuprobe " CPUPROBE_RELEASE
		      ": 96 samples, 4 of them lost; 5 of other processes dropped");
}

/* Check the values of a sample against those in the text. */
static void want_sample(struct reader message, u32 at, u64 hits, u64 ns)
{
	struct reader sample = nth(message, 2, at), values = nth(sample, 2, 0);

	assert_int_equal(read_number(&values), hits);
	assert_int_equal(read_number(&values), ns);
	assert_true(values.at == values.end);
}

static void want_label(struct reader message, u32 at, u32 which, const char *key,
			 const char *text, u64 number)
{
	struct reader label = nth(nth(message, 2, at), 3, which);

	want_string(message, number_in(label, 1), key);
	if (text)
		want_string(message, number_in(label, 2), text);
	assert_int_equal(number_in(label, 3), number);
}

static void samples_and_labels(void **state)
{
	struct reader message = some();

	assert_int_equal(count(message, 2), 5);
	want_sample(message, 0, 12, 12000000);
	want_sample(message, 1, 3, 3000000);
	want_sample(message, 4, 4, 4000000);
	want_label(message, 0, 0, "process", "sh", 0);
	want_label(message, 0, 1, "pid", NULL, 7);
	want_label(message, 0, 2, "mode", "user", 0);
	want_label(message, 1, 1, "pid", NULL, 8);
	want_label(message, 1, 2, "mode", "kernel", 0);
	want_label(message, 3, 0, "process", "IDLE", 0);
	want_label(message, 3, 1, "mode", "kernel", 0);
	assert_int_equal(count(nth(message, 2, 4), 3), 0);
}

/* The mapping, location or function with this id. */
static struct reader by_id(struct reader message, u32 field, u64 id)
{
	struct reader inner;

	while (next(&message, field, &inner))
		if (number_in(inner, 1) == id)
			return inner;
	fail_msg("nothing has id %llu", (unsigned long long)id);
	return inner;
}

/* Check a frame of a sample, the leaf being frame 0; object "": none. */
static void want_frame(struct reader message, u32 at, u32 frame, const char *name,
			 const char *object, u64 offset, u64 line_nr)
{
	struct reader list = nth(nth(message, 2, at), 1, 0), location, line, function;
	u64 id = read_number(&list);

	while (frame--)
		id = read_number(&list);
	location = by_id(message, 4, id);
	assert_int_equal(number_in(location, 3) & 0xff, offset);
	line = nth(location, 4, 0);
	assert_int_equal(number_in(line, 2), line_nr);
	function = by_id(message, 5, number_in(line, 1));
	want_string(message, number_in(function, 2), name);
	assert_int_equal(count(function, 3), 0);
	if (object[0])
		want_string(message, number_in(by_id(message, 3, number_in(location, 2)), 5),
			    object);
	else
		assert_int_equal(number_in(location, 2), 0);
}

static void frames_lie_in_objects(void **state)
{
	struct reader message = some();

	want_frame(message, 0, 0, "read", "/usr/lib/libc.so.6", 0x30, 0);
	want_frame(message, 0, 1, "main", "/usr/lib/sh", 0x10, 10);
	want_frame(message, 1, 0, "ext4_read", "[ext4]", 0x10, 0);
	want_frame(message, 1, 1, "do_syscall_64", "[kernel]", 0x10, 0);
	want_frame(message, 3, 0, "[idle]", "", 0, 0);
	/* Lost samples have a single location instead of a list: one varint. */
	want_string(message, number_in(by_id(message, 5, number_in(nth(by_id(message, 4,
		      number_in(nth(message, 2, 4), 1)), 4, 0), 1)), 2), EXPORT_LOST);
}

/* The first mapping is the program: the executable of the process with the most samples. */
static void mappings(void **state)
{
	struct reader message = some(), first = nth(message, 3, 0);
	u32 i;

	assert_int_equal(count(message, 3), 5);
	want_string(message, number_in(first, 5), "/usr/lib/sh");
	want_string(message, number_in(first, 6), "c0ffee");
	assert_int_equal(number_in(first, 2), 0);
	assert_true(number_in(first, 3) == UINT64_MAX);
	assert_int_equal(number_in(first, 7), 1);
	assert_int_equal(number_in(first, 8), 1);
	assert_int_equal(number_in(first, 9), 1);
	first = nth(message, 3, 1);
	want_string(message, number_in(first, 5), "/usr/lib/libc.so.6");
	want_string(message, number_in(first, 6), "");
	assert_int_equal(number_in(first, 9), 0);
	/* With equal numbers of samples, the first process. */
	message = exported(profiles_of("a 7 user f@a 5\nb 8 user g@b 5\n"),
			   (struct run_result){ .began = 0 });
	want_string(message, number_in(nth(message, 3, 0), 5), "/usr/lib/a");
	/* Mappings are numbered in their order, wherever the program is among the objects. */
	message = exported(profiles_of("a 7 user f@a 1\nb 8 user g@b 5\nc 9 user h@c 2\n"),
			   (struct run_result){ .began = 0 });
	want_string(message, number_in(nth(message, 3, 0), 5), "/usr/lib/b");
	for (i = 0; i < 3; i++)
		assert_int_equal(number_in(nth(message, 3, i), 1), i + 1);
	want_frame(message, 0, 0, "f", "/usr/lib/a", 0x10, 0);
	want_frame(message, 1, 0, "g", "/usr/lib/b", 0x10, 0);
	want_frame(message, 2, 0, "h", "/usr/lib/c", 0x10, 0);
}

/* Check line @nr of a location, the innermost being line 0. */
static void want_line(struct reader message, struct reader location, u32 nr, const char *name,
		      u64 line_nr)
{
	struct reader line = nth(location, 4, nr);

	want_string(message, number_in(by_id(message, 5, number_in(line, 1)), 2), name);
	assert_int_equal(number_in(line, 2), line_nr);
}

/* A location is an address: it has the inlined functions as lines, and is there once. */
static void inlined_functions(void **state)
{
	struct reader message = exported(profiles_of(
		"sh 7 user main@sh;work+0x20{a.c:5}@sh;~mid+0x20{a.c:20}@sh;~in+0x20{a.c:31}@sh 5\n"
		"sh 7 user other@sh;work+0x20{a.c:5}@sh;~mid+0x20{a.c:20}@sh;~in+0x20{a.c:31}@sh 3\n"
		"sh 7 user main@sh;work+0x20{a.c:5}@sh 1\nsh 7 user ~lone@sh 1\n"
		"sh 7 user main@sh;work+0x40@sh;~mid+0x40@sh 1\nlost 1\n"),
		(struct run_result){ .began = 0 }), list, location;
	u64 id[2], i;

	for (i = 0; i < 2; i++) {
		list = nth(nth(message, 2, i), 1, 0);
		id[i] = read_number(&list);
		read_number(&list);
		assert_true(list.at == list.end);
	}
	assert_int_equal(id[0], id[1]);
	location = by_id(message, 4, id[0]);
	assert_int_equal(count(location, 4), 3);
	want_line(message, location, 0, "in", 31);
	want_line(message, location, 1, "mid", 20);
	want_line(message, location, 2, "work", 5);
	assert_int_equal(number_in(location, 3) & 0xff, 0x20);
	want_string(message, number_in(by_id(message, 3, number_in(location, 2)), 5), "/usr/lib/sh");
	want_frame(message, 0, 1, "main", "/usr/lib/sh", 0x10, 0);
	/* The code of the function itself at that address is another location. */
	want_frame(message, 2, 0, "work", "/usr/lib/sh", 0x20, 5);
	want_frame(message, 3, 0, "lone", "/usr/lib/sh", 0x10, 0);
	list = nth(nth(message, 2, 4), 1, 0);
	want_line(message, by_id(message, 4, read_number(&list)), 1, "work", 0);
	want_string(message, number_in(by_id(message, 5, number_in(nth(by_id(message, 4,
		      number_in(nth(message, 2, 5), 1)), 4, 0), 1)), 2), EXPORT_LOST);
	/* Marks, eight frames, lost samples, and two addresses with inlined functions. */
	assert_int_equal(count(message, 4), PROFILE_MARK_COUNT + 8 + 1 + 2);
}

static void nothing_at_all(void **state)
{
	struct reader message = exported(profile_create(), (struct run_result){ .began = NAN,
		.elapsed_seconds = -1, .period_ns = UINT64_MAX });

	assert_int_equal(count(message, 2), 0);
	assert_int_equal(count(message, 3), 0);
	assert_int_equal(number_in(message, 9), 0);
	assert_int_equal(number_in(message, 10), 0);
	assert_true(number_in(message, 12) == INT64_MAX);
}

/* pprof's numbers are signed. */
static void huge_counts(void **state)
{
	struct reader message = exported(profiles_of("a 7 user f@a 18446744073709551615\n"),
					 (struct run_result){ .began = 1e300 });

	want_sample(message, 0, INT64_MAX, INT64_MAX);
	assert_true(number_in(message, 9) == INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(head_of_a_run),
		cmocka_unit_test(samples_and_labels),
		cmocka_unit_test(frames_lie_in_objects),
		cmocka_unit_test(mappings),
		cmocka_unit_test(inlined_functions), cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(huge_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
