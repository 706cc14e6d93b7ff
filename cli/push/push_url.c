// SPDX-License-Identifier: GPL-2.0-only
/* The address of a store of profiles: see push_url.h. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "push/push_url.h"

const char *const push_format_names[] = { "auto", "pyroscope", "pyroscope-ingest", "parca", NULL };

static const char *const paths[] = {
	[PUSH_BY_PATH] = "", [PUSH_PYROSCOPE] = "/push.v1.PusherService/Push", [PUSH_INGEST] = "/ingest",
	[PUSH_PARCA] = "/profiles/writeraw",
};

const char *push_format_path(enum push_format format)
{
	return paths[format];
}

static int refuse(const char *text, const char *why, struct text_error *error_ret)
{
	return text_fail(error_ret, -EINVAL, "push to %.200s: %s", text, why);
}

/* Find characters that have to be encoded in a URL, or that end what a server sees of it. */
static int check_characters(const char *text, struct text_error *error_ret)
{
	const char *at;

	for (at = text; *at; at++)
		if (*at <= ' ' || *at > '~' || strchr("\"<>\\^`{|}", *at))
			return refuse("the URL", "it has characters that a URL cannot have", error_ret);
	if (strpbrk(text, "?#"))
		return refuse(text, "a query or fragment is not allowed", error_ret);
	return strlen(text) < PUSH_URL_LEN ? 0 : refuse(text, "the URL is too long", error_ret);
}

static bool is_local(const char *host, size_t len)
{
	static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (len == strlen(names[i]) && !strncasecmp(host, names[i], len))
			return true;
	return false;
}

/* Parse the host with its port, from @host up to @end. */
static int parse_host(const char *text, const char *host, const char *end, struct push_url *url,
		      struct text_error *error_ret)
{
	const char *port = memrchr(host, ':', end - host);
	const char *bracket = memrchr(host, ']', end - host);

	if (memchr(host, '@', end - host)) {
		/* The text may have a password. */
		refuse("the URL", "a user or password in a URL is visible to everyone", error_ret);
		text_hint(
			error_ret,
			"put USER:PASSWORD into a file that only you can read, and give it with -user-file");
		return -EINVAL;
	}
	if (port && bracket && port < bracket)
		port = NULL;
	if (port && (strspn(port + 1, "0123456789") != (size_t)(end - port - 1) || end - port > 6))
		return refuse(text, "the port is not a number", error_ret);
	if (!port)
		port = end;
	url->is_local = is_local(host, port - host);
	return port > host ? 0 : refuse(text, "there is no host in it", error_ret);
}

/* Find the format by the end of the path, and cut that end. */
static int choose_format(const char *text, enum push_format asked, struct push_url *url,
			 struct text_error *error_ret)
{
	enum push_format format, found = PUSH_BY_PATH;
	size_t len = strlen(url->base), end;

	while (len && url->base[len - 1] == '/')
		url->base[--len] = '\0';
	for (format = PUSH_PYROSCOPE; format <= PUSH_PARCA; format++) {
		end = strlen(paths[format]);
		if (len <= end || strcmp(url->base + len - end, paths[format]))
			continue;
		found = format;
		len -= end;
		url->base[len] = '\0';
	}
	url->format = asked ? asked : found ? found : PUSH_PYROSCOPE;
	if (!asked || !found || asked == found)
		return 0;
	text_fail(error_ret, 0, "push to %.200s: its path is that of %s, not of %s", text,
		  push_format_names[found], push_format_names[asked]);
	return -EINVAL;
}

int push_url_parse(const char *text, enum push_format asked, struct push_url *url_ret,
		   struct text_error *error_ret)
{
	struct push_url url = { .is_tls = !strncasecmp(text, "https://", 8) };
	const char *host = text + (url.is_tls ? 8 : 7);
	int error;

	if (!url.is_tls && strncasecmp(text, "http://", 7)) {
		refuse(strchr(text, '@') ? "the URL" : text, "it is not a URL of http or https", error_ret);
		text_hint(error_ret, "for example https://pyroscope.example:4040");
		return -EINVAL;
	}
	error = parse_host(text, host, host + strcspn(host, "/?#"), &url, error_ret);
	if (!error)
		error = check_characters(text, error_ret);
	if (error)
		return error;
	snprintf(url.base, sizeof(url.base), "%s", text);
	error = choose_format(text, asked, &url, error_ret);
	if (!error)
		*url_ret = url;
	return error;
}
