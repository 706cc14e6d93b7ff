/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures of traces for other programs: the trace event format, and speedscope's format. */
#ifndef PERFETTO_H
#define PERFETTO_H

#include <stdio.h>

#include "picture/picture.h"

/**
 * perfetto_write() - write JSON in the trace event format that ui.perfetto.dev and chrome://tracing read:
 * CPUs are the threads of one process, tasks are threads of theirs. Nothing is kept in memory.
 * -ENOMEM. The caller checks @out for errors.
 */
int perfetto_write(FILE *out, struct picture *picture);

/**
 * evented_write() - write JSON of https://www.speedscope.app/file-format-schema.json: an evented profile
 * for each CPU and each task. Events wait in an unnamed temporary file, in memory only 4 KiB for a row.
 * -errno. The caller checks @out for errors.
 */
int evented_write(FILE *out, struct picture *picture);

#endif
