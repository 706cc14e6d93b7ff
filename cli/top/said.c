// SPDX-License-Identifier: GPL-2.0-only
/* Captures standard error: see said.h. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "top/said.h"

#define SAID_MAX 16384	/* bytes printed afterwards */

static int kept_fd = -1;
static int old_fd = -1;
static off_t seen;

void said_begin(void)
{
	int fd = memfd_create("stderr", MFD_CLOEXEC);

	if (fd < 0)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	fflush(stderr);
	old_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (fd < 0 || old_fd < 0)
		return;
	dup2(fd, STDERR_FILENO);
	kept_fd = fd;
	seen = 0;
}

/* Remove the last line of a text and return it, without "probe: ". */
static char *take_last_line(char *text)
{
	char *end = strrchr(text, '\n'), *line = end ? end + 1 : text;

	if (end)
		*end = '\0';
	return strncmp(line, "probe: ", 7) ? line : line + 7;
}

bool said_last(char *line, size_t len)
{
	char text[1024], *last, *before = NULL;
	off_t all = kept_fd < 0 ? 0 : lseek(kept_fd, 0, SEEK_CUR), from;
	ssize_t got;

	if (all <= seen)
		return false;
	from = all - seen > (off_t)sizeof(text) - 1 ? all - (off_t)sizeof(text) + 1 : seen;
	seen = all;
	got = pread(kept_fd, text, sizeof(text) - 1, from);
	while (got > 0 && text[got - 1] == '\n')
		got--;
	if (got <= 0)
		return false;
	text[got] = '\0';
	last = take_last_line(text);
	/* A hint follows the message that it belongs to: return both. */
	if (!strncmp(last, "hint: ", 6) && last != text)
		before = take_last_line(text);
	snprintf(line, len, "%s%s%s", before ?: "", before ? "; " : "", last);
	text_clean(line);
	return true;
}

/* Whether an earlier line of @text equals @line. */
static bool is_repeated(const char *text, const char *line, size_t len)
{
	const char *at = text;

	for (; at < line; at += strcspn(at, "\n") + 1)
		if (strcspn(at, "\n") == len && !strncmp(at, line, len))
			return true;
	return false;
}

void said_end(void)
{
	static char text[SAID_MAX + 1];
	const char *line;
	ssize_t got;
	size_t len;

	if (kept_fd < 0)
		return;
	got = pread(kept_fd, text, SAID_MAX, 0);
	text[got > 0 ? got : 0] = '\0';
	dup2(old_fd, STDERR_FILENO);
	close(old_fd);
	close(kept_fd);
	old_fd = kept_fd = -1;
	for (line = text; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		if (!is_repeated(text, line, len))
			fprintf(stderr, "%.*s\n", (int)len, line);
	}
}
