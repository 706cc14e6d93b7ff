/* SPDX-License-Identifier: GPL-2.0-only */
/* Encodings that requests need. Pure: the caller checks the stream for errors. */
#ifndef PUSH_TEXT_H
#define PUSH_TEXT_H

#include <stddef.h>
#include <stdio.h>

/** push_base64() - write bytes in base64 (RFC 4648), with padding. */
void push_base64(FILE *out, const void *bytes, size_t len);

/** push_percent() - write a text for a query of a URL: everything except letters, digits and -._~ as %XX. */
void push_percent(FILE *out, const char *text);

/** push_uuid() - write a UUID of version 8 (RFC 9562) made of @bytes: equal bytes give equal UUIDs. */
void push_uuid(char text_ret[37], const void *bytes, size_t len);

#endif
