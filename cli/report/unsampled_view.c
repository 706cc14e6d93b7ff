// SPDX-License-Identifier: GPL-2.0-only
/* Functions without samples, as text: see unsampled.h. */
#include <math.h>

#include "report/unsampled.h"

#define OBJECT_COLS	16

/* Returns the upper bound of a share without hits, in percent, rounded up to two digits. */
static double get_upper_bound(u64 samples, double excess)
{
	double bound = stat_wilson(0, samples, excess).hi * 100, digit = pow(10, floor(log10(bound)) - 1);

	return ceil(bound / digit) * digit;
}

static const char *plural(u32 nr)
{
	return nr == 1 ? "" : "s";
}

static void print_unsampled_rows(FILE *out, const struct unsampled *unsampled, int cols)
{
	u32 i;
	int used;

	fprintf(out, "\n%-*s  Function\n", OBJECT_COLS, "Object");
	fputs("================  ============\n", out);
	for (i = 0; i < unsampled->nr_rows; i++) {
		const struct unsampled_row *row = &unsampled->rows[i];

		used = text_put_cut(out, unsampled->profile->objects[row->object].name,
				    OBJECT_COLS);
		fprintf(out, "%*s", OBJECT_COLS + 2 - used, "");
		text_put_cut(out, row->name, cols - OBJECT_COLS - 2);
		fputc('\n', out);
	}
}

void unsampled_print(FILE *out, const struct unsampled *unsampled, u64 samples, int cols)
{
	char line[512];
	size_t used;
	u32 i;

	used = snprintf(line, sizeof(line), "Never sampled: %u function%s of %u object%s.",
			unsampled->nr_rows, plural(unsampled->nr_rows), unsampled->nr_objects,
			plural(unsampled->nr_objects));
	if (unsampled->nr_rows)
		snprintf(line + used, sizeof(line) - used, " Each took less than %.2g%% by itself, "
			 "with 95%% confidence.", get_upper_bound(samples, unsampled->profile->excess));
	fputc('\n', out);
	text_wrap(out, line, cols);
	for (i = 0; i < unsampled->nr_gaps; i++) {
		const struct unsampled_gap *gap = &unsampled->gaps[i];

		snprintf(line, sizeof(line), "Functions of %s are unknown: %s.",
			 unsampled->profile->objects[gap->object].name, gap->why);
		text_wrap(out, line, cols);
	}
	if (unsampled->nr_rows)
		print_unsampled_rows(out, unsampled, cols);
}
