// SPDX-License-Identifier: GPL-2.0-only
/* Machine formats of the flat profile, TSV and JSON: see flat_columns.h. */
#include "base/text.h"
#include "report/flat_columns.h"
#include "report/run_execution.h"

static const char *const by_names[] = {
	[FLAT_FUNCTION] = "function", [FLAT_OBJECT] = "object", [FLAT_PROGRAM] = "program",
	[FLAT_PROCESS] = "process", [FLAT_PROGRAM_OBJECT] = "program-object", [FLAT_LINE] = "line",
	[FLAT_GROUP] = "group",
};

static const char *const base_names[] = {
	[FLAT_BASE_MACHINE] = "machine",
	[FLAT_BASE_KERNEL] = "kernel",
	[FLAT_BASE_TARGET] = "target",
};

/* Unsampled functions are rows too; their intervals have only an upper bound above 0. */
static void put_rows(FILE *out, const struct flat *flat, const struct flat_view *view,
		     const struct columns *columns)
{
	u32 nr_unsampled = view->unsampled ? view->unsampled->nr_rows : 0, i;
	const struct stat_interval bound = stat_wilson(0, flat->hits, flat->profile->excess);
	bool is_json = view->format == FORMAT_JSON;

	for (i = 0; i < flat->nr_shown + nr_unsampled; i++) {
		const struct unsampled_row *unsampled = i < flat->nr_shown ? NULL :
			&view->unsampled->rows[i - flat->nr_shown];
		struct flat_row row = { .interval = bound, .all_interval = bound };
		struct flat_line line = { .row = &row, .unsampled = unsampled };

		if (unsampled)
			row.key.object = unsampled->object;
		else
			line.row = flat_row_at(flat, i);
		fputs(is_json ? "    " : "", out);
		(is_json ? columns_print_json : columns_print_tsv)(out, columns, &line);
		if (is_json)
			fputs(i + 1 < flat->nr_shown + nr_unsampled ? ",\n" : "\n", out);
	}
}

void flat_data_tsv(FILE *out, const struct flat *flat, const struct flat_view *view,
		   const struct columns *columns)
{
	columns_print_keys(out, columns);
	put_rows(out, flat, view, columns);
}

static void put_gaps(FILE *out, const struct flat *flat, const struct unsampled *unsampled)
{
	u32 i;

	fputs(",\n  \"symbols_unknown\": [", out);
	for (i = 0; i < unsampled->nr_gaps; i++) {
		fputs(i ? ",\n    {\"object\": " : "\n    {\"object\": ", out);
		text_json(out, flat->profile->objects[unsampled->gaps[i].object].name);
		fputs(", \"reason\": ", out);
		text_json(out, unsampled->gaps[i].why);
		fputc('}', out);
	}
	fputs(unsampled->nr_gaps ? "\n  ]" : "]", out);
}

void flat_data_json(FILE *out, const struct flat *flat, const struct flat_view *view,
		    const struct columns *columns)
{
	const struct profile *profile = flat->profile;

	fputs("{\n  \"report\": \"flat\",\n", out);
	if (flat_view_event(view))
		event_json(out, flat_view_event(view));
	fprintf(out,
		"  \"by\": \"%s\",\n  \"base\": \"%s\",\n"
		"  \"base_samples\": %llu,\n  \"base_%s\": %.6f,\n  \"samples\": %llu,\n"
		"  \"lost\": %llu,\n  \"other\": %llu,\n",
		by_names[flat->options.by], base_names[flat->options.base], flat->hits,
		profile->counts_events ? "events" : "seconds",
		profile->counts_events ? flat->ns : flat->ns / 1e9, profile->taken, profile->lost, profile->other);
	run_execution_json(out, profile, view->executions);
	fputs("  \"rows\": [\n", out);
	put_rows(out, flat, view, columns);
	fputs("  ]", out);
	if (view->unsampled)
		put_gaps(out, flat, view->unsampled);
	if (view->receipt) {
		fputs(",\n", out);
		receipt_json(out, view->receipt);
	}
	fputs("\n}\n", out);
}
