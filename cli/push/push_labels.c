// SPDX-License-Identifier: GPL-2.0-only
/* Labels of a series of profiles: see push_labels.h. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "push/push_labels.h"

static bool is_name(const char *name, size_t len)
{
	size_t i;

	if (!len || len >= PUSH_LABEL_NAME_LEN || isdigit((unsigned char)name[0]))
		return false;
	for (i = 0; i < len; i++)
		if (name[i] != '_' && !(isalnum((unsigned char)name[i]) && isascii(name[i])))
			return false;
	return true;
}

/* Copy @value as valid UTF-8. A character that does not fit in whole is left out. */
static void copy_value(char to[PUSH_LABEL_VALUE_LEN], const char *value)
{
	size_t len = strnlen(value, PUSH_LABEL_VALUE_LEN);

	if (len == PUSH_LABEL_VALUE_LEN)
		for (len--; len && ((unsigned char)value[len] & 0xc0) == 0x80; )
			len--;
	memcpy(to, value, len);
	to[len] = '\0';
	text_clean(to);
}

int push_labels_set(struct push_labels *labels, const char *name, const char *value)
{
	u32 i;

	if (!is_name(name, strlen(name)))
		return -EINVAL;
	if (!value[0])
		return 0;
	for (i = 0; i < labels->nr && strcmp(labels->list[i].name, name); )
		i++;
	if (i == PUSH_LABELS_MAX)
		return -ENOSPC;
	if (i == labels->nr)
		strcpy(labels->list[labels->nr++].name, name);
	copy_value(labels->list[i].value, value);
	return 0;
}

int push_labels_parse(struct push_labels *labels, const char *text, struct text_error *error_ret)
{
	const char *equals = strchr(text, '=');
	char name[PUSH_LABEL_NAME_LEN];

	if (!equals || !is_name(text, equals - text) || !strncmp(text, "__", 2)) {
		text_fail(error_ret, 0, "'%.80s' is not a label", text);
		text_hint(
			error_ret,
			"NAME=VALUE; NAME is letters, digits and '_', and begins with no digit and no '__'");
		return -EINVAL;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(equals - text), text);
	if (push_labels_set(labels, name, equals + 1))
		return text_fail(error_ret, -EINVAL, "there are more than %d labels", PUSH_LABELS_MAX);
	return 0;
}

const char *push_labels_get(const struct push_labels *labels, const char *name)
{
	u32 i;

	for (i = 0; i < labels->nr; i++)
		if (!strcmp(labels->list[i].name, name))
			return labels->list[i].value;
	return "";
}
