/* SPDX-License-Identifier: GPL-2.0-only */
/* Helpers for tests of pages: checks of what a page contains and of what must not be in it. */
#ifndef PAGES_H
#define PAGES_H

#include "types.h"
#include "unit.h"

static inline u32 page_count(const char *page, const char *what)
{
	u32 nr = 0;

	for (; (page = strstr(page, what)); page++)
		nr++;
	return nr;
}

/* The page is self-contained: it names no other file, and no placeholder of the frame is left. */
static inline void page_assert_whole(const char *page)
{
	static const char *const foreign[] = {
		"http:", "https:", "url(", "@import", "src=", "@STYLE@", "@BODY@", "@DATA@",
		"@SCRIPT@", "fetch(", "innerHTML", "eval(",
	};
	size_t i;

	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		assert_null(strstr(page, foreign[i]));
	assert_int_equal(page_count(page, "</html>"), 1);
}

/* Each first text is written as the second. */
static inline void page_assert_written(void (*write)(FILE *out, const char *text),
				       const char *const pairs[][2], size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		char *text = WRITTEN(out, write(out, pairs[i][0]));

		assert_string_equal(text, pairs[i][1]);
		free(text);
	}
}

#endif
