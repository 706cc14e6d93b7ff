// SPDX-License-Identifier: GPL-2.0-only
/* Lines of source files: see source.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "code/source.h"
#include "symbolizer.h"

#define SOURCE_BYTES_MAX (8 << 20)

static bool may_read_source(struct source *source, const struct stat *info)
{
	u64 changed_ns = info->st_mtim.tv_sec * 1000000000ULL + info->st_mtim.tv_nsec;

	if (info->st_size > SOURCE_BYTES_MAX || (!(info->st_mode & S_IROTH) && info->st_uid != source->owner))
		return false;
	if (changed_ns <= source->changed_ns)
		return true;
	source->nr_newer++;
	return false;
}

static void load_source(struct source *source, const char *path)
{
	int fd = sym_open_regular(path, 0);
	struct stat info;
	ssize_t got;

	free(source->path);
	free(source->text);
	source->path = strdup(path);
	source->text = NULL;
	source->len = 0;
	if (fd < 0)
		return;
	if (!fstat(fd, &info) && may_read_source(source, &info))
		source->text = malloc(info.st_size + 1);
	while (source->text && source->len < (size_t)info.st_size &&
	       (got = read(fd, source->text + source->len, info.st_size - source->len)) > 0)
		source->len += got;
	if (source->text)
		source->text[source->len] = '\0';
	close(fd);
}

bool source_line(struct source *source, const char *path, u32 line, char *text, size_t len)
{
	const char *at, *end;
	char *tab;

	if (!source->path || strcmp(source->path, path))
		load_source(source, path);
	at = source->text;
	while (at && --line) {
		at = memchr(at, '\n', source->text + source->len - at);
		at = at ? at + 1 : NULL;
	}
	if (!at || at == source->text + source->len)
		return false;
	end = memchr(at, '\n', source->text + source->len - at);
	end = end ? end : source->text + source->len;
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	while (at < end && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	/* Each tab inside the line becomes a blank. */
	snprintf(text, len, "%.*s", (int)(end - at), at);
	for (tab = strchr(text, '\t'); tab; tab = strchr(tab, '\t'))
		*tab = ' ';
	text_clean(text);
	return true;
}

void source_deinit(struct source *source)
{
	free(source->path);
	free(source->text);
	memset(source, 0, sizeof(*source));
}
