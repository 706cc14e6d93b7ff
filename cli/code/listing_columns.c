// SPDX-License-Identifier: GPL-2.0-only
/* The columns of instructions: see listing_view.h. */
#include <math.h>

#include "base/columns.h"
#include "base/stat.h"
#include "code/hist.h"
#include "code/listing_view.h"

#define FEW_HITS 5	/* with fewer hits, a share is shown as its upper bound */

static const struct listing_row *cell_insn(const struct column_cell *cell)
{
	return cell->row;
}

static u64 range_hits(const struct column_cell *cell)
{
	return ((const struct listing_view *)cell->view)->listing->hits;
}

static bool has_paper_interval(const struct column_cell *cell)
{
	return ((const struct listing_view *)cell->view)->output->ci == CI_PAPER;
}

static struct stat_interval insn_interval(const struct column_cell *cell)
{
	u64 hits = cell_insn(cell)->hits, n = range_hits(cell);
	double share = n ? (double)hits / n : 0, half = stat_paper_halfwidth(hits, n);

	return has_paper_interval(cell) ? (struct stat_interval){ share - half, share + half } :
		stat_wilson(hits, n);
}

static double hits_value(const struct column_cell *cell)
{
	return cell_insn(cell)->is_ditto ? NAN : cell_insn(cell)->hits;
}

static double share_value(const struct column_cell *cell)
{
	return range_hits(cell) ? hits_value(cell) / range_hits(cell) * 100 : NAN;
}

static double lo_value(const struct column_cell *cell)
{
	return cell_insn(cell)->is_ditto ? NAN : insn_interval(cell).lo * 100;
}

static double hi_value(const struct column_cell *cell)
{
	return cell_insn(cell)->is_ditto ? NAN : insn_interval(cell).hi * 100;
}

static double error_value(const struct column_cell *cell)
{
	return fmax(hi_value(cell) - share_value(cell), share_value(cell) - lo_value(cell));
}

static const char *hits_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct listing_row *row = cell_insn(cell);

	return row->hits ? NULL : "";
}

static bool is_share_bound(const struct column_cell *cell)
{
	return cell_insn(cell)->hits < FEW_HITS && !has_paper_interval(cell);
}

static const char *insn_share_text(const struct column_cell *cell, char *text, size_t len)
{
	if (!cell_insn(cell)->hits)
		return "";
	if (!is_share_bound(cell))
		return NULL;
	snprintf(text, len, "<%.1f", ceil(hi_value(cell) * 10) / 10);
	return text;
}

static const char *insn_error_text(const struct column_cell *cell, char *text, size_t len)
{
	return !cell_insn(cell)->hits || is_share_bound(cell) ? "" : NULL;
}

static const char *bar_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct listing_view *view = cell->view;
	char bar[LISTING_BAR_COLS + 1] = "";

	/* A sum has no bar; its len is 0. */
	if (cell_insn(cell)->len)
		hist_bar(bar, LISTING_BAR_COLS, cell_insn(cell)->hits, range_hits(cell),
			 view->bar_scale);
	snprintf(text, len, "%s", bar);
	return text;
}

static const char *hex_text(u64 number, char *text, size_t len)
{
	snprintf(text, len, "0x%llx", number);
	return text;
}

static const char *insn_address_text(const struct column_cell *cell, char *text, size_t len)
{
	return cell_insn(cell)->len ? hex_text(cell_insn(cell)->addr, text, len) : "";
}

static const char *end_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct listing_row *row = cell_insn(cell);

	return row->len ? hex_text(row->addr + row->len, text, len) : "";
}

static const char *offset_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct listing_row *row = cell_insn(cell);

	if (!row->len || !row->name)
		return insn_address_text(cell, text, len);
	snprintf(text, len, "+0x%llx", row->addr - row->entry);
	return text;
}

/* Marks for jump target, loop and slip, one column each; "" if all three are blank. */
static const char *mark_text(const struct column_cell *cell, char *text, size_t len)
{
	static const char loops[] = { ' ', '/', '|', '\\' };
	static const char slips[] = { ' ', '?', '!', '@', '#' };
	const struct listing_row *row = cell_insn(cell);
	char marks[4] = { row->is_target ? '>' : ' ', loops[row->loop],
			  row->hits ? slips[row->slip] : ' ', '\0' };

	snprintf(text, len, "%s", strspn(marks, " ") == 3 ? "" : marks);
	return text;
}

static const char *instruction_text(const struct column_cell *cell, char *text, size_t len)
{
	return cell_insn(cell)->text;
}

static const char *insn_name_text(const struct column_cell *cell, char *text, size_t len)
{
	return cell_insn(cell)->name ?: "";
}

static const char *source_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct listing_row *row = cell_insn(cell);

	if (!row->file)
		return "";
	snprintf(text, len, "%s:%u", row->file, row->line);
	return text;
}

static const char *slip_text(const struct column_cell *cell, char *text, size_t len)
{
	static const char *const slips[] = {
		[SLIP_NONE] = "", [SLIP_LOAD] = "load", [SLIP_LONG] = "long",
		[SLIP_KERNEL] = "kernel", [SLIP_ADMIT] = "interrupts",
	};

	return slips[cell_insn(cell)->slip];
}

static double target_value(const struct column_cell *cell)
{
	return cell_insn(cell)->is_target;
}

static double loop_value(const struct column_cell *cell)
{
	return cell_insn(cell)->loop != LOOP_NONE;
}

static double joint_value(const struct column_cell *cell)
{
	return cell_insn(cell)->is_ditto;
}

static const struct column columns[] = {
	{ .key = "address", .title = "Address", .unit = COLUMN_ADDRESS, .text = insn_address_text,
	  .help = "address of the instruction in the object's file" },
	{ .key = "end", .title = "End", .unit = COLUMN_ADDRESS, .text = end_text,
	  .help = "end address (exclusive)" },
	{ .key = "offset", .title = "Offset", .unit = COLUMN_TEXT, .text = offset_text, .cols = 6,
	  .help = "offset in the function" },
	{ .key = "hits", .title = "Hits", .unit = COLUMN_COUNT, .cols = 6, .adds_up = true,
	  .value = hits_value, .text = hits_text, .unknown = "\"",
	  .help = "samples with this instruction next to run; `\"`: counted in the row above" },
	{ .key = "share", .title = "Share", .unit = COLUMN_PERCENT, .cols = 5, .digits = 1,
	  .adds_up = true, .value = share_value, .text = insn_share_text,
	  .help = "share of the hits of the range" },
	{ .key = "error", .title = "+-", .unit = COLUMN_PERCENT, .cols = 5, .digits = 2,
	  .value = error_value, .text = insn_error_text,
	  .help = "margin of error of the share, at 95%" },
	{ .key = "lo", .title = "Low", .unit = COLUMN_PERCENT, .digits = 2, .value = lo_value,
	  .help = "lower end of the 95% interval" },
	{ .key = "hi", .title = "High", .unit = COLUMN_PERCENT, .digits = 2, .value = hi_value,
	  .help = "upper end of the 95% interval" },
	{ .key = "bar", .title = "Bar", .unit = COLUMN_TEXT, .cols = LISTING_BAR_COLS,
	  .text = bar_text, .help = "bar of the hits and their interval" },
	{ .key = "mark", .title = "", .unit = COLUMN_TEXT, .cols = 3, .text = mark_text,
	  .help = "> target of a jump; /|\\ the hottest loop; "
		  "! ? @ # hits may be due to the previous instruction" },
	{ .key = "instruction", .title = "Instruction", .unit = COLUMN_TEXT,
	  .text = instruction_text, .help = "instruction, in the syntax of GNU as" },
	{ .key = "name", .title = "Function", .unit = COLUMN_TEXT, .text = insn_name_text,
	  .help = "function of the instruction" },
	{ .key = "source", .title = "Source", .unit = COLUMN_TEXT, .text = source_text,
	  .help = "source file and line, from debug information" },
	{ .key = "slip", .title = "Slip", .unit = COLUMN_TEXT, .text = slip_text,
	  .help = "why hits may be due to an earlier instruction: long, load, kernel, interrupts" },
	{ .key = "target", .title = "Target", .unit = COLUMN_YES_NO, .value = target_value,
	  .help = "whether the instruction is the target of a jump" },
	{ .key = "loop", .title = "Loop", .unit = COLUMN_YES_NO, .value = loop_value,
	  .help = "whether the instruction is in the hottest loop" },
	{ .key = "joint", .title = "Joint", .unit = COLUMN_YES_NO, .value = joint_value,
	  .help = "whether the hits of its slot are counted in a row above" },
};

const struct column_list listing_column_list = {
	.name = "instructions", .column = columns, .nr = sizeof(columns) / sizeof(columns[0]),
	.shown = { [FORMAT_TEXT] = "offset,hits,share,error,bar,mark,instruction",
		   [FORMAT_TSV] = "-offset,-bar,-mark", [FORMAT_JSON] = "-offset,-bar,-mark" },
};
