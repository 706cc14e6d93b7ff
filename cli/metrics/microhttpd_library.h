/* SPDX-License-Identifier: GPL-2.0-only */
/* libmicrohttpd, loaded by -listen: it needs libraries of 3 MB. */
#ifndef MICROHTTPD_LIBRARY_H
#define MICROHTTPD_LIBRARY_H

#ifdef HAVE_MICROHTTPD
#include <microhttpd.h>

#include "base/text.h"

/** Functions of libmicrohttpd that the tool calls; they are those of the library's manual. */
struct microhttpd_library {
	struct MHD_Daemon *(*start_daemon)(unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback accept,
					   void *accept_context, MHD_AccessHandlerCallback answer,
					   void *context, ...);
	void (*stop_daemon)(struct MHD_Daemon *daemon);
	const union MHD_DaemonInfo *(*get_daemon_info)(struct MHD_Daemon *daemon,
						       enum MHD_DaemonInfoType type, ...);
	struct MHD_Response *(*create_response_from_buffer)(size_t len, void *text,
							    enum MHD_ResponseMemoryMode mode);
	enum MHD_Result (*add_response_header)(struct MHD_Response *response, const char *name,
					       const char *value);
	enum MHD_Result (*queue_response)(struct MHD_Connection *connection, unsigned int status,
					  struct MHD_Response *response);
	void (*destroy_response)(struct MHD_Response *response);
};

/** microhttpd_library_get() - load libmicrohttpd, once. NULL with a reason: it is not installed, or too old. */
const struct microhttpd_library *microhttpd_library_get(struct text_error *error_ret);

#endif
#endif
