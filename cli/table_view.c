// SPDX-License-Identifier: GPL-2.0-only
/* The system table, the paper's Figure 3: see table_view.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "stat.h"
#include "table_view.h"
#include "text.h"

#define NAME_COLS_MIN	14
#define FEW_HITS	5	/* below this a share is known by its upper bound only */

const struct option_spec table_specs[] = {
	{ "sort", "KEY", "order of the rows: total, name, user or kernel (default total)" },
	{ "n", "ROWS", "show the ROWS largest, fold the others into one row" },
	{ "percpu", NULL, "a column per CPU: the share of that CPU" },
	{ NULL, NULL, NULL }
};

/** The table as it is being written. */
struct table_view {
	const struct table_options *options;
	const struct run_result *result;
	const struct receipt *receipt;	/* of the whole run, at its end; or NULL */
	const struct fold *fold;
	struct rows rows;
	double *cpu_shares;		/* of the row that is being written, of each CPU by itself */
	double scale;			/* 100 with -of machine, 100 x CPUs with -of cpu */
	const char *time;		/* of a repeated table; or NULL */
	bool has_guest, has_pid, has_charged;	/* columns of text that not every table has */
};

int table_set(struct table_options *options, const char *name, const char *value,
	      struct text_error *error_ret)
{
	static const char *const sorts[] = { "total", "name", "user", "kernel", NULL };
	int error;

	if (!strcmp(name, "sort"))
		return parse_choice(value, sorts, &options->sort, error_ret);
	if (!strcmp(name, "percpu")) {
		options->has_cpus = true;
		return 0;
	}
	if (strcmp(name, "n"))
		return output_set(&options->output, name, value, error_ret);
	error = parse_u64(value, &options->nr_rows, error_ret);
	if (!error && !options->nr_rows)
		return text_fail(error_ret, -EINVAL, "'%s' leaves no row", value);
	return error;
}

/** One column. Numbers are doubles; a column without value() is the name. */
struct column {
	const char *key;	/* TSV and JSON */
	const char *title;	/* text; NULL: not in text */
	int cols;		/* width in text */
	int digits;		/* decimals in text */
	int mode;		/* the mode it is about, or -1 */
	double (*value)(const struct column *column, const struct table_view *view,
			const struct row *row);
	bool is_count;		/* whole numbers */
};

static double share_of_mode(const struct column *column, const struct table_view *view,
			    const struct row *row)
{
	return row->share[column->mode] * view->scale;
}

static double total_share(const struct column *column, const struct table_view *view,
			  const struct row *row)
{
	(void)column;
	return row->total * view->scale;
}

static double halfwidth(const struct column *column, const struct table_view *view,
			const struct row *row)
{
	(void)column;
	if (view->options->output.ci == CI_PAPER)
		return stat_paper_halfwidth(llround(row->total * view->rows.taken), view->rows.taken) *
			view->scale;
	return fmax(row->interval.hi - row->total, row->total - row->interval.lo) * view->scale;
}

static double bound(const struct column *column, const struct table_view *view,
		    const struct row *row)
{
	bool is_low = !strcmp(column->key, "lo");
	double share = is_low ? row->interval.lo : row->interval.hi;

	if (view->options->output.ci == CI_PAPER)
		return row->total * view->scale +
			(is_low ? -1 : 1) * halfwidth(column, view, row);
	return share * view->scale;
}

static double charged(const struct column *column, const struct table_view *view,
		      const struct row *row)
{
	(void)column;
	return row->charged * view->scale;
}

static double pid(const struct column *column, const struct table_view *view,
		  const struct row *row)
{
	(void)column;
	(void)view;
	return row->pid;
}

static double hits_of_mode(const struct column *column, const struct table_view *view,
			   const struct row *row)
{
	(void)view;
	return row->hits[column->mode];
}

static double missed(const struct column *column, const struct table_view *view,
		     const struct row *row)
{
	(void)column;
	(void)view;
	return row->missed;
}

static double deferred(const struct column *column, const struct table_view *view,
		       const struct row *row)
{
	(void)column;
	(void)view;
	return row->deferred;
}

static const struct column columns[] = {
	{ "name", "Task Name", 0, 0, -1, NULL, false },
	{ "pid", "PID", 7, 0, -1, pid, true },
	{ "kernel", "Kernel", 6, 1, CPUPROBE_MODE_KERNEL, share_of_mode, false },
	{ "softirq", "Softirq", 7, 1, CPUPROBE_MODE_SOFTIRQ, share_of_mode, false },
	{ "guest", "Guest", 6, 1, CPUPROBE_MODE_GUEST, share_of_mode, false },
	{ "user", "User", 6, 1, CPUPROBE_MODE_USER, share_of_mode, false },
	{ "total", "Total", 6, 1, -1, total_share, false },
	{ "error", "+-", 5, 2, -1, halfwidth, false },
	{ "charged", "Charged", 7, 1, -1, charged, false },
	{ "lo", NULL, 0, 0, -1, bound, false },
	{ "hi", NULL, 0, 0, -1, bound, false },
	{ "kernel_hits", NULL, 0, 0, CPUPROBE_MODE_KERNEL, hits_of_mode, true },
	{ "softirq_hits", NULL, 0, 0, CPUPROBE_MODE_SOFTIRQ, hits_of_mode, true },
	{ "guest_hits", NULL, 0, 0, CPUPROBE_MODE_GUEST, hits_of_mode, true },
	{ "user_hits", NULL, 0, 0, CPUPROBE_MODE_USER, hits_of_mode, true },
	{ "missed", NULL, 0, 0, -1, missed, true },
	{ "deferred", NULL, 0, 0, -1, deferred, true },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool has_guest(const struct table_view *view)
{
	size_t i;

	for (i = 0; i < view->rows.nr; i++)
		if (view->rows.row[i].hits[CPUPROBE_MODE_GUEST])
			return true;
	return false;
}

static bool has_pid(const struct table_view *view)
{
	size_t i;

	for (i = 0; i < view->rows.nr; i++)
		if (view->rows.row[i].pid)
			return true;
	return false;
}

/* Whether charging missed periods to where they ended changes a number that is printed. */
static bool has_charged(const struct table_view *view)
{
	char with[32], without[32];
	size_t i;

	for (i = 0; i < view->rows.nr; i++) {
		snprintf(with, sizeof(with), "%.1f", view->rows.row[i].charged * view->scale);
		snprintf(without, sizeof(without), "%.1f", view->rows.row[i].total * view->scale);
		if (strcmp(with, without))
			return true;
	}
	return false;
}

static bool is_in_text(const struct column *column, const struct table_view *view)
{
	if (column->mode == CPUPROBE_MODE_GUEST)
		return column->title && view->has_guest;
	if (column->value == pid)
		return view->has_pid;
	if (column->value == charged)
		return view->has_charged;
	return column->title;
}

/* Fill view->cpu_shares for a row. */
static void find_cpu_shares(const struct table_view *view, const struct row *row)
{
	if (view->options->has_cpus)
		rows_cpu_shares(&view->rows, row, view->cpu_shares);
}

/* The next CPU that has a column, from @cpu on; fold_nr_cpus() at the end. */
static size_t next_cpu(const struct table_view *view, size_t cpu)
{
	if (!view->options->has_cpus)
		return fold_nr_cpus(view->fold);
	while (cpu < fold_nr_cpus(view->fold) && !fold_has_cpu(view->fold, cpu))
		cpu++;
	return cpu;
}

#define for_each_cpu_column(cpu, view) \
	for ((cpu) = next_cpu(view, 0); (cpu) < fold_nr_cpus((view)->fold); \
	     (cpu) = next_cpu(view, (cpu) + 1))

static void render_rule(FILE *out, const struct table_view *view, int name_cols, char line)
{
	size_t c;
	int i;

	for (c = 0; c < NR_COLUMNS; c++) {
		if (!is_in_text(&columns[c], view))
			continue;
		fputs(c ? "  " : "", out);
		for (i = 0; i < (c ? columns[c].cols : name_cols); i++)
			fputc(line, out);
	}
	for_each_cpu_column(c, view)
		fputs(line == '=' ? "  ======" : "  ------", out);
	fputc('\n', out);
}

static void render_titles(FILE *out, const struct table_view *view, int name_cols)
{
	size_t c;

	fprintf(out, "%-*s", name_cols, columns[0].title);
	for (c = 1; c < NR_COLUMNS; c++)
		if (is_in_text(&columns[c], view))
			fprintf(out, "  %*s", columns[c].cols, columns[c].title);
	for_each_cpu_column(c, view) {
		char title[24];

		snprintf(title, sizeof(title), "CPU%zu", c);
		fprintf(out, "  %6s", title);
	}
	fputc('\n', out);
	render_rule(out, view, name_cols, '=');
}

/* Of a few hits the share is hardly known: its upper bound says what can be said. */
static void number_text(const struct table_view *view, const struct column *column,
			const struct row *row, char *text, size_t len)
{
	bool is_bounded = row_hits(row) < FEW_HITS && view->options->output.ci == CI_WILSON;
	double value = column->value(column, view, row);

	text[0] = '\0';
	if (is_bounded && column->value == total_share)
		snprintf(text, len, "<%.1f", ceil(row->interval.hi * view->scale * 10) / 10);
	else if (!(is_bounded && column->value == halfwidth) && (column->value != pid || value > 0))
		snprintf(text, len, "%.*f", column->digits, value);
}

/* A cell; of an empty one only its width is noted, so that no line ends in blanks. */
static void render_cell(FILE *out, int cols, const char *text, int *blanks)
{
	*blanks += 2;
	if (text[0])
		fprintf(out, "%*s%*s", *blanks, "", cols, text);
	*blanks = text[0] ? 0 : *blanks + cols;
}

static void render_row(FILE *out, const struct table_view *view, const struct row *row,
		       int name_cols)
{
	char name[sizeof(row->name)], text[32];
	int blanks = 0;
	size_t c;

	snprintf(name, sizeof(name), "%s", row->name);
	text_cut(name, name_cols);
	fprintf(out, "%s%*s", name, name_cols - text_width(name), "");
	for (c = 1; c < NR_COLUMNS; c++) {
		if (!is_in_text(&columns[c], view))
			continue;
		number_text(view, &columns[c], row, text, sizeof(text));
		render_cell(out, columns[c].cols, text, &blanks);
	}
	find_cpu_shares(view, row);
	for_each_cpu_column(c, view) {
		snprintf(text, sizeof(text), "%.1f", view->cpu_shares[c] * 100);
		render_cell(out, 6, text, &blanks);
	}
	fputc('\n', out);
}

/* The CPUs' shares of all rows together. */
static void add_cpu_shares(const struct table_view *view)
{
	uint32_t at;
	size_t i;

	memset(view->cpu_shares, 0, view->rows.nr_cpus * sizeof(*view->cpu_shares));
	for (i = 0; i < view->rows.nr; i++)
		for (at = view->rows.row[i].first_part; at != ROW_NO_PART; at = view->rows.part[at].next)
			view->cpu_shares[view->rows.part[at].cpu] += view->rows.part[at].share;
}

static void render_totals(FILE *out, const struct table_view *view, int name_cols)
{
	char text[32];
	int blanks = 0;
	size_t c, i;

	render_rule(out, view, name_cols, '-');
	fprintf(out, "%-*s", name_cols, "Total");
	for (c = 1; c < NR_COLUMNS; c++) {
		double sum = 0;

		if (!is_in_text(&columns[c], view))
			continue;
		for (i = 0; i < view->rows.nr; i++)
			sum += columns[c].value(&columns[c], view, &view->rows.row[i]);
		snprintf(text, sizeof(text), "%.*f", columns[c].digits, sum);
		/* An uncertainty and a process: the total of everything has none. */
		if (columns[c].value == halfwidth || columns[c].value == pid)
			text[0] = '\0';
		render_cell(out, columns[c].cols, text, &blanks);
	}
	add_cpu_shares(view);
	for_each_cpu_column(c, view) {
		snprintf(text, sizeof(text), "%.1f", view->cpu_shares[c] * 100);
		render_cell(out, 6, text, &blanks);
	}
	fputc('\n', out);
}

/* As wide as the longest name, if the line has room. */
static int name_cols(const struct table_view *view)
{
	int cols = NAME_COLS_MIN, rest = 0;
	size_t i, c;

	for (i = 0; i < view->rows.nr; i++)
		if (text_width(view->rows.row[i].name) > cols)
			cols = text_width(view->rows.row[i].name);
	for (c = 1; c < NR_COLUMNS; c++)
		rest += is_in_text(&columns[c], view) ? 2 + columns[c].cols : 0;
	for_each_cpu_column(c, view)
		rest += 8;
	if (cols > output_cols(&view->options->output) - rest)
		cols = output_cols(&view->options->output) - rest;
	return cols < NAME_COLS_MIN ? NAME_COLS_MIN : cols;
}

static void render_text(FILE *out, const struct table_view *view)
{
	const struct run_account *account = &view->result->account;
	int cols = name_cols(view);
	size_t i;

	if (view->time)
		fprintf(out, "%s, %.1f s\n", view->time, view->result->elapsed_seconds);
	fprintf(out, "Percentage CPU Utilization\n(%llu samples, %llu lost, %llu missed)\n\n",
		(unsigned long long)account->taken, (unsigned long long)account->lost,
		(unsigned long long)account->missed);
	render_titles(out, view, cols);
	for (i = 0; i < view->rows.nr; i++)
		render_row(out, view, &view->rows.row[i], cols);
	render_totals(out, view, cols);
	if (view->time)
		fputc('\n', out);
	if (!view->receipt)
		return;
	if (!view->time)
		fputc('\n', out);
	receipt_print(out, view->receipt, output_cols(&view->options->output));
}

static void print_number(FILE *out, const struct column *column, double value)
{
	if (isnan(value))
		fputs("null", out);
	else
		fprintf(out, "%.*f", column->is_count ? 0 : 4, value);
}

static void render_tsv_titles(FILE *out, const struct table_view *view)
{
	size_t c;

	for (c = 0; c < NR_COLUMNS; c++)
		fprintf(out, "%s%s", c ? "\t" : "", columns[c].key);
	for_each_cpu_column(c, view)
		fprintf(out, "\tcpu%zu", c);
	fprintf(out, "%s\n", view->time ? "\ttime" : "");
}

static void render_tsv(FILE *out, const struct table_view *view)
{
	static bool has_titles;	/* of a stream of tables: printed */
	size_t i, c;

	if (!view->time || !has_titles)
		render_tsv_titles(out, view);
	has_titles = true;
	for (i = 0; i < view->rows.nr; i++) {
		fputs(view->rows.row[i].name, out);
		for (c = 1; c < NR_COLUMNS; c++) {
			fputc('\t', out);
			print_number(out, &columns[c],
				     columns[c].value(&columns[c], view, &view->rows.row[i]));
		}
		find_cpu_shares(view, &view->rows.row[i]);
		for_each_cpu_column(c, view)
			fprintf(out, "\t%.4f", view->cpu_shares[c] * 100);
		fprintf(out, "%s%s\n", view->time ? "\t" : "", view->time ? view->time : "");
	}
}

static void render_json_row(FILE *out, const struct table_view *view, const struct row *row)
{
	static const char *const kinds[] = { "", "exe", "kthread", "comm", "idle", "softirq",
					     "exiting", "process", "thread", "cgroup" };
	size_t c;

	fputs("    {\"name\": ", out);
	text_json(out, row->name);
	fprintf(out, ", \"kind\": \"%s\"", row->kind == FOLD_KIND_LOST ? "lost" :
		row->kind == ROW_KIND_OTHERS ? "others" : kinds[row->kind]);
	for (c = 1; c < NR_COLUMNS; c++) {
		fprintf(out, ", \"%s\": ", columns[c].key);
		print_number(out, &columns[c], columns[c].value(&columns[c], view, row));
	}
	find_cpu_shares(view, row);
	for_each_cpu_column(c, view)
		fprintf(out, ", \"cpu%zu\": %.4f", c, view->cpu_shares[c] * 100);
	fputc('}', out);
}

static void render_json(FILE *out, const struct table_view *view)
{
	const struct run_result *result = view->result;
	size_t i;

	fputs("{\n  \"report\": \"sys\",\n", out);
	if (view->time)
		fprintf(out, "  \"time\": \"%s\",\n", view->time);
	fprintf(out, "  \"seconds\": %.3f,\n  \"period_ns\": %llu,\n"
		"  \"seed\": %llu,\n  \"cpus\": %zu,\n  \"expected\": %llu,\n  \"samples\": %llu,\n"
		"  \"missed\": %llu,\n  \"lost\": %llu,\n  \"deferred\": %llu,\n  \"rows\": [\n",
		result->elapsed_seconds, (unsigned long long)result->period_ns,
		(unsigned long long)result->seed, result->nr_cpus,
		(unsigned long long)result->account.expected,
		(unsigned long long)result->account.taken,
		(unsigned long long)result->account.missed,
		(unsigned long long)result->account.lost,
		(unsigned long long)result->account.deferred);
	for (i = 0; i < view->rows.nr; i++) {
		render_json_row(out, view, &view->rows.row[i]);
		fputs(i + 1 < view->rows.nr ? ",\n" : "\n", out);
	}
	fputs(view->receipt ? "  ],\n" : "  ]\n", out);
	if (view->receipt)
		receipt_json(out, view->receipt);
	fputs(view->receipt ? "\n}\n" : "}\n", out);
}

int table_show(FILE *out, const struct fold *fold, const struct run_result *result,
	       const struct receipt *receipt, const struct table_options *options, bool is_repeated)
{
	static void (*const render[])(FILE *, const struct table_view *) = {
		[FORMAT_TEXT] = render_text, [FORMAT_TSV] = render_tsv, [FORMAT_JSON] = render_json,
	};
	char time_text[32];
	struct table_view view = {
		.options = options,
		.result = result,
		.receipt = receipt,
		.fold = fold,
		.scale = options->output.of == OF_CPU ? 100.0 * result->nr_cpus : 100.0,
	};

	if (!fold_taken(fold))
		return run_no_samples(result);
	if (is_repeated)
		view.time = text_time(result->began, time_text, sizeof(time_text));
	view.cpu_shares = calloc(fold_nr_cpus(fold) + 1, sizeof(*view.cpu_shares));
	if (!view.cpu_shares || rows_init(&view.rows, fold)) {
		free(view.cpu_shares);
		fprintf(stderr, "probe: show the table: out of memory\n");
		return -ENOMEM;
	}
	rows_limit(&view.rows, options->sort, options->nr_rows);
	view.has_guest = has_guest(&view);
	view.has_pid = has_pid(&view);
	view.has_charged = has_charged(&view);
	render[options->output.format](out, &view);
	rows_deinit(&view.rows);
	free(view.cpu_shares);
	return 0;
}
