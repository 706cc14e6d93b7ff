/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of address spaces: the bottom of a process's stack, as in struct cpuprobe_stack. */
#ifndef SPACE_ID_H
#define SPACE_ID_H

/* A number with this bit is made up, for a space that has ended before it was seen. No stack is there. */
#define SPACE_UNTOLD	(1ULL << 63)

/* With SPACE_UNTOLD: the process was running, and may not be examined. */
#define SPACE_HIDDEN	(1ULL << 62)

#endif
