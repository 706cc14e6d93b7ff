/* SPDX-License-Identifier: GPL-2.0-only */
/* The listing as it is being written, for the files that write it: graph_view.c and _data.c. */
#ifndef GRAPH_LISTING_H
#define GRAPH_LISTING_H

#include "profile/graph_entry.h"
#include "profile/graph_view.h"

struct listing_view {
	const struct graph_view *view;
	const struct graph_listing *listing;
	const struct weight *base;
	/* Of text; 0: no room. */
	int index_cols, self_cols, descend_cols, samples_cols, name_cols;
};

/* Its begin, each of its entries, its end. */
void listing_tsv_begin(FILE *out, const struct listing_view *view);
void listing_tsv_entry(FILE *out, const struct listing_view *view, const struct graph_entry *entry);
void listing_tsv_end(FILE *out, const struct listing_view *view);
void listing_json_begin(FILE *out, const struct listing_view *view);
void listing_json_entry(FILE *out, const struct listing_view *view,
			const struct graph_entry *entry);
void listing_json_end(FILE *out, const struct listing_view *view);

#endif
