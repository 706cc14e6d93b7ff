// SPDX-License-Identifier: GPL-2.0-only
/* Messages of protocol buffers: see protobuf.h. */
#include <stdlib.h>
#include <string.h>

#include "export/protobuf.h"

#define VARINT_MAX	10

enum wire { WIRE_VARINT = 0, WIRE_LEN = 2 };

void protobuf_deinit(struct protobuf *message)
{
	free(message->bytes);
	memset(message, 0, sizeof(*message));
}

/* Make room for @len more bytes. NULL: out of memory. */
static u8 *make_room(struct protobuf *message, size_t len)
{
	size_t max = message->max ? message->max : 4096;
	u8 *more;

	while (max - message->len < len)
		max *= 2;
	if (max != message->max && !message->is_full) {
		more = realloc(message->bytes, max);
		message->is_full = !more;
		message->bytes = more ? more : message->bytes;
		message->max = more ? max : message->max;
	}
	return message->is_full ? NULL : message->bytes + message->len;
}

/* Encode seven bits per byte, the lowest first; the eighth bit says that more bytes follow. */
static size_t encode_varint(u8 bytes[VARINT_MAX], u64 value)
{
	size_t len = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[len++] = value | 0x80;
	bytes[len++] = value;
	return len;
}

void protobuf_packed(struct protobuf *message, u64 value)
{
	u8 *room = make_room(message, VARINT_MAX);

	if (room)
		message->len += encode_varint(room, value);
}

void protobuf_number(struct protobuf *message, u32 field, u64 value)
{
	protobuf_packed(message, field << 3 | WIRE_VARINT);
	protobuf_packed(message, value);
}

void protobuf_number_set(struct protobuf *message, u32 field, u64 value)
{
	if (value)
		protobuf_number(message, field, value);
}

void protobuf_text(struct protobuf *message, u32 field, const char *text)
{
	protobuf_bytes(message, field, text, strlen(text));
}

void protobuf_bytes(struct protobuf *message, u32 field, const void *bytes, size_t len)
{
	u8 *room;

	protobuf_packed(message, field << 3 | WIRE_LEN);
	protobuf_packed(message, len);
	room = make_room(message, len);
	if (room) {
		memcpy(room, bytes, len);
		message->len += len;
	}
}

size_t protobuf_begin(struct protobuf *message, u32 field)
{
	protobuf_packed(message, field << 3 | WIRE_LEN);
	return message->len;
}

/* A field's length precedes its bytes, but is known only at the end: the bytes move. */
void protobuf_end(struct protobuf *message, size_t begin)
{
	u8 bytes[VARINT_MAX];
	size_t body_len = message->len - begin, len = encode_varint(bytes, body_len);

	if (!make_room(message, len))
		return;
	memmove(message->bytes + begin + len, message->bytes + begin, body_len);
	memcpy(message->bytes + begin, bytes, len);
	message->len += len;
}
