/* SPDX-License-Identifier: GPL-2.0-only */
/* What flat.c, which counts, has for flat_rows.c, which says what is shown. */
#ifndef FLAT_ROWS_H
#define FLAT_ROWS_H

#include "report/flat.h"

/** flat_add_rest() - add the row of all that are marked as folded. -ENOMEM. */
int flat_add_rest(struct flat *flat);

#endif
