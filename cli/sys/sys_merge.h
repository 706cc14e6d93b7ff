/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of the whole machine merged: the counts of a row of equal name on all hosts add up. */
#ifndef SYS_MERGE_H
#define SYS_MERGE_H

#include "run/run_merge.h"
#include "sys/fold.h"

/**
 * sys_merge() - merge runs of `probe sys`. Rows are the same if their kinds, names and directories are
 * equal; with @by_host also their hosts, which their names then carry: "nginx@web1". Sets the excess
 * of the merged samples.
 * @merge: after run_merge_add_up()
 *
 * Returns a fold, or NULL with a reason: a run is malformed, or has rows of processes, whose numbers
 * say nothing on another host, without @by_host; or out of memory.
 */
struct fold *sys_merge(struct run_merge *merge, bool by_host, struct text_error *error_ret);

#endif
