/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of numbers of a flat profile, which its text, TSV and JSON share. */
#ifndef FLAT_COLUMNS_H
#define FLAT_COLUMNS_H

#include "profile/flat_view.h"

enum flat_unit { FLAT_PERCENT, FLAT_COUNT, FLAT_SECONDS };

/** One column of numbers. */
struct flat_column {
	const char *key;	/* TSV and JSON */
	const char *title;	/* text; NULL: not in text */
	int cols;		/* at least, in text */
	int digits;		/* decimals in text */
	double (*value)(const struct flat_row *row);	/* NULL: the share, see flat_column_value() */
	enum flat_unit unit;
	bool is_cumulative;
};

#define FLAT_COLUMNS	12

extern const struct flat_column flat_columns[FLAT_COLUMNS];

/** flat_column_value() - of shares, as they were rounded to units of 1 / @whole. */
double flat_column_value(const struct flat_column *column, const struct flat_row *row,
			 uint64_t whole);

/** How a share's units are told: in text with one decimal of a percent, else with four. */
#define FLAT_TEXT_WHOLE	1000
#define FLAT_DATA_WHOLE	1000000

/** flat_data_tsv(), flat_data_json() - the rows, and what was not sampled, for programs. */
void flat_data_tsv(FILE *out, const struct flat *flat, const struct flat_view *view);
void flat_data_json(FILE *out, const struct flat *flat, const struct flat_view *view);

#endif
