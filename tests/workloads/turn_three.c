// SPDX-License-Identifier: GPL-2.0-only
/* Takes three units of each turn. */
#define UNITS 3
#include "turn.h"
