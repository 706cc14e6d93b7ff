/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels of functions in a report: no two functions look the same. Pure. */
#ifndef LABELS_H
#define LABELS_H

#include "profile/profile.h"

#define LABEL_LEN	4200	/* in bytes: more than the widest line of text */

struct labels {
	const struct profile *profile;
	unsigned char *needs;	/* per function: parts that its label needs besides the name */
};

/** labels_init() - prepare the labels of @profile, which must outlive them. -ENOMEM. */
int labels_init(struct labels *labels, const struct profile *profile);

/**
 * labels_text() - write the label of a node: "memcpy"; "memcpy (libc.so.6)" if several objects have
 * a function of this name; with the object's path or the function's address if only these differ.
 * @node: a function, or nr_functions + a process, whose label is its name
 */
void labels_text(const struct labels *labels, u32 node, char *text, size_t len);

/** labels_match() - whether @text, of @len bytes, is the name or the label of a node. */
bool labels_match(const struct labels *labels, u32 node, const char *text, size_t len);

/** labels_name(), labels_object() - get the parts of a label; the object of a process is "". */
const char *labels_name(const struct labels *labels, u32 node);
const char *labels_object(const struct labels *labels, u32 node);

/** labels_addr() - get the address of the function's first byte; 0: unknown. */
u64 labels_addr(const struct labels *labels, u32 node);

void labels_deinit(struct labels *labels);

#endif
