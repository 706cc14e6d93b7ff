// SPDX-License-Identifier: GPL-2.0-only
/* Runs three units in each turn. */
#define UNITS 3
#include "turn.h"
