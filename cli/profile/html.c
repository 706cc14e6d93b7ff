// SPDX-License-Identifier: GPL-2.0-only
/* The page put together: see html.h. */
#include <errno.h>
#include <string.h>

#include "profile/html_data.h"
#include "profile/page.h"

static void put_style(FILE *out, const struct html *html)
{
	(void)html;
	fputs(page_css, out);
}

static void put_script(FILE *out, const struct html *html)
{
	(void)html;
	fputs(page_js, out);
}

/** What stands in page.html for something else. */
static const struct place {
	const char *mark;
	void (*put)(FILE *out, const struct html *html);
} places[] = {
	{ "@STYLE@", put_style }, { "@DATA@", html_data }, { "@SCRIPT@", put_script },
};

static void put_page(FILE *out, const struct html *html)
{
	const char *rest = page_html, *mark;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		mark = strstr(rest, places[i].mark);
		if (!mark)
			break;
		fwrite(rest, 1, mark - rest, out);
		places[i].put(out, html);
		rest = mark + strlen(places[i].mark);
	}
	fputs(rest, out);
}

int html_write(FILE *out, const struct profile *profile, const struct run_result *result,
	       const struct receipt *receipt)
{
	struct html html = { .profile = profile, .result = result, .receipt = receipt };
	int error = sums_init(&html.sums, profile);

	if (error)
		return error;
	error = flame_init(&html.flame, profile);
	if (!error) {
		errno = 0;
		put_page(out, &html);
		if (fflush(out) || ferror(out))
			error = errno ? -errno : -EIO;
		flame_deinit(&html.flame);
	}
	sums_deinit(&html.sums);
	return error;
}
