/* SPDX-License-Identifier: GPL-2.0-only */
/* Call graphs and call trees of profiles from text, as they are printed. */
#ifndef GRAPH_VIEWS_H
#define GRAPH_VIEWS_H

#include "unit.h"
#include "profiles.h"
#include "report/graph_columns.h"

/* The printed report of a profile; to be freed. */
static inline char *written_view(u64 executions, const struct event *event, const char *profile_text,
				 struct graph_options options)
{
	struct profile *profile = profiles_of(profile_text);
	struct labels labels;
	struct paths paths;
	struct graph_view view = { .options = &options, .labels = &labels, .paths = &paths,
				   .executions = executions, .event = event, .omits = &options.omits };
	struct text_error error;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!options.output.cols)
		options.output.cols = 80;
	assert_int_equal(labels_init(&labels, profile), 0);
	assert_int_equal(paths_init(&paths, profile, &labels, &options.paths, &error), 0);
	assert_int_equal(options.is_tree ? tree_view_show(out, &view) : graph_view_show(out, &view),
			 0);
	fclose(out);
	paths_deinit(&paths);
	labels_deinit(&labels);
	profile_destroy(profile);
	return text;
}

static inline char *written_per(u64 executions, const char *profile_text, struct graph_options options)
{
	return written_view(executions, NULL, profile_text, options);
}

static inline char *written_of(const struct event *event, const char *profile_text, struct graph_options options)
{
	return written_view(0, event, profile_text, options);
}

static inline char *written(const char *profile_text, struct graph_options options)
{
	return written_per(0, profile_text, options);
}

static inline void assert_written(const char *profile_text, struct graph_options options,
				  const char *expected)
{
	char *text = written(profile_text, options);

	assert_string_equal(text, expected);
	free(text);
}

/* A row of a tree with nothing but a weight, in some columns; as text without the head. */
static inline void assert_cell(const struct weight *weight, const struct weight *base,
			       enum output_format format, const char *choice, const char *expected)
{
	const struct graph_options options = { .output = { .format = format, .columns = choice } };
	const struct profile profile = { 0 };
	const struct paths paths = { .base = *base, .profile = &profile };
	const struct graph_view view = { .options = &options, .paths = &paths };
	const struct tree_row row = { .node = TREE_OTHERS, .weight = *weight };
	struct graph_table table = { .view = &view };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(graph_table_init(&table), 0);
	columns_measure(&table.columns, &row);
	(format == FORMAT_JSON ? columns_print_json : format == FORMAT_TSV ? columns_print_tsv :
	 columns_print_row)(out, &table.columns, &row);
	fclose(out);
	assert_string_equal(text + strspn(text, " "), expected);
	columns_deinit(&table.columns);
	free(text);
}

static const char some_text[] =
	"sh 7 user main@sh;cheap@sh;work@sh 50\n"
	"sh 7 user main@sh;dear@sh;work@sh 940\n"
	"sh 7 user main@sh;dear@sh;work@sh;work@sh 10\n"
	"lost 4\n"
	"other 5\n";

#endif
