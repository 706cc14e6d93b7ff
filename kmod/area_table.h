/* SPDX-License-Identifier: GPL-2.0-only */
/* The areas of a session: where the code of its targets lies. */
#ifndef CPUPROBE_AREA_TABLE_H
#define CPUPROBE_AREA_TABLE_H

#include "session.h"

/**
 * area_table_set() - replace the areas. May sleep; session->lock held.
 * -EINVAL: unknown flags, wrong order or numbers. -EPERM: areas of the kernel, without the right to
 * see the kernel. -EDQUOT: the user's sessions would hold too much memory. -ENOMEM, -EFAULT.
 * On failure the old areas stay.
 */
int area_table_set(struct session *session, const struct cpuprobe_areas *request);

/**
 * area_table_update_fast_path() - decide whether samples in the executable's own code can be counted
 * without looking up the areas and without checking the process's owner. session->lock held.
 */
void area_table_update_fast_path(struct session *session);

/** area_table_release() - free the areas of a session whose timers have ended. May sleep. */
void area_table_release(struct session *session);

#endif
