/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that keep a run: a head and sections, each with its length and checksum, in
 * little-endian byte order. What is in the sections is the commands' affair; the format
 * is described in docs/format.md. Every file is taken to be hostile.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/outfile.h"
#include "base/text.h"
#include "run/run_result.h"

#define RECORD_VERSION 1

/** A file being written: beside its final name, until it is whole. */
struct record_writer {
	struct outfile out;
};

/**
 * record_create() - open @path for writing, before the measurement, so that what is
 * wrong with it is known in time. What is there stays until record_commit().
 */
int record_create(struct record_writer *writer, const char *path, struct text_error *error_ret);

/** record_begin() - the same into an open @file, which belongs to the writer from then on. */
void record_begin(struct record_writer *writer, FILE *file);

/** record_add() - write one section. @tag: four characters. Errors show at record_commit(). */
void record_add(struct record_writer *writer, const char *tag, const void *bytes, size_t len);

/** record_add_result() - write the section about the run as a whole. */
void record_add_result(struct record_writer *writer, const struct run_result *result);

/** record_commit() - finish, and give the file its name. */
int record_commit(struct record_writer *writer, struct text_error *error_ret);

/** record_abandon() - close and remove what was not committed. May be called in any state. */
void record_abandon(struct record_writer *writer);

/** A file read into memory, its sections checked. */
struct record {
	char *bytes;
	size_t len;
};

/**
 * record_read() - read and check a file. -ENOEXEC: not such a file. -EPROTO: of a newer
 * format. -EBADMSG: truncated or damaged.
 */
int record_read(const char *path, struct record *record_ret, struct text_error *error_ret);

/**
 * record_check() - record_read() of bytes that are in memory already. @path: what they are called.
 */
int record_check(const struct record *record, const char *path, struct text_error *error_ret);

void record_deinit(struct record *record);

/** record_find() - the first section of that tag, or NULL; it belongs to the record. */
const void *record_find(const struct record *record, const char *tag, size_t *len_ret);

/**
 * record_get() - copy the section of that tag to @struct_ret: what both know of it, the
 * rest zero, so that a section may grow. -EBADMSG: there is none, or it is shorter than @least.
 */
int record_get(const struct record *record, const char *tag, void *struct_ret, size_t len,
	       size_t least, struct text_error *error_ret);

/** record_get_result() - what record_add_result() wrote. */
int record_get_result(const struct record *record, struct run_result *result_ret,
		      struct text_error *error_ret);

/** record_text() - end a text of a section at its length, and make it harmless to a terminal. */
void record_text(char *text, size_t len);

#endif
