/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages of protocol buffers, written: fields of the two wire types that pprof's format needs,
 * varints and bytes, and messages in messages.
 */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** All zero: empty. */
struct protobuf {
	uint8_t *bytes;
	size_t len;
	size_t max;
	bool is_full;	/* out of memory: what is written from then on is dropped */
};

void protobuf_deinit(struct protobuf *message);

/** protobuf_number() - a field of type uint64, int64 (not negative) or bool. */
void protobuf_number(struct protobuf *message, uint32_t field, uint64_t value);

/** protobuf_text() - a field of type string. */
void protobuf_text(struct protobuf *message, uint32_t field, const char *text);

/** protobuf_begin() - a field of type message, or of packed numbers; for protobuf_end(). */
size_t protobuf_begin(struct protobuf *message, uint32_t field);

/** protobuf_end() - what was written since is in that field. */
void protobuf_end(struct protobuf *message, size_t begin);

/** protobuf_packed() - one of packed numbers. */
void protobuf_packed(struct protobuf *message, uint64_t value);

#endif
