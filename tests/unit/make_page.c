// SPDX-License-Identifier: GPL-2.0-only
/* make_page RUN PAGE: write the page of a saved run with stacks, for viewing. */
#include <stdio.h>

#include "export/html.h"
#include "stacks/stacks_fetch.h"

/* Runs made from text contain no receipt. */
static const struct receipt some_receipt = {
	.seed = 42, .period_ns = 1000000, .expected = 9998, .taken = 9996, .missed = 2, .lost = 7,
	.sampled_ns = 9998000000, .steal = 0.001, .nr_cpus = 1, .cost_ns = 700,
	.flags = RECEIPT_VIRTUAL, .module = "0.1.0 build <b>4dc76e4aacd1</b>",
	.kernel = "6.1.0-56-amd64",
};

int main(int argc, char **argv)
{
	FILE *out = argc == 3 ? fopen(argv[2], "w") : NULL;
	struct stack_run stacks;
	struct text_error error;
	int status;

	if (!out) {
		fprintf(stderr, "usage: make_page RUN PAGE\n");
		return 2;
	}
	if (stacks_load(&stacks, "show", argv[1], &error)) {
		text_report(&error);
		return 1;
	}
	status = html_write(out, stacks.profile, &stacks.result,
			    stacks.has_receipt ? &stacks.receipt : &some_receipt);
	stacks_deinit(&stacks);
	return status || fclose(out) ? 1 : 0;
}
