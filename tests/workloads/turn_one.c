// SPDX-License-Identifier: GPL-2.0-only
/* Takes one unit of each turn. */
#define UNITS 1
#include "turn.h"
