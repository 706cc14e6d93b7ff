/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile as one page for a browser: tables, call graph and flame graph. See page.h.
 */
#ifndef HTML_H
#define HTML_H

#include <stdio.h>

#include "profile/profile.h"
#include "run/receipt.h"
#include "run/run_result.h"

/**
 * html_write() - write the page.
 * @receipt: NULL: not known
 * 0, -ENOMEM (nothing was written), or the -errno of a failed write.
 */
int html_write(FILE *out, const struct profile *profile, const struct run_result *result,
	       const struct receipt *receipt);

#endif
