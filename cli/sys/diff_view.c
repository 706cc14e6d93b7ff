// SPDX-License-Identifier: GPL-2.0-only
/* Report of a comparison: see diff_view.h. */
#include "sys/diff_view.h"

#define ONLY_IN_MAX	20	/* listed names that only one of the runs has */

/* Print the names that only run @side has. */
static void render_only_in(FILE *out, const struct diff *diff, int side, const char *path,
			   int cols)
{
	char line[4096];
	size_t used, i, nr = 0;

	used = snprintf(line, sizeof(line), "Only in %s:", path);
	for (i = 0; i < diff->nr; i++) {
		if (!diff->row[i].is_in[side] || diff->row[i].is_in[!side])
			continue;
		if (nr++ < ONLY_IN_MAX && used < sizeof(line))
			used += snprintf(line + used, sizeof(line) - used, "%s %s",
					 nr > 1 ? "," : "", diff->row[i].name);
	}
	if (nr > ONLY_IN_MAX && used < sizeof(line))
		snprintf(line + used, sizeof(line) - used, " and %zu more", nr - ONLY_IN_MAX);
	if (nr)
		text_wrap(out, line, cols);
}

void diff_view_hosts(FILE *out, const struct diff *diff, int cols)
{
	char line[256];

	snprintf(line, sizeof(line), "A: %u hosts before, %llu samples. B: %u hosts after, %llu samples. %s",
		 diff->nr_hosts[0], diff->taken[0], diff->nr_hosts[1], diff->taken[1],
		 diff->is_paired ? "The hosts are the same: they are compared in pairs." :
		 "The hosts are not compared in pairs.");
	text_wrap(out, line, cols);
}

void diff_view_chance(FILE *out, u64 nr, int cols)
{
	char line[256];

	snprintf(line, sizeof(line), "Shares are means over hosts. Intervals are for one row each: of %llu shown, "
		 "%.3g on average miss the true difference by chance.", nr, nr / 20.0);
	text_wrap(out, line, cols);
}

/* Writes a comma and the members about hosts, if sets of hosts are compared. */
static void print_json_hosts(FILE *out, const struct diff *diff)
{
	if (diff->nr_hosts[0])
		fprintf(out, ",\n  \"a_hosts\": %u,\n  \"b_hosts\": %u,\n  \"paired\": %s",
			diff->nr_hosts[0], diff->nr_hosts[1], diff->is_paired ? "true" : "false");
}

const char *diff_view_test(const struct diff *diff)
{
	return diff->is_paired ? "Student's t test of the differences of the hosts" :
		"Welch's test of the shares of the hosts";
}

static struct row_array get_rows(const struct diff *diff, size_t nr)
{
	return (struct row_array){ diff->row, sizeof(*diff->row), nr };
}

static void render_diff_text(FILE *out, const struct diff *diff, const char *const paths[2],
			     size_t nr, struct columns *columns, int line_cols)
{
	char line[512];
	size_t i;

	snprintf(line, sizeof(line),
		 "A: %s, %llu samples, %llu block%s. B: %s, %llu samples, %llu block%s.", paths[0],
		 diff->taken[0], diff->nr_blocks[0], diff->nr_blocks[0] == 1 ? "" : "s", paths[1],
		 diff->taken[1], diff->nr_blocks[1], diff->nr_blocks[1] == 1 ? "" : "s");
	if (diff->nr_hosts[0])
		diff_view_hosts(out, diff, line_cols);
	else
		text_wrap(out, line, line_cols);
	diff_view_whole(out, diff, line_cols);
	diff_view_rates(out, diff, line_cols);
	fputc('\n', out);
	columns_print_rows(out, columns, get_rows(diff, nr), line_cols);
	if (nr < diff->nr)
		fprintf(out, "(%zu smaller differences)\n", diff->nr - nr);
	fputc('\n', out);
	for (i = 0; i < 2; i++)
		render_only_in(out, diff, i, paths[i], line_cols);
	if (diff->nr_hosts[0]) {
		diff_view_chance(out, nr, line_cols);
		snprintf(line, sizeof(line), "p: %s, corrected for the number of rows (Holm). *: p is below 0.05.",
			 diff_view_test(diff));
		text_wrap(out, line, line_cols);
		return;
	}
	text_wrap(out, diff->is_sampling_only ?
		  "p: exact test of the counts, without the workload's own variation between runs, "
		  "corrected for the number of rows (Holm). *: p is below 0.05." :
		  "p: Welch's test of the shares' variation from second to second, corrected for "
		  "the number of rows (Holm). *: p is below 0.05.", line_cols);
}

static void render_diff_tsv(FILE *out, const struct diff *diff, const struct columns *columns)
{
	columns_print_keys(out, columns);
	columns_print_tsv_rows(out, columns, get_rows(diff, diff->nr));
}

static void render_diff_json(FILE *out, const struct diff *diff, const char *const paths[2],
			     const struct columns *columns)
{
	fputs("{\n  \"report\": \"diff\",\n  \"a\": ", out);
	text_json(out, paths[0]);
	fputs(",\n  \"b\": ", out);
	text_json(out, paths[1]);
	print_json_hosts(out, diff);
	fputs(",\n", out);
	diff_view_json_whole(out, diff);
	fprintf(out, "  \"a_samples\": %llu,\n  \"b_samples\": %llu,\n  \"a_blocks\": %llu,\n"
		"  \"b_blocks\": %llu,\n  \"sampling_only\": %s,\n  \"rows\": [",
		diff->taken[0], diff->taken[1], diff->nr_blocks[0], diff->nr_blocks[1],
		diff->is_sampling_only ? "true" : "false");
	columns_print_json_rows(out, columns, get_rows(diff, diff->nr));
	fputs("\n  ]\n}\n", out);
}

int diff_view_show(FILE *out, const struct diff *diff, const char *const paths[2], u64 nr_rows,
		   const struct output_options *options)
{
	size_t nr = nr_rows && nr_rows < diff->nr ? nr_rows : diff->nr;
	struct columns columns;
	int error = columns_choose(&columns, &diff_column_list, options->format, options->columns,
				   NULL, NULL);

	if (error)
		fprintf(stderr, "probe: show the differences: out of memory\n");
	else if (options->format == FORMAT_JSON)
		render_diff_json(out, diff, paths, &columns);
	else if (options->format == FORMAT_TSV)
		render_diff_tsv(out, diff, &columns);
	else
		render_diff_text(out, diff, paths, nr, &columns, output_cols(options));
	columns_deinit(&columns);
	return error;
}
