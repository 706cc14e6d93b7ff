/* SPDX-License-Identifier: GPL-2.0-only */
/* The data of the page, as JSON: what cli/page/profile.js reads. */
#ifndef HTML_DATA_H
#define HTML_DATA_H

#include "export/flame.h"
#include "export/html.h"

/** All that the page tells. */
struct html {
	const struct profile *profile;
	const struct run_result *result;
	const struct receipt *receipt;	/* NULL: not known */
	struct sums sums;
	struct flame flame;
};

/** html_data() - write it. @context: the struct html. 0; see page_write(). */
int html_data(FILE *out, const void *context);

#endif
