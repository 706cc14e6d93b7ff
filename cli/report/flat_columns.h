/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of a flat profile. */
#ifndef FLAT_COLUMNS_H
#define FLAT_COLUMNS_H

#include "base/columns.h"
#include "report/flat_view.h"

/** A row of the table: a row of the profile, or a function without a sample. */
struct flat_line {
	const struct flat_row *row;
	/* or NULL; .row then has its object and the bound */
	const struct unsampled_row *unsampled;
};

/** What the columns need beside a line. */
struct flat_columns {
	const struct flat *flat;
	uint64_t whole;		/* units that make 100%, as flat_round() was told */
	int name_cols;		/* room for the name, of which the end may matter; 0: no limit */
};

/** How a share's units are told: in text with one decimal of a percent, else with four. */
#define FLAT_TEXT_WHOLE	1000
#define FLAT_DATA_WHOLE	1000000

/** flat_data_tsv(), flat_data_json() - the rows, and what was not sampled, for programs. */
void flat_data_tsv(FILE *out, const struct flat *flat, const struct flat_view *view,
		   const struct columns *columns);
void flat_data_json(FILE *out, const struct flat *flat, const struct flat_view *view,
		    const struct columns *columns);

#endif
