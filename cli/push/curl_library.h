/* SPDX-License-Identifier: GPL-2.0-only */
/* libcurl, loaded when the first profile is pushed: it needs thirty other libraries. */
#ifndef CURL_LIBRARY_H
#define CURL_LIBRARY_H

#ifdef HAVE_CURL
#include <curl/curl.h>

#include "base/text.h"

/** Functions of libcurl that the tool calls; they are those of the library's manual. */
struct curl_library {
	CURLcode (*global_init)(long flags);
	CURL *(*easy_init)(void);
	CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
	CURLcode (*easy_perform)(CURL *curl);
	CURLcode (*easy_getinfo)(CURL *curl, CURLINFO info, ...);
	void (*easy_reset)(CURL *curl);
	void (*easy_cleanup)(CURL *curl);
	const char *(*easy_strerror)(CURLcode code);
	struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
	void (*slist_free_all)(struct curl_slist *list);
	CURLU *(*url)(void);
	CURLUcode (*url_get)(const CURLU *url, CURLUPart part, char **text_ret, unsigned int flags);
	CURLUcode (*url_set)(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
	void (*url_cleanup)(CURLU *url);
	void (*free)(void *text);
};

/**
 * curl_library_get() - load libcurl and initialize it, once; before the process has further threads that
 * use it. NULL with a reason: it is not installed, or too old.
 */
const struct curl_library *curl_library_get(struct text_error *error_ret);

#endif
#endif
