/* SPDX-License-Identifier: GPL-2.0-only */
/* Creates the level below a row. */
#ifndef TOP_ZOOM_H
#define TOP_ZOOM_H

#include "top/level.h"

#define ZOOM_INSTRUCTION_BYTES 512	/* range of LEVEL_INSTRUCTION: one slot for each byte */

/**
 * zoom_in() - create the level that shows the parts of a row. May print warnings about symbols on
 * stderr. NULL, with a reason: the row has no parts, or its task is gone.
 */
struct level *zoom_in(struct level *from, const struct roster_row *row,
		      struct text_error *error_ret);

/** zoom_to_task() - create the level of a task, named as for `probe proc`. NULL, with a reason. */
struct level *zoom_to_task(struct level *machine, const char *word, struct text_error *error_ret);

/**
 * who_find() - make a request for target_init() from a row of the machine.
 * @word: buffer that the request may point to
 * -ENOENT, -EINVAL with a reason.
 */
int who_find(const struct row *row, char word[16], struct target_request *request_ret,
	     struct text_error *error_ret);

/** who_is_kernel_thread() - whether a process is a kernel thread. */
bool who_is_kernel_thread(int pid);

#endif
