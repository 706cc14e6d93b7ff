// SPDX-License-Identifier: GPL-2.0-only
/* The table of background runs: see background_list.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "background_command.h"
#include "background_list.h"

static const struct background_row *get_row(const struct column_cell *cell)
{
	return cell->row;
}

static const char *get_name(const struct column_cell *cell, char *text, size_t len)
{
	return get_row(cell)->name;
}

static const char *get_kind(const struct column_cell *cell, char *text, size_t len)
{
	return get_row(cell)->kind;
}

static const char *get_state(const struct column_cell *cell, char *text, size_t len)
{
	return get_row(cell)->state;
}

/* A number of the row: its offset is the tag of the column. */
static double get_number(const struct column_cell *cell)
{
	return *(const double *)((const char *)cell->row + cell->column->tag);
}

static const char *format_seconds(const struct column_cell *cell, char *text, size_t len)
{
	snprintf(text, len, "%.0fs", get_number(cell));
	return text;
}

#define ROW(field)	.tag = offsetof(struct background_row, field), .value = get_number
#define SECONDS(field)	ROW(field), .text = format_seconds, .unit = COLUMN_SECONDS

static const struct column columns[] = {
	{ .key = "name", .title = "Run", .help = "name of the run; of another user, USER/NAME", .text = get_name },
	{ .key = "pid", .title = "Pid", .help = "process that holds the run", .unit = COLUMN_COUNT, .rank = 1, ROW(pid) },
	{ .key = "kind", .title = "Kind", .help = "stacks, sys, proc, calls or agent", .rank = 1,
	  .text = get_kind },
	{ .key = "state", .title = "State", .help = "sampling, paused or ended", .rank = 1, .text = get_state },
	{ .key = "seconds", .title = "For", .help = "time since the run began or was reset, without pauses",
	  SECONDS(seconds) },
	{ .key = "paused", .title = "Paused", .help = "time paused since then", SECONDS(paused) },
	{ .key = "samples", .title = "Samples", .help = "samples taken in that time", .unit = COLUMN_COUNT, ROW(samples) },
	{ .key = "lost", .title = "Lost", .help = "samples that found no room", .unit = COLUMN_COUNT, ROW(lost) },
	{ .key = "stacks", .title = "Stacks", .help = "distinct stacks; only of a run of stacks", .unit = COLUMN_COUNT,
	  ROW(stacks) },
	{ .key = "last", .title = "Last", .help = "how far back 'probe dump -last' can reach", SECONDS(last) },
};

const struct column_list background_column_list = {
	.name = "the list of runs", .column = columns, .nr = sizeof(columns) / sizeof(columns[0]),
};

static double read_number(const char *status, const char *key)
{
	char text[32], *end;
	double value = strtod(background_status_value(status, key, text, sizeof(text)), &end);

	return end == text ? NAN : value;
}

void background_row_init(struct background_row *row, const char *name, const char *status)
{
	*row = (struct background_row){
		.pid = read_number(status, "pid"), .seconds = read_number(status, "seconds"),
		.paused = read_number(status, "paused"), .samples = read_number(status, "samples"),
		.lost = read_number(status, "lost"), .stacks = read_number(status, "stacks"),
		.last = read_number(status, "last_seconds"),
	};
	snprintf(row->name, sizeof(row->name), "%s", name);
	background_status_value(status, "kind", row->kind, sizeof(row->kind));
	background_status_value(status, "state", row->state, sizeof(row->state));
}

int background_list_show(FILE *out, const struct background_row *rows, size_t nr,
			 const struct output_options *output, struct text_error *error_ret)
{
	const struct row_array array = { rows, sizeof(*rows), nr };
	struct columns shown;
	int error = columns_choose(&shown, &background_column_list, output->format, output->columns, NULL, error_ret);

	if (error) {
		text_fail(error_ret, error, "list runs: out of memory");
	} else if (output->format == FORMAT_JSON) {
		fputs("{\n  \"report\": \"list\",\n  \"rows\": [", out);
		columns_print_json_rows(out, &shown, array);
		fputs("\n  ]\n}\n", out);
	} else if (output->format == FORMAT_TSV) {
		columns_print_keys(out, &shown);
		columns_print_tsv_rows(out, &shown, array);
	} else if (nr) {
		columns_print_rows(out, &shown, array, output_cols(output));
	}
	columns_deinit(&shown);
	return error;
}
