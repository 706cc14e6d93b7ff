// SPDX-License-Identifier: GPL-2.0-only
/* The configuration of an agent: see agent_config.h. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent_config.h"
#include "base/option_values.h"

#define CONFIG_MAX	(64u << 10)	/* bytes of a file */
#define PERIOD_NS	50761421	/* 19.7 Hz: nothing else beats at this rate */

static const char *const engines[] = { "auto", "module", "bpf", NULL };
static const char *const rows[] = { [AGENT_BY_EXE] = "exe", [AGENT_BY_CONTAINER] = "container", NULL };
static const char *const idles[] = { "auto", "sample", "sleep", NULL };

#define CONFIG(field)	offsetof(struct agent_config, field)

const struct option_spec agent_config_specs[] = {
	{ "rate", "HZ", "samples per second and CPU, 1 to 20000 (default 19.7)", option_rate, CONFIG(period_ns) },
	{ "engine", "E", "what samples: auto, module or bpf (default auto: the first that works)",
	  option_choice, CONFIG(engine), engines },
	{ "idle", "HOW", "idle CPUs: sample, sleep, or auto: sleep if the engine can (default auto)",
	  option_choice, CONFIG(idle), idles },
	{ "table-window", "T", "length of a window of the system's table (default 15 s)", option_seconds,
	  CONFIG(table_seconds) },
	{ "stacks-window", "T", "length of a window of stacks, a multiple of it (default 60 s)", option_seconds,
	  CONFIG(stacks_seconds) },
	{ "ring-dir", "DIR", "directory of the ring (default: /var/lib/cpuprobe/ring, or the user's own)",
	  option_text, CONFIG(ring_dir) },
	{ "ring-size", "MIB", "bytes of all windows in the ring, 1 to 65536 (default 64)", option_range,
	  CONFIG(ring_mib), .min = 1, .max = 65536 },
	{ "ring-time", "T", "age up to which windows are kept (default 1h)", option_seconds,
	  CONFIG(ring_seconds) },
	{ "memory", "MIB", "own memory above which names are read anew, 16 to 4096 (default 30)", option_range,
	  CONFIG(memory_mib), .min = 16, .max = 4096 },
	{ "prom-by", "UNIT", "rows of the metrics: exe or container (default exe)", option_choice, CONFIG(prom_by),
	  rows },
	{ NULL }
};

const struct option_spec agent_push_specs[] = {
	{ "push", "URL", "push each window of stacks to a store of profiles: see probe push", option_text,
	  CONFIG(push_url) },
	{ NULL }
};

static const struct option_list config_lists[] = { AGENT_CONFIG_LISTS(0), { NULL } };

void agent_config_init(struct agent_config *config)
{
	*config = (struct agent_config){
		.period_ns = PERIOD_NS, .table_seconds = 15, .stacks_seconds = 60, .ring_mib = 64,
		.ring_seconds = 3600, .memory_mib = 30,
	};
}

static char *skip_blanks(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static void cut_blanks(char *text)
{
	size_t len = strlen(text);

	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
}

/* Finds a key; @list_ret: the list that it is in. NULL, with a reason: there is none. */
static const struct option_spec *find_key(const char *key, const struct option_list **list_ret,
					  struct text_error *error_ret)
{
	const struct option_spec *spec;
	const char *names[OPTIONS_MAX], *near;
	size_t nr = 0;

	for (*list_ret = config_lists; (*list_ret)->specs; (*list_ret)++)
		for (spec = (*list_ret)->specs; spec->name; spec++) {
			if (!strcmp(spec->name, key))
				return spec;
			if (nr < OPTIONS_MAX)
				names[nr++] = spec->name;
		}
	near = options_suggest(key, names, nr);
	text_fail(error_ret, 0, "unknown key '%.60s'", key);
	if (near)
		text_hint(error_ret, "did you mean '%s'?", near);
	return NULL;
}

static int set_value(struct agent_config *config, const char *key, const char *value,
		     struct text_error *error_ret)
{
	const struct option_list *list;
	const struct option_spec *spec = find_key(key, &list, error_ret);
	struct text_error why;

	if (!spec)
		return -EINVAL;
	/* An option without a value is a key whose value is yes. */
	if (!spec->value && strcmp(value, "yes"))
		return text_fail(error_ret, -EINVAL, "%s: '%.60s' is not yes", key, value);
	if (!spec->parse(spec, spec->value ? value : NULL, (char *)config + list->offset + spec->offset, &why))
		return 0;
	return text_fail(error_ret, -EINVAL, "%s: %s", key, why.what);
}

/* Reads a line, which becomes two texts. Empty lines and those that begin with # say nothing. */
static int read_line(struct agent_config *config, char *line, struct text_error *error_ret)
{
	char *key = skip_blanks(line), *value;

	if (!*key || *key == '#')
		return 0;
	value = strchr(key, '=');
	if (!value)
		return text_fail(error_ret, -EINVAL, "'%.60s' is not KEY = VALUE", key);
	*value++ = '\0';
	cut_blanks(key);
	value = skip_blanks(value);
	cut_blanks(value);
	if (!*value)
		return text_fail(error_ret, -EINVAL, "%.60s has no value", key);
	return set_value(config, key, value, error_ret);
}

/* Reads the whole file as a text, to be freed. */
static int read_text(const char *path, char **text_ret, struct text_error *error_ret)
{
	FILE *file = fopen(path, "re");
	char *text = malloc(CONFIG_MAX + 1);
	size_t len = file && text ? fread(text, 1, CONFIG_MAX + 1, file) : 0;
	int error = !file || ferror(file) ? -errno : !text ? -ENOMEM : 0;

	if (file)
		fclose(file);
	if (error)
		text_fail(error_ret, 0, "read %s: %s", path, strerror(-error));
	else if (len > CONFIG_MAX)
		error = text_fail(error_ret, -EFBIG, "read %s: more than %u bytes", path, CONFIG_MAX);
	else if (memchr(text, '\0', len))
		error = text_fail(error_ret, -EINVAL, "read %s: it is not a text", path);
	if (error) {
		free(text);
		return error;
	}
	text[len] = '\0';
	*text_ret = text;
	return 0;
}

int agent_config_read(struct agent_config *config, const char *path, struct text_error *error_ret)
{
	struct text_error why = { "", "" };
	char *line, *rest, *text;
	unsigned int number = 0;
	int error = read_text(path, &text, error_ret);

	if (error)
		return error;
	free(config->text);
	config->text = text;
	for (rest = text; (line = strsep(&rest, "\n"));) {
		number++;
		why.hint[0] = '\0';
		if (!read_line(config, line, &why))
			continue;
		text_clean(why.what);
		text_fail(error_ret, 0, "%.250s:%u: %.250s", path, number, why.what);
		if (why.hint[0])
			text_hint(error_ret, "%s", why.hint);
		return -EINVAL;
	}
	return 0;
}

int agent_config_check(const struct agent_config *config, struct text_error *error_ret)
{
	double ratio = config->stacks_seconds / config->table_seconds;

	if (config->table_seconds < 1)
		return text_fail(error_ret, -EINVAL, "table-window: shorter than 1 s");
	if (fabs(ratio - round(ratio)) > 1e-6 || ratio < 1 || ratio > 1e6)
		return text_fail(error_ret, -EINVAL,
				 "stacks-window: %g s is not a multiple of table-window, %g s",
				 config->stacks_seconds, config->table_seconds);
	if (config->ring_seconds < config->stacks_seconds)
		return text_fail(error_ret, -EINVAL, "ring-time: %g s is shorter than a window, %g s",
				 config->ring_seconds, config->stacks_seconds);
	if (config->ring_dir && config->ring_dir[0] != '/')
		return text_fail(error_ret, -EINVAL, "ring-dir: '%.200s' is not an absolute path",
				 config->ring_dir);
	if (config->push.spool && config->push.spool[0] != '/')
		return text_fail(error_ret, -EINVAL, "spool: '%.200s' is not an absolute path",
				 config->push.spool);
	return listen_check(&config->listening, error_ret) ?:
		metrics_file_check(&config->prom, config->listening.address, NULL, error_ret);
}

/* The directory for states of the service, the machine or the user. False: the user has none. */
static bool find_state_directory(char *path, size_t len)
{
	const char *state = getenv("STATE_DIRECTORY"), *home = getenv("HOME");

	if (state && state[0] == '/') {
		/* systemd separates several by colons. */
		snprintf(path, len, "%.*s", (int)strcspn(state, ":"), state);
	} else if (!geteuid()) {
		snprintf(path, len, "/var/lib/" AGENT_RING_USER);
	} else {
		state = getenv("XDG_STATE_HOME");
		if (state && state[0] == '/')
			snprintf(path, len, "%s/" AGENT_RING_USER, state);
		else if (home && home[0] == '/')
			snprintf(path, len, "%s/.local/state/" AGENT_RING_USER, home);
		else
			return false;
	}
	return true;
}

/* Makes a directory, and those above it. */
static int make_directories(char *path, struct text_error *error_ret)
{
	char *slash = path;

	for (;;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			return text_fail(error_ret, -errno, "make %s: %s", path, strerror(errno));
		if (!slash)
			return 0;
		*slash = '/';
	}
}

int agent_config_ring_dir(const struct agent_config *config, char *path, size_t len,
			  struct text_error *error_ret)
{
	char above[400];
	int error;

	if (config->ring_dir) {
		snprintf(path, len, "%s", config->ring_dir);
		return 0;
	}
	if (!find_state_directory(above, sizeof(above))) {
		text_fail(error_ret, 0, "find a directory for the ring: HOME is not set");
		text_hint(error_ret, "choose one with ring-dir");
		return -ENOENT;
	}
	error = make_directories(above, error_ret);
	if (!error)
		snprintf(path, len, "%s/ring", above);
	return error;
}

void agent_config_deinit(struct agent_config *config)
{
	free(config->text);
	config->text = NULL;
}
