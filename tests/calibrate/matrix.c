// SPDX-License-Identifier: GPL-2.0-only
/* Tables of cells: see matrix.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

struct cell *matrix_cell(struct matrix *matrix, size_t row, size_t column)
{
	return &matrix->cell[row * matrix->nr_columns + column];
}

void matrix_run(struct matrix *matrix, uint32_t number)
{
	size_t nr = matrix->nr_rows * matrix->nr_columns;
	int error;

	fprintf(stderr, "calibrate: %s: %zu cells\n", matrix->corner, nr);
	for (size_t i = 0; i < nr; i++)
		matrix->cell[i].number = number + i;
	error = cells_run(matrix->cell, nr);
	if (error) {
		fprintf(stderr, "calibrate: run cells: %s\n", strerror(-error));
		exit(1);
	}
}

void matrix_print(const struct matrix *matrix)
{
	bool has_last = matrix->last[0];
	const struct cell *cell = matrix->cell;

	printf("\n| %s |", matrix->corner);
	for (size_t column = 0; column < matrix->nr_columns; column++)
		printf(" %s |", matrix->column[column]);
	if (has_last)
		printf(" %s |", matrix->last);
	printf("\n| --- |");
	for (size_t column = 0; column < matrix->nr_columns + has_last; column++)
		printf(" ---: |");
	for (size_t row = 0; row < matrix->nr_rows; row++) {
		printf("\n| %s |", matrix->row[row]);
		for (size_t column = 0; column < matrix->nr_columns; column++)
			printf(" %.1f |", 100 * cell++->covered_frac);
		if (has_last)
			printf(" %.1f |", 100 * matrix->number_last[row]);
	}
	printf("\n");
}

void matrix_print_samples(const struct matrix *matrix)
{
	printf("| samples |");
	for (size_t column = 0; column < matrix->nr_columns; column++) {
		double sum = 0;

		for (size_t row = 0; row < matrix->nr_rows; row++)
			sum += matrix->cell[row * matrix->nr_columns + column].nr_samples;
		printf(" %.0f |", sum / matrix->nr_rows);
	}
	printf("\n");
}
