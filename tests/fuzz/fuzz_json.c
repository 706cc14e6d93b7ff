// SPDX-License-Identifier: GPL-2.0-only
/* One text in a JSON document: the files that container runtimes keep, with names chosen by their users. */
#include <stdlib.h>
#include <string.h>

#include "containers/json_text.h"
#include "fuzz.h"

#define TEXT_LEN	256

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

static const char *const keys[] = { "annotations", "io.kubernetes.container.name", NULL };

/* A shorter buffer has the beginning of the text, whatever the document is. */
static void read_document(const char *json)
{
	char text[TEXT_LEN], cut[5];
	bool is_there = json_find_text(json, keys, text, sizeof(text));

	fuzz_require(strnlen(text, sizeof(text)) < sizeof(text), "a text that does not end");
	fuzz_require(is_there || !text[0], "a text that was not found");
	fuzz_require(json_find_text(json, keys, cut, sizeof(cut)) == is_there && strlen(cut) < sizeof(cut) &&
		     !strncmp(text, cut, sizeof(cut) - 1), "a cut text is another one");
}

/* Writes a text as JSON. Returns the place after it. */
static char *put_text(char *at, const char *text)
{
	*at++ = '"';
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			*at++ = '\\';
		*at++ = *text;
	}
	*at++ = '"';
	return at;
}

/* Any text that a document has at the keys is found, after values of any other kind. */
static void find_text(const char *text)
{
	static const char before[] = "{ \"list\": [ 1, { \"annotations\": { \"io.kubernetes.container.name\": \"no\" } } ],\n"
		"\"io.kubernetes.container.name\": \"no\", \"other\": ";
	static const char between[] = ", \"annotations\" : { \"x\": { \"io.kubernetes.container.name\": \"no\" }, "
		"\"io.kubernetes.container.name\": ";
	char *json = malloc(2 * (2 * strlen(text) + 2) + sizeof(before) + sizeof(between) + 8), *at = json;
	char found[TEXT_LEN];

	at = put_text(stpcpy(at, before), text);
	at = put_text(stpcpy(at, between), text);
	strcpy(at, "}}");
	fuzz_require(json_find_text(json, keys, found, sizeof(found)), "a text is not found");
	fuzz_require(!strncmp(found, text, sizeof(found) - 1) &&
		     strlen(found) == strnlen(text, sizeof(found) - 1), "another text is found");
	free(json);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	char *text;

	fuzz_begin(len);
	text = malloc(len + 1);
	memcpy(text, bytes, len);
	text[len] = '\0';
	read_document(text);
	find_text(text);
	free(text);
	fuzz_end();
	return 0;
}
