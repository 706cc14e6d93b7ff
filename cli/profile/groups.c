// SPDX-License-Identifier: GPL-2.0-only
/* Groups of functions: see groups.h. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "profile/groups.h"

#define LINE_LEN	4096

struct pattern {
	u32 group;
	char *object;		/* NULL: any object */
	char *function;
};

struct groups {
	char **names;
	u32 nr;
	struct pattern *patterns;
	u32 nr_patterns;
};

/* Returns the ']' that ends the brackets at @at, or NULL. They may contain classes: [:alpha:]. */
static const char *bracket_end(const char *at)
{
	const char *class_end;

	at += 1 + (at[1] == '!' || at[1] == '^');
	at += *at == ']';
	for (; *at && *at != ']'; at++) {
		class_end = at[0] == '[' && at[1] == ':' ? strstr(at + 2, ":]") : NULL;
		if (class_end)
			at = class_end + 1;
		else if (at[0] == '\\' && at[1])
			at++;
	}
	return *at ? at : NULL;
}

/* Finds the ':' between object and function, or NULL. Returns why the glob is invalid, or NULL. */
static const char *check_glob(char *glob, char **colon_ret)
{
	const char *at, *end;

	*colon_ret = NULL;
	for (at = glob; *at; at++) {
		if (*at == '\\') {
			if (!*++at)
				return "nothing follows the final '\\'";
		} else if (*at == '[') {
			end = bracket_end(at);
			if (!end)
				return "a '[' has no ']'";
			at = end;
		} else if (*at == ':' && at[1] == ':') {
			at += strspn(at, ":") - 1;
		} else if (*at == ':' && !*colon_ret) {
			*colon_ret = glob + (at - glob);
		}
	}
	return NULL;
}

static const char *add_pattern(struct groups *groups, u32 group, char *text)
{
	struct pattern *pattern;
	char *colon;
	const char *why = check_glob(text, &colon);

	if (why)
		return why;
	if (group == GROUPS_NONE)
		return "no [GROUP] precedes this pattern";
	if (colon && (colon == text || !colon[1]))
		return "a glob is missing before or after ':'";
	if (groups->nr_patterns == GROUPS_PATTERNS_MAX)
		return "too many patterns";
	if (!array_has_room(&groups->patterns, groups->nr_patterns, sizeof(*pattern)))
		return "out of memory";
	pattern = &groups->patterns[groups->nr_patterns++];
	*pattern = (struct pattern){ .group = group };
	if (colon)
		*colon = '\0';
	pattern->function = strdup(colon ? colon + 1 : text);
	pattern->object = colon ? strdup(text) : NULL;
	return !pattern->function || (colon && !pattern->object) ? "out of memory" : NULL;
}

/* Starts a group; a known name continues that group. */
static const char *set_group(struct groups *groups, char *name, u32 *group_ret)
{
	u32 i;

	if (!name[0])
		return "the group has no name";
	if (strpbrk(name, "[]"))
		return "a group's name has no brackets; if this is a pattern, put \"*:\" before it";
	text_clean(name);
	for (i = 0; i < groups->nr && strcmp(groups->names[i], name); i++)
		;
	*group_ret = i;
	if (i < groups->nr)
		return NULL;
	if (i == GROUPS_MAX)
		return "too many groups";
	if (!array_has_room(&groups->names, i, sizeof(char *)))
		return "out of memory";
	groups->names[i] = strdup(name);
	if (!groups->names[i])
		return "out of memory";
	groups->nr++;
	return NULL;
}

static char *trim_line(char *text)
{
	size_t len;

	while (isspace((unsigned char)*text))
		text++;
	len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	text[len] = '\0';
	return text;
}

static const char *parse_group_line(struct groups *groups, char *line, u32 *group)
{
	size_t len;

	line = trim_line(line);
	len = strlen(line);
	if (!len || line[0] == '#')
		return NULL;
	if (line[0] != '[' || line[len - 1] != ']')
		return add_pattern(groups, *group, line);
	line[len - 1] = '\0';
	return set_group(groups, trim_line(line + 1), group);
}

/* Finds a group without patterns, which is surely a mistake. */
static const char *find_empty_group(const struct groups *groups)
{
	u32 i, group;

	for (group = 0; group < groups->nr; group++) {
		for (i = 0; i < groups->nr_patterns && groups->patterns[i].group != group; i++)
			;
		if (i == groups->nr_patterns)
			return groups->names[group];
	}
	return NULL;
}

/* Returns 1: a line, without its newline; 0: end of file; -1: too long, or contains a NUL. */
static int read_group_line(FILE *in, char line[LINE_LEN + 1])
{
	size_t len = 0;
	int c;

	while ((c = getc(in)) != EOF && c != '\n') {
		if (!c || len == LINE_LEN)
			return -1;
		line[len++] = c;
	}
	line[len] = '\0';
	return c != EOF || len;
}

static int parse_groups(struct groups *groups, FILE *in, const char *name,
			struct text_error *error_ret)
{
	char line[LINE_LEN + 1];
	u32 group = GROUPS_NONE;
	unsigned int nr = 1;
	const char *why;
	int got;

	for (; (got = read_group_line(in, line)); nr++) {
		why = got < 0 ? "too long, or contains a NUL" :
			parse_group_line(groups, line, &group);
		if (why)
			return text_fail(error_ret, -EINVAL, "read groups %s: line %u: %s", name,
					 nr, why);
	}
	if (ferror(in))
		return text_fail(error_ret, -errno, "read groups %s: %s", name, strerror(errno));
	if (!groups->nr)
		return text_fail(error_ret, -EINVAL, "read groups %s: the file has no [GROUP]",
				 name);
	why = find_empty_group(groups);
	return why ? text_fail(error_ret, -EINVAL, "read groups %s: [%s] has no pattern", name, why)
		   : 0;
}

struct groups *groups_read(FILE *in, const char *name, struct text_error *error_ret)
{
	struct groups *groups = calloc(1, sizeof(*groups));

	if (!groups) {
		text_fail(error_ret, -ENOMEM, "read groups %s: out of memory", name);
		return NULL;
	}
	if (parse_groups(groups, in, name, error_ret)) {
		text_hint(error_ret,
			  "write a line [GROUP], then one pattern per line: see probe-flat(1), GROUPS");
		groups_destroy(groups);
		return NULL;
	}
	return groups;
}

int groups_read_file(const char *path, struct groups **groups_ret, struct text_error *error_ret)
{
	FILE *in = fopen(path, "re");

	if (!in)
		return text_fail(error_ret, -errno, "open %s: %s", path, strerror(errno));
	*groups_ret = groups_read(in, path, error_ret);
	fclose(in);
	return *groups_ret ? 0 : -EINVAL;
}

void groups_destroy(struct groups *groups)
{
	u32 i;

	if (!groups)
		return;
	for (i = 0; i < groups->nr; i++)
		free(groups->names[i]);
	for (i = 0; i < groups->nr_patterns; i++) {
		free(groups->patterns[i].object);
		free(groups->patterns[i].function);
	}
	free(groups->names);
	free(groups->patterns);
	free(groups);
}

u32 groups_nr(const struct groups *groups)
{
	return groups->nr;
}

const char *groups_name(const struct groups *groups, u32 position)
{
	return groups->names[position];
}

u32 groups_match(const struct groups *groups, const char *object, const char *function)
{
	const struct pattern *pattern = groups->patterns;
	u32 i;

	for (i = 0; i < groups->nr_patterns; i++, pattern++)
		if ((!pattern->object || !fnmatch(pattern->object, object, 0)) &&
		    !fnmatch(pattern->function, function, 0))
			return pattern->group;
	return GROUPS_NONE;
}
