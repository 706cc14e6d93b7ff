/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timed calls in the formats of other tools: a stack for each path, with its net time. The process, if
 * it is told apart, is the outermost frame. Without paths each function is a stack of its own.
 */
#ifndef TIME_EXPORT_H
#define TIME_EXPORT_H

#include "export/export_options.h"
#include "times/time_counts.h"

/** time_export() - write all files that are asked for. -errno. */
int time_export(struct export *exports, const struct time_counts *counts, struct text_error *error_ret);

#endif
