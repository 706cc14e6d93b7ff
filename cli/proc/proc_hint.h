/* SPDX-License-Identifier: GPL-2.0-only */
/* Suggests another object to search, if most samples fell outside the searched one. No side
   effects. */
#ifndef PROC_HINT_H
#define PROC_HINT_H

#include <stdbool.h>
#include <stddef.h>

#include "proc/places.h"

/** A finished search without -map and without a range. */
struct proc_hint {
	const struct places *places;
	const u64 *object_hits;		/* CPUPROBE_OBJECTS: samples of the task, by object */
	double excess;			/* of the samples, as in stat.h */
	const char *search;		/* option of the search: "hot", "narrow" or "asm" */
	const char *word;		/* TASK as typed; NULL: none */
	bool has_command;
	bool is_kernel;			/* the core kernel was searched, not the executable */
};

/**
 * proc_hint_text() - name the searchable object with the most samples of the task, and the command
 * that searches this object.
 * @text: @len bytes
 *
 * The lower bound of its share must be above the upper bound of the searched object's share. After
 * a search of the kernel, only modules are suggested. False, and @text is untouched: nothing to
 * suggest, or the shell would interpret characters in the name of the object or task.
 */
bool proc_hint_text(const struct proc_hint *hint, char *text, size_t len);

#endif
