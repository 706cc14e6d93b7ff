/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs of stacks in the background, which also keep their last minutes: see background/holder.h. */
#ifndef STACKS_BACKGROUND_H
#define STACKS_BACKGROUND_H

#include "background/holder.h"
#include "stacks/measurement.h"
#include "stacks/ring.h"

#define STACKS_RING_MIB		16	/* for the last minutes, by default */

/** A run of stacks. The command sets the first two fields. */
struct stacks_background {
	struct stacks_options options;
	u64 ring_mib;
	struct measurement measurement;
	struct ring *ring;
	struct ring_totals last_totals;	/* the profile's totals at the last ring update */
	double table_begun;
	bool is_in_account;	/* stacks of the current account were added */
	double began;		/* or when it was reset; on the run's clock */
};

extern const struct holder_kind stacks_background_kind;

#endif
