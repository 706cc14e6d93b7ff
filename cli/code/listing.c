// SPDX-License-Identifier: GPL-2.0-only
/* Instructions with their hits: see listing.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code/listing_parts.h"
#include "code/source.h"

#define NAME_LEN	128

/** List of strings that the rows share. */
struct listing_strings {
	struct listing_strings *next;
	char text[];
};

void listing_destroy(struct listing *listing)
{
	size_t i;

	if (!listing)
		return;
	for (i = 0; i < listing->nr_rows; i++)
		free(listing->rows[i].text);
	while (listing->strings) {
		struct listing_strings *next = listing->strings->next;

		free(listing->strings);
		listing->strings = next;
	}
	free(listing->rows);
	free(listing);
}

/* Returns the listing's own copy of @text; neighbouring rows share one. NULL: out of memory. */
static const char *keep_string(struct listing *listing, const char *text)
{
	struct listing_strings *kept = listing->strings;
	unsigned int tries = 0;

	for (; kept && tries < 16; kept = kept->next, tries++)
		if (!strcmp(kept->text, text))
			return kept->text;
	kept = malloc(sizeof(*kept) + strlen(text) + 1);
	if (!kept)
		return NULL;
	strcpy(kept->text, text);
	kept->next = listing->strings;
	listing->strings = kept;
	return kept->text;
}

/** Context for naming the targets of a function's jumps and calls. */
struct naming {
	const struct sym_index *symbols;
	const struct sym *sym;		/* the function, whose own targets are +offset; or NULL */
};

static bool name_jump_target(void *context, u64 addr, char *name, size_t len)
{
	const struct naming *naming = context;
	const struct sym *sym = naming->symbols ? sym_index_find(naming->symbols, addr) : NULL;
	size_t used;

	if (!sym)
		return false;
	if (naming->sym && sym->entry == naming->sym->entry) {
		snprintf(name, len, "+0x%llx", addr - sym->entry);
		return true;
	}
	sym_name(sym, name, len);
	used = strlen(name);
	if (addr != sym->entry)
		snprintf(name + used, len - used, "+0x%llx", addr - sym->entry);
	return true;
}

static void add_source_line(struct listing *listing, struct listing_row *row,
			    struct sym_lines *lines, struct source *source)
{
	const char *found;
	char text[512];

	if (!lines || !sym_lines_find(lines, row->addr, &found, &row->line))
		return;
	if (source_line(source, found, row->line, text, sizeof(text)))
		row->source = keep_string(listing, text);
	snprintf(text, sizeof(text), "%s", found);
	text_clean(text);
	row->file = keep_string(listing, text);
}

static int add_listing_row(struct listing *listing, const struct draft *draft, size_t i,
			   u64 skipped, struct source *source)
{
	const struct candidate *candidate = &draft->candidates[i];
	const struct listing_piece *piece = &draft->pieces[candidate->piece];
	struct naming naming = { draft->request->symbols, piece->sym };
	struct listing_row *row = &listing->rows[listing->nr_rows];
	char text[INSN_TEXT_LEN], name[NAME_LEN];

	*row = (struct listing_row){
		.addr = candidate->insn.addr, .len = candidate->insn.len, .slot = candidate->slot,
		.flags = candidate->insn.flags, .slip = candidate->slip,
		.hits = draft_hits(draft, i),
		.is_ditto = candidate->head != i, .skipped = skipped,
	};
	if (piece->sym) {
		sym_name(piece->sym, name, sizeof(name));
		text_clean(name);
		row->name = keep_string(listing, name);
		row->entry = piece->sym->entry;
	}
	add_source_line(listing, row, draft->request->lines, source);
	disassembler_text(draft->disassembler, &candidate->insn, draft->bytes[candidate->piece] +
			  (row->addr - piece->start), name_jump_target, &naming, text);
	row->text = strdup(text);
	if (!row->text || (piece->sym && !row->name))
		return -ENOMEM;
	listing->nr_rows++;
	return 0;
}

/* Whether any code of the slot was read. */
static bool is_slot_read(const struct draft *draft, u32 slot)
{
	u64 low = slots_low(draft->request->layout, slot);
	u64 high = slots_high(draft->request->layout, slot);
	size_t i;

	for (i = 0; i < draft->nr_pieces; i++)
		if (low < draft->pieces[i].start + draft->lens[i] && draft->pieces[i].low < high)
			return true;
	return false;
}

/* Count the hits of slots in which no instruction begins: astray or unread. */
static int count_astray(struct listing *listing, const struct draft *draft)
{
	const struct listing_request *request = draft->request;
	bool *is_claimed = calloc(request->layout->nr_slots, sizeof(*is_claimed));
	u32 slot;
	size_t i;

	if (!is_claimed)
		return -ENOMEM;
	for (i = 0; i < draft->nr; i++)
		is_claimed[draft->candidates[i].slot] = true;
	for (slot = 0; slot < request->layout->nr_slots; slot++) {
		listing->hits += request->hits[slot];
		if (!request->hits[slot] || is_claimed[slot])
			continue;
		if (is_slot_read(draft, slot))
			listing->astray += request->hits[slot];
		else
			listing->unread += request->hits[slot];
	}
	free(is_claimed);
	return 0;
}

static int add_listing_rows(struct listing *listing, const struct draft *draft)
{
	const struct code *code = draft->request->code;
	struct source source = { .changed_ns = code->identity.changed_ns, .owner = code->owner };
	u64 skipped = 0;
	int error = 0;
	size_t i;

	listing->rows = calloc(draft->nr + 1, sizeof(*listing->rows));
	if (!listing->rows)
		return -ENOMEM;
	for (i = 0; !error && i < draft->nr; i++) {
		const struct candidate *candidate = &draft->candidates[i];

		if (candidate->insn.flags & INSN_BAD)
			listing->bad_bytes += candidate->insn.len;
		if (candidate->is_shown) {
			error = add_listing_row(listing, draft, i, skipped, &source);
			skipped = 0;
			continue;
		}
		skipped++;
		listing->nr_others++;
		listing->others += draft_hits(draft, i);
	}
	listing->nr_newer = source.nr_newer;
	source_deinit(&source);
	return error;
}

static int fill_listing(struct listing *listing, struct draft *draft, struct text_error *error_ret)
{
	int error = draft_choose(draft);

	if (!error)
		error = add_listing_rows(listing, draft);
	if (!error)
		error = count_astray(listing, draft);
	if (error)
		return text_fail(error_ret, error, "disassemble: out of memory");
	draft_mark(draft, listing);
	listing->is_guessed = draft->is_guessed;
	listing->is_emulated = draft->request->code->is_emulated;
	listing->slot_bytes = 1ULL << draft->request->layout->shift;
	if (!listing->hits || listing->unread < listing->hits)
		return 0;
	text_fail(error_ret, 0, "read code of %s: no code at the addresses of the hits",
		  draft->request->code->path);
	if (draft->request->code->kind == CODE_PROCESS)
		text_hint(error_ret,
			  "code without a file is read after the run: the process must still be "
			  "running");
	else if (draft->request->layout->shift)
		text_hint(error_ret, "narrow the range with -low and -high, or with -hot");
	return -ENODATA;
}

int listing_create(const struct listing_request *request, struct listing **listing_ret,
		   struct text_error *error_ret)
{
	struct draft draft = { .request = request };
	struct listing *listing;
	int error;

	if (request->layout->shift > __builtin_ctz(LISTING_SLOT_MAX)) {
		text_fail(error_ret, 0,
			  "list instructions: slots of 0x%llx bytes are too wide",
			  1ULL << request->layout->shift);
		text_hint(error_ret,
			  "give -hot more time, or -low and -high less than 0x%x bytes apart",
			  CPUPROBE_SLOTS * LISTING_SLOT_MAX);
		return -ERANGE;
	}
	error = disassembler_create(&request->code->machine, &draft.disassembler, error_ret);
	listing = calloc(1, sizeof(*listing));
	if (!error && !listing)
		error = text_fail(error_ret, -ENOMEM, "disassemble: out of memory");
	if (!error)
		error = draft_read(&draft, error_ret);
	if (!error)
		error = fill_listing(listing, &draft, error_ret);
	disassembler_destroy(draft.disassembler);
	draft_deinit(&draft);
	if (error)
		listing_destroy(listing);
	else
		*listing_ret = listing;
	return error;
}

const struct listing_row *listing_hottest(const struct listing *listing)
{
	const struct listing_row *best = NULL;
	size_t i;

	for (i = 0; i < listing->nr_rows; i++)
		if (listing->rows[i].hits && (!best || listing->rows[i].hits > best->hits))
			best = &listing->rows[i];
	return best;
}
