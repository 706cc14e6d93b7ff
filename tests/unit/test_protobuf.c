// SPDX-License-Identifier: GPL-2.0-only
/* Messages of protocol buffers and gzip: cli/export/protobuf.c, gzip.c. */
#include <zlib.h>

#include "unit.h"
#include "export/gzip.h"
#include "export/protobuf.h"

static void expect(struct protobuf *message, const char *bytes, size_t len)
{
	assert_false(message->is_full);
	assert_int_equal(message->len, len);
	assert_memory_equal(message->bytes, bytes, len);
	protobuf_deinit(message);
}

/* The first two are examples from the format's own documentation. */
static void numbers_are_varints(void **state)
{
	struct protobuf message = { 0 };

	protobuf_number(&message, 1, 150);
	expect(&message, "\x08\x96\x01", 3);
	protobuf_text(&message, 2, "testing");
	expect(&message, "\x12\x07testing", 9);
	protobuf_number(&message, 1, 0);
	protobuf_number(&message, 15, 127);
	protobuf_number(&message, 16, 128);
	expect(&message, "\x08\x00\x78\x7f\x80\x01\x80\x01", 8);
	protobuf_packed(&message, UINT64_MAX);
	expect(&message, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
	protobuf_text(&message, 1, "");
	expect(&message, "\x0a\x00", 2);
}

static void messages_hold_messages(void **state)
{
	struct protobuf message = { 0 };
	size_t outer, inner;

	outer = protobuf_begin(&message, 3);
	inner = protobuf_begin(&message, 1);
	protobuf_number(&message, 1, 150);
	protobuf_end(&message, inner);
	inner = protobuf_begin(&message, 2);
	protobuf_end(&message, inner);
	protobuf_end(&message, outer);
	protobuf_number(&message, 4, 1);
	expect(&message, "\x1a\x07\x0a\x03\x08\x96\x01\x12\x00\x20\x01", 11);
}

/* A length takes one byte more from 128 and from 16384 on, and its contents move. */
static void lengths_of_all_sizes(void **state)
{
	static const size_t len[] = { 0, 1, 127, 128, 16383, 16384, 100000 };
	static const size_t head_len[] = { 2, 2, 2, 3, 3, 4, 4 };
	struct protobuf message = { 0 };
	size_t i, at, begin;

	for (i = 0; i < sizeof(len) / sizeof(len[0]); i++) {
		begin = protobuf_begin(&message, 1);
		for (at = 0; at < len[i]; at++)
			protobuf_packed(&message, at % 100);
		protobuf_end(&message, begin);
		assert_int_equal(message.len, head_len[i] + len[i]);
		for (at = 0; at < len[i]; at++)
			assert_int_equal(message.bytes[head_len[i] + at], at % 100);
		protobuf_deinit(&message);
	}
}

static void packed_is_what_it_was(size_t len, int noise)
{
	u8 *bytes = malloc(len + 1), *again = malloc(len + 1);
	char *packed;
	size_t packed_len, i;
	z_stream stream = { 0 };
	FILE *out = open_memstream(&packed, &packed_len);

	srand(1);
	for (i = 0; i < len; i++)
		bytes[i] = noise ? rand() : 'a';
	assert_int_equal(gzip_write(out, bytes, len), 0);
	fclose(out);
	/* a header without file name and time */
	assert_memory_equal(packed, "\x1f\x8b\x08\x00\x00\x00\x00\x00", 8);
	stream.next_in = (u8 *)packed;
	stream.avail_in = packed_len;
	stream.next_out = again;
	stream.avail_out = len + 1;
	assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(stream.total_out, len);
	assert_int_equal(stream.avail_in, 0);
	assert_memory_equal(bytes, again, len);
	inflateEnd(&stream);
	free(packed);
	free(bytes);
	free(again);
}

static void gzip_of_all_sizes(void **state)
{
	packed_is_what_it_was(0, 0);
	packed_is_what_it_was(1, 1);
	packed_is_what_it_was(3 << 20, 0);
	packed_is_what_it_was(300000, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_varints),
		cmocka_unit_test(messages_hold_messages),
		cmocka_unit_test(lengths_of_all_sizes),
		cmocka_unit_test(gzip_of_all_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
