/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the object of a task that -map names, and opens the file that is mapped. */
#ifndef PLACE_SELECT_H
#define PLACE_SELECT_H

#include "proc/places.h"

/**
 * places_select() - choose the object whose addresses are shown.
 * @asked: path, file name, file name up to its first '.', "vdso" or "anon"
 * @fd_ret: open on the object's file, closed by the caller; -1 for anonymous memory
 * @pid_ret: a process that has the object mapped; 0: none
 * -ENOENT: not mapped in any known process. -ENOTUNIQ: several objects match.
 */
int places_select(struct places *places, const char *asked, int *fd_ret, int *pid_ret,
		  struct text_error *error_ret);

/**
 * places_map_name() - a name by which places_select() finds this object only: its file name, or
 * its path if the file name is ambiguous. NULL: no such name. The string belongs to @places.
 */
const char *places_map_name(const struct places *places, u32 object);

/** places_range() - range of the selected object's areas, in run-time addresses. */
void places_range(const struct places *places, u64 *low_ret, u64 *high_ret);

#endif
