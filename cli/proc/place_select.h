/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of a task's objects -map names, and the very file of it that is mapped. */
#ifndef PLACE_SELECT_H
#define PLACE_SELECT_H

#include "proc/places.h"

/**
 * places_select() - choose the object whose addresses are shown: by path, file name,
 * the file name up to its first '.', "vdso" or "anon".
 * @fd_ret: open on its file, the caller's; -1 for anonymous memory
 * @pid_ret: a process that has it mapped, or 0
 * -ENOENT: not mapped in any process read. -ENOTUNIQ: several fit.
 */
int places_select(struct places *places, const char *asked, int *fd_ret, int *pid_ret,
		  struct text_error *error_ret);

/**
 * places_map_name() - by what places_select() finds an object and no other: its file's name, or
 * path where the name is not enough. NULL: nothing does. It belongs to @places.
 */
const char *places_map_name(const struct places *places, uint32_t object);

/** places_range() - lowest and highest address of the selected object, which has no file. */
void places_range(const struct places *places, uint64_t *low_ret, uint64_t *high_ret);

#endif
