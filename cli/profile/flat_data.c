// SPDX-License-Identifier: GPL-2.0-only
/* The flat profile for programs, as TSV and JSON: see flat_columns.h. */
#include "profile/flat_columns.h"
#include "text.h"

#define NAME_LEN	4096

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

static const char *const row_names[] = {
	[FLAT_ROW] = "row",   [FLAT_REST] = "others",		[FLAT_NO_GROUP] = "no group",
	[FLAT_LOST] = "lost", [FLAT_OTHER] = "other processes",
};

/** Writes one field; what stands before it depends on the form. */
struct writer {
	FILE *out;
	bool is_json;
	bool has_field;		/* in this row */
};

static FILE *begin_field(struct writer *writer, const char *key)
{
	if (writer->is_json)
		fprintf(writer->out, "%s\"%s\": ", writer->has_field ? ", " : "    {", key);
	else if (writer->has_field)
		fputc('\t', writer->out);
	writer->has_field = true;
	return writer->out;
}

static void put_text(struct writer *writer, const char *key, const char *text)
{
	FILE *out = begin_field(writer, key);

	if (writer->is_json)
		text_json(out, text);
	else
		fputs(text, out);
}

static void put_pid(struct writer *writer, uint32_t pid)
{
	FILE *out = begin_field(writer, "pid");

	fprintf(out, "%u", pid);
}

static void end_row(struct writer *writer, bool is_last)
{
	fputs(!writer->is_json ? "\n" : is_last ? "}\n" : "},\n", writer->out);
	writer->has_field = false;
}

static void put_numbers(struct writer *writer, const struct flat_row *row)
{
	static const int digits[] = { [FLAT_PERCENT] = 4, [FLAT_COUNT] = 0, [FLAT_SECONDS] = 6 };
	FILE *out;
	size_t c;

	for (c = 0; c < FLAT_COLUMNS; c++) {
		out = begin_field(writer, flat_columns[c].key);
		fprintf(out, "%.*f", digits[flat_columns[c].unit],
			flat_column_value(&flat_columns[c], row, FLAT_DATA_WHOLE));
	}
}

static void put_row(struct writer *writer, const struct flat *flat, const struct flat_row *row)
{
	const struct profile *profile = flat->profile;
	char name[NAME_LEN];

	put_text(writer, "name", flat_name(flat, row, name, sizeof(name)));
	put_text(writer, "kind", row_names[row->kind]);
	put_text(writer, "program", flat_program(flat, row));
	put_pid(writer, flat_pid(flat, row));
	put_text(writer, "object", flat_object(flat, row));
	put_text(writer, "object_kind", flat_kind_name(flat, row));
	put_text(writer, "path", row->key.object == PROFILE_NONE ? "" :
		 profile->objects[row->key.object].path);
	put_numbers(writer, row);
}

/* A function without a sample, as a row: what is known of its share is the upper bound. */
static void put_unsampled(struct writer *writer, const struct flat *flat,
			  const struct unsampled_row *unsampled)
{
	const struct profile_object *object = &flat->profile->objects[unsampled->object];
	const struct stat_interval interval = stat_wilson(0, flat->hits);
	const struct flat_row row = {
		.key.object = unsampled->object, .interval = interval, .all_interval = interval
	};

	put_text(writer, "name", unsampled->name);
	put_text(writer, "kind", "unsampled");
	put_text(writer, "program", "");
	put_pid(writer, 0);
	put_text(writer, "object", object->name);
	put_text(writer, "object_kind", flat_kind_name(flat, &row));
	put_text(writer, "path", object->path);
	put_numbers(writer, &row);
}

static void put_rows(struct writer *writer, const struct flat *flat, const struct flat_view *view)
{
	uint32_t nr_unsampled = view->unsampled ? view->unsampled->nr_rows : 0, i;

	for (i = 0; i < flat->nr_shown; i++) {
		put_row(writer, flat, flat_row_at(flat, i));
		end_row(writer, i + 1 == flat->nr_shown && !nr_unsampled);
	}
	for (i = 0; i < nr_unsampled; i++) {
		put_unsampled(writer, flat, &view->unsampled->rows[i]);
		end_row(writer, i + 1 == nr_unsampled);
	}
}

void flat_data_tsv(FILE *out, const struct flat *flat, const struct flat_view *view)
{
	struct writer writer = { .out = out };
	size_t c;

	fputs("name\tkind\tprogram\tpid\tobject\tobject_kind\tpath", out);
	for (c = 0; c < FLAT_COLUMNS; c++)
		fprintf(out, "\t%s", flat_columns[c].key);
	fputc('\n', out);
	put_rows(&writer, flat, view);
}

static void put_gaps(FILE *out, const struct flat *flat, const struct unsampled *unsampled)
{
	uint32_t i;

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

void flat_data_json(FILE *out, const struct flat *flat, const struct flat_view *view)
{
	struct writer writer = { .out = out, .is_json = true };
	const struct profile *profile = flat->profile;

	fprintf(out,
		"{\n  \"report\": \"flat\",\n  \"by\": \"%s\",\n  \"base\": \"%s\",\n"
		"  \"base_samples\": %llu,\n  \"base_seconds\": %.6f,\n  \"samples\": %llu,\n"
		"  \"lost\": %llu,\n  \"other\": %llu,\n  \"rows\": [\n",
		by_names[flat->options.by], base_names[flat->options.base],
		(unsigned long long)flat->hits, flat->ns / 1e9, (unsigned long long)profile->taken,
		(unsigned long long)profile->lost, (unsigned long long)profile->other);
	put_rows(&writer, flat, view);
	fputs("  ]", out);
	if (view->unsampled)
		put_gaps(out, flat, view->unsampled);
	if (view->receipt) {
		fputs(",\n", out);
		receipt_json(out, view->receipt);
	}
	fputs("\n}\n", out);
}
