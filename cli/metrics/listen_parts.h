/* SPDX-License-Identifier: GPL-2.0-only */
/* Definitions that the parts of -listen share: listen_address.c parses, listen.c serves. */
#ifndef LISTEN_PARTS_H
#define LISTEN_PARTS_H

#include <netinet/in.h>

#include "metrics/listen.h"

union listen_address {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
};

/** listen_parse() - parse the address of @options. -EINVAL with a reason, as of listen_check(). */
int listen_parse(const struct listen_options *options, union listen_address *address_ret,
		 struct text_error *error_ret);

#endif
