// SPDX-License-Identifier: GPL-2.0-only
/* libcurl, loaded when it is needed: see curl_library.h. */
#ifdef HAVE_CURL
#include <errno.h>
#include <stdbool.h>

#include "base/library.h"
#include "push/curl_library.h"

#define FUNCTION(name)	{ "curl_" #name, offsetof(struct curl_library, name) }
static const struct library_function functions[] = {
	FUNCTION(global_init), FUNCTION(easy_init), FUNCTION(easy_setopt), FUNCTION(easy_perform),
	FUNCTION(easy_getinfo), FUNCTION(easy_reset), FUNCTION(easy_cleanup), FUNCTION(easy_strerror),
	FUNCTION(slist_append), FUNCTION(slist_free_all), FUNCTION(url), FUNCTION(url_get), FUNCTION(url_set),
	FUNCTION(url_cleanup), FUNCTION(free), { NULL }
};
#undef FUNCTION

const struct curl_library *curl_library_get(struct text_error *error_ret)
{
	static const char *const files[] = { "libcurl.so.4", "libcurl-gnutls.so.4", NULL };
	static struct curl_library library;
	static bool is_there;
	int error = is_there ? 0 : library_load(files, functions, &library);

	if (error == -ENOENT) {
		text_fail(error_ret, error, "load libcurl: it is not installed");
		text_hint(error_ret, "on Debian and Ubuntu its package is libcurl4, on Fedora libcurl");
		return NULL;
	}
	if (!is_there)
		is_there = !error && !library.global_init(CURL_GLOBAL_DEFAULT);
	if (!is_there)
		text_fail(error_ret, -ENOEXEC, "load libcurl: the one that is installed is not usable");
	return is_there ? &library : NULL;
}
#endif
