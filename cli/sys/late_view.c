// SPDX-License-Identifier: GPL-2.0-only
/* Report of lateness: see late_view.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/share.h"
#include "base/text.h"
#include "sys/late_columns.h"
#include "sys/late_view.h"

#define BAR_COLS	40
#define TIME_COLS	9
#define HITS_COLS	8
#define BEFORE_BAR_COLS	(TIME_COLS + 2 + HITS_COLS + 2 + HITS_COLS + 2)

static u64 sum_bins(const u64 hits[CPUPROBE_LATE_BINS])
{
	u64 sum = 0;
	int bin;

	for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++)
		sum += hits[bin];
	return sum;
}

/** The bins of a histogram, in one column or two. */
struct late_bins {
	const char *titles[3];	/* of the bounds and the columns; the last: NULL: none */
	const char *zero;	/* bound of bin 0 */
	const u64 *hits[2];	/* the first has bars */
};

/* The first and the last bin with samples. */
static void find_range(const struct late_bins *bins, int *first_ret, int *last_ret, u64 *most_ret)
{
	int bin;

	*first_ret = CPUPROBE_LATE_BINS - 1;
	*last_ret = 0;
	*most_ret = 1;
	for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++) {
		if (!bins->hits[0][bin] && (!bins->hits[1] || !bins->hits[1][bin]))
			continue;
		*first_ret = bin < *first_ret ? bin : *first_ret;
		*last_ret = bin;
		*most_ret = bins->hits[0][bin] > *most_ret ? bins->hits[0][bin] : *most_ret;
	}
}

static void render_bins(FILE *out, const struct late_bins *bins, int cols)
{
	int before_cols = BEFORE_BAR_COLS - (bins->hits[1] ? 0 : HITS_COLS + 2);
	int bar_cols = cols < before_cols + BAR_COLS ? cols - before_cols : BAR_COLS;
	int bin, first, last, stars;
	char below[16];
	u64 most;

	find_range(bins, &first, &last, &most);
	fprintf(out, "\n%*s  %*s", TIME_COLS, bins->titles[0], HITS_COLS, bins->titles[1]);
	if (bins->hits[1])
		fprintf(out, "  %*s", HITS_COLS, bins->titles[2]);
	fprintf(out, "\n=========  ========%s\n", bins->hits[1] ? "  ========" : "");
	for (bin = first; bin <= last; bin++) {
		fprintf(out, "%*s  %*llu", TIME_COLS, bin ? text_ns(ldexp(1, bin), below) : bins->zero,
			HITS_COLS, bins->hits[0][bin]);
		if (bins->hits[1])
			fprintf(out, "  %*llu", HITS_COLS, bins->hits[1][bin]);
		stars = llround((double)bins->hits[0][bin] / most * bar_cols);
		fprintf(out, "%s%.*s\n", stars ? "  " : "", stars,
			"****************************************");
	}
	fputc('\n', out);
}

static void render_cpu(FILE *out, const struct late_cpu *cpu, int cols)
{
	u64 work = sum_bins(cpu->hits[0]);
	char late[16], late_max[16], handler[16], spread[16], least[16], most[16], line[512];

	snprintf(line, sizeof(line), "CPU %u: %llu samples, %llu of them woke the CPU from idle. "
		 "Lateness at work: %s on average, %s at most. Handler: %s (s.d. %s, %s to %s).",
		 cpu->cpu, cpu->taken, sum_bins(cpu->hits[1]),
		 text_ns(work ? (double)cpu->late_ns / work : 0, late),
		 text_ns(cpu->late_max_ns, late_max), text_ns(late_handler_mean(cpu), handler),
		 text_ns(late_handler_sd(cpu), spread), text_ns(cpu->handler_min_ns, least),
		 text_ns(cpu->handler_max_ns, most));
	text_wrap(out, line, cols);
	render_bins(out, &(struct late_bins){
		{ "Late by <", "At work", "Idle" }, "in time", { cpu->hits[0], cpu->hits[1] },
	}, cols);
}

static void __attribute__((format(printf, 3, 4)))
print_wrapped(FILE *out, int cols, const char *format, ...)
{
	char line[256];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	text_wrap(out, line, cols);
}

/** The rows that the columns show: places, or the handler's times by CPU. */
struct late_rows {
	const char *first;
	size_t len, nr;		/* bytes of a row, and number of rows */
};

static const void *get_late_row(const struct late_rows *rows, size_t i)
{
	return rows->first + i * rows->len;
}

static void render_rows(FILE *out, const struct late_rows *rows, struct columns *columns, int cols)
{
	size_t i;

	for (i = 0; i < rows->nr; i++)
		columns_measure(columns, get_late_row(rows, i));
	columns_fit(columns, cols);
	columns_print_titles(out, columns);
	for (i = 0; i < rows->nr; i++)
		columns_print_row(out, columns, get_late_row(rows, i));
}

static void render_late_text(FILE *out, const struct late_report *report,
			     const struct receipt *receipt, const struct late_rows *places,
			     struct columns *columns, int cols)
{
	char bound[16];
	size_t i;

	for (i = 0; i < report->nr_cpus; i++)
		if (report->cpus[i].taken)
			render_cpu(out, &report->cpus[i], cols);
	if (places->nr) {
		print_wrapped(out, cols, "Places that re-enabled interrupts after more than %s",
			      text_ns(receipt->deferred_ns, bound));
		fputc('\n', out);
		render_rows(out, places, columns, cols);
	} else {
		print_wrapped(out, cols, "No sample came more than %s late.",
			      text_ns(receipt->deferred_ns, bound));
	}
	if (report->lost)
		print_wrapped(out, cols, "(%llu late samples found no room in the table of places)",
			      report->lost);
}

/* A row for each CPU, and the distribution of all of them. */
static void render_handlers(FILE *out, const struct late_rows *rows, struct columns *columns, int cols)
{
	const struct late_cpu *last = rows->nr ? get_late_row(rows, rows->nr - 1) : NULL;

	render_rows(out, rows, columns, cols);
	if (last)
		render_bins(out, &(struct late_bins){
			{ "Time <", "Samples", NULL }, "0 ns", { last->handler_hits, NULL },
		}, cols);
	else
		fputc('\n', out);
}

/* Total of a report with its interval, "12.3 +- 0.5%". */
static const char *describe_total(const struct late_report *report, u64 off_ns, char *text, size_t len)
{
	double fraction = report->sampled_ns ? (double)off_ns / report->sampled_ns : 0;
	struct share share = share_of(fraction, stat_wilson_share(fraction, report->expected, STAT_INDEPENDENT),
				      100);

	snprintf(text, len, "%.2f +- %.2f%%", share.value, share.error);
	return text;
}

static void render_nmi_text(FILE *out, const struct late_report *report, const struct receipt *receipt,
			    const struct late_rows *places, struct columns *columns, int cols)
{
	const bool has_event = event_is_sampled(&receipt->event.event);
	char by_nmi[40], inferred[40], bound[16];

	print_wrapped(out, cols, "Interrupts were off for %s of the %s, as NMIs see it. Samples of a timer waited "
		      "for %s of %s, not counting the last %s of each stretch.",
		      describe_total(report, report->off_ns, by_nmi, sizeof(by_nmi)),
		      has_event ? "cycles" : "time",
		      describe_total(report->inferred, late_report_off_ns(report->inferred), inferred,
				     sizeof(inferred)), has_event ? "the time" : "it", text_ns(receipt->deferred_ns, bound));
	fputc('\n', out);
	if (places->nr)
		render_rows(out, places, columns, cols);
	if (report->lost)
		print_wrapped(out, cols, "(%llu samples found no room in the table of places)", report->lost);
}

static void render_late_tsv(FILE *out, const struct late_rows *rows, const struct columns *columns)
{
	size_t i;

	columns_print_keys(out, columns);
	for (i = 0; i < rows->nr; i++)
		columns_print_tsv(out, columns, get_late_row(rows, i));
}

static void render_json_bins(FILE *out, const char *key, const u64 *hits)
{
	int bin;

	fprintf(out, ", \"%s\": [", key);
	for (bin = 0; bin < CPUPROBE_LATE_BINS; bin++)
		fprintf(out, "%s%llu", bin ? ", " : "", hits[bin]);
	fputc(']', out);
}

static void render_json_cpus(FILE *out, const struct late_report *report)
{
	size_t i;

	for (i = 0; i < report->nr_cpus; i++) {
		const struct late_cpu *cpu = &report->cpus[i];

		fprintf(out, "%s\n    {\"cpu\": %u, \"samples\": %llu, \"late_ns\": %llu, "
			"\"late_max_ns\": %llu, \"handler_mean_ns\": %.1f, "
			"\"handler_sd_ns\": %.1f, "
			"\"handler_min_ns\": %llu, \"handler_max_ns\": %llu",
			i ? "," : "", cpu->cpu, cpu->taken, cpu->late_ns, cpu->late_max_ns,
			cpu->taken ? late_handler_mean(cpu) : 0,
			cpu->taken ? late_handler_sd(cpu) : 0, cpu->handler_min_ns,
			cpu->handler_max_ns);
		render_json_bins(out, "work", cpu->hits[0]);
		render_json_bins(out, "idle", cpu->hits[1]);
		render_json_bins(out, "handler", cpu->handler_hits);
		fputc('}', out);
	}
}

/* The end of both reports: the rows and the receipt. */
static void render_json_rows(FILE *out, const struct late_rows *rows, const struct columns *columns,
			     const struct receipt *receipt)
{
	size_t i;

	fputs("  \"rows\": [", out);
	for (i = 0; i < rows->nr; i++) {
		fputs(i ? ",\n    " : "\n    ", out);
		columns_print_json(out, columns, get_late_row(rows, i));
	}
	fputs("\n  ],\n", out);
	receipt_json(out, receipt);
	fputs("\n}\n", out);
}

static void render_late_json(FILE *out, const struct late_report *report,
			     const struct receipt *receipt, const struct late_rows *rows,
			     const struct columns *columns)
{
	fprintf(out, "{\n  \"report\": \"late\",\n  \"samples\": %llu,\n  \"lost\": %llu,\n"
		"  \"cpus\": [", receipt->taken, report->lost);
	render_json_cpus(out, report);
	fputs("\n  ],\n", out);
	render_json_rows(out, rows, columns, receipt);
}

static void render_json_total(FILE *out, const char *key, const struct late_report *report, u64 off_ns)
{
	double fraction = report->sampled_ns ? (double)off_ns / report->sampled_ns : 0;
	struct stat_interval interval = stat_wilson_share(fraction, report->expected, STAT_INDEPENDENT);

	fprintf(out, "  \"%s\": { \"share\": %.4f, \"lo\": %.4f, \"hi\": %.4f },\n", key, 100 * fraction,
		100 * interval.lo, 100 * interval.hi);
}

static void render_nmi_json(FILE *out, const struct late_report *report, const struct receipt *receipt,
			    const struct late_rows *rows, const struct columns *columns)
{
	fprintf(out, "{\n  \"report\": \"late -nmi\",\n  \"samples\": %llu,\n  \"lost\": %llu,\n",
		receipt->taken, report->lost);
	render_json_total(out, "interrupts_off", report, report->off_ns);
	render_json_total(out, "late", report->inferred, late_report_off_ns(report->inferred));
	render_json_rows(out, rows, columns, receipt);
}

/* The CPUs with samples and, if there are several, their sum; NULL: out of memory. */
static struct late_cpu *list_handlers(const struct late_report *report, size_t *nr_ret)
{
	struct late_cpu *cpus = calloc(report->nr_cpus + 1, sizeof(*cpus));
	size_t i, nr = 0;

	for (i = 0; cpus && i < report->nr_cpus; i++)
		if (report->cpus[i].taken)
			cpus[nr++] = report->cpus[i];
	if (nr > 1)
		late_report_sum(report, &cpus[nr++]);
	*nr_ret = nr;
	return cpus;
}

static int show_rows(FILE *out, const struct late_report *report, const struct receipt *receipt,
		     const struct output_options *options, const struct late_rows *rows,
		     bool are_handlers)
{
	int cols = output_cols(options);
	struct columns columns;
	int error = columns_choose(&columns,
				   are_handlers ? &handler_column_list : &late_column_list,
				   options->format, options->columns, report, NULL);

	if (error) {
		fprintf(stderr, "probe: show lateness: out of memory\n");
	} else if (options->format == FORMAT_JSON) {
		render_late_json(out, report, receipt, rows, &columns);
	} else if (options->format == FORMAT_TSV) {
		render_late_tsv(out, rows, &columns);
	} else {
		if (are_handlers) {
			render_handlers(out, rows, &columns, cols);
		} else {
			render_late_text(out, report, receipt, rows, &columns, cols);
			fputc('\n', out);
		}
		receipt_print(out, receipt, cols);
	}
	columns_deinit(&columns);
	return error;
}

int late_view_show(FILE *out, const struct late_report *report, const struct receipt *receipt,
		   const struct output_options *options)
{
	const struct late_rows places = { (const char *)report->places, sizeof(*report->places),
					  report->nr_places };

	return show_rows(out, report, receipt, options, &places, false);
}

int late_view_show_nmi(FILE *out, const struct late_report *report, const struct receipt *receipt,
		       const struct output_options *options)
{
	const struct late_rows rows = { (const char *)report->places, sizeof(*report->places),
					report->nr_places };
	int cols = output_cols(options);
	struct columns columns;
	int error = columns_choose(&columns, &nmi_column_list, options->format, options->columns, report,
				   NULL);

	if (error) {
		fprintf(stderr, "probe: show lateness: out of memory\n");
	} else if (options->format == FORMAT_JSON) {
		render_nmi_json(out, report, receipt, &rows, &columns);
	} else if (options->format == FORMAT_TSV) {
		render_late_tsv(out, &rows, &columns);
	} else {
		render_nmi_text(out, report, receipt, &rows, &columns, cols);
		fputc('\n', out);
		receipt_print(out, receipt, cols);
	}
	columns_deinit(&columns);
	return error;
}

int late_view_show_handlers(FILE *out, const struct late_report *report,
			    const struct receipt *receipt, const struct output_options *options)
{
	struct late_rows rows = { .len = sizeof(struct late_cpu) };
	struct late_cpu *cpus = list_handlers(report, &rows.nr);
	int error = -ENOMEM;

	rows.first = (const char *)cpus;
	if (cpus)
		error = show_rows(out, report, receipt, options, &rows, true);
	else
		fprintf(stderr, "probe: show lateness: out of memory\n");
	free(cpus);
	return error;
}
