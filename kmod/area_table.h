/* SPDX-License-Identifier: GPL-2.0-only */
/* The areas of a session: where the code of whoever it counts lies. */
#ifndef CPUPROBE_AREA_TABLE_H
#define CPUPROBE_AREA_TABLE_H

#include "session.h"

/**
 * area_table_set() - replace the areas. May sleep; session->lock held.
 * -EPERM: areas of the kernel, without the right to see it. -EDQUOT: the user's sessions would hold
 * too much memory. On failure the old ones stay.
 */
int area_table_set(struct session *session, const struct cpuprobe_areas *request);

/**
 * area_table_update_fast_path() - decide anew whether an address within the executable's code is
 * taken for it without asking the areas, or whose process it is. session->lock held.
 */
void area_table_update_fast_path(struct session *session);

/** area_table_release() - free the areas of a session whose timers have ended. May sleep. */
void area_table_release(struct session *session);

#endif
