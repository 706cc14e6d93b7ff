/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels of a series of profiles, as stores of profiles and Prometheus have them. */
#ifndef PUSH_LABELS_H
#define PUSH_LABELS_H

#include "base/text.h"
#include "types.h"

#define PUSH_LABELS_MAX		24	/* Pyroscope takes 30 by default */
#define PUSH_LABEL_NAME_LEN	64
#define PUSH_LABEL_VALUE_LEN	256	/* bytes with the NUL; longer values are cut */

struct push_label {
	char name[PUSH_LABEL_NAME_LEN];
	char value[PUSH_LABEL_VALUE_LEN];	/* valid UTF-8 without control characters */
};

/** All zero: none. */
struct push_labels {
	struct push_label list[PUSH_LABELS_MAX];
	u32 nr;
};

/**
 * push_labels_set() - set or replace a label.
 * @name: letters, digits and '_', no digit first. @value: any bytes; made clean and cut. "": nothing is set
 * -EINVAL: no such name. -ENOSPC: too many labels.
 */
int push_labels_set(struct push_labels *labels, const char *name, const char *value);

/** push_labels_parse() - push_labels_set() of "NAME=VALUE", whose NAME may not begin with "__". -EINVAL. */
int push_labels_parse(struct push_labels *labels, const char *text, struct text_error *error_ret);

/** push_labels_get() - value of a label; "": there is none. */
const char *push_labels_get(const struct push_labels *labels, const char *name);

#endif
