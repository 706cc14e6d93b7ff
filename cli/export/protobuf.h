/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writer of protocol buffers: nested messages, and fields of the two wire types that pprof's format
 * needs, varints and bytes.
 */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

/** All zero: empty. */
struct protobuf {
	u8 *bytes;
	size_t len;
	size_t max;
	bool is_full;	/* out of memory: everything written from then on is dropped */
};

void protobuf_deinit(struct protobuf *message);

/** protobuf_number() - write a field of type uint64, int64 (not negative) or bool. */
void protobuf_number(struct protobuf *message, u32 field, u64 value);

/** protobuf_number_set() - as protobuf_number(), but 0 is left out: a reader takes it for the default. */
void protobuf_number_set(struct protobuf *message, u32 field, u64 value);

/** protobuf_bytes() - write a field of type bytes. */
void protobuf_bytes(struct protobuf *message, u32 field, const void *bytes, size_t len);

/** protobuf_text() - write a field of type string. */
void protobuf_text(struct protobuf *message, u32 field, const char *text);

/** protobuf_begin() - begin a message or packed numbers. Returns @begin of protobuf_end(). */
size_t protobuf_begin(struct protobuf *message, u32 field);

/** protobuf_end() - end the field that protobuf_begin() began. */
void protobuf_end(struct protobuf *message, size_t begin);

/** protobuf_packed() - write one of a field's packed numbers. */
void protobuf_packed(struct protobuf *message, u64 value);

#endif
