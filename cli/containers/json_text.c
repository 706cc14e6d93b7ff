// SPDX-License-Identifier: GPL-2.0-only
/* One text in a JSON document: see json_text.h. */
#include <string.h>

#include "containers/json_text.h"

#define KEY_LEN	128

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

/* Copy the text whose first quote is at @at. Returns the place after it. */
static const char *read_text(const char *at, char *text, size_t len)
{
	size_t nr = 0;

	for (at++; *at && *at != '"'; at++) {
		char byte = *at;

		if (byte == '\\' && at[1]) {
			at++;
			byte = strchr("\"\\/", *at) ? *at : '?';
		}
		if (nr + 1 < len)
			text[nr++] = byte;
	}
	text[nr] = '\0';
	return *at ? at + 1 : at;
}

bool json_find_text(const char *json, const char *const *keys, char *text_ret, size_t len)
{
	int depth = 0, nr_matched = 0;
	const char *at = json;
	char key[KEY_LEN];

	text_ret[0] = '\0';
	while (*at) {
		if (*at == '{' || *at == '[') {
			depth++;
		} else if (*at == '}' || *at == ']') {
			/* The end of an object that a key led into. */
			if (--depth <= nr_matched)
				return false;
		} else if (*at == '"') {
			at = skip_space(read_text(at, key, sizeof(key)));
			if (*at != ':' || depth != nr_matched + 1 || strcmp(key, keys[nr_matched]))
				continue;
			at = skip_space(at + 1);
			nr_matched++;
			if (keys[nr_matched] ? *at != '{' : *at != '"')
				return false;
			if (!keys[nr_matched]) {
				read_text(at, text_ret, len);
				return true;
			}
			continue;
		}
		at++;
	}
	return false;
}
