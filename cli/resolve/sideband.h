/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Process events of the kernel: forks, execs, exits and new mappings of code. They come from perf's
 * dummy software event, which counts nothing: one event per CPU, each with a ring of fixed size.
 * The kernel module has no part in this. Events that find no room in a ring are lost and counted.
 *
 * Build-ids are not requested: the kernel would report them instead of device and inode, by which
 * files are identified here.
 */
#ifndef SIDEBAND_H
#define SIDEBAND_H

#include <stdbool.h>

#include "base/text.h"
#include "symbolizer.h"

#define SIDEBAND_RING_BYTES	(256u << 10)	/* per CPU */

enum sideband_kind {
	SIDEBAND_FORK,	/* fork of a process, not of a thread */
	SIDEBAND_EXEC,
	SIDEBAND_EXIT,	/* exit of a process's main thread */
	SIDEBAND_MAP,	/* new mapping of executable memory */
	SIDEBAND_LOST,	/* events before this one were lost */
	SIDEBAND_OTHER,	/* to be ignored */
};

struct sideband_event {
	enum sideband_kind kind;
	u32 pid;
	u32 parent;		/* _FORK */
	u64 time_ns;
	u64 nr_lost;		/* _LOST */
	struct sym_map map;	/* _MAP; its path points into the record */
};

/**
 * sideband_parse() - parse one record of a ring. Its path may be shortened in place.
 * @len: length of the record in bytes; must match its header
 *
 * False: the record is malformed.
 */
bool sideband_parse(void *record, size_t len, struct sideband_event *event_ret);

struct sideband;

/**
 * sideband_open() - open the events of all CPUs. A negative errno: not available, which is no
 * failure of the run; @error_ret has the reason for people.
 */
int sideband_open(struct sideband **sideband_ret, struct text_error *error_ret);

/**
 * sideband_read() - pass all new events to @take in order of time, then follow CPUs that came
 * online or went offline.
 */
void sideband_read(struct sideband *sideband,
		   void (*take)(const struct sideband_event *event, void *context), void *context);

/** sideband_fd() - get a descriptor that is readable while a ring is at least half full. */
int sideband_fd(const struct sideband *sideband);

/** sideband_close() - NULL is allowed. */
void sideband_close(struct sideband *sideband);

#endif
