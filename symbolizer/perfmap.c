// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of code generated at run time, from /tmp/perf-PID.map. See symbolizer.h.
 *
 * The file is a history: a JIT compiler appends a line for new code, and removes no line when it
 * frees code. So a line invalidates every earlier line that shares an address with it, even if a
 * later line replaces the invalidating one in turn.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#define FUNCTION_BYTES_MAX (1ULL << 30)

struct entry {
	u64 start;
	u64 end;
	const char *name;	/* in the text */
};

struct history {
	struct entry *entries;	/* in the order of the file */
	size_t nr;
	size_t max;
	u64 *edges;		/* all starts and ends, ascending, without duplicates */
	u32 *next;		/* by piece between two edges: itself if no later line covers it,
				   else a piece to search on from */
	size_t nr_edges;
};

static void deinit_history(struct history *history)
{
	free(history->entries);
	free(history->edges);
	free(history->next);
}

/* "START SIZE NAME", in hexadecimal with or without 0x. */
static bool parse_perfmap_line(char *line, char *end, struct entry *entry_ret)
{
	struct entry entry;
	u64 len;
	char *at;

	while (end > line && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	*end = '\0';
	/* strtoull() would take blanks and signs before the digits. */
	if (strlen(line) != (size_t)(end - line) || !strchr("0123456789abcdefABCDEF", line[0]))
		return false;
	errno = 0;
	entry.start = strtoull(line, &at, 16);
	if (errno || at == line || *at != ' ')
		return false;
	while (*at == ' ')
		at++;
	line = at;
	if (!line[0] || !strchr("0123456789abcdefABCDEF", line[0]))
		return false;
	len = strtoull(line, &at, 16);
	if (errno || *at != ' ' || !len || len > FUNCTION_BYTES_MAX)
		return false;
	while (*at == ' ')
		at++;
	entry.end = entry.start + len;
	entry.name = at;
	if (!*at || entry.end < entry.start)
		return false;
	*entry_ret = entry;
	return true;
}

static int add_history_entry(struct history *history, const struct entry *entry)
{
	if (history->nr == history->max) {
		size_t max = history->max ? 2 * history->max : 256;
		void *more = realloc(history->entries, max * sizeof(*history->entries));

		if (!more)
			return -ENOMEM;
		history->entries = more;
		history->max = max;
	}
	history->entries[history->nr++] = *entry;
	return 0;
}

/* A last line without a newline is left out: it may be incomplete. */
static int parse_perfmap(struct history *history, char *text, size_t len,
			 struct sym_perfmap *perfmap)
{
	char *end = text + len, *line_end;
	struct entry entry;

	for (; (line_end = memchr(text, '\n', end - text)); text = line_end + 1) {
		perfmap->nr_lines++;
		if (!parse_perfmap_line(text, line_end, &entry)) {
			perfmap->nr_odd++;
		} else if (history->nr == SYM_PERFMAP_SYMS_MAX) {
			perfmap->is_cut = true;
			break;
		} else if (add_history_entry(history, &entry)) {
			return -ENOMEM;
		}
	}
	return 0;
}

static int compare_edge_addrs(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int find_edges(struct history *history)
{
	size_t i, kept = 0, nr = 2 * history->nr;

	history->edges = malloc(nr * sizeof(*history->edges));
	history->next = malloc(nr * sizeof(*history->next));
	if (!history->edges || !history->next)
		return -ENOMEM;
	for (i = 0; i < history->nr; i++) {
		history->edges[2 * i] = history->entries[i].start;
		history->edges[2 * i + 1] = history->entries[i].end;
	}
	qsort(history->edges, nr, sizeof(*history->edges), compare_edge_addrs);
	for (i = 0; i < nr; i++)
		if (!kept || history->edges[kept - 1] != history->edges[i])
			history->edges[kept++] = history->edges[i];
	for (i = 0; i < kept; i++)
		history->next[i] = i;
	history->nr_edges = kept;
	return 0;
}

static size_t edge_of(const struct history *history, u64 addr)
{
	const u64 *edge = bsearch(&addr, history->edges, history->nr_edges, sizeof(addr),
				  compare_edge_addrs);

	return edge - history->edges;
}

/* The first piece from @i on that is not covered. Halves the path for the next search. */
static size_t free_from(struct history *history, size_t i)
{
	while (history->next[i] != i) {
		history->next[i] = history->next[history->next[i]];
		i = history->next[i];
	}
	return i;
}

/* Mark the pieces of an entry as covered. False: a later entry had covered some of them. */
static bool cover_entry(struct history *history, const struct entry *entry)
{
	size_t first = edge_of(history, entry->start), last = edge_of(history, entry->end);
	size_t i, covered = 0;

	/* The piece after the last edge is never covered. */
	for (i = free_from(history, first); i < last; i = free_from(history, i + 1)) {
		history->next[i] = i + 1;
		covered++;
	}
	return covered == last - first;
}

static int add_living(struct history *history, struct builder *builder,
		      struct sym_perfmap *perfmap)
{
	int error = history->nr ? find_edges(history) : 0;
	size_t i;

	for (i = history->nr; !error && i--;) {
		const struct entry *entry = &history->entries[i];

		if (cover_entry(history, entry))
			error = builder_add(builder, &(struct raw_sym){
				entry->start, entry->end, 0, entry->name, 0 });
		else
			perfmap->nr_overwritten++;
	}
	return error;
}

/* Read at most the size at the start: the file may grow during the read. */
static int read_text(int fd, char **text_ret, size_t *len_ret, bool *is_cut_ret,
		     struct sym_error *error_ret)
{
	struct stat info;
	size_t len = 0, max;
	ssize_t got = 1;
	char *text;

	if (fstat(fd, &info))
		return sym_fail(error_ret, -errno, "%s", strerror(errno));
	max = info.st_size < SYM_PERFMAP_BYTES_MAX ? info.st_size : SYM_PERFMAP_BYTES_MAX;
	text = malloc(max + 1);
	if (!text)
		return sym_fail(error_ret, -ENOMEM, "out of memory");
	while (len < max && got > 0) {
		got = pread(fd, text + len, max - len, len);
		len += got > 0 ? got : 0;
	}
	if (got < 0) {
		int error = errno;

		free(text);
		return sym_fail(error_ret, -error, "%s", strerror(error));
	}
	text[len] = '\0';
	*text_ret = text;
	*len_ret = len;
	*is_cut_ret = info.st_size > SYM_PERFMAP_BYTES_MAX;
	return 0;
}

int sym_index_create_perfmap(int fd, struct sym_index **index_ret, struct sym_perfmap *perfmap_ret,
			     struct sym_error *error_ret)
{
	struct sym_perfmap perfmap = { 0 };
	struct history history = { 0 };
	struct builder builder = { 0 };
	char *text = NULL;
	size_t len = 0;
	int error = read_text(fd, &text, &len, &perfmap.is_cut, error_ret);

	if (error)
		return error;
	builder_own(&builder, text, len);	/* cannot fail: it is the first block */
	error = parse_perfmap(&history, text, len, &perfmap);
	if (!error)
		error = add_living(&history, &builder, &perfmap);
	deinit_history(&history);
	if (error)
		sym_fail(error_ret, error, "out of memory");
	else
		error = builder_finish(&builder, index_ret, error_ret);
	builder_deinit(&builder);
	if (!error)
		*perfmap_ret = perfmap;
	return error;
}
