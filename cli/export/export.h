/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks in the formats of other tools. Each writes samples and the time they stand for, the
 * process outermost where the format has no other place for it, and lost samples as a stack
 * of their own, so that the whole is that of the run. No format has a place for an interval:
 * samples are there so that it can be computed. docs/man/probe-export.1.in has what is what.
 *
 * All are pure: from @stacks to @out, whose errors are the caller's affair. 0 or -ENOMEM.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <stdio.h>

#include "profile/stack_run.h"

#define EXPORT_LOST	"(lost)"	/* what lost samples are called */

/** export_folded() - a line for each stack: names from the root on, ';' between, and samples. */
int export_folded(FILE *out, const struct stack_run *stacks);

/** export_pprof() - a gzipped message Profile of pprof's profile.proto. */
int export_pprof(FILE *out, const struct stack_run *stacks);

/** export_speedscope() - JSON by https://www.speedscope.app/file-format-schema.json. */
int export_speedscope(FILE *out, const struct stack_run *stacks);

/**
 * export_callgrind() - the call graph as valgrind's manual describes it, "Callgrind Format
 * Specification". Calls are samples. Inner calls of recursion are of a function name'2.
 */
int export_callgrind(FILE *out, const struct stack_run *stacks);

/*
 * What they share.
 */

/** export_name() - of a function or process; never empty. */
const char *export_name(const char *name);

/** export_whole() - a time or count as every consumer can hold it: 0 to INT64_MAX. */
uint64_t export_whole(double value);

/**
 * export_order() - positions of all stacks, by name of the process, then by names from the
 * root on. To be freed. NULL: out of memory.
 */
uint32_t *export_order(const struct profile *profile);

/** export_is_same() - whether two stacks are the same by all those names. */
bool export_is_same(const struct profile *profile, uint32_t a, uint32_t b);

/** export_source() - of each function the source file of its frames, or "". To be freed. */
const char **export_source(const struct profile *profile);

/** export_namesakes() - of each process the first one of its name. To be freed. */
uint32_t *export_namesakes(const struct profile *profile);

#endif
