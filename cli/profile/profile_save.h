/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile in a kept run: docs/format.md, "Of runs with stacks". */
#ifndef PROFILE_SAVE_H
#define PROFILE_SAVE_H

#include "profile/profile.h"
#include "run/record.h"

/** profile_save() - write the sections of a profile. Errors show at record_commit(). */
void profile_save(struct record_writer *writer, const struct profile *profile);

/** profile_is_kept() - whether a kept run holds a profile. */
bool profile_is_kept(const struct record *record);

/** profile_load() - what profile_save() wrote. NULL and a reason: damaged, no memory. */
struct profile *profile_load(const struct record *record, struct text_error *error_ret);

#endif
