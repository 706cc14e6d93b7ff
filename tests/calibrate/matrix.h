/* SPDX-License-Identifier: GPL-2.0-only */
/* Cells in rows and columns with names, run together and printed as a table. */
#ifndef MATRIX_H
#define MATRIX_H

#include "cells.h"

#define MATRIX_SIDE_MAX	16
#define MATRIX_NAME_LEN	32

struct matrix {
	char corner[64];	/* what rows and columns are */
	size_t nr_rows;
	size_t nr_columns;
	char row[MATRIX_SIDE_MAX][MATRIX_NAME_LEN];
	char column[MATRIX_SIDE_MAX][MATRIX_NAME_LEN];
	struct cell cell[MATRIX_SIDE_MAX * MATRIX_SIDE_MAX];	/* row by row */
	/* A column behind the others, of numbers that no run gave; no name: there is none. */
	char behind[MATRIX_NAME_LEN];
	double number_behind[MATRIX_SIDE_MAX];
};

struct cell *matrix_cell(struct matrix *matrix, size_t row, size_t column);

/**
 * matrix_run() - run all cells; cell numbers count from @number on.
 * Says on stderr what is being run. Does not return if there is no memory.
 */
void matrix_run(struct matrix *matrix, uint32_t number);

/** matrix_print() - what the intervals of each cell cover, in percent. */
void matrix_print(const struct matrix *matrix);

/** matrix_print_samples() - one more line of that table: mean samples of each column's cells. */
void matrix_print_samples(const struct matrix *matrix);

#endif
