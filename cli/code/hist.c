// SPDX-License-Identifier: GPL-2.0-only
/* Bars and headings of a histogram: see hist.h. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "code/hist.h"

#define NAME_COLS_MAX	60	/* width of one function name in a heading */
#define HEADING_MAX	12	/* functions named in a heading; a wide slot holds hundreds */
#define PLT_MAX		3	/* more PLT entries are counted instead of named */
#define PLT_NAME_MAX	256	/* bytes of a PLT entry's name */
#define NESTED_MAX	64	/* earlier entries searched for another piece of a function */

/* Half-width of the 95% interval of a slot's hits, in hits. */
static double halfwidth_hits(u64 hits, u64 taken, double excess)
{
	double x = hits, n = taken;

	return taken > 1 && hits < taken ?
		1.96 * sqrt(x * (1 - x / n) * (1 + excess) * n / (n - 1)) : 0;
}

double hist_scale(const u64 *hits, u32 nr, u64 taken, double excess, int cols)
{
	double longest = 0;
	u32 i;

	for (i = 0; i < nr; i++)
		longest = fmax(longest, hits[i] + halfwidth_hits(hits[i], taken, excess));
	return longest / cols;
}

int hist_bar(char *bar, int cols, u64 hits, u64 taken, double excess, double scale)
{
	int column = scale > 0 ? (int)lround(hits / scale) : 0;
	int dashes = scale > 0 ? (int)floor(halfwidth_hits(hits, taken, excess) / scale) : 0;
	int i;

	bar[0] = '\0';
	if (!column)
		return 0;
	/* Rounding may make the longest bar one column too long. */
	if (column > cols)
		column = cols;
	for (i = 1; i <= column + dashes && i <= cols; i++)
		bar[i - 1] = i == column ? '|' : i < column - dashes ? '*' : '-';
	bar[i - 1] = '\0';
	return column;
}

/* Number of hexadecimal digits of the highest address, at least six. */
static int address_digits(const struct hist *hist)
{
	char text[20];
	int len = snprintf(text, sizeof(text), "%llx", hist->layout->high - 1);

	return len < 6 ? 6 : len;
}

/** The functions that overlap a slot: consecutive entries of the symbol index. */
struct span {
	size_t first;
	size_t nr;
};

static struct span span_of(const struct hist *hist, u32 slot)
{
	struct span span = { 0, 0 };
	u64 high = slots_high(hist->layout, slot);

	if (!hist->symbols)
		return span;
	span.first = sym_index_lower_bound(hist->symbols, slots_low(hist->layout, slot));
	while (span.first + span.nr < sym_index_size(hist->symbols) &&
	       sym_index_at(hist->symbols, span.first + span.nr)->start < high)
		span.nr++;
	return span;
}

void hist_name(const struct hist *hist, u32 slot, char *name, size_t len)
{
	struct span span = span_of(hist, slot);

	if (span.nr)
		sym_name(sym_index_at(hist->symbols, span.first), name, len);
	else
		snprintf(name, len, "%s+0x%llx", hist->object,
			 slots_low(hist->layout, slot) - hist->object_start);
}

/* Write one ADDRESS-NAME of a heading, on a new line if the current one is full. */
static void add_heading_name(FILE *out, const struct hist *hist, int *cols, u64 addr,
			     const char *name)
{
	char text[256];
	int digits = address_digits(hist), width, most = hist->line_cols - (2 + digits + 1);

	if (most > NAME_COLS_MAX)
		most = NAME_COLS_MAX;
	snprintf(text, sizeof(text) - 3, "%s", name);
	text_plain(text);
	if (text_width(text) > most) {
		text_cut(text, most - 3);
		strcat(text, "...");
	}
	width = 2 + digits + 1 + text_width(text);
	if (*cols && *cols + 1 + width > hist->line_cols) {
		fputc('\n', out);
		*cols = 0;
	}
	fprintf(out, "%s0x%0*llx-", *cols ? " " : "", digits, addr);
	text_put(out, text);
	*cols += (*cols ? 1 : 0) + width;
}

static bool is_plt(const struct sym *sym)
{
	/* PLT names made by the symbolizer are short; other names may be as long as their file. */
	size_t len = strnlen(sym->name, PLT_NAME_MAX + 1);

	return len > 4 && len <= PLT_NAME_MAX && !strcmp(sym->name + len - 4, "@plt");
}

static size_t count_plt(const struct hist *hist, struct span span)
{
	size_t i, nr = 0;

	for (i = 0; i < span.nr; i++)
		nr += is_plt(sym_index_at(hist->symbols, span.first + i));
	return nr;
}

/* Whether an earlier entry of the span belongs to the same function as entry @i. */
static bool is_function_named(const struct hist *hist, struct span span, size_t i)
{
	u64 entry = sym_index_at(hist->symbols, span.first + i)->entry;
	size_t k;

	for (k = i; k && i - k < NESTED_MAX; k--)
		if (sym_index_at(hist->symbols, span.first + k - 1)->entry == entry)
			return true;
	return false;
}

bool hist_has_heading(const struct hist *hist, u32 slot, u32 before)
{
	struct span span, shown;

	if (!hist->symbols || before == HIST_NO_SLOT)
		return hist->symbols;
	span = span_of(hist, slot);
	shown = span_of(hist, before);
	return span.nr != shown.nr || (span.nr && span.first != shown.first);
}

void hist_heading(FILE *out, const struct hist *hist, u32 slot)
{
	struct span span = span_of(hist, slot);
	size_t i, nr = 0, nr_plt = count_plt(hist, span);
	bool has_plt = nr_plt <= PLT_MAX;	/* named one by one, or their number is printed */
	char name[256];
	int cols = 0;

	for (i = 0; i < span.nr; i++) {
		const struct sym *sym = sym_index_at(hist->symbols, span.first + i);

		if (nr_plt > PLT_MAX && is_plt(sym)) {
			snprintf(name, sizeof(name), "(%zu PLT entries)", nr_plt);
			if (!has_plt)
				add_heading_name(out, hist, &cols, sym->start, name);
			has_plt = true;
			continue;
		}
		if (is_function_named(hist, span, i) || nr++ >= HEADING_MAX)
			continue;
		sym_name(sym, name, sizeof(name));
		add_heading_name(out, hist, &cols, sym->entry, name);
	}
	if (nr > HEADING_MAX)
		fprintf(out, "\n(and %zu more functions)", nr - HEADING_MAX);
	if (!span.nr) {
		hist_name(hist, slot, name, sizeof(name));
		add_heading_name(out, hist, &cols, slots_low(hist->layout, slot), name);
	}
}

static int bar_cols(const struct hist *hist, int hits_cols)
{
	/* "0x", digits, ":", hits, ": " */
	int cols = hist->line_cols - (2 + address_digits(hist) + 1 + hits_cols + 2);

	return cols > HIST_BAR_COLS ? HIST_BAR_COLS : cols < 10 ? 10 : cols;
}

static int hits_cols(const struct hist *hist)
{
	u64 most = 0;
	char text[24];
	u32 i;
	int len;

	for (i = 0; i < hist->layout->nr_slots; i++)
		if (hist->hits[i] > most)
			most = hist->hits[i];
	len = snprintf(text, sizeof(text), "%llu", most);
	return len < 6 ? 7 : len + 1;
}

static void render_titles(FILE *out, const struct hist *hist, int hits_width)
{
	int address_cols = 2 + address_digits(hist), i;

	fprintf(out, " %-*s%*s\n", address_cols - 1, "Address", hits_width + 1, "Hits");
	for (i = 0; i < address_cols; i++)
		fputc('=', out);
	fputs("  ", out);
	for (i = 1; i < hits_width; i++)
		fputc('=', out);
	fputc('\n', out);
}

static void render_small(FILE *out, u64 hits, u32 slots)
{
	if (hits)
		fprintf(out, "%llu hit%s in %u slot%s too small to draw\n", hits,
			hits == 1 ? "" : "s", slots, slots == 1 ? "" : "s");
}

void hist_render(FILE *out, const struct hist *hist)
{
	int digits = address_digits(hist), hits_width = hits_cols(hist);
	int cols = bar_cols(hist, hits_width);
	double scale = hist_scale(hist->hits, hist->layout->nr_slots, hist->taken, hist->excess,
				  cols);
	u64 small_hits = 0;
	u32 slot, shown = HIST_NO_SLOT, small_slots = 0;
	bool is_omitting = false;

	render_titles(out, hist, hits_width);
	for (slot = 0; slot < hist->layout->nr_slots; slot++) {
		char bar[HIST_BAR_COLS + 1];

		if (!hist_bar(bar, cols, hist->hits[slot], hist->taken, hist->excess, scale) &&
		    !hist->shows_all) {
			small_hits += hist->hits[slot];
			small_slots += hist->hits[slot] > 0;
			if (!is_omitting)
				fputs(". . .\n", out);
			is_omitting = true;
			continue;
		}
		is_omitting = false;
		if (hist_has_heading(hist, slot, shown)) {
			fputc('\n', out);
			hist_heading(out, hist, slot);
			fputc('\n', out);
		}
		shown = slot;
		fprintf(out, "0x%0*llx:%*llu:%s%s\n", digits,
			hist->layout->base + ((u64)slot << hist->layout->shift), hits_width,
			hist->hits[slot], bar[0] ? " " : "", bar);
	}
	render_small(out, small_hits, small_slots);
}
