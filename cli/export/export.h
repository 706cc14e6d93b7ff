/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks in the formats of other tools. Each format gets samples and the time that the samples
 * represent. The process is the outermost frame unless the format has a field for processes. Lost
 * samples are a stack of their own, so that the sum equals the run's total. No format has a field
 * for intervals: readers compute them from the samples. docs/man/probe-export.1.in describes the
 * formats.
 *
 * All functions are pure: from @stacks to @out. The caller checks @out for errors. 0 or -ENOMEM.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <stdio.h>

#include "profile/stack_run.h"

#define EXPORT_LOST	"(lost)"	/* name of lost samples */

/** export_folded() - write a line for each stack: names from the root, joined by ';', samples. */
int export_folded(FILE *out, const struct stack_run *stacks);

/** export_pprof() - write a gzipped message Profile of pprof's profile.proto. */
int export_pprof(FILE *out, const struct stack_run *stacks);

/** export_pprof_with() - export_pprof() with further comments, NULL-terminated. */
int export_pprof_with(FILE *out, const struct stack_run *stacks, const char *const *comments);

/** export_pprof_plain() - as export_pprof_with(), but not compressed. */
int export_pprof_plain(FILE *out, const struct stack_run *stacks, const char *const *comments);

/** export_speedscope() - write JSON of https://www.speedscope.app/file-format-schema.json. */
int export_speedscope(FILE *out, const struct stack_run *stacks);

/**
 * export_callgrind() - write the call graph in the format of valgrind's manual, "Callgrind Format
 * Specification". The count of a call is its samples. Recursive calls are calls of a function
 * named name'2.
 */
int export_callgrind(FILE *out, const struct stack_run *stacks);

/*
 * Helpers of all formats.
 */

/** export_name() - name of a function or process; never empty. */
const char *export_name(const char *name);

/** export_folded_name() - write a name without separators of frames. Blanks stay: the last one ends it. */
void export_folded_name(FILE *out, const char *name);

/** export_whole() - round a time or count to an integer from 0 to INT64_MAX. */
u64 export_whole(double value);

/**
 * export_order() - positions of all stacks, sorted by process name, then by function names from
 * the root. The caller frees the array. NULL: out of memory.
 */
u32 *export_order(const struct profile *profile);

/** export_is_same() - whether two stacks have equal process and function names. */
bool export_is_same(const struct profile *profile, u32 a, u32 b);

/** export_source() - source file of each function's frames, or "". The caller frees the array. */
const char **export_source(const struct profile *profile);

/** export_namesakes() - for each process, the first process of that name. The caller frees it. */
u32 *export_namesakes(const struct profile *profile);

#endif
