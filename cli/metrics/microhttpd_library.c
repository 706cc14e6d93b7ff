// SPDX-License-Identifier: GPL-2.0-only
/* libmicrohttpd, loaded when it is needed: see microhttpd_library.h. */
#ifdef HAVE_MICROHTTPD
#include <errno.h>
#include <stdbool.h>

#include "base/library.h"
#include "metrics/microhttpd_library.h"

#define FUNCTION(name)	{ "MHD_" #name, offsetof(struct microhttpd_library, name) }
static const struct library_function functions[] = {
	FUNCTION(start_daemon), FUNCTION(stop_daemon), FUNCTION(get_daemon_info),
	FUNCTION(create_response_from_buffer), FUNCTION(add_response_header), FUNCTION(queue_response),
	FUNCTION(destroy_response), { NULL }
};
#undef FUNCTION

const struct microhttpd_library *microhttpd_library_get(struct text_error *error_ret)
{
	static const char *const files[] = { "libmicrohttpd.so.12", NULL };
	static struct microhttpd_library library;
	static bool is_there;
	int error = is_there ? 0 : library_load(files, functions, &library);

	if (error == -ENOENT) {
		text_fail(error_ret, error, "load libmicrohttpd: it is not installed");
		text_hint(error_ret, "on Debian and Ubuntu its package is libmicrohttpd12, on Fedora libmicrohttpd");
	} else if (error) {
		text_fail(error_ret, error, "load libmicrohttpd: the one that is installed is not usable");
	}
	is_there = !error;
	return is_there ? &library : NULL;
}
#endif
