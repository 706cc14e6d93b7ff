// SPDX-License-Identifier: GPL-2.0-only
/* Bars with intervals, and the bars of the CPUs: see draw.h. */
#include <math.h>

#include "top/draw.h"

#define CPU_COLS_MIN	26	/* number, bar and share of a CPU */
#define CPU_COLS_MAX	48
#define LABEL_COLS	4	/* "123 " */
#define PERCENT_COLS	5	/* "100.0" */

/** Character and style of one part of a bar. */
struct filling {
	enum cell_style style;
	u32 utf8_char;
	char ascii_char;
};

static const struct filling user = { STYLE_USER, 0x2588, '*' };
static const struct filling kernel = { STYLE_KERNEL, 0x2593, '#' };
static const struct filling softirq = { STYLE_SOFTIRQ, 0x2592, '=' };
static const struct filling line = { STYLE_INTERVAL, 0x2500, '-' };
static const struct filling mark = { STYLE_INTERVAL, 0x253c, '|' };

/* The column that a share falls into. */
static int column_of(double share, int cols, double full)
{
	int col = (int)floor(share / full * cols);

	return col < 0 ? 0 : col >= cols ? cols - 1 : col;
}

void draw_bar(struct cells *cells, int row, int col, int cols, const struct bar *bar, double full)
{
	int first, at, last, i;

	if (cols <= 0 || !(full > 0))
		return;
	first = column_of(bar->interval.lo, cols, full);
	at = column_of(bar->share, cols, full);
	last = column_of(bar->interval.hi, cols, full);
	for (i = 0; i <= last; i++) {
		double share = (i + 0.5) / cols * full;
		const struct filling *filling = i == at ? &mark : i >= first ? &line :
			share < bar->kernel ? &kernel :
			share < bar->kernel + bar->softirq ? &softirq : &user;

		cells_fill(cells, row, col + i, 1, filling->style, filling->utf8_char,
			   filling->ascii_char);
	}
}

static void draw_cpu(struct cells *cells, int row, int col, int cols, const struct model_cpu *cpu)
{
	const struct bar bar = {
		.share = cpu->busy, .interval = cpu->interval,
		.kernel = cpu->share[CPUPROBE_MODE_KERNEL],
		.softirq = cpu->share[CPUPROBE_MODE_SOFTIRQ],
	};
	int bar_cols = cols - LABEL_COLS - PERCENT_COLS - 3;
	char text[16];

	snprintf(text, sizeof(text), "%3u", cpu->cpu);
	cells_put(cells, row, col, LABEL_COLS, STYLE_KEY, text);
	cells_put(cells, row, col + LABEL_COLS - 1, 1, STYLE_DIM, "[");
	draw_bar(cells, row, col + LABEL_COLS, bar_cols, &bar, 1);
	cells_put(cells, row, col + LABEL_COLS + bar_cols, 1, STYLE_DIM, "]");
	snprintf(text, sizeof(text), "%.1f", cpu->busy * 100);
	cells_put_right(cells, row, col + LABEL_COLS + bar_cols + 1, PERCENT_COLS, STYLE_NORMAL,
			text);
}

/* For many CPUs: one column each, as high as the CPU is busy; in ASCII, a digit from 0 to 9. */
static int draw_many(struct cells *cells, int row, int rows, const struct model *model)
{
	size_t i;
	int used = 0;

	for (i = 0; i < model->nr_cpus && (int)i / cells->cols < rows; i++) {
		double busy = model->cpus[i].busy;
		int eighths = (int)lround(busy * 8), tenths = (int)lround(busy * 9);

		used = i / cells->cols + 1;
		cells_fill(cells, row + used - 1, i % cells->cols, 1, STYLE_USER,
			   eighths > 0 ? 0x2580 + (eighths > 8 ? 8 : eighths) : ' ',
			   tenths > 0 ? '0' + (tenths > 9 ? 9 : tenths) : '.');
	}
	return used;
}

int draw_cpus(struct cells *cells, int row, int rows, const struct model *model)
{
	int beside = cells->cols / CPU_COLS_MIN, lines, cols, i;

	if (!model->nr_cpus || rows <= 0 || !beside)
		return 0;
	lines = ((int)model->nr_cpus + beside - 1) / beside;
	if (lines > rows)
		return draw_many(cells, row, rows, model);
	beside = ((int)model->nr_cpus + lines - 1) / lines;
	cols = cells->cols / beside;
	cols = cols > CPU_COLS_MAX ? CPU_COLS_MAX : cols;
	/* CPU numbers increase down each column, then to the right. */
	for (i = 0; i < (int)model->nr_cpus; i++)
		draw_cpu(cells, row + i % lines, i / lines * cols, cols - 1, &model->cpus[i]);
	return lines;
}
