// SPDX-License-Identifier: GPL-2.0-only
/* Notes printed under a listing: see listing_view.h and docs/instructions.md. */
#include <string.h>

#include "base/stat.h"
#include "code/listing_view.h"

static void print_note(FILE *out, const struct listing_view *view, const char *text)
{
	text_wrap(out, text, output_cols(view->output));
}

static const char *share_interval_text(const struct listing_view *view, u64 hits, char *text, size_t len)
{
	u64 n = view->listing->hits;
	struct stat_interval interval = stat_wilson(hits, n, view->excess);

	snprintf(text, len, "%.1f%% (%.1f to %.1f%%)", 100.0 * hits / n, interval.lo * 100,
		 interval.hi * 100);
	return text;
}

/* Copy an instruction's text with each run of blanks reduced to one. */
static void squeeze_blanks(const char *text, char *squeezed, size_t len)
{
	size_t used = 0;

	for (; *text && used + 1 < len; text++)
		if (*text != ' ' || (used && squeezed[used - 1] != ' '))
			squeezed[used++] = *text;
	squeezed[used] = '\0';
}

static void insn_place_text(const struct listing_view *view, const struct listing_row *row,
			    u64 addr, char *text, size_t len)
{
	if (row->name)
		snprintf(text, len, "%s+0x%llx", row->name, addr - row->entry);
	else
		snprintf(text, len, "0x%llx of %s", addr, view->object);
}

/* Name the instruction before the hottest one, if the hits may be due to it. */
static void note_previous_insn(FILE *out, const struct listing_view *view,
			       const struct listing_row *hot)
{
	const struct listing_row *before = hot - 1;
	char line[256], insn[128];

	if (hot == view->listing->rows || before->addr + before->len != hot->addr ||
	    (hot->slip != SLIP_LONG && hot->slip != SLIP_LOAD) || view->listing->slot_bytes > 1)
		return;
	squeeze_blanks(before->text, insn, sizeof(insn));
	snprintf(line, sizeof(line), "The hottest instruction follows %s, which %s.", insn,
		 hot->slip == SLIP_LONG ?
			"is slow: look there first" : "may have waited for memory");
	print_note(out, view, line);
}

static void note_hottest(FILE *out, const struct listing_view *view, bool has_verdict)
{
	const struct listing_row *hot = listing_hottest(view->listing);
	char line[640], insn[128], place[192], share[64];

	if (!hot)
		return;
	if (has_verdict) {
		note_previous_insn(out, view, hot);
		return;
	}
	squeeze_blanks(hot->text, insn, sizeof(insn));
	insn_place_text(view, hot, hot->addr, place, sizeof(place));
	snprintf(line, sizeof(line), "Hottest %s: %s at %s, %s of these hits.",
		 view->listing->slot_bytes > 1 ? "slot" : "instruction", insn, place,
		 share_interval_text(view, hot->hits, share, sizeof(share)));
	print_note(out, view, line);
	note_previous_insn(out, view, hot);
}

static void note_loop(FILE *out, const struct listing_view *view)
{
	const struct listing *listing = view->listing;
	const struct listing_row *row = listing_hottest(listing);
	char line[512], place[192], share[64] = "";

	if (!listing->loop_insns || !row)
		return;
	insn_place_text(view, row, listing->loop_low, place, sizeof(place));
	/* A wider slot may also hold hits of instructions outside the loop. */
	if (listing->slot_bytes == 1)
		share_interval_text(view, listing->loop_hits, share, sizeof(share));
	snprintf(line, sizeof(line), "Hottest loop: %s, %llu bytes, %u instruction%s%s%s%s.", place,
		 listing->loop_high - listing->loop_low, listing->loop_insns,
		 listing->loop_insns == 1 ? "" : "s", share[0] ? ", " : "", share,
		 share[0] ? " of these hits" : "");
	print_note(out, view, line);
}

/* Limits of the decoding: wide slots, stray hits, bad bytes, guesses, newer sources. */
static void note_decoding_limits(FILE *out, const struct listing_view *view)
{
	const struct listing *listing = view->listing;
	char line[512];

	if (listing->slot_bytes > 1) {
		snprintf(line, sizeof(line), "A slot is %llu bytes: instructions marked \" share "
			 "the hits above them. Slots of one byte need -hot, or -low and -high at "
			 "most 512 bytes apart.", listing->slot_bytes);
		print_note(out, view, line);
	}
	if (listing->astray) {
		snprintf(line, sizeof(line), "%llu hits are where no instruction begins: the code "
			 "changed while it ran, or data precedes the code.", listing->astray);
		print_note(out, view, line);
	}
	if (listing->bad_bytes) {
		snprintf(line, sizeof(line), "%llu byte%s could not be decoded (.byte).",
			 listing->bad_bytes, listing->bad_bytes == 1 ? "" : "s");
		print_note(out, view, line);
	}
	if (listing->is_guessed)
		print_note(out, view, "No symbol says where code begins: decoding starts where "
			   "most hits fall on the start of an instruction.");
	if (listing->nr_newer)
		print_note(out, view, "Source files newer than the program are not quoted.");
}

static bool has_slip(const struct listing *listing, enum insn_slip slip)
{
	size_t i;

	for (i = 0; i < listing->nr_rows; i++)
		if (listing->rows[i].hits && listing->rows[i].slip == slip)
			return true;
	return false;
}

const char *listing_slip_note(enum insn_slip slip)
{
	static const char *const notes[] = {
		[SLIP_LOAD] =
			"? the previous instruction reads memory: if it waited, most of these hits "
			"are due to it.",
		[SLIP_LONG] =
			"! the previous instruction is slow: most of these hits are due to it.",
		[SLIP_KERNEL] =
			"@ after a system call: the end of the call, with interrupts off, is "
			"counted here.",
		[SLIP_ADMIT] =
			"# interrupts are re-enabled here: time with interrupts off is counted "
			"here.",
	};

	return notes[slip];
}

/* Explain the marks of rows whose hits may be due to the previous instruction. */
static void note_slips(FILE *out, const struct listing_view *view)
{
	bool has_any = false;
	enum insn_slip slip;

	for (slip = SLIP_LOAD; slip <= SLIP_ADMIT; slip++)
		has_any |= has_slip(view->listing, slip);
	if (!has_any)
		return;
	print_note(out, view, "A sample is counted at the instruction that would have run next.");
	for (slip = SLIP_LOAD; slip <= SLIP_ADMIT; slip++)
		if (has_slip(view->listing, slip))
			print_note(out, view, listing_slip_note(slip));
}

void listing_findings(FILE *out, const struct listing_view *view, bool has_verdict)
{
	note_hottest(out, view, has_verdict);
	note_loop(out, view);
	note_decoding_limits(out, view);
	if (view->listing->is_emulated)
		print_note(out, view, "Emulated machine (QEMU's TCG): an instruction takes as long "
			   "as its emulation, and without -icount samples fall only on the first "
			   "instruction of a block. The marks ! and ? apply to hardware only.");
}

void listing_notes(FILE *out, const struct listing_view *view, bool has_verdict)
{
	fputc('\n', out);
	listing_findings(out, view, has_verdict);
	note_slips(out, view);
}
