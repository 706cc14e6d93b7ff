// SPDX-License-Identifier: GPL-2.0-only
/* The page of stacks: see html.h. */
#include "export/html_data.h"
#include "page/page.h"

int html_write(FILE *out, const struct profile *profile, const struct run_result *result,
	       const struct receipt *receipt)
{
	struct html html = { .profile = profile, .result = result, .receipt = receipt };
	int error = sums_init(&html.sums, profile);

	if (error)
		return error;
	error = flame_init(&html.flame, profile);
	if (!error) {
		error = page_write(out, PAGE_STACKS, html_data, &html);
		flame_deinit(&html.flame);
	}
	sums_deinit(&html.sums);
	return error;
}
