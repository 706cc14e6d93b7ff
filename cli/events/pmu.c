// SPDX-License-Identifier: GPL-2.0-only
/* Counters described in sysfs: see pmu.h. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "events/pmu.h"

#define TERM_LEN	256	/* texts in sysfs are short */

/* Reads the first line of a file. */
static int read_line(const char *path, char *line, size_t len)
{
	FILE *file = fopen(path, "re");
	bool is_read;

	if (!file)
		return -errno;
	is_read = fgets(line, (int)len, file);
	fclose(file);
	if (!is_read)
		return -EINVAL;
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

/* A part of a path may not lead elsewhere. */
static bool is_name(const char *text)
{
	return *text && *text != '.' && !strchr(text, '/');
}

/* Puts the low bits of @value into the bits of @word that @ranges names: "0-7,32-35". */
static int put_bits(const char *ranges, u64 value, u64 *word)
{
	while (*ranges) {
		char *end;
		unsigned long first = strtoul(ranges, &end, 10), last = first;

		if (end == ranges)
			return -EINVAL;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (first > last || last > 63 || (*end && *end != ','))
			return -EINVAL;
		for (; first <= last; first++, value >>= 1)
			*word = (*word & ~(1ULL << first)) | (value & 1) << first;
		ranges = *end ? end + 1 : end;
	}
	return value ? -ERANGE : 0;
}

/** A PMU whose event is being read. */
struct pmu {
	const char *root;
	char name[64];
	struct event event;
};

/* Sets a field as its file in format/ says: "config1:0-15". */
static int set_field(struct pmu *pmu, const char *key, u64 value, struct text_error *error_ret)
{
	char path[512], format[TERM_LEN], *ranges;
	u64 *word;
	int error;

	if (!strcmp(key, "config") || !strcmp(key, "config1")) {
		*(key[6] ? &pmu->event.config1 : &pmu->event.config) = value;
		return 0;
	}
	snprintf(path, sizeof(path), "%s/%s/format/%s", pmu->root, pmu->name, key);
	if (!is_name(key) || read_line(path, format, sizeof(format)))
		return text_fail(error_ret, -ENOENT, "%s has no event and no field '%s'", pmu->name, key);
	ranges = strchr(format, ':');
	if (ranges)
		*ranges++ = '\0';
	word = !strcmp(format, "config") ? &pmu->event.config :
		!strcmp(format, "config1") ? &pmu->event.config1 : NULL;
	if (!ranges || !word)
		return text_fail(error_ret, -EINVAL, "field '%s' of %s is in '%s', which cannot be set", key,
				 pmu->name, format);
	error = put_bits(ranges, value, word);
	return !error ? 0 : error == -ERANGE ?
		text_fail(error_ret, -EINVAL, "%#llx is too large for field '%s' of %s", value, key, pmu->name) :
		text_fail(error_ret, -EINVAL, "field '%s' of %s has invalid bits: %s", key, pmu->name, ranges);
}

/* A field, or with @may_be_event an event whose file has fields. */
static int apply_term(struct pmu *pmu, char *term, bool may_be_event, struct text_error *error_ret);

/* Splits @terms at commas. */
static int apply_terms(struct pmu *pmu, char *terms, bool may_be_event, struct text_error *error_ret)
{
	char *rest = NULL, *term;
	int error = 0;

	for (term = strtok_r(terms, ",", &rest); !error && term; term = strtok_r(NULL, ",", &rest))
		error = apply_term(pmu, term, may_be_event, error_ret);
	return error;
}

static int apply_term(struct pmu *pmu, char *term, bool may_be_event, struct text_error *error_ret)
{
	char path[512], line[TERM_LEN], *equals = strchr(term, '=');
	u64 value = 1;

	if (equals) {
		*equals = '\0';
		if (parse_u64(equals + 1, &value, NULL))
			return text_fail(error_ret, -EINVAL, "'%s' of %s is no number: %s", term, pmu->name,
					 equals + 1);
	} else if (may_be_event && is_name(term)) {
		snprintf(path, sizeof(path), "%s/%s/events/%s", pmu->root, pmu->name, term);
		if (!read_line(path, line, sizeof(line)))
			return apply_terms(pmu, line, false, error_ret);
	}
	return set_field(pmu, term, value, error_ret);
}

int pmu_type(const char *root, const char *name, u32 *type_ret)
{
	char path[512], line[TERM_LEN];

	snprintf(path, sizeof(path), "%s/%s/type", root, name);
	if (!is_name(name) || read_line(path, line, sizeof(line)))
		return -ENOENT;
	*type_ret = strtoul(line, NULL, 10);
	return 0;
}

int pmu_find(const char *root, const char *text, struct event *event_ret, struct text_error *error_ret)
{
	struct pmu pmu = { .root = root };
	char terms[TERM_LEN];
	const char *slash = strchr(text, '/');
	size_t len = slash ? strlen(slash) : 0;
	int error;

	if (len < 3 || slash[len - 1] != '/' || len > sizeof(terms))
		return text_fail(error_ret, -EINVAL, "'%s' is not of the form PMU/EVENT/", text);
	snprintf(pmu.name, sizeof(pmu.name), "%.*s", (int)(slash - text), text);
	snprintf(terms, sizeof(terms), "%.*s", (int)(len - 2), slash + 1);
	if (pmu_type(root, pmu.name, &pmu.event.type))
		return text_fail(error_ret, -ENOENT, "this machine has no PMU '%s'", pmu.name);
	error = apply_terms(&pmu, terms, true, error_ret);
	if (error)
		return error;
	event_ret->type = pmu.event.type;
	event_ret->config = pmu.event.config;
	event_ret->config1 = pmu.event.config1;
	return 0;
}

/* Names of events only: beside them are files about their scale and unit. */
static int is_event(const struct dirent *entry)
{
	return !strchr(entry->d_name, '.');
}

static int is_pmu(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

const char *pmu_cpus(const char *root, u32 type, char list[PMU_CPUS_LEN])
{
	struct dirent **pmus;
	char path[512];
	int i, nr = scandir(root, &pmus, is_pmu, alphasort);
	u32 of_pmu;

	list[0] = '\0';
	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/%s/cpus", root, pmus[i]->d_name);
		if (!list[0] && !pmu_type(root, pmus[i]->d_name, &of_pmu) && of_pmu == type &&
		    read_line(path, list, PMU_CPUS_LEN))
			list[0] = '\0';
		free(pmus[i]);
	}
	if (nr >= 0)
		free(pmus);
	return list;
}

static void visit_pmu(const char *root, const char *name, pmu_visit visit, void *context)
{
	struct dirent **events;
	char text[600];
	int i, nr;

	snprintf(text, sizeof(text), "%s/%s/events", root, name);
	nr = scandir(text, &events, is_event, alphasort);
	for (i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "%s/%s/", name, events[i]->d_name);
		visit(context, text);
		free(events[i]);
	}
	if (nr >= 0)
		free(events);
}

void pmu_each(const char *root, pmu_visit visit, void *context)
{
	struct dirent **pmus;
	int i, nr = scandir(root, &pmus, is_pmu, alphasort);

	for (i = 0; i < nr; i++) {
		visit_pmu(root, pmus[i]->d_name, visit, context);
		free(pmus[i]);
	}
	if (nr >= 0)
		free(pmus);
}
