/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of saved runs: a header and sections, each with its length and checksum, in little-endian
 * byte order. The commands decide what the sections contain; docs/format.md describes the format.
 * Files are not trusted.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stddef.h>
#include <stdio.h>

#include "base/outfile.h"
#include "base/text.h"
#include "run/run_result.h"

#define RECORD_VERSION 1
#define RECORD_EXCESS_MAX 100	/* of samples, as in stat.h: more is not from a clock of ours */
#define RECORD_SECONDS_MAX 1e11	/* more than 3,000 years: no valid time of a run */

/** A file being written, under a temporary name until it is complete. */
struct record_writer {
	struct outfile out;
};

/**
 * record_create() - open @path for writing, before the measurement so that errors show in time. An
 * existing file stays until record_commit().
 */
int record_create(struct record_writer *writer, const char *path, struct text_error *error_ret);

/** record_begin() - begin to write into an open @file, which the writer owns from then on. */
void record_begin(struct record_writer *writer, FILE *file);

/** record_add() - write one section. @tag: four characters. record_commit() reports errors. */
void record_add(struct record_writer *writer, const char *tag, const void *bytes, size_t len);

/** record_add_result() - write the section with the totals of the run. */
void record_add_result(struct record_writer *writer, const struct run_result *result);

/** record_commit() - finish the file and give it its final name. */
int record_commit(struct record_writer *writer, struct text_error *error_ret);

/** record_abandon() - close and remove an uncommitted file. May be called in any state. */
void record_abandon(struct record_writer *writer);

/** A file read into memory, its sections checked. */
struct record {
	char *bytes;
	size_t len;
};

/**
 * record_read() - read and check a file. -ENOEXEC: not a saved run. -EPROTO: another version of the
 * format. -EBADMSG: truncated or damaged.
 */
int record_read(const char *path, struct record *record_ret, struct text_error *error_ret);

/**
 * record_check() - check bytes in memory like record_read(). @path: their name in error texts.
 */
int record_check(const struct record *record, const char *path, struct text_error *error_ret);

void record_deinit(struct record *record);

/** record_find() - the first section with @tag, owned by the record; NULL: there is none. */
const void *record_find(const struct record *record, const char *tag, size_t *len_ret);

/**
 * record_get() - copy the section with @tag to @struct_ret. A short section leaves the rest zero, a
 * long one is cut, so that sections can grow. -EBADMSG: missing, or shorter than @least.
 */
int record_get(const struct record *record, const char *tag, void *struct_ret, size_t len,
	       size_t least, struct text_error *error_ret);

/** record_get_result() - read what record_add_result() wrote. */
int record_get_result(const struct record *record, struct run_result *result_ret,
		      struct text_error *error_ret);

/** record_text() - terminate a section's string, and make it harmless to a terminal. */
void record_text(char *text, size_t len);

#endif
