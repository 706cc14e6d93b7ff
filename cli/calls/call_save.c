// SPDX-License-Identifier: GPL-2.0-only
/* Counted calls in saved runs: see call_save.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calls/call_save.h"
#include "profile/profile.h"
#include "run/run_save.h"

_Static_assert(sizeof(struct call_totals) == 40, "saved in files");
_Static_assert(sizeof(struct call_function) == 24, "saved in files");
_Static_assert(sizeof(struct call_arc) == 32, "saved in files");

void call_save(struct record_writer *writer, const struct call_counts *counts)
{
	record_add(writer, "PCAL", &counts->totals, sizeof(counts->totals));
	record_add(writer, "PCFN", counts->functions,
		   counts->nr_functions * sizeof(*counts->functions));
	record_add(writer, "PCRC", counts->arcs, counts->nr_arcs * sizeof(*counts->arcs));
	record_add(writer, "PCTX", counts->texts, counts->texts_len);
}

bool call_is_kept(const struct record *record)
{
	size_t len;

	return record_find(record, "PCAL", &len) != NULL;
}

/* Copies a section whose entries have @entry_len bytes. False: damaged, or out of memory. */
static bool copy_section(const struct record *record, const char *tag, size_t entry_len,
			 void **copy_ret, u32 *nr_ret)
{
	size_t len = 0;
	const void *found = record_find(record, tag, &len);

	if (!found || len % entry_len || len / entry_len > UINT32_MAX / 2)
		return false;
	*copy_ret = malloc(len + 1);
	if (!*copy_ret)
		return false;
	memcpy(*copy_ret, found, len);
	*nr_ret = len / entry_len;
	return true;
}

/* The text at a position, which ends before the texts do. */
static bool is_text_valid(const struct call_counts *counts, u32 at)
{
	return at < counts->texts_len &&
		strnlen(counts->texts + at, PROFILE_NAME_MAX) < PROFILE_NAME_MAX;
}

static bool are_functions_valid(const struct call_counts *counts)
{
	u32 i;

	for (i = 0; i < counts->nr_functions; i++) {
		const struct call_function *function = &counts->functions[i];

		if (!is_text_valid(counts, function->name) ||
		    !is_text_valid(counts, function->module) || function->state >= CALL_STATES)
			return false;
	}
	return true;
}

/* Arcs lead to hooked functions, and all calls together are far from an overflow. */
static bool are_arcs_valid(const struct call_counts *counts)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < counts->nr_arcs; i++) {
		const struct call_arc *arc = &counts->arcs[i];

		if (arc->function >= counts->nr_functions || arc->caller >= counts->nr_functions ||
		    counts->functions[arc->function].state != CALL_HOOKED ||
		    !run_add_up(&sum, arc->calls, CPUPROBE_CONTEXTS, UINT64_MAX / 4))
			return false;
	}
	return true;
}

/* Each text once, however many functions share it. */
static void clean_texts(struct call_counts *counts)
{
	u32 at = 0, next;

	for (; at < counts->texts_len; at = next) {
		next = at + strlen(counts->texts + at) + 1;
		text_clean(counts->texts + at);
	}
}

static bool load_parts(const struct record *record, struct call_counts *counts)
{
	if (record_get(record, "PCAL", &counts->totals, sizeof(counts->totals),
		       sizeof(counts->totals), NULL))
		return false;
	free(counts->texts);
	counts->texts = NULL;
	return copy_section(record, "PCTX", 1, (void **)&counts->texts, &counts->texts_len) &&
		copy_section(record, "PCFN", sizeof(*counts->functions),
			     (void **)&counts->functions, &counts->nr_functions) &&
		copy_section(record, "PCRC", sizeof(*counts->arcs), (void **)&counts->arcs,
			     &counts->nr_arcs) &&
		counts->texts_len && !counts->texts[counts->texts_len - 1] &&
		are_functions_valid(counts) && are_arcs_valid(counts);
}

struct call_counts *call_load(const struct record *record, struct text_error *error_ret)
{
	struct call_counts *counts = call_counts_create();

	if (!counts) {
		text_fail(error_ret, 0, "out of memory");
		return NULL;
	}
	if (load_parts(record, counts)) {
		clean_texts(counts);
		return counts;
	}
	call_counts_destroy(counts);
	text_fail(error_ret, 0, "the sections of its calls are missing or invalid");
	return NULL;
}

struct call_counts *call_load_file(const char *path, const char *verb, struct text_error *error_ret)
{
	struct call_counts *counts = NULL;
	struct text_error why = { "it is a run without calls", "" };
	struct record record;

	if (record_read(path, &record, error_ret))
		return NULL;
	if (call_is_kept(&record))
		counts = call_load(&record, &why);
	if (!counts)
		text_fail(error_ret, 0, "%s %s: %s", verb, path, why.what);
	record_deinit(&record);
	return counts;
}
