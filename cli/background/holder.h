/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The holder of a background run: an ordinary process that owns the device's descriptor, harvests,
 * and answers at the run's socket (control.h) until a client stops it. When the holder ends for any
 * reason, sampling ends with it. A client that stops the run may end before it has the counts: then the holder keeps
 * them for the next one, unless they are in the file of -save.
 *
 * Requests: "status"; "dump", "dump SECONDS" (a saved run of all counts, or of the last seconds);
 * "reset"; "pause" (ends the session until "resume"); "rate" (answers the rate), "rate HZ" (samples with
 * another one); "stop" (ends the run, and answers like "dump" with everything up to the last sample). The last
 * seconds are those of the run's clock.
 */
#ifndef HOLDER_H
#define HOLDER_H

#include "background/control.h"
#include "run/record.h"
#include "run/run.h"

/** Whether a kind has a rate, which may change if its samples count by their time. */
enum holder_rate { HOLDER_NO_RATE, HOLDER_ONE_RATE, HOLDER_ANY_RATE };

/** A kind of background run. @self is what the command has prepared; only the holder calls these. */
struct holder_kind {
	const char *name;
	enum holder_rate rate;
	/*
	 * Prepare counts and run before sampling; the holder sets run->control. -errno with a
	 * reason: end() is not needed.
	 */
	int (*begin)(void *self, struct run **run_ret, struct text_error *error_ret);
	/* Write the counts so far as sections of a saved run. -ENOMEM. */
	int (*save)(void *self, struct record_writer *writer);
	/* Write the counts of the last @seconds. NULL: this kind does not keep them apart. */
	int (*save_last)(void *self, double seconds, struct record_writer *writer);
	/* Set the counts to zero. -ENOMEM: they are as before. */
	int (*reset)(void *self);
	/* Write lines "KEY<tab>VALUE" for a status, which precede those of all kinds. NULL: none. */
	void (*put_status)(void *self, FILE *out);
	void (*end)(void *self);
};

/**
 * holder_start() - begin a run in a process of its own. Returns the process's pid once sampling has
 * begun. -1: failed; the reason was printed on stderr.
 * @sampling: options of the run; without a duration the run has no limit
 */
int holder_start(const char *name, const struct holder_kind *kind, void *self,
		 struct sampling_options *sampling);

#endif
