// SPDX-License-Identifier: GPL-2.0-only
/* The columns of instructions: see listing_view.h. */
#include <math.h>

#include "base/share.h"
#include "code/hist.h"
#include "code/listing_view.h"

static const struct listing_row *cell_insn(const struct column_cell *cell)
{
	return cell->row;
}

static u64 range_hits(const struct column_cell *cell)
{
	return ((const struct listing_view *)cell->view)->listing->hits;
}

static double hits_value(const struct column_cell *cell)
{
	return cell_insn(cell)->is_ditto ? NAN : cell_insn(cell)->hits;
}

static struct share insn_share(const struct column_cell *cell)
{
	const struct listing_view *view = cell->view;

	if (cell_insn(cell)->is_ditto)
		return (struct share){ NAN, NAN, NAN, NAN };
	return share_of_hits(cell_insn(cell)->hits, range_hits(cell), view->excess,
			     view->output->ci, 100);
}

static const char *hits_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct listing_row *row = cell_insn(cell);

	return row->hits ? NULL : "";
}

static const char *insn_share_text(const struct column_cell *cell, char *text, size_t len)
{
	return cell_insn(cell)->hits ? share_column_text(cell, text, len) : "";
}

static const char *bar_text(const struct column_cell *cell, char *text, size_t len)
{
	const struct listing_view *view = cell->view;
	char bar[LISTING_BAR_COLS + 1] = "";

	/* A sum has no bar; its len is 0. */
	if (cell_insn(cell)->len)
		hist_bar(bar, LISTING_BAR_COLS, cell_insn(cell)->hits, range_hits(cell),
			 view->excess, view->bar_scale);
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
	{ .key = "share", .title = "Share", .cols = 5, .digits = 1, .adds_up = true,
	  .help = "share of the hits of the range", SHARE_NUMBER(insn_share),
	  .text = insn_share_text },
	{ .key = "error", .title = "+-", .cols = 5, .digits = 2, .end = COLUMN_ERROR,
	  .help = "margin of error of the share, at 95%", SHARE_NUMBER(insn_share),
	  .text = insn_share_text },
	SHARE_INTERVAL_COLUMNS("", "Low", "High", "the", insn_share),
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
