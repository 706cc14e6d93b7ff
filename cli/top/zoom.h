/* SPDX-License-Identifier: GPL-2.0-only */
/* From a row of one level to the level below it. */
#ifndef TOP_ZOOM_H
#define TOP_ZOOM_H

#include "top/level.h"

#define ZOOM_INSTRUCTION_BYTES 512	/* around an address: as many as have a slot each */

/**
 * zoom_in() - the level that shows what is in a row. NULL, with a reason: it cannot be entered, or
 * what it was is gone. What concerns symbols may be said on stderr.
 */
struct level *zoom_in(struct level *from, const struct roster_row *row,
		      struct text_error *error_ret);

/** zoom_to_task() - the level of a task by what somebody typed, as `probe proc` takes it. */
struct level *zoom_to_task(struct level *machine, const char *word, struct text_error *error_ret);

/** who_find() - what a row of the machine is, for target_init(). -ENOENT, -EINVAL with a reason. */
int who_find(const struct row *row, char word[16], struct target_request *request_ret,
	     struct text_error *error_ret);

/** who_is_kernel_thread() - whether a process is one. */
bool who_is_kernel_thread(int pid);

#endif
