/* SPDX-License-Identifier: GPL-2.0-only */
/* What to say of a search that had little to find where it looked. Pure. */
#ifndef PROC_HINT_H
#define PROC_HINT_H

#include <stdbool.h>
#include <stddef.h>

#include "proc/places.h"

/** A search that is over, which nobody had told by -map or a range where to look. */
struct proc_hint {
	const struct places *places;
	const uint64_t *object_hits;	/* CPUPROBE_OBJECTS: samples of the task, by object */
	const char *search;		/* the option that asked for it: "hot", "narrow", "asm" */
	const char *word;		/* TASK as it was typed; NULL: none */
	bool has_command;
	bool is_kernel;			/* it searched the kernel proper, else the executable */
};

/**
 * proc_hint_text() - name the object that has more of the task's samples than the one that was
 * searched, and the command that searches it. @text: of @len bytes
 *
 * The two shares must be apart: the lower bound of one above the upper one of the other. A search
 * of the kernel is only told of modules. False, and @text is untouched: nothing to say, or an
 * object or task of whose name a shell would make something else.
 */
bool proc_hint_text(const struct proc_hint *hint, char *text, size_t len);

#endif
