/* SPDX-License-Identifier: GPL-2.0-only */
/* The signals that end a run: SIGINT, SIGTERM and SIGHUP, except those that whoever started the tool has ignored. */
#ifndef END_SIGNALS_H
#define END_SIGNALS_H

#include <signal.h>

/** end_signals_add() - add a signal to a mask unless it is ignored. Linux queues a blocked signal all the same. */
void end_signals_add(sigset_t *mask, int signal);

/**
 * end_signals_open() - block the signals that end a run. Returns a signalfd of them, that does not wait, or -errno.
 * @old_mask_ret: the mask before, also after a failure
 */
int end_signals_open(sigset_t *old_mask_ret);

/**
 * end_signals_close() - close the signalfd and restore the mask. Signals that came since the last read are dropped: the run has
 * ended, and a second Ctrl-C must not end the tool before its results are shown and saved. If the caller had blocked
 * them before, it reads them itself.
 */
void end_signals_close(int fd, const sigset_t *old_mask);

#endif
