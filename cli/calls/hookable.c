// SPDX-License-Identifier: GPL-2.0-only
/* Choosing kernel functions by name: see hookable.h. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "calls/hookable.h"
#include "calls/hookable_hint.h"

#define GLOBS_MAX	64

/** A part of -fn. */
struct glob {
	const char *module;	/* NULL: any */
	const char *name;
	bool is_left_out;
	bool has_matched;
};

struct globs {
	struct glob glob[GLOBS_MAX];
	u32 nr;
	char *texts;
};

/* Names that are no functions: padding before functions, parts of functions, and marks of code ($x on arm64). */
static bool is_function_name(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return name[0] != '$' && strncmp(name, "__pfx_", 6) && !(cold && (!cold[5] || cold[5] == '.'));
}

static int add_name(struct hookables *all, u64 address, char *rest)
{
	char *name = strtok(rest, " \t\n"), *module = strtok(NULL, " \t\n");

	if (!name || !is_function_name(name))
		return 0;
	if (!array_has_room(&all->list, all->nr, sizeof(*all->list)))
		return -ENOMEM;
	if (module && module[0] == '[') {
		module++;
		module[strcspn(module, "]")] = '\0';
	}
	all->list[all->nr++] = (struct hookable){ address, name, module ? module : "" };
	return 0;
}

/* One line: "ffffffff81000000 T _stext" or "... t name [module]". */
static int add_line(struct hookables *all, char *line, bool *is_hidden)
{
	char *end;
	u64 address = strtoull(line, &end, 16);

	if (end == line || end[0] != ' ' || !end[1] || !strchr("tTwW", end[1]) || end[2] != ' ')
		return 0;
	*is_hidden = *is_hidden && !address;
	return address ? add_name(all, address, end + 3) : 0;
}

static int compare_addresses(const void *a, const void *b)
{
	const struct hookable *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address) ?: strcmp(x->name, y->name);
}

/* Reads a file of /proc, whose size is not known before. NULL: errno. */
static char *read_whole(const char *path)
{
	FILE *file = fopen(path, "re");
	size_t len = 0, room = 1 << 20;
	char *text = NULL, *more;

	while (file) {
		more = realloc(text, room + 1);
		if (!more)
			break;
		text = more;
		len += fread(text + len, 1, room - len, file);
		if (len < room) {
			fclose(file);
			text[len] = '\0';
			return text;
		}
		room *= 2;
	}
	free(text);
	if (file)
		fclose(file);
	return NULL;
}

int hookables_read(struct hookables *all, const char *path, struct text_error *error_ret)
{
	bool is_hidden = true;
	char *line, *next;
	int error = 0;

	*all = (struct hookables){ .texts = read_whole(path) };
	if (!all->texts)
		return text_fail(error_ret, -errno, "read %s: %s", path, strerror(errno));
	for (line = all->texts; line && !error; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		error = add_line(all, line, &is_hidden);
	}
	if (error || is_hidden)
		hookables_deinit(all);
	if (error)
		return text_fail(error_ret, error, "read %s: out of memory", path);
	if (is_hidden) {
		text_fail(error_ret, 0, "read %s: the kernel hides its addresses", path);
		text_hint(error_ret, "run as root; hooks take CAP_SYSLOG, CAP_PERFMON and kernel.kptr_restrict below 2");
		return -EACCES;
	}
	qsort(all->list, all->nr, sizeof(*all->list), compare_addresses);
	return 0;
}

static int refuse_empty(struct text_error *error_ret)
{
	text_fail(error_ret, 0, "find functions: -fn has an empty name");
	text_hint(error_ret, "'*' means all functions");
	return -EINVAL;
}

static int parse_globs(struct globs *globs, const char *text, struct text_error *error_ret)
{
	char *part;

	*globs = (struct globs){ .texts = strdup(text) };
	if (!globs->texts)
		return text_fail(error_ret, -ENOMEM, "choose functions: out of memory");
	for (part = strtok(globs->texts, ", "); part; part = strtok(NULL, ", ")) {
		struct glob glob = { .is_left_out = part[0] == '!' };
		char *colon = strchr(part, ':');

		/* Names of C++ and Rust have "::" in them. */
		if (colon && colon[1] == ':')
			colon = NULL;
		if (globs->nr == GLOBS_MAX)
			return text_fail(error_ret, -EINVAL, "-fn: more than %d names", GLOBS_MAX);
		part += glob.is_left_out;
		if (colon) {
			*colon = '\0';
			glob.module = strcmp(part, "kernel") ? part : "";
			part = colon + 1;
		}
		glob.name = part;
		if (!part[0])
			return refuse_empty(error_ret);
		globs->glob[globs->nr++] = glob;
	}
	return globs->nr ? 0 : refuse_empty(error_ret);
}

/* A name without a glob also means its copies that the compiler has changed: name.isra.0. */
static bool is_glob_of(const struct glob *glob, const struct hookable *function)
{
	size_t len = strlen(glob->name);

	if (glob->module && strcmp(glob->module, function->module))
		return false;
	if (!strncmp(function->name, glob->name, len) &&
	    (!strncmp(function->name + len, ".isra.", 6) ||
	     !strncmp(function->name + len, ".constprop.", 11) ||
	     !strncmp(function->name + len, ".part.", 6)))
		return true;
	return !fnmatch(glob->name, function->name, 0);
}

/* The first of @nr names of one address that a glob takes; NULL: none, or one is left out. */
static const struct hookable *choose_name(struct globs *globs, const struct hookable *names, u32 nr)
{
	const struct hookable *chosen = NULL;
	bool is_left_out = false;
	u32 i, g;

	for (g = 0; g < globs->nr; g++)
		for (i = 0; i < nr; i++) {
			struct glob *glob = &globs->glob[g];

			if (!is_glob_of(glob, &names[i]))
				continue;
			glob->has_matched = true;
			is_left_out = is_left_out || glob->is_left_out;
			if (!chosen && !glob->is_left_out)
				chosen = &names[i];
		}
	return is_left_out ? NULL : chosen;
}

static int choose_all(struct hookables *all, struct globs *globs, struct text_error *error_ret)
{
	struct hookable *kept = calloc(all->nr + 1, sizeof(*kept));
	u32 i, nr_names, nr = 0;

	if (!kept)
		return text_fail(error_ret, -ENOMEM, "choose functions: out of memory");
	for (i = 0; i < all->nr; i += nr_names) {
		const struct hookable *chosen;

		for (nr_names = 1; i + nr_names < all->nr; nr_names++)
			if (all->list[i + nr_names].address != all->list[i].address)
				break;
		chosen = choose_name(globs, &all->list[i], nr_names);
		if (chosen)
			kept[nr++] = *chosen;
	}
	for (i = 0; i < globs->nr; i++)
		if (!globs->glob[i].has_matched) {
			free(kept);
			return hookable_refuse(all, globs->glob[i].module, globs->glob[i].name,
					       error_ret);
		}
	free(all->list);
	all->list = kept;
	all->nr = nr;
	if (nr)
		return 0;
	text_fail(error_ret, 0, "find functions: all are left out");
	text_hint(error_ret, "-fn also needs names without '!'");
	return -EINVAL;
}

int hookables_choose(struct hookables *all, const char *text, struct text_error *error_ret)
{
	struct globs globs;
	int error = parse_globs(&globs, text, error_ret);

	if (!error)
		error = choose_all(all, &globs, error_ret);
	free(globs.texts);
	return error;
}

void hookables_deinit(struct hookables *all)
{
	free(all->list);
	free(all->texts);
	*all = (struct hookables){ .nr = 0 };
}
