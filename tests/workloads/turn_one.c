// SPDX-License-Identifier: GPL-2.0-only
/* Runs one unit in each turn. */
#define UNITS 1
#include "turn.h"
