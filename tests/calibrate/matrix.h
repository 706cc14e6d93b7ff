/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells in rows and columns with names, run together and printed as a table. */
#ifndef MATRIX_H
#define MATRIX_H

#include "cells.h"

#define MATRIX_SIDE_MAX	16
#define MATRIX_NAME_LEN	32

struct matrix {
	char corner[64];	/* title of the table */
	size_t nr_rows;
	size_t nr_columns;
	char row[MATRIX_SIDE_MAX][MATRIX_NAME_LEN];
	char column[MATRIX_SIDE_MAX][MATRIX_NAME_LEN];
	struct cell cell[MATRIX_SIDE_MAX * MATRIX_SIDE_MAX];	/* row by row */
	/* A last column with numbers that were computed, not simulated; no name: none. */
	char last[MATRIX_NAME_LEN];
	double number_last[MATRIX_SIDE_MAX];
};

struct cell *matrix_cell(struct matrix *matrix, size_t row, size_t column);

/**
 * matrix_run() - run all cells, numbered from @number on.
 * Reports progress on stderr. Exits if memory runs out.
 */
void matrix_run(struct matrix *matrix, uint32_t number);

/** matrix_print() - print the coverage of the intervals of each cell, in percent. */
void matrix_print(const struct matrix *matrix);

/** matrix_print_samples() - print a line below that table: mean samples of each column. */
void matrix_print_samples(const struct matrix *matrix);

#endif
