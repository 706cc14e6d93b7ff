/* SPDX-License-Identifier: GPL-2.0-only */
/* The cost of following a call of a program's function: the tool follows a function of its own. */
#ifndef USER_COST_H
#define USER_COST_H

#include "types.h"

/**
 * user_cost_measure() - measure the cost of a call's two events, in picoseconds, by a session of its own
 * that has ended on return. 0: it cannot be measured here.
 */
u32 user_cost_measure(void);

#endif
