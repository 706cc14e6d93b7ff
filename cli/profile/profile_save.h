/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles in saved runs: docs/format.md, "Sections of runs with stacks". */
#ifndef PROFILE_SAVE_H
#define PROFILE_SAVE_H

#include "profile/profile.h"
#include "run/record.h"

/** profile_save() - write the sections of a profile. record_commit() reports errors. */
void profile_save(struct record_writer *writer, const struct profile *profile);

/** profile_is_kept() - whether a saved run contains a profile. */
bool profile_is_kept(const struct record *record);

/** profile_load() - load a saved profile. NULL and a reason: damaged, or out of memory. */
struct profile *profile_load(const struct record *record, struct text_error *error_ret);

#endif
