/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of flat.c that flat_rows.c uses. */
#ifndef FLAT_ROWS_H
#define FLAT_ROWS_H

#include "report/flat.h"

/** flat_add_rest() - add the row of all folded rows. -ENOMEM. */
int flat_add_rest(struct flat *flat);

#endif
