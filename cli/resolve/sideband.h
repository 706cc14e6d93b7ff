/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel tells of processes while it happens: forks, execs, exits, and what is mapped
 * as code. It comes from perf's dummy software event, which counts nothing, one per CPU, through
 * rings of a fixed size in memory; the module has no part in it. What finds no room in a ring is
 * lost, and counted.
 *
 * Build-ids are not asked for: the kernel would tell them in the place of device and inode, by
 * which all else here knows a file.
 */
#ifndef SIDEBAND_H
#define SIDEBAND_H

#include <stdbool.h>

#include "base/text.h"
#include "symbolizer.h"

#define SIDEBAND_RING_BYTES	(256u << 10)	/* of each CPU */

enum sideband_kind {
	SIDEBAND_FORK,	/* of a process; threads are not told */
	SIDEBAND_EXEC,
	SIDEBAND_EXIT,	/* of a process's first thread */
	SIDEBAND_MAP,	/* of something executable */
	SIDEBAND_LOST,	/* events before this one */
	SIDEBAND_OTHER,	/* nothing that matters */
};

struct sideband_event {
	enum sideband_kind kind;
	uint32_t pid;
	uint32_t parent;	/* _FORK */
	uint64_t time_ns;
	uint64_t nr_lost;	/* _LOST */
	struct sym_map map;	/* _MAP; its path lies in the record */
};

/**
 * sideband_parse() - one record, as it lies in a ring; its path may be shortened in place.
 * @len: of its bytes, which the record itself says too
 * False: it is damaged.
 */
bool sideband_parse(void *record, size_t len, struct sideband_event *event_ret);

struct sideband;

/**
 * sideband_open() - begin to listen on all CPUs.
 * -EACCES and others: not to be had; the reason in @error_ret is for people, and no failure.
 */
int sideband_open(struct sideband **sideband_ret, struct text_error *error_ret);

/**
 * sideband_read() - hand what has happened since to @take, in the order of time, and listen on
 * CPUs that have come online.
 */
void sideband_read(struct sideband *sideband,
		   void (*take)(const struct sideband_event *event, void *context), void *context);

/** sideband_fd() - a descriptor that is readable while a ring is half full. */
int sideband_fd(const struct sideband *sideband);

/** sideband_close() - NULL is allowed. */
void sideband_close(struct sideband *sideband);

#endif
