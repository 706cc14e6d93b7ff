// SPDX-License-Identifier: GPL-2.0-only
/* The address of -listen: see listen_parts.h. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "base/option_values.h"
#include "metrics/listen_parts.h"

const struct option_spec listen_specs[] = {
	{ "listen", "ADDRESS:PORT", "serve the metrics by HTTP at /metrics, on a local address", option_text,
	  offsetof(struct listen_options, address) },
	{ "listen-remote", NULL, "let -listen take an address that other machines reach", option_flag,
	  offsetof(struct listen_options, is_remote) },
	{ NULL }
};

static bool is_loopback(const union listen_address *address)
{
	if (address->any.sa_family == AF_INET)
		return ntohl(address->ipv4.sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&address->ipv6.sin6_addr);
}

static bool parse_port(const char *text, unsigned int *port_ret)
{
	u64 port;

	if (!text[0] || strspn(text, "0123456789") != strlen(text) || strlen(text) > 5 || (text[0] == '0' && text[1]))
		return false;
	if (parse_u64(text, &port, NULL) || port > 65535)
		return false;
	*port_ret = port;
	return true;
}

static bool parse_host(const char *host, size_t len, unsigned int port, union listen_address *address_ret)
{
	char text[INET6_ADDRSTRLEN];
	bool is_ipv6 = len > 2 && host[0] == '[' && host[len - 1] == ']';

	host += is_ipv6;
	len -= is_ipv6 ? 2 : 0;
	if (!len || len >= sizeof(text))
		return false;
	memcpy(text, host, len);
	text[len] = '\0';
	memset(address_ret, 0, sizeof(*address_ret));
	if (is_ipv6) {
		address_ret->ipv6.sin6_family = AF_INET6;
		address_ret->ipv6.sin6_port = htons(port);
		return inet_pton(AF_INET6, text, &address_ret->ipv6.sin6_addr) == 1;
	}
	address_ret->ipv4.sin_family = AF_INET;
	address_ret->ipv4.sin_port = htons(port);
	return inet_pton(AF_INET, text, &address_ret->ipv4.sin_addr) == 1;
}

int listen_parse(const struct listen_options *options, union listen_address *address_ret,
		 struct text_error *error_ret)
{
	const char *text = options->address, *colon = strrchr(text, ':');
	unsigned int port;

	if (!colon || !parse_port(colon + 1, &port) || !parse_host(text, colon - text, port, address_ret)) {
		text_fail(error_ret, 0, "listen on '%s': not a numeric address and a port", text);
		text_hint(error_ret, "such as 127.0.0.1:9101 or [::1]:9101");
		return -EINVAL;
	}
	if (!is_loopback(address_ret) && !options->is_remote) {
		text_fail(error_ret, 0, "listen on '%s': other machines could read the names of all programs", text);
		text_hint(error_ret, "a local address such as 127.0.0.1:%u, or -listen-remote", port);
		return -EINVAL;
	}
	return 0;
}
