/* SPDX-License-Identifier: GPL-2.0-only */
/* Exit statuses of probe without a COMMAND. */
#ifndef STATUS_H
#define STATUS_H

#define EXIT_FAILED	1
#define EXIT_USAGE	2

#endif
