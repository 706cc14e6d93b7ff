/* SPDX-License-Identifier: GPL-2.0-only */
/* The data of the page, as JSON, for cli/page/assets/profile.js. */
#ifndef HTML_DATA_H
#define HTML_DATA_H

#include "export/flame.h"
#include "export/html.h"

/** Everything that the page shows. */
struct html {
	const struct profile *profile;
	const struct run_result *result;
	const struct receipt *receipt;	/* NULL: not known */
	struct sums sums;
	struct flame flame;
};

/** html_data() - write the data. @context: a struct html. 0; see page_write(). */
int html_data(FILE *out, const void *context);

#endif
