/* SPDX-License-Identifier: GPL-2.0-only */
/* The roll of the tasks that there are when a session begins. */
#ifndef ROLL_H
#define ROLL_H

#include "bpf/counts.h"
#include "bpf/tally.h"

/** Which tasks a roll calls. */
struct roll_spec {
	enum counts_by by;	/* what the session counts by */
	u32 only_pid;		/* this process only; 0: all */
	bool of_all_users;	/* all: not only the user's own */
};

/**
 * roll_call() - look up all tasks before they are sampled, because they may end before the first harvest.
 * Reads two files of /proc for each, some 20 us. A tally without meet() needs no roll.
 */
void roll_call(struct tally *tally, const struct roll_spec *spec);

#endif
