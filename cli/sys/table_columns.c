// SPDX-License-Identifier: GPL-2.0-only
/* Columns of the system table: see table_columns.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sys/table_columns.h"

/** A row's share of each CPU. */
struct cpu_shares {
	const struct row *row;
	double share[];
};

static const struct row *get_table_row(const struct column_cell *cell)
{
	return cell->row;
}

static const struct table_columns *get_table_view(const struct column_cell *cell)
{
	return cell->view;
}

static const char *get_table_name(const struct column_cell *cell, char *text, size_t len)
{
	return get_table_row(cell)->name;
}

static const char *get_table_kind(const struct column_cell *cell, char *text, size_t len)
{
	static const char *const kinds[] = { "", "exe", "kthread", "comm", "idle", "softirq",
					     "exiting", "process", "thread", "cgroup" };
	u32 kind = get_table_row(cell)->kind;

	return kind == FOLD_KIND_LOST ? "lost" : kind == ROW_KIND_OTHERS ? "others" :
		kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[kind] : "";
}

static double get_table_pid(const struct column_cell *cell)
{
	return get_table_row(cell)->pid;
}

static const char *get_table_pid_text(const struct column_cell *cell, char *text, size_t len)
{
	return get_table_row(cell)->pid ? NULL : "";
}

static bool is_mode_unknown(const struct column_cell *cell)
{
	return get_table_view(cell)->lumped >> cell->column->tag & 1;
}

static double get_table_mode_share(const struct column_cell *cell)
{
	return is_mode_unknown(cell) ? NAN : get_table_row(cell)->share[cell->column->tag] * get_table_view(cell)->scale;
}

struct share table_share(double total, const struct rows *rows, enum output_ci ci, double scale)
{
	double half = stat_paper_halfwidth(llround(total * rows->taken), rows->taken, rows->excess);

	return share_of(total, ci == CI_WILSON ?
		stat_wilson_share(total, rows->taken, rows->excess) :
		(struct stat_interval){ total - half, total + half }, scale);
}

static struct share get_table_total(const struct column_cell *cell)
{
	const struct table_columns *view = get_table_view(cell);
	const struct row *row = get_table_row(cell);
	struct share share = view->ci == CI_WILSON ? share_of(row->total, row->interval, view->scale) :
		table_share(row->total, view->rows, view->ci, view->scale);

	share.is_bound = row_hits(row) < SHARE_FEW_HITS && view->ci == CI_WILSON;
	return share;
}

static double get_table_charged(const struct column_cell *cell)
{
	return get_table_row(cell)->charged * get_table_view(cell)->scale;
}

static double get_table_mode_hits(const struct column_cell *cell)
{
	return is_mode_unknown(cell) ? NAN : get_table_row(cell)->hits[cell->column->tag];
}

static double get_table_missed(const struct column_cell *cell)
{
	return get_table_view(cell)->lacks_missed ? NAN : get_table_row(cell)->missed;
}

static double get_table_deferred(const struct column_cell *cell)
{
	return get_table_view(cell)->lacks_deferred ? NAN : get_table_row(cell)->deferred;
}

static double get_table_cpu_share(const struct column_cell *cell)
{
	struct cpu_shares *cpus = get_table_view(cell)->cpus;

	if (cpus->row != cell->row) {
		rows_cpu_shares(get_table_view(cell)->rows, cell->row, cpus->share);
		cpus->row = cell->row;
	}
	return cpus->share[cell->part] * 100;
}

static int next_cpu(const void *view, int part)
{
	const struct fold *fold = ((const struct table_columns *)view)->fold;
	size_t cpu = part + 1;

	while (cpu < fold_nr_cpus(fold) && !fold_has_cpu(fold, cpu))
		cpu++;
	return cpu < fold_nr_cpus(fold) ? (int)cpu : -1;
}

static const char *get_table_time_text(const struct column_cell *cell, char *text, size_t len)
{
	return get_table_view(cell)->time;
}

static bool has_pid(const struct column *column, const void *view)
{
	return ((const struct table_columns *)view)->has_pid;
}

static bool has_guest(const struct column *column, const void *view)
{
	return ((const struct table_columns *)view)->has_guest;
}

static bool has_charged(const struct column *column, const void *view)
{
	return ((const struct table_columns *)view)->has_charged;
}

/* The tag of a column about rates is the position of the event, or this. */
#define IPC	RATES_EVENTS

static const struct rate *get_rate(const struct column *column, const struct table_columns *view)
{
	const struct rates *rates = view->rates;
	unsigned int i;

	for (i = 0; rates && i < rates->nr; i++)
		if (column->tag == (rates->rate[i].is_ipc ? IPC : (int)rates->rate[i].of))
			return &rates->rate[i];
	return NULL;
}

static bool has_rate(const struct column *column, const void *view)
{
	return get_rate(column, view);
}

static struct share get_table_rate(const struct column_cell *cell)
{
	const struct rate *rate = get_rate(cell->column, get_table_view(cell));

	return rate ? rates_of(get_table_view(cell)->rates, rate, cell->row) : (struct share){ NAN, NAN, NAN, NAN, false };
}

/* Without an upper bound, programs get no number. */
static double get_rate_value(const struct column_cell *cell)
{
	const double value = share_column_value(cell);

	return isfinite(value) ? value : NAN;
}

/* Decimals with which a number has so many significant digits; at most 6. */
static int count_decimals(double value, int significant)
{
	const int decimals = value > 0 ? significant - 1 - (int)floor(log10(value)) : significant - 1;

	return decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
}

/* An upper bound with two significant digits, rounded up: "<0.0031", "<140". */
static void print_bound(double bound, char *text, size_t len)
{
	const double unit = bound > 0 ? pow(10, floor(log10(bound)) - 1) : 1;
	const double up = ceil(bound / unit) * unit;

	snprintf(text, len, "<%.*f", count_decimals(up, 2), up);
}

/*
 * Three significant digits, as some events come a thousand times as often as others. The margin and the ends have
 * the decimals of the rate.
 */
static const char *get_rate_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct share rate = get_table_rate(cell);
	const double value = get_rate_value(cell);
	const bool is_rate = cell->column->end == COLUMN_SHARE;

	if (rate.is_bound && isfinite(rate.hi) && cell->column->end <= COLUMN_ERROR) {
		text[0] = '\0';
		if (is_rate)
			print_bound(rate.hi, text, len);
		return text;
	}
	if (isnan(value))
		return is_rate ? "-" : "";
	snprintf(text, len, "%.*f", count_decimals(rate.value, 3), value);
	return text;
}

static int next_other(const void *view, int part)
{
	const struct rates *rates = ((const struct table_columns *)view)->rates;

	part = part < 0 ? 2 : part + 1;
	return rates && part <= (int)rates->nr_events ? part : -1;
}

static int next_event(const void *view, int part)
{
	const struct rates *rates = ((const struct table_columns *)view)->rates;

	part = part < 0 ? 1 : part + 1;
	return rates && part <= (int)rates->nr_events ? part : -1;
}

static double get_event_hits(const struct column_cell *cell)
{
	return rates_hits(get_table_view(cell)->rates, cell->row, cell->part - 1);
}

static double get_event_number(const struct column_cell *cell)
{
	return round(rates_events(get_table_view(cell)->rates, cell->row, cell->part - 1));
}

static bool has_softirqs(const struct column *column, const void *view)
{
	const struct table_columns *table = view;

	return !table->rates && !(table->lumped >> column->tag & 1);
}

#define RATE_NUMBER(key_, title_, help_, end_, tag_, cols_) \
	{ .key = key_, .title = title_, .help = help_, .unit = COLUMN_RATE, .cols = cols_, .digits = 2, \
	  .tag = tag_, .rank = 3, .share = get_table_rate, .end = end_, .value = get_rate_value, \
	  .text = get_rate_text, .exists = has_rate }
#define RATE(key_, title_, help_, tag_) \
	RATE_NUMBER(key_, title_, help_, COLUMN_SHARE, tag_, 6), \
	RATE_NUMBER(key_ "_error", "+-", "margin of error of " key_ ", at 95%", COLUMN_ERROR, tag_, 5), \
	RATE_NUMBER(key_ "_lo", "Low", "lower end of the 95% interval of " key_, COLUMN_LO, tag_, 6), \
	RATE_NUMBER(key_ "_hi", "High", "upper end of the 95% interval of " key_, COLUMN_HI, tag_, 6)

#define SHARE(key_, title_, help_, cols_, mode_) \
	{ .key = key_, .title = title_, .help = help_, .unit = COLUMN_PERCENT, .cols = cols_, \
	  .digits = 1, .tag = CPUPROBE_MODE_##mode_, .adds_up = true, \
	  .value = get_table_mode_share }
#define HITS(key_, title_, help_, mode_) \
	{ .key = key_, .title = title_, .help = help_, .unit = COLUMN_COUNT, .cols = 7, \
	  .tag = CPUPROBE_MODE_##mode_, .adds_up = true, .unknown = "-", \
	  .value = get_table_mode_hits }

static const struct column columns[] = {
	{ .key = "name", .title = "Task Name",
	  .help = "executable, process or control group, or (lost)", .cols = 14,
	  .text = get_table_name },
	{ .key = "kind", .title = "Kind",
	  .help = "kind of row: exe, kthread, idle, softirq and so on", .cols = 7,
	  .text = get_table_kind },
	{ .key = "pid", .title = "PID",
	  .help = "process or thread id, with -by pid or thread", .unit = COLUMN_COUNT,
	  .cols = 7, .value = get_table_pid, .text = get_table_pid_text, .is_wanted = has_pid },
	SHARE("kernel", "Kernel", "share of time in the kernel", 6, KERNEL),
	{ .key = "softirq", .title = "Softirq", .help = "share of time in softirqs", .unit = COLUMN_PERCENT,
	  .cols = 7, .digits = 1, .tag = CPUPROBE_MODE_SOFTIRQ, .adds_up = true,
	  .value = get_table_mode_share, .unknown = "-", .is_wanted = has_softirqs },
	{ .key = "guest", .title = "Guest",
	  .help = "share of time in its virtual machines", .unit = COLUMN_PERCENT,
	  .cols = 6, .digits = 1, .tag = CPUPROBE_MODE_GUEST, .adds_up = true,
	  .value = get_table_mode_share, .unknown = "-", .is_wanted = has_guest },
	SHARE("user", "User", "share of time in user mode", 6, USER),
	{ .key = "total", .title = "Total",
	  .help = "share of time in all modes; `<X` is an upper bound (below 5 samples)",
	  .cols = 6, .digits = 1, .adds_up = true, SHARE_COLUMN(get_table_total) },
	SHARE_ERROR_COLUMN("", "the total", get_table_total, .cols = 5),
	{ .key = "charged", .title = "Charged",
	  .help = "total, with missed periods charged to the next sample's task",
	  .unit = COLUMN_PERCENT, .cols = 7, .digits = 1, .adds_up = true,
	  .value = get_table_charged, .is_wanted = has_charged },
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the total's", get_table_total, .cols = 6),
	HITS("kernel_hits", "K.hits", "samples in the kernel", KERNEL),
	HITS("softirq_hits", "S.hits", "samples in softirqs", SOFTIRQ),
	HITS("guest_hits", "G.hits", "samples in virtual machines", GUEST),
	HITS("user_hits", "U.hits", "samples in user mode", USER),
	{ .key = "missed", .title = "Missed", .help = "missed periods that ended in the row's task",
	  .unit = COLUMN_COUNT, .cols = 7, .adds_up = true, .value = get_table_missed,
	  .unknown = "-" },
	{ .key = "deferred", .title = "Late", .help = "late samples of the row",
	  .unit = COLUMN_COUNT, .cols = 7, .adds_up = true, .value = get_table_deferred,
	  .unknown = "-" },
	RATE("ipc", "IPC", "instructions per cycle, with both events", IPC),
	RATE("rate1", "", "the first event per thousand instructions", 0),
	RATE("rate2", "", "the second event per thousand instructions or, without these, of the first", 1),
	RATE("rate3", "", "the third event, as rate2", 2),
	RATE("rate4", "", "the fourth event, as rate2", 3),
	{ .key = "event_hits", .title = "Hits", .help = "samples of the other events: hits2, hits3, hits4",
	  .unit = COLUMN_COUNT, .cols = 7, .adds_up = true, .value = get_event_hits,
	  .next_part = next_other, .part_key = "hits", .part_title = "Hits" },
	{ .key = "events", .title = "Events",
	  .help = "with several events, how many of each: share times events counted: events1, events2...",
	  .unit = COLUMN_COUNT, .cols = 9, .adds_up = true, .value = get_event_number,
	  .next_part = next_event, .part_key = "events", .part_title = "Events" },
	{ .key = "cpus", .title = "CPU",
	  .help = "share of each CPU, as with -percpu: cpu0, cpu1...", .unit = COLUMN_PERCENT,
	  .cols = 6, .digits = 1, .adds_up = true, .value = get_table_cpu_share,
	  .next_part = next_cpu, .part_key = "cpu", .part_title = "CPU" },
	{ .key = "time", .title = "Time", .help = "start time of the table, with -repeat",
	  .text = get_table_time_text },
};

const struct column_list table_column_list = {
	.name = "a run of sys",
	.column = columns,
	.nr = sizeof(columns) / sizeof(columns[0]),
	.shown = {
		[FORMAT_TEXT] = "name,pid,kernel,softirq,guest,user,total,error,charged,ipc,ipc_error,"
				"rate1,rate1_error,rate2,rate2_error,rate3,rate3_error,rate4,rate4_error",
		[FORMAT_TSV] = "-kind,-cpus,-time",
		[FORMAT_JSON] = "-cpus,-time",
	},
};

/* Whether charging missed periods changes a printed number. */
static bool is_charged(const struct row *row, double scale)
{
	char with[32], without[32];

	snprintf(with, sizeof(with), "%.1f", row->charged * scale);
	snprintf(without, sizeof(without), "%.1f", row->total * scale);
	return strcmp(with, without);
}

int table_columns_init(struct table_columns *view, const struct rows *rows,
		       const struct fold *fold, const struct output_options *output,
		       size_t nr_cpus)
{
	size_t i;

	*view = (struct table_columns){
		.rows = rows, .fold = fold, .ci = output->ci,
		.scale = output->of == OF_CPU ? 100.0 * nr_cpus : 100.0,
		.cpus = calloc(1, sizeof(*view->cpus) + fold_nr_cpus(fold) * sizeof(double)),
	};
	for (i = 0; i < rows->nr; i++) {
		view->has_guest |= rows->row[i].hits[CPUPROBE_MODE_GUEST] != 0;
		view->has_pid |= rows->row[i].pid != 0;
		view->has_charged |= is_charged(&rows->row[i], view->scale);
	}
	return view->cpus ? 0 : -ENOMEM;
}

void table_columns_title(struct columns *shown_columns)
{
	const struct rates *rates = ((const struct table_columns *)shown_columns->view)->rates;
	size_t c;

	for (c = 0; rates && c < shown_columns->nr; c++) {
		struct shown_column *shown = &shown_columns->column[c];

		if (shown->column->share != get_table_rate || shown->column->tag == IPC ||
		    shown->column->end != COLUMN_SHARE)
			continue;
		snprintf(shown->title, sizeof(shown->title), "%.10s", rates->event[shown->column->tag].event.name);
		if (shown->cols < text_width(shown->title))
			shown->cols = text_width(shown->title);
	}
}

void table_columns_deinit(struct table_columns *view)
{
	free(view->cpus);
	view->cpus = NULL;
}
