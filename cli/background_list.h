/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of background runs: a row for the status of each. */
#ifndef BACKGROUND_LIST_H
#define BACKGROUND_LIST_H

#include "background/others.h"
#include "base/columns.h"

/** A run in the table. Counts are NAN if its status does not have them. */
struct background_row {
	char name[OTHERS_USER_LEN + sizeof(((struct other_run *)0)->name)];	/* of another user: USER/NAME */
	char kind[16], state[16];
	double pid, seconds, paused, samples, lost, stacks, last;
};

extern const struct column_list background_column_list;

/** background_row_init() - read the status of a run, which may be another user's. */
void background_row_init(struct background_row *row, const char *name, const char *status);

/** background_list_show() - print the rows. -ENOMEM, with a reason. */
int background_list_show(FILE *out, const struct background_row *rows, size_t nr,
			 const struct output_options *output, struct text_error *error_ret);

#endif
