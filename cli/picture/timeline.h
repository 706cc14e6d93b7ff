/* SPDX-License-Identifier: GPL-2.0-only */
/* The page of a trace: a timeline for each CPU and each task. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <stdio.h>

#include "picture/picture.h"

#define TIMELINE_SPANS	400000u		/* at most in a page; the rest of the trace is left out, and it says so */

/**
 * timeline_write() - write the page. It is in memory as a whole before it is written.
 * @began: of the trace, in seconds since 1970
 * 0 or -errno.
 */
int timeline_write(FILE *out, struct picture *picture, double began);

#endif
