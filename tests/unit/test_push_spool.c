// SPDX-License-Identifier: GPL-2.0-only
/* The spool of requests on disk: cli/push/push_spool.c, push_file.c. */
#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "unit.h"
#include "directory.h"
#include "agent/sink_push.h"
#include "push/push_spool.h"
#include "push/push_text.h"

#define BYTES_MAX	10000

static struct push_request *request_of(u64 samples, size_t len)
{
	struct push_request *request = calloc(1, sizeof(*request));

	push_uuid(request->id, &samples, sizeof(samples));
	request->format = PUSH_PYROSCOPE;
	request->samples = samples;
	request->is_packed = samples % 2 == 0;
	request->target = strdup("/push?a=b");
	request->body = malloc(len);
	memset(request->body, 'a' + samples % 26, len);
	request->len = len;
	return request;
}

static void open_spool(struct push_spool *spool)
{
	assert_int_equal(push_spool_open(spool, in_directory("spool"), BYTES_MAX, PUSH_PYROSCOPE, NULL), 0);
}

static void add(struct push_spool *spool, u64 samples, size_t len)
{
	struct push_request *request = request_of(samples, len);

	assert_int_equal(push_spool_add(spool, request, NULL), 0);
	push_request_destroy(request);
}

/* Read the oldest request, which must be the one of request_of(). */
static void expect(struct push_spool *spool, u64 samples, size_t len, bool is_doubtful)
{
	struct push_request *request = push_spool_read(spool, PUSH_PYROSCOPE, NULL),
			    *want = request_of(samples, len);

	assert_non_null(request);
	assert_string_equal(request->id, want->id);
	assert_string_equal(request->target, want->target);
	assert_int_equal(request->samples, samples);
	assert_int_equal(request->len, len);
	assert_int_equal(request->is_packed, want->is_packed);
	assert_memory_equal(request->body, want->body, len);
	assert_int_equal(request->is_doubtful, is_doubtful);
	push_request_destroy(request);
	push_request_destroy(want);
}

static int clear(void **state)
{
	sh("rm -rf spool");
	return 0;
}

static void test_order(void **state)
{
	struct push_spool spool;

	open_spool(&spool);
	assert_null(push_spool_read(&spool, PUSH_PYROSCOPE, NULL));
	add(&spool, 1, 100);
	add(&spool, 2, 0);
	add(&spool, 3, 300);
	push_spool_close(&spool);
	/* Another process finds them, in order, whatever the clock says. */
	sh("touch -d 1970-01-02 spool/*-3-*");
	open_spool(&spool);
	assert_int_equal(spool.counts.found, 3);
	expect(&spool, 1, 100, false);
	/* It was being tried: its next attempt may double it. */
	push_spool_close(&spool);
	open_spool(&spool);
	expect(&spool, 1, 100, true);
	push_spool_remove(&spool);
	expect(&spool, 2, 0, false);
	push_spool_untried(&spool);
	push_spool_close(&spool);
	open_spool(&spool);
	expect(&spool, 2, 0, false);
	add(&spool, 4, 10);
	push_spool_remove(&spool);
	expect(&spool, 3, 300, false);
	push_spool_remove(&spool);
	expect(&spool, 4, 10, false);
	push_spool_remove(&spool);
	assert_null(push_spool_read(&spool, PUSH_PYROSCOPE, NULL));
	assert_int_equal(spool.bytes, 0);
	push_spool_remove(&spool);
	push_spool_close(&spool);
	sh("test $(ls spool) = lock");
}

/* The limit holds, also for what an earlier process left with a higher one. */
static void test_limit(void **state)
{
	struct push_request *request = request_of(9, BYTES_MAX);
	struct push_spool spool;
	u64 i;

	open_spool(&spool);
	for (i = 1; i <= 10; i++)
		add(&spool, i, 3000);
	assert_int_equal(spool.nr, 3);
	assert_int_equal(spool.counts.dropped, 7);
	assert_int_equal(spool.counts.dropped_samples, 1 + 2 + 3 + 4 + 5 + 6 + 7);
	assert_true(spool.bytes <= BYTES_MAX);
	expect(&spool, 8, 3000, false);
	assert_int_equal(push_spool_add(&spool, request, NULL), -EFBIG);
	assert_int_equal(spool.nr, 3);
	push_spool_close(&spool);
	assert_int_equal(push_spool_open(&spool, in_directory("spool"), 4000, PUSH_PYROSCOPE, NULL), 0);
	assert_int_equal(spool.counts.found, 3);
	assert_int_equal(spool.counts.dropped, 2);
	expect(&spool, 10, 3000, false);
	push_spool_close(&spool);
	push_request_destroy(request);
}

static void test_damaged(void **state)
{
	static const char *const harm[] = {
		"printf X | dd of=$f bs=1 seek=$(($(stat -c %s $f) - 1)) conv=notrunc status=none",
		"truncate -s -1 $f",
		"truncate -s 10 $f",
		": >$f",
		"echo rubbish >$f",
		"sed -i '1s/ 1 / 4 /2' $f",
		"sed -i '1s/ 1 / 0 /2' $f",
		"sed -i '1s/^.*$/cpuprobe-push 1 00000000 1 99999999999999999999 5/' $f",
		"rm $f && mkdir $f",
		"rm $f && ln -s /etc/passwd $f",
	};
	char command[300];
	struct push_spool spool;
	size_t i;

	for (i = 0; i < sizeof(harm) / sizeof(harm[0]); i++) {
		open_spool(&spool);
		add(&spool, 1, 100);
		add(&spool, 2, 100);
		snprintf(command, sizeof(command), "f=$(ls spool/*-1-*) && %s", harm[i]);
		sh(command);
		expect(&spool, 2, 100, false);
		assert_int_equal(spool.counts.damaged, 1);
		push_spool_remove(&spool);
		assert_int_equal(spool.bytes, 0);
		push_spool_close(&spool);
		sh("rm -r spool");
	}
}

/* A damaged file is kept aside until the next process begins, files of others are left alone. */
static void test_aside(void **state)
{
	struct push_spool spool;

	open_spool(&spool);
	add(&spool, 1, 100);
	sh("echo >spool/other; echo >spool/1-2-3.ready; echo >spool/request.new; echo x >>$(ls spool/*-1-*)");
	push_spool_close(&spool);
	open_spool(&spool);
	assert_int_equal(spool.counts.found, 1);
	assert_null(push_spool_read(&spool, PUSH_PYROSCOPE, NULL));
	push_spool_close(&spool);
	sh("ls spool/*.damaged >list && test ! -e spool/request.new && test -e spool/other && test -e "
	   "spool/1-2-3.ready");
	open_spool(&spool);
	push_spool_close(&spool);
	sh("test ! -e spool/*.damaged");
}

/* Requests of another interface cannot be delivered to this one: they stay, also beyond this one's limit. */
static void test_format(void **state)
{
	struct push_spool spool;
	struct text_error error;

	open_spool(&spool);
	add(&spool, 1, 100);
	add(&spool, 2, 100);
	add(&spool, 3, 100);
	push_spool_close(&spool);
	sh("echo rubbish >$(ls spool/*-1-*)");
	assert_int_equal(push_spool_open(&spool, in_directory("spool"), 200, PUSH_PARCA, &error), -ENOMSG);
	assert_non_null(strstr(error.what, ": it has requests of -to pyroscope: deliver them first"));
	push_spool_close(&spool);
	open_spool(&spool);
	assert_int_equal(spool.counts.found, 3);
	expect(&spool, 2, 100, false);
	assert_int_equal(spool.counts.damaged, 1);
	push_spool_remove(&spool);
	expect(&spool, 3, 100, false);
	push_spool_close(&spool);
	/* Nothing but damage says no format. */
	sh("echo rubbish >$(ls spool/*-3-*)");
	assert_int_equal(push_spool_open(&spool, in_directory("spool"), BYTES_MAX, PUSH_PARCA, NULL), 0);
	assert_null(push_spool_read(&spool, PUSH_PARCA, NULL));
	assert_int_equal(spool.counts.damaged, 1);
	push_spool_close(&spool);
}

/* Two formats in one directory, by an earlier version: each file is delivered in turn, or stays. */
static void test_two_formats(void **state)
{
	struct push_request *request;
	struct push_spool spool;
	struct text_error error;

	open_spool(&spool);
	add(&spool, 1, 100);
	add(&spool, 3, 100);
	add(&spool, 5, 100);
	push_spool_close(&spool);
	sh("sed -i '1s/ 1 / 3 /2' $(ls spool/*-3-*)");
	open_spool(&spool);
	expect(&spool, 1, 100, false);
	push_spool_remove(&spool);
	expect(&spool, 5, 100, false);
	assert_int_equal(spool.nr, 2);
	push_spool_remove(&spool);
	assert_null(push_spool_read(&spool, PUSH_PYROSCOPE, &error));
	assert_non_null(strstr(error.what, "another format"));
	assert_int_equal(spool.nr, 1);
	assert_int_equal(spool.counts.damaged, 0);
	push_spool_close(&spool);
	assert_int_equal(push_spool_open(&spool, in_directory("spool"), BYTES_MAX, PUSH_PARCA, NULL), 0);
	request = push_spool_read(&spool, PUSH_PARCA, NULL);
	assert_non_null(request);
	assert_int_equal(request->samples, 3);
	assert_false(request->is_doubtful);
	push_request_destroy(request);
	push_spool_close(&spool);
}

/* A file that cannot be read for the moment is not damaged. */
static void test_unreadable(void **state)
{
	struct rlimit limit, none;
	struct push_spool spool;
	struct text_error error;

	open_spool(&spool);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	add(&spool, 1, 100);
	add(&spool, 2, 100);
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	assert_null(push_spool_read(&spool, PUSH_PYROSCOPE, &error));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_non_null(strstr(error.what, strerror(EMFILE)));
	assert_int_equal(spool.nr, 2);
	assert_int_equal(spool.counts.damaged, 0);
	expect(&spool, 1, 100, false);
	push_spool_remove(&spool);
	expect(&spool, 2, 100, false);
	push_spool_remove(&spool);
	assert_int_equal(spool.bytes, 0);
	push_spool_close(&spool);
}

static void test_refused(void **state)
{
	struct push_spool one, two;
	struct text_error error;
	struct stat info;
	char text[PUSH_SPOOL_PATH_LEN + 2];

	open_spool(&one);
	assert_int_equal(stat(in_directory("spool"), &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	assert_int_equal(push_spool_open(&two, in_directory("spool"), BYTES_MAX, PUSH_PYROSCOPE, &error), -EBUSY);
	assert_non_null(strstr(error.what, "another process uses it"));
	push_spool_close(&two);
	push_spool_close(&one);
	open_spool(&two);
	push_spool_close(&two);
	write_file(in_directory("file"), "");
	assert_int_equal(push_spool_open(&two, in_directory("file"), BYTES_MAX, PUSH_PYROSCOPE, &error), -ENOTDIR);
	assert_int_equal(push_spool_open(&two, in_directory("no/where"), BYTES_MAX, PUSH_PYROSCOPE, &error), -ENOENT);
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(push_spool_open(&two, text, BYTES_MAX, PUSH_PYROSCOPE, &error), -ENAMETOOLONG);
	push_spool_close(&two);
}

/* An agent's status shows what became of its spool. */
static void test_status(void **state)
{
	static struct sink_push sink;	/* large */
	const struct push_options options = { .spool = in_directory("spool") };
	struct agent_sink agent_sink;
	struct push_spool spool;
	char *text;

	open_spool(&spool);
	add(&spool, 1, 100);
	push_spool_close(&spool);
	sh("echo rubbish >$(ls spool/*-1-*)");
	if (sink_push_open(&sink, &options, "http://127.0.0.1:1", &agent_sink, NULL) < 0)
		skip();	/* no libcurl */
	assert_true(push_wait(sink.push, 30));
	text = WRITTEN(out, agent_sink.put_status(agent_sink.self, out));
	assert_non_null(strstr(text, "push losses\t0 refused, 0 dropped, 1 damaged\n"));
	free(text);
	sink_push_close(&sink);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_order, clear), cmocka_unit_test_teardown(test_limit, clear),
		cmocka_unit_test_teardown(test_damaged, clear), cmocka_unit_test_teardown(test_aside, clear),
		cmocka_unit_test_teardown(test_format, clear), cmocka_unit_test_teardown(test_refused, clear),
		cmocka_unit_test_teardown(test_two_formats, clear), cmocka_unit_test_teardown(test_unreadable, clear),
		cmocka_unit_test_teardown(test_status, clear),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
