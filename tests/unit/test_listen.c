// SPDX-License-Identifier: GPL-2.0-only
/* Metrics over HTTP: cli/metrics/listen*.c. */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "folds.h"
#include "metrics/listen_parts.h"

static int parse(const char *text, bool is_remote, union listen_address *address_ret)
{
	const struct listen_options options = { .address = text, .is_remote = is_remote };
	struct text_error error;

	return listen_parse(&options, address_ret, &error);
}

/* Numeric addresses of this machine; others only if that was asked for. */
static void addresses_are_local(void **state)
{
	static const char *const malformed[] = {
		"", ":", "9101", ":9101", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
		"127.0.0.1:0x50", "127.0.0.1:080", "127.0.0.1:99999999999", "localhost:80", "::1:80", "[]:80", "[::1:80",
		"[127.0.0.1]:80", "127.0.0.1.1:80", "[::1%lo]:80", "1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:80",
	};
	static const char *const local[] = { "127.0.0.1:0", "127.1.2.3:65535", "[::1]:9101" };
	static const char *const remote[] = { "0.0.0.0:80", "10.0.0.1:80", "128.0.0.1:80", "[::]:80", "[fe80::1]:80" };
	union listen_address address;
	size_t i;

	for (i = 0; i < sizeof(malformed) / sizeof(*malformed); i++)
		assert_int_equal(parse(malformed[i], true, &address), -EINVAL);
	for (i = 0; i < sizeof(local) / sizeof(*local); i++)
		assert_int_equal(parse(local[i], false, &address), 0);
	assert_int_equal(ntohs(address.ipv6.sin6_port), 9101);
	for (i = 0; i < sizeof(remote) / sizeof(*remote); i++) {
		assert_int_equal(parse(remote[i], false, &address), -EINVAL);
		assert_int_equal(parse(remote[i], true, &address), 0);
	}
}

#ifdef HAVE_MICROHTTPD

static struct listen *start(void)
{
	const struct listen_options options = { .address = "127.0.0.1:0" };
	struct listen *listen = NULL;
	struct text_error error;

	assert_int_equal(listen_check(&options, &error), 0);
	assert_int_equal(listen_start(&listen, &options, &error), 0);
	assert_true(listen_port(listen) > 0);
	return listen;
}

static int connect_to(const struct listen *listen)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(listen_port(listen)),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

/* The answer to a request that asks to close the connection. */
static const char *ask(const struct listen *listen, const char *request)
{
	static char answer[65536];
	int fd = connect_to(listen);
	size_t used = 0;
	ssize_t got;

	assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
	while ((got = read(fd, answer + used, sizeof(answer) - 1 - used)) > 0)
		used += got;
	close(fd);
	answer[used] = '\0';
	return answer;
}

#define END	" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
#define IS(status, answer) assert_int_equal(strncmp("HTTP/1.1 " status, answer, 12), 0)

static struct metrics *make_metrics(u64 hits)
{
	const struct metrics_options options = { .nr_rows = 2, .by = "exe" };
	struct cpuprobe_account account = { .period_ns = 1000, .expected = hits, .taken = hits, .entries = 1 };
	struct run_result result = { .account.taken = hits };
	struct metrics_window window = { .result = &result, .tool_cpu_seconds = -1, .engine = "bpf" };
	struct metrics *metrics = metrics_create(&options);
	struct fold *fold = fold_create();
	struct cpuprobe_record record;

	record_init(&record, 1, "a", 0, 0, hits);
	fold_add(fold, 0, &account, &record);
	window.fold = fold;
	assert_int_equal(metrics_add(metrics, &window), 0);
	fold_destroy(fold);
	return metrics;
}

/* The text of metrics_write(), at one path, by one method. */
static void the_last_metrics_are_served(void **state)
{
	struct listen *listen = start();
	struct metrics *metrics[2] = { make_metrics(5), make_metrics(7) };
	const char *answer;
	char *text;
	int i;

	IS("503", ask(listen, "GET /metrics" END));
	for (i = 0; i < 2; i++) {
		assert_int_equal(listen_publish(listen, metrics[i]), 0);
		answer = ask(listen, "GET /metrics" END);
		IS("200", answer);
		assert_non_null(strstr(answer, "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
		text = WRITTEN(out, metrics_write(metrics[i], out));
		assert_string_equal(strstr(answer, "\r\n\r\n") + 4, text);
		free(text);
	}
	answer = ask(listen, "HEAD /metrics" END);
	IS("200", answer);
	assert_string_equal(strstr(answer, "\r\n\r\n") + 4, "");
	IS("200", ask(listen, "GET /metrics?name=value" END));
	IS("404", ask(listen, "GET /" END));
	IS("404", ask(listen, "GET /metrics/../etc/passwd" END));
	IS("405", ask(listen, "DELETE /metrics" END));
	IS("405", ask(listen, "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nabc"));
	listen_stop(listen);
	metrics_destroy(metrics[0]);
	metrics_destroy(metrics[1]);
}

/* Malformed, endless and silent clients neither stop the server nor hold up who publishes. */
static void hostile_clients_do_no_harm(void **state)
{
	static char huge[200000];
	struct listen *listen = start();
	struct metrics *metrics = make_metrics(5);
	int fds[3 * LISTEN_CLIENTS], i;

	memset(huge, 'a', sizeof(huge) - 1);
	ask(listen, "\r\n\r\n\x01\xff\r\n\r\n");
	ask(listen, "GET /metrics HTTP/9.9\r\n\r\n");
	i = connect_to(listen);
	dprintf(i, "GET /");
	send(i, huge, sizeof(huge) - 1, MSG_NOSIGNAL);
	close(i);
	for (i = 0; i < 3 * LISTEN_CLIENTS; i++) {
		fds[i] = connect_to(listen);
		dprintf(fds[i], "GET /metrics HTTP/1.1\r\nX:");
		assert_int_equal(listen_publish(listen, metrics), 0);
	}
	for (i = 0; i < 3 * LISTEN_CLIENTS; i++)
		close(fds[i]);
	IS("200", ask(listen, "GET /metrics" END));
	listen_stop(listen);
	metrics_destroy(metrics);
}

/* A port in use is an error with a reason, and the end while a client is connected waits for nobody. */
static void errors_have_reasons(void **state)
{
	struct listen *listen = start(), *second = NULL;
	struct text_error error;
	char address[32];
	int fd;

	snprintf(address, sizeof(address), "127.0.0.1:%u", listen_port(listen));
	assert_int_equal(listen_start(&second, &(struct listen_options){ .address = address }, &error), -EADDRINUSE);
	assert_non_null(strstr(error.what, "Address already in use"));
	assert_null(second);
	fd = connect_to(listen);
	listen_stop(listen);
	close(fd);
	listen_stop(NULL);
}

#else

/* Without the library -listen says so. */
static void the_library_is_missing(void **state)
{
	const struct listen_options options = { .address = "127.0.0.1:0" };
	struct listen *listen = NULL;
	struct text_error error;

	assert_int_equal(listen_check(&options, &error), -ENOTSUP);
	assert_non_null(strstr(error.what, "libmicrohttpd"));
	assert_int_equal(listen_start(&listen, &options, &error), -ENOTSUP);
	assert_int_equal(listen_check(&(struct listen_options){ .address = NULL }, &error), 0);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_local),
#ifdef HAVE_MICROHTTPD
		cmocka_unit_test(the_last_metrics_are_served),
		cmocka_unit_test(hostile_clients_do_no_harm),
		cmocka_unit_test(errors_have_reasons),
#else
		cmocka_unit_test(the_library_is_missing),
#endif
	};

	/* The server may close a connection that is being written to. */
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
