/* SPDX-License-Identifier: GPL-2.0-only */
/* Exit statuses of probe. Those without a COMMAND come first. */
#ifndef STATUS_H
#define STATUS_H

#define EXIT_FAILED	1
#define EXIT_USAGE	2
#define EXIT_NOT_RUN	125	/* probe has failed, and a COMMAND was given */

#endif
