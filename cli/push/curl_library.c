// SPDX-License-Identifier: GPL-2.0-only
/* libcurl, loaded when it is needed: see curl_library.h. */
#ifdef HAVE_CURL
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "push/curl_library.h"
#include "types.h"

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define FUNCTION(name)	{ "curl_" #name, offsetof(struct curl_library, name) }
	FUNCTION(easy_init), FUNCTION(easy_setopt), FUNCTION(easy_perform), FUNCTION(easy_getinfo),
	FUNCTION(easy_reset), FUNCTION(easy_cleanup), FUNCTION(easy_strerror), FUNCTION(slist_append),
	FUNCTION(slist_free_all), FUNCTION(url), FUNCTION(url_get), FUNCTION(url_set), FUNCTION(url_cleanup),
	FUNCTION(free),
#undef FUNCTION
};

static bool find_functions(void *handle, struct curl_library *library)
{
	void *function;
	size_t i;

	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		function = dlsym(handle, functions[i].name);
		if (!function)
			return false;
		memcpy((char *)library + functions[i].offset, &function, sizeof(function));
	}
	return true;
}

const struct curl_library *curl_library_get(struct text_error *error_ret)
{
	static struct curl_library library;
	static bool is_there;
	CURLcode (*initialize)(long flags);
	void *handle = is_there ? NULL : dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL), *function;

	if (is_there)
		return &library;
	if (!handle)
		handle = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		text_fail(error_ret, -ENOENT, "load libcurl: it is not installed");
		text_hint(error_ret, "on Debian and Ubuntu its package is libcurl4, on Fedora libcurl");
		return NULL;
	}
	function = dlsym(handle, "curl_global_init");
	memcpy(&initialize, &function, sizeof(function));
	is_there = function && find_functions(handle, &library) && !initialize(CURL_GLOBAL_DEFAULT);
	/* The library is never unloaded: it may have threads. */
	if (!is_there)
		text_fail(error_ret, -ENOEXEC, "load libcurl: the one that is installed is not usable");
	return is_there ? &library : NULL;
}
#endif
