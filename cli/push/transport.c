// SPDX-License-Identifier: GPL-2.0-only
/* POST over HTTP and HTTPS: see transport.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "push/curl_library.h"
#include "push/transport.h"
#include "release.h"
#include "types.h"

#ifndef HAVE_CURL
struct transport *transport_create(const struct push_url *url, const struct transport_options *options,
				   const atomic_bool *is_ending, struct text_error *error_ret)
{
	text_fail(error_ret, -ENOSYS, "push: this probe was built without libcurl");
	text_hint(error_ret, "install libcurl4-openssl-dev and build it again");
	return NULL;
}

void transport_destroy(struct transport *transport)
{
}

void transport_post(struct transport *transport, const char *target, const char *type, bool is_packed,
		    const char *id, const void *body, size_t len, struct transport_answer *answer_ret)
{
	*answer_ret = (struct transport_answer){ .is_hopeless = true };
}
#else

#define REDIRECTS_MAX	3

struct transport {
	const struct curl_library *library;
	const atomic_bool *is_ending;
	struct push_url url;
	double connect_seconds, total_seconds;
	size_t answer_max;
	CURL *curl;		/* kept, with the sessions of TLS */
	char *cacert, *token, *user, *tenant;
	char why[CURL_ERROR_SIZE];
};

/** An answer while it arrives. */
struct arriving {
	struct transport *transport;
	struct transport_answer *answer;
	size_t len;		/* so far, head and body */
	size_t line_len;
	bool has_line;		/* the first line is complete */
	bool has_head;		/* the whole head, so that its status counts */
};

static bool has_room(struct arriving *arriving, size_t len)
{
	arriving->len += len;
	return arriving->len <= arriving->transport->answer_max;
}

/*
 * Gets the head line by line; an empty line ends it. The head of a proxy or of "100 Continue" comes before.
 */
static size_t take_head(char *bytes, size_t len, size_t nr, void *context)
{
	struct arriving *arriving = context;

	len *= nr;
	arriving->has_head = len && (bytes[0] == '\r' || bytes[0] == '\n');
	return has_room(arriving, len) ? len : 0;
}

/* Keep the first line that is not empty. */
static size_t take_body(char *bytes, size_t len, size_t nr, void *context)
{
	struct arriving *arriving = context;
	size_t i;

	len *= nr;
	for (i = 0; i < len && !arriving->has_line; i++) {
		if (bytes[i] == '\n' || bytes[i] == '\r')
			arriving->has_line = arriving->line_len;
		else if (arriving->line_len < TRANSPORT_LINE_LEN - 1)
			arriving->answer->line[arriving->line_len++] = bytes[i] ? bytes[i] : ' ';
	}
	arriving->answer->line[arriving->line_len] = '\0';
	return has_room(arriving, len) ? len : 0;
}

static int watch_progress(void *context, curl_off_t down_all, curl_off_t down, curl_off_t up_all,
			  curl_off_t up)
{
	const struct transport *transport = context;

	return atomic_load(transport->is_ending);
}

static char *copy_text(const char *text)
{
	return text ? strdup(text) : NULL;
}

/* A secret may not cross a network without encryption, and may not end a line of the head. */
static int check_secrets(const struct push_url *url, const struct transport_options *options,
			 struct text_error *error_ret)
{
	const char *const secrets[] = { options->token, options->user, options->tenant };
	const char *at;
	size_t i;

	for (i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
		for (at = secrets[i] ? secrets[i] : ""; *at; at++)
			if ((unsigned char)*at < ' ' || *at == 0x7f)
				return text_fail(error_ret, -EINVAL,
						 "push: a token, user or tenant has control characters");
	if ((options->token || options->user) && !url->is_tls && !url->is_local) {
		text_fail(error_ret, 0,
			  "push: a token or password is not sent to another machine without encryption");
		text_hint(error_ret, "use https");
		return -EINVAL;
	}
	return 0;
}

static int check_cacert(const char *path, struct text_error *error_ret)
{
	if (path && access(path, R_OK))
		return text_fail(error_ret, -errno, "read the certificates in %.300s: %s", path,
				 strerror(errno));
	return 0;
}

struct transport *transport_create(const struct push_url *url, const struct transport_options *options,
				   const atomic_bool *is_ending, struct text_error *error_ret)
{
	const struct curl_library *library;
	struct transport *transport;

	if (check_secrets(url, options, error_ret) || check_cacert(options->cacert, error_ret))
		return NULL;
	library = curl_library_get(error_ret);
	if (!library)
		return NULL;
	transport = calloc(1, sizeof(*transport));
	if (transport) {
		transport->library = library;
		transport->is_ending = is_ending;
		transport->url = *url;
		transport->connect_seconds = options->connect_seconds;
		transport->total_seconds = options->total_seconds;
		transport->answer_max = options->answer_max;
		transport->cacert = copy_text(options->cacert);
		transport->token = copy_text(options->token);
		transport->user = copy_text(options->user);
		transport->tenant = copy_text(options->tenant);
		transport->curl = library->easy_init();
	}
	if (!transport || !transport->curl || !transport->cacert != !options->cacert ||
	    !transport->token != !options->token || !transport->user != !options->user ||
	    !transport->tenant != !options->tenant) {
		text_fail(error_ret, -ENOMEM, "push: out of memory");
		transport_destroy(transport);
		return NULL;
	}
	return transport;
}

static void forget_secret(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
}

void transport_destroy(struct transport *transport)
{
	if (!transport)
		return;
	if (transport->curl)
		transport->library->easy_cleanup(transport->curl);
	forget_secret(transport->token);
	forget_secret(transport->user);
	free(transport->tenant);
	free(transport->cacert);
	free(transport);
}

/*
 * Options about safety. False: libcurl lacks one of them, and nothing may be sent. Each attempt has a
 * connection of its own: if a kept one ends, libcurl repeats the request itself, and nobody would know that
 * it may have arrived twice. A proxy would see what is sent to this machine without encryption.
 */
static bool set_safety(struct transport *transport)
{
	CURLcode (*set)(CURL *curl, CURLoption option, ...) = transport->library->easy_setopt;
	CURL *curl = transport->curl;

	return !set(curl, CURLOPT_PROTOCOLS_STR, "http,https") && !set(curl, CURLOPT_FOLLOWLOCATION, 0L) &&
	       !set(curl, CURLOPT_SSL_VERIFYPEER, 1L) && !set(curl, CURLOPT_SSL_VERIFYHOST, 2L) &&
	       !set(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) &&
	       (!transport->url.is_local || !set(curl, CURLOPT_NOPROXY, "*")) &&
	       (!transport->cacert || !set(curl, CURLOPT_CAINFO, transport->cacert)) &&
	       !set(curl, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE) &&
	       !set(curl, CURLOPT_FRESH_CONNECT, 1L) && !set(curl, CURLOPT_FORBID_REUSE, 1L) &&
	       !set(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) &&
	       !set(curl, CURLOPT_NOSIGNAL, 1L) &&
	       !set(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)(transport->connect_seconds * 1000)) &&
	       !set(curl, CURLOPT_TIMEOUT_MS, (long)(transport->total_seconds * 1000));
}

static bool set_secrets(struct transport *transport)
{
	CURLcode (*set)(CURL *curl, CURLoption option, ...) = transport->library->easy_setopt;
	CURL *curl = transport->curl;

	if (transport->token)
		return !set(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER) &&
		       !set(curl, CURLOPT_XOAUTH2_BEARER, transport->token);
	if (transport->user)
		return !set(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC) &&
			!set(curl, CURLOPT_USERPWD, transport->user);
	return true;
}

/* Add a line to the head of the request. False: out of memory; the list is as it was. */
static bool add_head(const struct transport *transport, struct curl_slist **list, const char *name,
		     const char *value)
{
	struct curl_slist *longer;
	char line[512];

	snprintf(line, sizeof(line), "%s:%s%s", name, value ? " " : "", value ? value : "");
	longer = transport->library->slist_append(*list, line);
	if (longer)
		*list = longer;
	return longer;
}

static bool set_request(struct transport *transport, const char *url, const struct curl_slist *head,
			const void *body, size_t len, struct arriving *arriving)
{
	CURLcode (*set)(CURL *curl, CURLoption option, ...) = transport->library->easy_setopt;
	CURL *curl = transport->curl;

	return !set(curl, CURLOPT_URL, url) && !set(curl, CURLOPT_HTTPHEADER, head) &&
		!set(curl, CURLOPT_USERAGENT, "cpuprobe/" CPUPROBE_RELEASE) && !set(curl, CURLOPT_POST, 1L) &&
		!set(curl, CURLOPT_POSTFIELDS, body) &&
		!set(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len) &&
		!set(curl, CURLOPT_HEADERFUNCTION, take_head) && !set(curl, CURLOPT_HEADERDATA, arriving) &&
		!set(curl, CURLOPT_WRITEFUNCTION, take_body) && !set(curl, CURLOPT_WRITEDATA, arriving) &&
		!set(curl, CURLOPT_XFERINFOFUNCTION, watch_progress) &&
		!set(curl, CURLOPT_XFERINFODATA, transport) && !set(curl, CURLOPT_NOPROGRESS, 0L) &&
		!set(curl, CURLOPT_ERRORBUFFER, transport->why);
}

/* Describe a failed request whose answer did not begin, or was cut off. */
static void explain(struct transport *transport, CURLcode code, struct transport_answer *answer)
{
	const char *why = transport->why[0] ? transport->why : transport->library->easy_strerror(code);

	if (atomic_load(transport->is_ending))
		why = "given up before the answer";
	if (!answer->status || !answer->line[0])
		snprintf(answer->line, sizeof(answer->line), "%s", why);
	answer->is_hopeless = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE ||
			      code == CURLE_URL_MALFORMAT || code == CURLE_FAILED_INIT;
}

/* Send one request to @url. */
static void post_to(struct transport *transport, const char *url, const struct curl_slist *head,
		    const void *body, size_t len, struct transport_answer *answer)
{
	struct arriving arriving = { .transport = transport, .answer = answer };
	CURLcode (*get)(CURL *curl, CURLINFO info, ...) = transport->library->easy_getinfo;
	curl_off_t sent = 0, wait = 0, begun = 0;
	long status = 0;
	CURLcode code = CURLE_FAILED_INIT;

	*answer = (struct transport_answer){ .status = 0 };
	/* The reset keeps sessions of TLS. */
	transport->library->easy_reset(transport->curl);
	transport->why[0] = '\0';
	if (set_request(transport, url, head, body, len, &arriving) && set_safety(transport) &&
	    set_secrets(transport))
		code = transport->library->easy_perform(transport->curl);
	get(transport->curl, CURLINFO_RESPONSE_CODE, &status);
	get(transport->curl, CURLINFO_SIZE_UPLOAD_T, &sent);
	/* The time when connection, proxy and TLS were ready. */
	get(transport->curl, CURLINFO_PRETRANSFER_TIME_T, &begun);
	get(transport->curl, CURLINFO_RETRY_AFTER, &wait);
	answer->status = arriving.has_head ? status : 0;
	answer->was_sent = status || sent > 0 || begun > 0;
	answer->retry_after = wait > 0 ? wait : 0;
	if (code)
		explain(transport, code, answer);
	text_clean(answer->line);
}

/* Whether two URLs have the same scheme, host and port. */
static bool is_same_server(const struct transport *transport, const char *a, const char *b)
{
	static const CURLUPart parts[] = { CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT };
	const struct curl_library *library = transport->library;
	CURLU *urls[] = { library->url(), library->url() };
	bool is_same = urls[0] && urls[1] && !library->url_set(urls[0], CURLUPART_URL, a, 0) &&
		       !library->url_set(urls[1], CURLUPART_URL, b, 0);
	char *texts[2];
	size_t i;

	for (i = 0; is_same && i < sizeof(parts) / sizeof(parts[0]); i++) {
		texts[0] = texts[1] = NULL;
		is_same = !library->url_get(urls[0], parts[i], &texts[0], CURLU_DEFAULT_PORT) &&
			  !library->url_get(urls[1], parts[i], &texts[1], CURLU_DEFAULT_PORT) &&
			  !strcasecmp(texts[0], texts[1]);
		library->free(texts[0]);
		library->free(texts[1]);
	}
	library->url_cleanup(urls[0]);
	library->url_cleanup(urls[1]);
	return is_same;
}

/*
 * Find where a redirect leads, if the request may be repeated there: 307 and 308 within the server. Others
 * would change the method, or give the profile and the secrets to a machine that nobody chose. Returns a
 * copy.
 */
static char *follow_redirect(struct transport *transport, const char *url, struct transport_answer *answer)
{
	char *next = NULL;

	if (answer->status < 300 || answer->status >= 400)
		return NULL;
	transport->library->easy_getinfo(transport->curl, CURLINFO_REDIRECT_URL, &next);
	if (next && (answer->status == 307 || answer->status == 308) && is_same_server(transport, url, next))
		return strdup(next);
	snprintf(answer->line, sizeof(answer->line), "a redirect%s%.150s is not followed", next ? " to " : "",
		 next ? next : "");
	text_clean(answer->line);
	return NULL;
}

void transport_post(struct transport *transport, const char *target, const char *type, bool is_packed,
		    const char *id, const void *body, size_t len, struct transport_answer *answer_ret)
{
	struct curl_slist *head = NULL;
	u32 left = REDIRECTS_MAX;
	char *url = NULL, *next;

	*answer_ret = (struct transport_answer){ .line = "out of memory" };
	/* Without the wait for "100 Continue", which most servers do not send. */
	if (asprintf(&url, "%s%s", transport->url.base, target) < 0)
		url = NULL;
	else if (add_head(transport, &head, "Content-Type", type) &&
		 add_head(transport, &head, "Idempotency-Key", id) &&
		 add_head(transport, &head, "Expect", NULL) &&
		 (!is_packed || add_head(transport, &head, "Content-Encoding", "gzip")) &&
		 (!transport->tenant || add_head(transport, &head, "X-Scope-OrgID", transport->tenant)))
		for (;;) {
			post_to(transport, url, head, body, len, answer_ret);
			next = left-- ? follow_redirect(transport, url, answer_ret) : NULL;
			if (!next)
				break;
			free(url);
			url = next;
		}
	transport->library->slist_free_all(head);
	free(url);
}
#endif
