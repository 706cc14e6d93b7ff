// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_man COMMAND PAGE.in: the manual page of a command on standard output, from what is written
 * by hand and from the descriptions that -help prints. PAGE.in, and the files that it includes, have
 *
 *	@head			title, name and synopsis
 *	@options		a list of the command's options
 *	@columns		a list of the columns of its tables
 *	@option NAME ... @end	more text about one of these options
 *	@column KEY ... @end	more text about one of these columns
 *	@include FILE		another file of the same directory
 *
 * each on a line of its own; all else is roff. An option or a column that the command does not have is an
 * error in the page; in an included file, which serves several pages, it is left out. The text follows the
 * list's own, and the first of two texts counts.
 */
#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "release.h"

#define LINES_MAX	4096
#define FOLDER_LEN	512

/** The page, its includes in place. */
struct page {
	const struct command *command;
	char folder[FOLDER_LEN];
	struct page_line { char *text; bool is_included, is_told; } line[LINES_MAX];
	size_t nr;
};

static void read_page(struct page *page, const char *path, bool is_included)
{
	FILE *in = fopen(path, "re");
	char *text = NULL, other[2 * FOLDER_LEN];
	size_t len = 0;
	ssize_t got;

	if (!in)
		err(1, "open %s", path);
	while ((got = getline(&text, &len, in)) > 0) {
		text[strcspn(text, "\n")] = '\0';
		if (!strncmp(text, "@include ", 9)) {
			snprintf(other, sizeof(other), "%s/%s", page->folder, text + 9);
			read_page(page, other, true);
			continue;
		}
		if (page->nr == LINES_MAX)
			errx(1, "read %s: more than %d lines", path, LINES_MAX);
		page->line[page->nr].is_included = is_included;
		page->line[page->nr++].text = text;
		text = NULL;
		len = 0;
	}
	free(text);
	fclose(in);
}

/* Text of ours, which roff must not interpret. */
static void put_text(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++) {
		if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '\'')
			fputs("\\(aq", stdout);
		else
			putchar(*text);
	}
}

/* As a sentence: with a capital, unless it begins with a word that is one, and a full stop. */
static void put_sentence(const char *text)
{
	char first[2] = { toupper((unsigned char)text[0]), '\0' };

	put_text(first);
	put_text(text + 1);
	puts(text[strlen(text) - 1] == '.' ? "" : ".");
}

static bool begins_block(const char *line)
{
	return !strncmp(line, "@option ", 8) || !strncmp(line, "@column ", 8);
}

/* The text of a block of the page: "@option NAME". It is printed once. */
static void put_block(struct page *page, const char *kind, const char *name)
{
	char begin[128];
	size_t i;

	snprintf(begin, sizeof(begin), "@%s %s", kind, name);
	for (i = 0; i < page->nr && (page->line[i].is_told ||
				     strcmp(page->line[i].text, begin)); i++)
		;
	if (i == page->nr)
		return;
	page->line[i].is_told = true;
	puts(".br");
	for (i++; i < page->nr && strcmp(page->line[i].text, "@end"); i++) {
		if (begins_block(page->line[i].text))
			errx(1, "'%s' has no @end before '%s'", begin, page->line[i].text);
		puts(page->line[i].text);
		page->line[i].is_told = true;
	}
	if (i == page->nr)
		errx(1, "'%s' has no @end", begin);
	page->line[i].is_told = true;
}

static void put_options(struct page *page)
{
	static const char help[] =
		".TP\n\\fB\\-help\\fR\nPrint the options and columns.";
	const struct option_list *list;
	const struct option_spec *spec;
	const char *title = NULL;

	puts(".SH OPTIONS\nNames are matched exactly, after one dash or two:\n"
	     ".BI \\- \"name value\"\nor\n"
	     ".BI \\- name = value\\fR.");
	for (list = page->command->options; list && list->specs; list++) {
		if (list->title && !title)
			puts(help);
		/* Several lists may share a title. */
		if (list->title && (!title || strcmp(title, list->title)))
			printf(".SS Options for %s\n", list->title);
		title = list->title ?: title;
		for (spec = list->specs; spec->name; spec++) {
			fputs(".TP\n\\fB\\-", stdout);
			put_text(spec->name);
			fputs("\\fR", stdout);
			if (spec->value)
				printf(" \\fI%s\\fR", spec->value);
			putchar('\n');
			put_sentence(spec->help);
			put_block(page, "option", spec->name);
		}
	}
	if (!title)
		puts(help);
}

/* Whether a default such as "name,total" names a key. */
static bool has_key(const char *shown, const char *key)
{
	size_t len = strlen(key);
	const char *at;

	for (at = shown; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (!strncmp(at, key, len) && (at[len] == ',' || !at[len]))
			return true;
	return false;
}

static void put_column(struct page *page, const struct column_list *list,
		       const struct column *column)
{
	const char *shown = list->shown[FORMAT_TEXT], *unit = column_unit_name(column->unit);

	printf(".TP\n\\fB%s\\fR", column->key);
	if (column->title[0]) {
		fputs(" (", stdout);
		put_text(column->title);
		fputs(*unit ? ", in " : "", stdout);
		put_text(unit);
		fputs(")", stdout);
	}
	putchar('\n');
	put_sentence(column->help);
	if (shown && !has_key(shown, column->key))
		puts("In text, shown only with \\fB\\-o\\fR.");
	else if (column->is_wanted)
		puts("In text, shown if it has something to report, or with \\fB\\-o\\fR.");
	put_block(page, "column", column->key);
}

static void put_columns(struct page *page)
{
	const struct column_list *const *list = page->command->columns;
	bool has_several = list[1];
	size_t i;

	for (; *list; list++) {
		if (has_several)
			printf(".SS Columns of %s\n", (*list)->name);
		else
			puts(".SS Columns");
		puts("Each column is listed by the key that options and data formats use; its title in\n"
		     "text is in parentheses.");
		for (i = 0; i < (*list)->nr; i++)
			put_column(page, *list, &(*list)->column[i]);
	}
}

static void put_head(const struct command *command)
{
	char title[64];
	size_t i;

	for (i = 0; command->name[i] && i < sizeof(title) - 1; i++)
		title[i] = toupper((unsigned char)command->name[i]);
	title[i] = '\0';
	printf(".\\\" SPDX-License-Identifier: GPL-2.0-only\n"
	       ".\\\" Made from the program's own descriptions and docs/man/probe-%s.1.in.\n",
	       command->name);
	printf(".TH PROBE\\-%s 1 \"\" \"cpuprobe %s\" \"User Commands\"\n.SH NAME\n"
	       "probe\\-%s \\- ", title, CPUPROBE_RELEASE, command->name);
	put_text(command->help);
	printf("\n.SH SYNOPSIS\n.B probe %s\n[\\fIOPTIONS\\fR]%s", command->name,
	       command->arguments[0] ? " " : "");
	put_text(command->arguments);
	putchar('\n');
}

static void put_page(struct page *page)
{
	size_t i;

	for (i = 0; i < page->nr; i++) {
		const char *line = page->line[i].text;

		if (page->line[i].is_told)
			continue;
		if (!strcmp(line, "@head")) {
			put_head(page->command);
		} else if (!strcmp(line, "@options")) {
			put_options(page);
		} else if (!strcmp(line, "@columns")) {
			put_columns(page);
		} else if (line[0] == '@') {
			if (!page->line[i].is_included)
				errx(1, "%s: probe %s knows no such thing", line,
				     page->command->name);
			while (i + 1 < page->nr && strcmp(page->line[i].text, "@end"))
				i++;
		} else {
			puts(line);
		}
	}
}

int main(int argc, char **argv)
{
	static struct page page;
	char *slash;
	size_t i;

	if (argc != 3)
		errx(2, "usage: make_man COMMAND PAGE.in");
	for (i = 0; commands[i] && strcmp(commands[i]->name, argv[1]); i++)
		;
	page.command = commands[i];
	if (!page.command)
		errx(2, "unknown command '%s'", argv[1]);
	snprintf(page.folder, sizeof(page.folder), "%s", argv[2]);
	slash = strrchr(page.folder, '/');
	snprintf(slash ? slash : page.folder, 2, "%s", slash ? "" : ".");
	read_page(&page, argv[2], false);
	put_page(&page);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
