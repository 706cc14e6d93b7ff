/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of a flat profile. */
#ifndef FLAT_COLUMNS_H
#define FLAT_COLUMNS_H

#include "base/columns.h"
#include "base/execution.h"
#include "report/flat_view.h"

/** A row of the table: a row of the profile, or a function without samples. */
struct flat_line {
	const struct flat_row *row;
	/* or NULL; if set, .row has only its object and the upper bound */
	const struct unsampled_row *unsampled;
};

/** Context of all columns. */
struct flat_columns {
	const struct flat *flat;
	u64 whole;		/* units of 100%, as for flat_round() */
	int name_cols;		/* width of the name column; 0: no limit */
	double each;		/* time of the base per execution, in .unit; NAN: unknown */
	const struct execution_unit *unit;	/* for text; ns for data */
};

/** Units of 100%: shares have one decimal of a percent in text, and four in data. */
#define FLAT_TEXT_WHOLE	1000
#define FLAT_DATA_WHOLE	1000000

/** flat_data_tsv(), flat_data_json() - write rows and unsampled functions in a machine format. */
void flat_data_tsv(FILE *out, const struct flat *flat, const struct flat_view *view,
		   const struct columns *columns);
void flat_data_json(FILE *out, const struct flat *flat, const struct flat_view *view,
		    const struct columns *columns);

#endif
