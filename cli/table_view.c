// SPDX-License-Identifier: GPL-2.0-only
/* The system table, the paper's Figure 3: see table_view.h. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stat.h"
#include "table_view.h"
#include "text.h"

#define NAME_COLS_MIN	14

/** One column. Numbers are doubles; a column without value() is the name. */
struct column {
	const char *key;	/* TSV and JSON */
	const char *title;	/* text; NULL: not in text */
	int cols;		/* width in text */
	int digits;		/* decimals in text */
	int mode;		/* the mode it is about, or -1 */
	double (*value)(const struct column *column, const struct table_view *view,
			const struct fold_row *row);
	bool is_count;		/* whole numbers */
};

static double share_of_mode(const struct column *column, const struct table_view *view,
			    const struct fold_row *row)
{
	return row->share[column->mode] * view->scale;
}

static double total_share(const struct column *column, const struct table_view *view,
			  const struct fold_row *row)
{
	(void)column;
	return row->total * view->scale;
}

static double halfwidth(const struct column *column, const struct table_view *view,
			const struct fold_row *row)
{
	(void)column;
	if (view->ci == CI_PAPER)
		return stat_paper_halfwidth(llround(row->total * view->taken), view->taken) *
			view->scale;
	return fmax(row->interval.hi - row->total, row->total - row->interval.lo) * view->scale;
}

static double bound(const struct column *column, const struct table_view *view,
		    const struct fold_row *row)
{
	bool is_low = !strcmp(column->key, "lo");
	double share = is_low ? row->interval.lo : row->interval.hi;

	if (view->ci == CI_PAPER)
		return row->total * view->scale +
			(is_low ? -1 : 1) * halfwidth(column, view, row);
	return share * view->scale;
}

static double hits_of_mode(const struct column *column, const struct table_view *view,
			   const struct fold_row *row)
{
	(void)view;
	return row->hits[column->mode];
}

static double missed(const struct column *column, const struct table_view *view,
		     const struct fold_row *row)
{
	(void)column;
	(void)view;
	return row->missed;
}

static double deferred(const struct column *column, const struct table_view *view,
		       const struct fold_row *row)
{
	(void)column;
	(void)view;
	return row->deferred;
}

static const struct column columns[] = {
	{ "name", "Task Name", 0, 0, -1, NULL, false },
	{ "kernel", "Kernel", 6, 1, CPUPROBE_MODE_KERNEL, share_of_mode, false },
	{ "softirq", "Softirq", 7, 1, CPUPROBE_MODE_SOFTIRQ, share_of_mode, false },
	{ "guest", "Guest", 6, 1, CPUPROBE_MODE_GUEST, share_of_mode, false },
	{ "user", "User", 6, 1, CPUPROBE_MODE_USER, share_of_mode, false },
	{ "total", "Total", 6, 1, -1, total_share, false },
	{ "error", "+-", 5, 2, -1, halfwidth, false },
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

	for (i = 0; i < view->nr_rows; i++)
		if (view->rows[i].hits[CPUPROBE_MODE_GUEST])
			return true;
	return false;
}

static bool is_in_text(const struct column *column, const struct table_view *view)
{
	return column->title && (column->mode != CPUPROBE_MODE_GUEST || has_guest(view));
}

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
	fputc('\n', out);
}

static void render_titles(FILE *out, const struct table_view *view, int name_cols)
{
	size_t c;

	fprintf(out, "%-*s", name_cols, columns[0].title);
	for (c = 1; c < NR_COLUMNS; c++)
		if (is_in_text(&columns[c], view))
			fprintf(out, "  %*s", columns[c].cols, columns[c].title);
	fputc('\n', out);
	render_rule(out, view, name_cols, '=');
}

static void render_row(FILE *out, const struct table_view *view, const struct fold_row *row,
		       int name_cols)
{
	size_t c;

	fprintf(out, "%s%*s", row->name, name_cols - text_width(row->name), "");
	for (c = 1; c < NR_COLUMNS; c++)
		if (is_in_text(&columns[c], view))
			fprintf(out, "  %*.*f", columns[c].cols, columns[c].digits,
				columns[c].value(&columns[c], view, row));
	fputc('\n', out);
}

static void render_totals(FILE *out, const struct table_view *view, int name_cols)
{
	size_t c, i;

	render_rule(out, view, name_cols, '-');
	fprintf(out, "%-*s", name_cols, "Total");
	for (c = 1; c < NR_COLUMNS; c++) {
		double sum = 0;

		/* The last column is an uncertainty: the total of everything has none. */
		if (!is_in_text(&columns[c], view) || columns[c].value == halfwidth)
			continue;
		for (i = 0; i < view->nr_rows; i++)
			sum += columns[c].value(&columns[c], view, &view->rows[i]);
		fprintf(out, "  %*.*f", columns[c].cols, columns[c].digits, sum);
	}
	fputc('\n', out);
}

static void render_text(FILE *out, const struct table_view *view)
{
	const struct run_account *account = &view->run->account;
	int name_cols = NAME_COLS_MIN;
	size_t i;

	for (i = 0; i < view->nr_rows; i++)
		if (text_width(view->rows[i].name) > name_cols)
			name_cols = text_width(view->rows[i].name);
	fprintf(out, "Percentage CPU Utilization\n(%llu samples, %llu lost, %llu missed)\n\n",
		(unsigned long long)account->taken, (unsigned long long)account->lost,
		(unsigned long long)account->missed);
	render_titles(out, view, name_cols);
	for (i = 0; i < view->nr_rows; i++)
		render_row(out, view, &view->rows[i], name_cols);
	render_totals(out, view, name_cols);
}

static void print_number(FILE *out, const struct column *column, double value)
{
	if (isnan(value))
		fputs("null", out);
	else
		fprintf(out, "%.*f", column->is_count ? 0 : 4, value);
}

static void render_tsv(FILE *out, const struct table_view *view)
{
	size_t i, c;

	for (c = 0; c < NR_COLUMNS; c++)
		fprintf(out, "%s%s", c ? "\t" : "", columns[c].key);
	fputc('\n', out);
	for (i = 0; i < view->nr_rows; i++) {
		fputs(view->rows[i].name, out);
		for (c = 1; c < NR_COLUMNS; c++) {
			fputc('\t', out);
			print_number(out, &columns[c],
				     columns[c].value(&columns[c], view, &view->rows[i]));
		}
		fputc('\n', out);
	}
}

static void render_json_row(FILE *out, const struct table_view *view, const struct fold_row *row)
{
	static const char *const kinds[] = { "", "exe", "kthread", "comm", "idle", "softirq",
					     "exiting" };
	size_t c;

	fputs("    {\"name\": ", out);
	text_json(out, row->name);
	fprintf(out, ", \"kind\": \"%s\"", row->kind == FOLD_KIND_LOST ? "lost" :
		row->kind == FOLD_KIND_OTHERS ? "others" : kinds[row->kind]);
	for (c = 1; c < NR_COLUMNS; c++) {
		fprintf(out, ", \"%s\": ", columns[c].key);
		print_number(out, &columns[c], columns[c].value(&columns[c], view, row));
	}
	fputc('}', out);
}

static void render_json(FILE *out, const struct table_view *view)
{
	const struct run *run = view->run;
	size_t i;

	fprintf(out, "{\n  \"report\": \"sys\",\n  \"seconds\": %.3f,\n  \"period_ns\": %llu,\n"
		"  \"seed\": %llu,\n  \"cpus\": %zu,\n  \"expected\": %llu,\n  \"samples\": %llu,\n"
		"  \"missed\": %llu,\n  \"lost\": %llu,\n  \"deferred\": %llu,\n  \"rows\": [\n",
		run->elapsed_seconds, (unsigned long long)run->start.period_ns,
		(unsigned long long)run->start.seed, view->nr_cpus,
		(unsigned long long)run->account.expected, (unsigned long long)run->account.taken,
		(unsigned long long)run->account.missed, (unsigned long long)run->account.lost,
		(unsigned long long)run->account.deferred);
	for (i = 0; i < view->nr_rows; i++) {
		render_json_row(out, view, &view->rows[i]);
		fputs(i + 1 < view->nr_rows ? ",\n" : "\n", out);
	}
	fputs("  ]\n}\n", out);
}

void table_render(FILE *out, const struct table_view *view, enum sampling_format format)
{
	if (format == FORMAT_JSON)
		render_json(out, view);
	else if (format == FORMAT_TSV)
		render_tsv(out, view);
	else
		render_text(out, view);
}
