// SPDX-License-Identifier: GPL-2.0-only
/* The rules: rows of the three tables of docs/privilege.md, by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "whomay.h"

static struct rule {
	char cell[PAIR_CELLS][96];
	int nr_cells;
	int is_used;
} rules[128];
static int nr_rules;

static void rule_parse(char *line)
{
	struct rule *rule = &rules[nr_rules];
	char *cell, *rest = line + 1;
	size_t len;

	rule->nr_cells = 0;
	while ((cell = strsep(&rest, "|")) && rest && rule->nr_cells < PAIR_CELLS) {
		cell += strspn(cell, " ");
		len = strlen(cell);
		while (len && cell[len - 1] == ' ')
			cell[--len] = '\0';
		snprintf(rule->cell[rule->nr_cells++], sizeof(rule->cell[0]), "%s", cell);
	}
	nr_rules++;
}

void rules_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512];

	need(file != NULL, path);
	/* The tables end at the first heading of a section. */
	while (fgets(line, sizeof(line), file) && strncmp(line, "## ", 3))
		if (line[0] == '|' && strncmp(line, "| ---", 5) &&
		    strncmp(line, "| identity", 10) && strncmp(line, "| operation", 11) &&
		    strncmp(line, "| process |", 11) && nr_rules < 128)
			rule_parse(line);
	fclose(file);
}

const char *rule_cell(const char *name, int nr_cells, int cell)
{
	for (int i = 0; i < nr_rules; i++)
		if (rules[i].nr_cells == nr_cells && !strcmp(rules[i].cell[0], name)) {
			rules[i].is_used = 1;
			return rules[i].cell[cell];
		}
	printf("whomay: no rule for: %s\n", name);
	exit(2);
}

int rules_column(const char *identity, const char *mode)
{
	const char *may = rule_cell(identity, IDENTITY_CELLS, 1);
	int is_open = strcmp(mode, "nogroup");

	if (!strcmp(may, "everything"))
		return strcmp(mode, "locked") ? 1 : 2;
	if (!strcmp(may, "group"))
		return is_open ? 3 : 5;
	if (!strcmp(may, "group, other ids"))
		return is_open ? 4 : 5;
	need(!strcmp(may, "nothing"), may);
	return 5;
}

void rules_are_used(int is_pairs)
{
	for (int i = 0; i < nr_rules; i++)
		if (!rules[i].is_used && (rules[i].nr_cells == PAIR_CELLS) == is_pairs) {
			printf("whomay: no test of the rule: %s\n", rules[i].cell[0]);
			exit(2);
		}
}
