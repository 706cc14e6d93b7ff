/* SPDX-License-Identifier: GPL-2.0-only */
/* One text in a JSON document, by its keys. Pure. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * json_find_text() - find a text such as .annotations["name"]. Malformed documents are read as far as they go.
 * @json: NUL-terminated
 * @keys: keys of the objects from the outermost on, NULL-terminated; without escapes
 * @text_ret: the text, cut at @len - 1 bytes; "" if it is not found. Escapes of other characters than '"', '\'
 *	and '/' become '?'
 */
bool json_find_text(const char *json, const char *const *keys, char *text_ret, size_t len);

#endif
