// SPDX-License-Identifier: GPL-2.0-only
/* Metrics over HTTP, by libmicrohttpd: see listen.h. Without the library -listen is refused. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/listen_parts.h"
#include "metrics/microhttpd_library.h"

#ifdef HAVE_MICROHTTPD
struct listen {
	const struct microhttpd_library *library;
	struct MHD_Daemon *daemon;
	pthread_mutex_t lock;		/* of @current, for as long as a reference is taken */
	struct MHD_Response *current;	/* NULL: nothing published yet */
	unsigned int port;
};

static enum MHD_Result answer_text(struct listen *listen, struct MHD_Connection *connection, unsigned int status,
				   const char *text)
{
	struct MHD_Response *response =
		listen->library->create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	listen->library->add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain; charset=utf-8");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		listen->library->add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	result = listen->library->queue_response(connection, status, response);
	listen->library->destroy_response(response);
	return result;
}

/* The connection takes a reference to the response, which lives until it is sent. */
static enum MHD_Result answer_metrics(struct listen *listen, struct MHD_Connection *connection)
{
	enum MHD_Result result = MHD_NO;
	bool is_published;

	pthread_mutex_lock(&listen->lock);
	is_published = listen->current;
	if (is_published)
		result = listen->library->queue_response(connection, MHD_HTTP_OK, listen->current);
	pthread_mutex_unlock(&listen->lock);
	return is_published ? result :
		answer_text(listen, connection, MHD_HTTP_SERVICE_UNAVAILABLE, "no metrics yet\n");
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload, size_t *upload_len,
			      void **request)
{
	struct listen *listen = context;
	static int is_seen;

	/* An answer before the body ends the connection without reading the body. */
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return answer_text(listen, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
	if (!*request) {
		*request = &is_seen;
		return MHD_YES;
	}
	/* The body of a GET is nobody's. */
	if (*upload_len) {
		*upload_len = 0;
		return MHD_YES;
	}
	if (strcmp(url, "/metrics"))
		return answer_text(listen, connection, MHD_HTTP_NOT_FOUND, "only /metrics\n");
	return answer_metrics(listen, connection);
}

/* Malformed requests are the clients' business: nothing is printed. */
static void ignore_message(void *context, const char *format, va_list arguments)
{
}

static struct MHD_Daemon *start_daemon(struct listen *listen, const union listen_address *address)
{
	unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD |
		(address->any.sa_family == AF_INET6 ? MHD_USE_IPv6 : 0);
	struct MHD_Daemon *daemon;
	sigset_t all, old;

	/* Signals are for the thread that measures. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	daemon = listen->library->start_daemon(flags, 0, NULL, NULL, answer, listen,
				  MHD_OPTION_EXTERNAL_LOGGER, ignore_message, NULL,
				  MHD_OPTION_SOCK_ADDR, &address->any,
				  MHD_OPTION_CONNECTION_LIMIT, LISTEN_CLIENTS,
				  MHD_OPTION_CONNECTION_TIMEOUT, LISTEN_IDLE_SECONDS,
				  MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LISTEN_CLIENT_BYTES,
				  MHD_OPTION_END);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return daemon;
}

int listen_check(const struct listen_options *options, struct text_error *error_ret)
{
	union listen_address address;

	return options->address ? listen_parse(options, &address, error_ret) : 0;
}

int listen_start(struct listen **listen_ret, const struct listen_options *options, struct text_error *error_ret)
{
	union listen_address address;
	const union MHD_DaemonInfo *info;
	struct listen *listen;
	int error = listen_parse(options, &address, error_ret);

	if (error)
		return error;
	listen = calloc(1, sizeof(*listen));
	if (!listen)
		return text_fail(error_ret, -ENOMEM, "listen on %s: out of memory", options->address);
	pthread_mutex_init(&listen->lock, NULL);
	listen->library = microhttpd_library_get(error_ret);
	if (!listen->library) {
		listen_stop(listen);
		return -ENOENT;
	}
	errno = 0;
	listen->daemon = start_daemon(listen, &address);
	if (!listen->daemon) {
		error = errno ? -errno : -EIO;
		listen_stop(listen);
		return text_fail(error_ret, error, "listen on %s: %s", options->address, strerror(-error));
	}
	info = listen->library->get_daemon_info(listen->daemon, MHD_DAEMON_INFO_BIND_PORT);
	listen->port = info ? info->port : 0;
	*listen_ret = listen;
	return 0;
}

unsigned int listen_port(const struct listen *listen)
{
	return listen->port;
}

static struct MHD_Response *make_response(struct listen *listen, const struct metrics *metrics)
{
	struct MHD_Response *response;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int error = out ? metrics_write(metrics, out) : -ENOMEM;

	if ((out && fclose(out)) || error) {
		free(text);
		return NULL;
	}
	response = listen->library->create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
	if (!response)
		free(text);
	else
		listen->library->add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
					"text/plain; version=0.0.4; charset=utf-8");
	return response;
}

int listen_publish(struct listen *listen, const struct metrics *metrics)
{
	struct MHD_Response *response = make_response(listen, metrics), *old;

	if (!response)
		return -ENOMEM;
	pthread_mutex_lock(&listen->lock);
	old = listen->current;
	listen->current = response;
	pthread_mutex_unlock(&listen->lock);
	if (old)
		listen->library->destroy_response(old);
	return 0;
}

void listen_stop(struct listen *listen)
{
	if (!listen)
		return;
	if (listen->daemon)
		listen->library->stop_daemon(listen->daemon);
	if (listen->current)
		listen->library->destroy_response(listen->current);
	pthread_mutex_destroy(&listen->lock);
	free(listen);
}

#else

int listen_check(const struct listen_options *options, struct text_error *error_ret)
{
	if (!options->address)
		return 0;
	text_fail(error_ret, 0, "listen on %s: this probe was built without libmicrohttpd", options->address);
	text_hint(error_ret, "install libmicrohttpd-dev and build it again, or use -prom");
	return -ENOTSUP;
}

int listen_start(struct listen **listen_ret, const struct listen_options *options, struct text_error *error_ret)
{
	return listen_check(options, error_ret);
}

unsigned int listen_port(const struct listen *listen)
{
	return 0;
}

int listen_publish(struct listen *listen, const struct metrics *metrics)
{
	return 0;
}

void listen_stop(struct listen *listen)
{
}

#endif
