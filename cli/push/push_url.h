/* SPDX-License-Identifier: GPL-2.0-only */
/* The address of a store of profiles, and which of the stores' interfaces it has. */
#ifndef PUSH_URL_H
#define PUSH_URL_H

#include <stdbool.h>

#include "base/text.h"

#define PUSH_URL_LEN	512

enum push_format {
	PUSH_BY_PATH,	/* chosen by the path of the URL; Pyroscope's stable one if it names none */
	PUSH_PYROSCOPE,	/* POST /push.v1.PusherService/Push */
	PUSH_INGEST,	/* POST /ingest of Pyroscope */
	PUSH_PARCA,	/* POST /profiles/writeraw of Parca */
};

/** Names for -to, in the order of enum push_format; NULL-terminated. */
extern const char *const push_format_names[];

struct push_url {
	enum push_format format;	/* never PUSH_BY_PATH */
	char base[PUSH_URL_LEN];	/* without the format's path, and without a '/' at its end */
	bool is_tls;
	bool is_local;			/* an address of this machine, as far as its text tells */
};

/** push_format_path() - path of the format's requests, with its first '/'. */
const char *push_format_path(enum push_format format);

/**
 * push_url_parse() - parse http://HOST[:PORT][/PATH] or https://...
 * @asked: value of -to
 * -EINVAL with a reason: another scheme, a user or password, a query, characters that a URL cannot have, or
 * a path of another format than @asked.
 */
int push_url_parse(const char *text, enum push_format asked, struct push_url *url_ret,
		   struct text_error *error_ret);

#endif
