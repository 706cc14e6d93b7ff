// SPDX-License-Identifier: GPL-2.0-only
/* Options of everything that pushes profiles: see push_options.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"
#include "push/push_options.h"

#define SERVICES		20
#define CONNECT_SECONDS		10
#define TOTAL_SECONDS		30
#define ANSWER_MAX		65536
#define SPOOL_MIB		64
#define MEMORY_BYTES		(8 << 20)

static const char *const by_names[] = { "exe", "host", NULL };

static int option_label(const struct option_spec *spec, const char *text, void *at,
			struct text_error *error_ret)
{
	return push_labels_parse(at, text, error_ret);
}

#define PUSH(field)	offsetof(struct push_options, field)

const struct option_spec push_specs[] = {
	{ "to", "STORE", "pyroscope, pyroscope-ingest, parca, or auto: by the URL's path (default auto)", option_choice,
	  PUSH(to), push_format_names },
	{ "by", "WHAT", "what a service is: an executable (exe) or the host (default exe)", option_choice,
	  PUSH(by), by_names },
	{ "service", "NAME", "push everything as one service of this name", option_text, PUSH(service) },
	{ "services", "N", "most services; the smaller ones become (other) (default: 20)", option_range,
	  PUSH(services), .min = 1, .max = PUSH_SERVICES_MAX },
	{ "detail", NULL, "keep addresses, source lines and process ids; takes more bytes", option_flag,
	  PUSH(has_detail) },
	{ "compress", NULL, "compress requests; the store must take Content-Encoding gzip", option_flag,
	  PUSH(is_packed) },
	{ "label", "NAME=VALUE", "add a label to all profiles; may be given several times", option_label,
	  PUSH(labels) },
	{ "token-file", "FILE", "file with a token for the store", option_text, PUSH(token_file) },
	{ "user-file", "FILE", "file with USER:PASSWORD for the store", option_text, PUSH(user_file) },
	{ "tenant", "NAME", "tenant of the store (X-Scope-OrgID)", option_text, PUSH(tenant) },
	{ "cacert", "FILE", "certificates to believe instead of the system's", option_text, PUSH(cacert) },
	{ "connect-timeout", "TIME", "limit for a connection (default: 10s)", option_seconds,
	  PUSH(connect_seconds) },
	{ "timeout", "TIME", "limit for a request (default: 30s)", option_seconds, PUSH(total_seconds) },
	{ "spool", "DIR", "keep what is not delivered here, for the next push", option_text,
	  PUSH(spool) },
	{ "spool-size", "MIB", "limit for the files of -spool (default: 64)", option_range, PUSH(spool_mib),
	  .min = 1, .max = 1 << 20 },
	{ NULL }
};

int push_options_check(const struct push_options *options, const struct options_rest *rest,
		       struct text_error *error_ret)
{
	static const char *const pairs[][2] = {
		{ "service", "by" }, { "service", "services" }, { "token-file", "user-file" },
	};
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (options_given(rest, pairs[i][0]) && options_given(rest, pairs[i][1]))
			return text_fail(error_ret, -EINVAL, "-%s cannot be combined with -%s", pairs[i][0],
					 pairs[i][1]);
	if (options_given(rest, "spool-size") && !options->spool)
		return text_fail(error_ret, -EINVAL, "-spool-size needs -spool");
	return 0;
}

/* Read the first line of a file with a secret. */
static int read_secret(const char *path, char text_ret[PUSH_SECRET_LEN], struct text_error *error_ret)
{
	FILE *file = fopen(path, "re");
	int error = 0;

	if (!file)
		return text_fail(error_ret, -errno, "open %.300s: %s", path, strerror(errno));
	setbuf(file, NULL);
	if (!fgets(text_ret, PUSH_SECRET_LEN, file))
		error = text_fail(error_ret, -ENODATA, "read %.300s: it is empty", path);
	else if (strlen(text_ret) == PUSH_SECRET_LEN - 1)
		error = text_fail(error_ret, -EFBIG, "read %.300s: its first line is too long", path);
	fclose(file);
	text_ret[strcspn(text_ret, "\r\n")] = '\0';
	if (!error && !text_ret[0])
		error = text_fail(error_ret, -ENODATA, "read %.300s: its first line is empty", path);
	return error;
}

/* Get a secret from its file, or else from the environment. @secret_ret: NULL: there is none */
static int get_secret(const char *path, const char *variable, char text_ret[PUSH_SECRET_LEN],
		      const char **secret_ret, struct text_error *error_ret)
{
	const char *value = getenv(variable);

	*secret_ret = text_ret;
	if (path)
		return read_secret(path, text_ret, error_ret);
	if (!value || !value[0])
		*secret_ret = NULL;
	else if ((size_t)snprintf(text_ret, PUSH_SECRET_LEN, "%s", value) >= PUSH_SECRET_LEN)
		return text_fail(error_ret, -EFBIG, "%s is too long", variable);
	return 0;
}

static int read_secrets(const struct push_options *options, struct push_setup *setup,
			struct text_error *error_ret)
{
	struct transport_options *transport = &setup->config.transport;
	int error = get_secret(options->token_file, options->user_file ? "" : "PROBE_PUSH_TOKEN",
			       setup->token, &transport->token, error_ret);

	/* A token wins, unless only the other was asked for. */
	if (!error && !transport->token)
		error = get_secret(options->user_file, "PROBE_PUSH_USER", setup->user, &transport->user,
				   error_ret);
	if (!error && transport->user && !strchr(transport->user, ':'))
		error = text_fail(error_ret, -EINVAL, "push: the user has no ':' between name and password");
	return error;
}

int push_options_read(const struct push_options *options, const char *url, struct push_setup *setup_ret,
		      struct text_error *error_ret)
{
	static const struct push_naming *const namings[] = { &push_by_exe, NULL };
	struct push_config *config = &setup_ret->config;
	int error;

	memset(setup_ret, 0, sizeof(*setup_ret));
	error = push_url_parse(url, options->to, &config->url, error_ret);
	if (error)
		return error;
	config->shape.labels = options->labels;
	config->shape.naming = options->service ? NULL : namings[options->by];
	config->shape.service = options->service;
	config->shape.has_detail = options->has_detail;
	config->shape.is_packed = options->is_packed;
	config->shape.services_max = options->services ? options->services : SERVICES;
	config->transport.cacert = options->cacert;
	config->transport.tenant = options->tenant;
	config->transport.connect_seconds = options->connect_seconds ?
		options->connect_seconds :
		CONNECT_SECONDS;
	config->transport.total_seconds = options->total_seconds ? options->total_seconds : TOTAL_SECONDS;
	config->transport.answer_max = ANSWER_MAX;
	config->spool = options->spool;
	config->spool_bytes = (options->spool_mib ? options->spool_mib : SPOOL_MIB) << 20;
	config->memory_bytes = MEMORY_BYTES;
	return read_secrets(options, setup_ret, error_ret);
}

void push_setup_forget(struct push_setup *setup)
{
	explicit_bzero(setup->token, sizeof(setup->token));
	explicit_bzero(setup->user, sizeof(setup->user));
}
