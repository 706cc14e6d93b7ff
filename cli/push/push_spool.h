/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory with requests that are not delivered yet, a file each, so that they outlast the process. The
 * sum of the files is bounded: the oldest are dropped. Files appear complete or not at all, and have a
 * checksum. The names of files order them, independent of any clock. One process uses a directory at a
 * time.
 */
#ifndef PUSH_SPOOL_H
#define PUSH_SPOOL_H

#include "base/text.h"
#include "push/push_request.h"

#define PUSH_SPOOL_FILES_MAX	4096
#define PUSH_SPOOL_PATH_LEN	512

/** A file; sorted by order, the oldest first. Those that could not be read for the moment come last. */
struct push_spool_entry {
	u64 order;
	u64 samples;
	u64 bytes;		/* of the file */
	char id[PUSH_ID_LEN];
	bool was_tried;		/* an attempt began that may have delivered it */
};

/** Requests that did not leave the spool by delivery, since it was opened. */
struct push_spool_counts {
	u64 found;		/* left by an earlier process */
	u64 dropped;		/* the oldest, for lack of room */
	u64 dropped_samples;
	u64 damaged;		/* a wrong head or checksum: moved aside, as NAME.damaged */
};

struct push_spool {
	char directory[PUSH_SPOOL_PATH_LEN];
	int directory_fd;	/* -1: closed */
	int lock_fd;
	u64 bytes_max;
	u64 bytes;
	u64 next_order;
	struct push_spool_entry *list;
	u32 nr;
	struct push_spool_counts counts;
};

/**
 * push_spool_open() - open a directory, or make it, for its owner only; read what is in it.
 * @bytes_max: limit for all files
 * @format: of the requests that will be read
 * -errno with a reason: it cannot be written; -EBUSY: another process uses it; -ENOMSG: it has requests of another
 * format, and keeps them.
 */
int push_spool_open(struct push_spool *spool, const char *directory, u64 bytes_max, enum push_format format,
		    struct text_error *error_ret);

/** push_spool_close() - the files stay. Allowed if push_spool_open() failed. */
void push_spool_close(struct push_spool *spool);

/**
 * push_spool_add() - write a request as the newest file, onto the disk, and drop the oldest ones beyond the
 * limit.
 * -EFBIG: it is larger than the limit; -errno of the file system. The spool is as before, then.
 */
int push_spool_add(struct push_spool *spool, const struct push_request *request,
		   struct text_error *error_ret);

/**
 * push_spool_read() - read the oldest request, and note in its name that it is being tried.
 * @error_ret: why a file cannot be read for the moment: out of memory, an error of the file system, or its request is
 * of another format than @format. Such files stay, and come after all others
 *
 * Damaged files on the way are moved aside and counted. NULL: there is no file, or, if @spool->nr is not 0, none can be
 * read for the moment; then @error_ret is set.
 */
struct push_request *push_spool_read(struct push_spool *spool, enum push_format format, struct text_error *error_ret);

/** push_spool_untried() - the oldest request was surely not delivered: take the note back. */
void push_spool_untried(struct push_spool *spool);

/** push_spool_remove() - remove the oldest request: it is delivered, or refused. */
void push_spool_remove(struct push_spool *spool);

#endif
