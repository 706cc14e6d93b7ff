/* SPDX-License-Identifier: GPL-2.0-only */
/* What functions are called in a report, so that no two of them look the same. Pure. */
#ifndef LABELS_H
#define LABELS_H

#include "profile/profile.h"

#define LABEL_LEN	4200	/* more than a line of text can be wide, in bytes */

struct labels {
	const struct profile *profile;
	unsigned char *needs;	/* of each function: what its name alone does not tell */
};

/** labels_init() - for all functions of @profile, which must outlive it. -ENOMEM. */
int labels_init(struct labels *labels, const struct profile *profile);

/**
 * labels_text() - "memcpy", or "memcpy (libc.so.6)" where several objects have one, or with the
 * object's path or the function's address where that is what tells them apart.
 * @node: a function, or nr_functions + a process, which is called by its name
 */
void labels_text(const struct labels *labels, uint32_t node, char *text, size_t len);

/** labels_name(), labels_object() - the parts of it; of a process the object is "". */
const char *labels_name(const struct labels *labels, uint32_t node);
const char *labels_object(const struct labels *labels, uint32_t node);

/** labels_addr() - of the function's first byte; 0: not known. */
uint64_t labels_addr(const struct labels *labels, uint32_t node);

void labels_deinit(struct labels *labels);

#endif
