// SPDX-License-Identifier: GPL-2.0-only
/* Requests to stores of profiles: addresses, labels, encodings, services, verdicts and pauses: cli/push/. */
#include <errno.h>

#include "unit.h"
#include "directory.h"
#include "profiles.h"
#include "push/push_labels.h"
#include "push/push_queue.h"
#include "push/push_request.h"
#include "push/push_retry.h"
#include "push/push_text.h"
#include "push/push_url.h"

static void test_url(void **state)
{
	static const struct {
		const char *text, *base;
		enum push_format asked, format;
		bool is_tls, is_local;
	} good[] = {
		{ "http://store", "http://store", PUSH_BY_PATH, PUSH_PYROSCOPE, false, false },
		{ "https://store:4040/", "https://store:4040", PUSH_BY_PATH, PUSH_PYROSCOPE, true, false },
		{ "HTTPS://store/a/b//", "HTTPS://store/a/b", PUSH_PARCA, PUSH_PARCA, true, false },
		{ "http://store/ingest", "http://store", PUSH_BY_PATH, PUSH_INGEST, false, false },
		{ "http://store/x/profiles/writeraw/", "http://store/x", PUSH_BY_PATH, PUSH_PARCA, false,
		  false },
		{ "http://store/push.v1.PusherService/Push", "http://store", PUSH_PYROSCOPE, PUSH_PYROSCOPE,
		  false, false },
		{ "http://localhost:1/", "http://localhost:1", PUSH_BY_PATH, PUSH_PYROSCOPE, false, true },
		{ "http://127.0.0.1", "http://127.0.0.1", PUSH_BY_PATH, PUSH_PYROSCOPE, false, true },
		{ "http://[::1]:80", "http://[::1]:80", PUSH_BY_PATH, PUSH_PYROSCOPE, false, true },
		{ "http://[2001:db8::1]", "http://[2001:db8::1]", PUSH_BY_PATH, PUSH_PYROSCOPE, false,
		  false },
		{ "http://localhost.example", "http://localhost.example", PUSH_BY_PATH, PUSH_PYROSCOPE, false,
		  false },
	};
	struct push_url url;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(push_url_parse(good[i].text, good[i].asked, &url, NULL), 0);
		assert_string_equal(url.base, good[i].base);
		assert_int_equal(url.format, good[i].format);
		assert_int_equal(url.is_tls, good[i].is_tls);
		assert_int_equal(url.is_local, good[i].is_local);
	}
}

static void test_url_refused(void **state)
{
	static const char *const bad[] = {
		"", "store:4040", "ftp://store", "http://", "http:///ingest", "http://:80", "http://store:8x",
		"http://store:123456", "http://store/a b", "http://store/\n", "http://store/\xc3\xa9",
		"http://store/?a=b", "http://store/#x", "http://store/{a}", "file:///etc/passwd",
	};
	struct text_error error;
	struct push_url url;
	char text[600];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(push_url_parse(bad[i], PUSH_BY_PATH, &url, NULL), -EINVAL);
	assert_int_equal(push_url_parse("http://store/ingest", PUSH_PARCA, &url, NULL), -EINVAL);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text, "http://", 7);
	assert_int_equal(push_url_parse(text, PUSH_BY_PATH, &url, NULL), -EINVAL);
	/* No message repeats a password. */
	assert_int_equal(push_url_parse("http://me:secret@store", PUSH_BY_PATH, &url, &error), -EINVAL);
	assert_null(strstr(error.what, "secret"));
	assert_int_equal(push_url_parse("htp://me:secret@store", PUSH_BY_PATH, &url, &error), -EINVAL);
	assert_null(strstr(error.what, "secret"));
}

static void test_labels(void **state)
{
	struct push_labels labels = { .nr = 0 };
	char text[PUSH_LABEL_VALUE_LEN + 10], name[16];
	int i;

	assert_int_equal(push_labels_parse(&labels, "a=b=c", NULL), 0);
	assert_string_equal(push_labels_get(&labels, "a"), "b=c");
	assert_int_equal(push_labels_parse(&labels, "a=d", NULL), 0);
	assert_string_equal(push_labels_get(&labels, "a"), "d");
	assert_string_equal(push_labels_get(&labels, "b"), "");
	assert_int_equal(push_labels_parse(&labels, "x", NULL), -EINVAL);
	assert_int_equal(push_labels_parse(&labels, "=x", NULL), -EINVAL);
	assert_int_equal(push_labels_parse(&labels, "5a=x", NULL), -EINVAL);
	assert_int_equal(push_labels_parse(&labels, "a-b=x", NULL), -EINVAL);
	assert_int_equal(push_labels_parse(&labels, "__name__=x", NULL), -EINVAL);
	assert_int_equal(push_labels_parse(&labels, "\xc3\xa9=x", NULL), -EINVAL);
	/* Any bytes become valid text, and a character at the limit is dropped in whole. */
	assert_int_equal(push_labels_set(&labels, "odd", "\x1b[31m\xff\n"), 0);
	assert_null(strpbrk(push_labels_get(&labels, "odd"), "\x1b\xff\n"));
	memset(text, 'x', sizeof(text));
	memcpy(text + PUSH_LABEL_VALUE_LEN - 2, "\xc3\xa9", 3);
	assert_int_equal(push_labels_set(&labels, "long", text), 0);
	assert_int_equal(strlen(push_labels_get(&labels, "long")), PUSH_LABEL_VALUE_LEN - 2);
	assert_int_equal(labels.nr, 3);
	for (i = 3; i < PUSH_LABELS_MAX; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		assert_int_equal(push_labels_set(&labels, name, "v"), 0);
	}
	assert_int_equal(push_labels_set(&labels, "more", "v"), -ENOSPC);
	assert_int_equal(push_labels_set(&labels, "a", "again"), 0);
}

static void assert_base64(const char *bytes, size_t len, const char *want)
{
	char *got = WRITTEN(out, push_base64(out, bytes, len));

	assert_string_equal(got, want);
	free(got);
}

static void test_text(void **state)
{
	char one[37], two[37], *got;

	/* The examples of RFC 4648. */
	assert_base64("", 0, "");
	assert_base64("f", 1, "Zg==");
	assert_base64("fo", 2, "Zm8=");
	assert_base64("foo", 3, "Zm9v");
	assert_base64("foobar", 6, "Zm9vYmFy");
	assert_base64("\xff\xfb\xbf\0\x3e", 5, "//u/AD4=");
	got = WRITTEN(out, push_percent(out, "a-b._~0 {\"\xc3\xa9&=%"));
	assert_string_equal(got, "a-b._~0%20%7B%22%C3%A9%26%3D%25");
	free(got);
	push_uuid(one, "abc", 3);
	push_uuid(two, "abc", 3);
	assert_string_equal(one, two);
	/*
	 * FNV-1a of 128 bits of "abc" is a68d622cec8b5822836dbc7977af7f3b; the version is 8, the variant 2.
	 */
	assert_string_equal(one, "a68d622c-ec8b-8822-836d-bc7977af7f3b");
	push_uuid(two, "abd", 3);
	assert_string_not_equal(one, two);
}

static void test_verdict(void **state)
{
	assert_int_equal(push_verdict(200, true), PUSH_DELIVERED);
	assert_int_equal(push_verdict(204, true), PUSH_DELIVERED);
	assert_int_equal(push_verdict(0, false), PUSH_REPEAT);
	assert_int_equal(push_verdict(0, true), PUSH_DOUBTFUL);
	assert_int_equal(push_verdict(502, true), PUSH_DOUBTFUL);
	assert_int_equal(push_verdict(504, true), PUSH_DOUBTFUL);
	assert_int_equal(push_verdict(408, true), PUSH_DOUBTFUL);
	assert_int_equal(push_verdict(429, true), PUSH_REPEAT);
	assert_int_equal(push_verdict(500, true), PUSH_REPEAT);
	assert_int_equal(push_verdict(503, true), PUSH_REPEAT);
	assert_int_equal(push_verdict(307, true), PUSH_REFUSED);
	assert_int_equal(push_verdict(400, true), PUSH_REFUSED);
	assert_int_equal(push_verdict(401, true), PUSH_REFUSED);
	assert_int_equal(push_verdict(413, true), PUSH_REFUSED);
	assert_int_equal(push_verdict(499, true), PUSH_REFUSED);
}

/* An hour without a server, in virtual time: pauses double up to the cap, and differ between machines. */
static void test_backoff(void **state)
{
	struct push_backoff a = { .random = 1 }, b = { .random = 2 };
	double wait, most = 1, time = 0;
	bool differs = false;
	int attempts = 0;

	while (time < 3600) {
		wait = push_backoff_fail(&a, 0);
		assert_true(wait >= most / 2 && wait <= most);
		differs |= wait != push_backoff_fail(&b, 0);
		most = 2 * most < PUSH_BACKOFF_CAP ? 2 * most : PUSH_BACKOFF_CAP;
		time += wait;
		attempts++;
	}
	assert_true(differs);
	assert_in_range(attempts, 20, 35);
	/* Retry-After is a lower bound, up to an hour. */
	push_backoff_clear(&a);
	assert_true(push_backoff_fail(&a, 0) <= 1);
	assert_true(push_backoff_fail(&a, 77) == 77);
	assert_true(push_backoff_fail(&a, 1e9) == PUSH_RETRY_AFTER_CAP);
	/* Many failures overflow nothing. */
	a.nr_failed = UINT32_MAX - 1;
	assert_true(push_backoff_fail(&a, 0) >= PUSH_BACKOFF_CAP / 2);
}

static const char three[] = "big 1 user main@big;run@big 60\nbig 2 user main@big;run@big 10\nmid 3 user "
			    "main@mid;read@libc.so.6 20\n"
			    "small 4 user main@small 5\ntiny 5 user main@tiny 4\nlost 3\nother 9\n";

static struct profile *profile_of(const char *text)
{
	char copy[1024];

	snprintf(copy, sizeof(copy), "%s", text);
	return profiles_of(copy);
}

static void test_services(void **state)
{
	static const u64 hits[] = { 70, 20, 12 };
	struct profile *profile = profile_of(three), *part;
	struct push_services services;
	u64 sum = 0;
	u32 i, k;

	assert_int_equal(push_services_init(&services, profile, &push_by_exe, 2), 0);
	assert_int_equal(services.nr, 3);
	assert_string_equal(services.list[0].name, "big");
	assert_string_equal(services.list[1].name, "mid");
	assert_string_equal(services.list[2].name, PUSH_OTHER);
	for (i = 0; i < services.nr; i++) {
		part = push_services_extract(&services, i, true);
		assert_non_null(part);
		assert_int_equal(services.list[i].hits, hits[i]);
		assert_int_equal(part->taken, hits[i]);
		assert_true(part->taken_ns == hits[i] * 1e6);
		for (k = 0; k < part->nr_stacks; k++)
			sum += part->stacks[k].hits;
		sum += part->lost;
		assert_true(part->lost_ns == part->lost * 1e6);
		profile_destroy(part);
	}
	assert_int_equal(sum, profile->taken - profile->other);
	/* Code of others is not copied: the marks, and main and read of two objects. */
	part = push_services_extract(&services, 1, true);
	assert_int_equal(part->nr_functions, PROFILE_MARK_COUNT + 2);
	assert_int_equal(part->nr_objects, 3);
	assert_int_equal(part->nr_processes, 1);
	profile_destroy(part);
	assert_string_equal(push_services_object(&services, 0)->name, "big");
	assert_null(push_services_object(&services, 2));
	push_services_deinit(&services);
	profile_destroy(profile);
}

/* Compressed requests to Pyroscope are binary, and much shorter; those to Parca stay JSON. */
static void test_compressed(void **state)
{
	static const u8 gzip[] = { 0x1f, 0x8b };
	struct profile *profile = profile_of(three);
	struct stack_run run = { .profile = profile };
	struct push_shape shape = { .format = PUSH_PYROSCOPE, .naming = &push_by_exe, .services_max = 20 };
	struct push_requests json, packed;

	assert_int_equal(push_request_make(&run, &shape, &json), 0);
	shape.is_packed = true;
	assert_int_equal(push_request_make(&run, &shape, &packed), 0);
	assert_int_equal(json.nr, 1);
	assert_int_equal(packed.nr, 1);
	assert_int_equal(packed.list[0]->samples, json.list[0]->samples);
	assert_true(packed.list[0]->is_packed && !json.list[0]->is_packed);
	assert_memory_equal(packed.list[0]->body, gzip, 2);
	assert_true(packed.list[0]->len < json.list[0]->len / 2);
	assert_string_equal(push_request_type(PUSH_PYROSCOPE, true), "application/proto");
	assert_string_equal(push_request_type(PUSH_PYROSCOPE, false), "application/json");
	assert_string_equal(push_request_type(PUSH_PARCA, true), "application/json");
	assert_string_equal(push_request_type(PUSH_INGEST, true), "application/octet-stream");
	push_request_destroy(json.list[0]);
	push_request_destroy(packed.list[0]);
	profile_destroy(profile);
}

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER_ID "f123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define POD "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podaaaaaaaa_bbbb_cccc_dddd_eeeeeeeeeeee.slice"

/* Programs of one name in different containers are services of their own, and say where they are. */
static void test_containers(void **state)
{
	static const char *const cgroups[] = {
		"/docker/" ID, "/docker/" ID "/below", POD "/crio-" OTHER_ID ".scope", POD, "/system.slice/web.service",
	};
	static const u64 hits[] = { 1, 3, 2, 5, 8 }, sums[] = { 8, 5, 4, 2 };
	struct profile *profile = profile_create();
	struct push_services services;
	struct push_labels labels[5] = { 0 };
	u32 frame = profile_mark(MARK_USER), i;

	for (i = 0; i < 5; i++) {
		u32 process = profile_add_process(profile, &(struct profile_process){
			.kind = CPUPROBE_KIND_PROCESS, .name = "web", .cgroup = cgroups[i] });

		assert_int_equal(process, i);
		assert_int_equal(profile_add_stack(profile, process, CPUPROBE_MODE_USER, &frame, 1, hits[i], hits[i]), 0);
		push_container_label("/nonexistent", &profile->processes[i], &labels[i]);
	}
	profile->taken = 19;
	assert_int_equal(push_services_init(&services, profile, &push_by_exe, 20), 0);
	assert_int_equal(services.nr, 4);
	for (i = 0; i < 4; i++) {
		assert_string_equal(services.list[i].name, "web");
		assert_int_equal(services.list[i].hits, sums[i]);
	}
	assert_string_equal(services.list[0].group, "");
	push_services_deinit(&services);
	assert_int_equal(push_services_init(&services, profile, &push_by_exe, 1), 0);
	assert_int_equal(services.nr, 2);
	assert_int_equal(services.list[1].hits, 11);
	push_services_deinit(&services);
	profile_destroy(profile);

	assert_int_equal(labels[0].nr, 3);
	assert_string_equal(push_labels_get(&labels[0], "runtime"), "docker");
	assert_string_equal(push_labels_get(&labels[0], "container_id"), ID);
	assert_string_equal(push_labels_get(&labels[0], "container"), "0123456789ab");
	assert_string_equal(push_labels_get(&labels[1], "container_id"), ID);
	assert_string_equal(push_labels_get(&labels[2], "runtime"), "cri-o");
	assert_string_equal(push_labels_get(&labels[2], "pod_uid"), "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee");
	assert_int_equal(labels[3].nr, 1);
	assert_string_equal(push_labels_get(&labels[3], "pod_uid"), "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee");
	assert_int_equal(labels[4].nr, 0);
}

/* The name of a container of kubernetes has those of its namespace and pod. */
static void test_container_names(void **state)
{
	static const char config[] = "{ \"annotations\": { \"io.kubernetes.cri.sandbox-namespace\": \"shop\", "
		"\"io.kubernetes.cri.sandbox-name\": \"cart-7\", \"io.kubernetes.cri.container-name\": \"cart\" } }";
	struct profile_process process = { .kind = CPUPROBE_KIND_PROCESS, .name = "x",
					   .cgroup = POD "/cri-containerd-" ID ".scope" };
	struct push_labels labels = { .nr = 0 };
	char path[400];

	make_directory(NULL);
	sh("mkdir -p run/containerd/io.containerd.runtime.v2.task/k8s.io/" ID);
	snprintf(path, sizeof(path), "%s/run/containerd/io.containerd.runtime.v2.task/k8s.io/" ID "/config.json",
		 directory);
	write_file(path, config);
	push_container_label(directory, &process, &labels);
	assert_string_equal(push_labels_get(&labels, "container"), "cart");
	assert_string_equal(push_labels_get(&labels, "pod"), "shop/cart-7");
	assert_string_equal(push_labels_get(&labels, "runtime"), "containerd");
	remove_directory(NULL);
}

/* Without detail, the samples of a function are one stack, and so are the processes of a name. */
static void test_detail(void **state)
{
	struct profile *profile = profile_of(
			       "a 1 user main+0x10@a;~in+0x10@a 4\na 2 user main+0x20@a;~in+0x20@a 5\n"
			       "a 1 user main+0x30{f.c:3}@a 6\n"),
		       *part;
	struct push_services services;

	assert_int_equal(push_services_init(&services, profile, &push_by_exe, 2), 0);
	part = push_services_extract(&services, 0, true);
	assert_int_equal(part->nr_stacks, 3);
	assert_int_equal(part->nr_processes, 2);
	profile_destroy(part);
	part = push_services_extract(&services, 0, false);
	assert_int_equal(part->nr_stacks, 2);
	assert_int_equal(part->nr_processes, 1);
	assert_int_equal(part->processes[0].pid, 0);
	assert_int_equal(part->stacks[0].hits, 9);
	assert_int_equal(part->stacks[1].hits, 6);
	assert_int_equal(part->nr_frames, PROFILE_MARK_COUNT + 2);
	profile_destroy(part);
	push_services_deinit(&services);
	profile_destroy(profile);
}

static void name_all(void *context, const struct profile_process *process, char text_ret[PUSH_LABEL_VALUE_LEN])
{
	strcpy(text_ret, "all");
}

/* Names of processes are frames of a service that has several, and no labels. */
static void test_roots(void **state)
{
	const struct push_naming naming = { .name = name_all };
	struct profile *profile = profile_of(three), *part;
	const struct profile_stack *stack;
	struct push_services services;

	assert_int_equal(push_services_init(&services, profile, &naming, 2), 0);
	part = push_services_extract(&services, 0, false);
	assert_int_equal(part->nr_stacks, 4);
	assert_int_equal(part->nr_processes, 1);
	assert_string_equal(part->processes[0].name, "all");
	stack = &part->stacks[1];
	assert_int_equal(stack->hits, 20);
	assert_int_equal(stack->nr_frames, 3);
	assert_string_equal(profile_function_of(part, profile_frames_of(part, stack)[2])->name, "mid");
	profile_destroy(part);
	push_services_deinit(&services);
	profile_destroy(profile);
}

/* With room for all, only lost samples need a service of their own. */
static void test_services_all(void **state)
{
	struct profile *profile = profile_of(three);
	struct push_services services;

	assert_int_equal(push_services_init(&services, profile, &push_by_exe, 4), 0);
	assert_int_equal(services.nr, 5);
	assert_string_equal(services.list[4].name, PUSH_OTHER);
	assert_int_equal(services.list[4].hits, 3);
	push_services_deinit(&services);
	profile_destroy(profile);
	profile = profile_of("lost 4\n");
	assert_int_equal(push_services_init(&services, profile, &push_by_exe, 4), 0);
	assert_int_equal(services.nr, 1);
	push_services_deinit(&services);
	profile_destroy(profile);
	profile = profile_of("other 4\n");
	assert_int_equal(push_services_init(&services, profile, &push_by_exe, 4), 0);
	assert_int_equal(services.nr, 0);
	push_services_deinit(&services);
	profile_destroy(profile);
}

static void make(const char *text, double began, enum push_format format, struct push_requests *requests)
{
	struct push_shape shape = { .format = format, .naming = &push_by_exe, .services_max = 2 };
	struct stack_run run = { .profile = profile_of(text),
				 .result = { .began = began, .elapsed_seconds = 10 } };

	assert_int_equal(push_labels_parse(&shape.labels, "host=h{1}", NULL), 0);
	assert_int_equal(push_request_make(&run, &shape, requests), 0);
	profile_destroy(run.profile);
}

static void drop(struct push_requests *requests)
{
	while (requests->nr)
		push_request_destroy(requests->list[--requests->nr]);
}

static void test_requests(void **state)
{
	struct push_requests one, two;

	make(three, 1000.5, PUSH_PYROSCOPE, &one);
	make(three, 1000.5, PUSH_PYROSCOPE, &two);
	assert_int_equal(one.nr, 1);
	assert_int_equal(one.nr_services, 3);
	assert_int_equal(one.list[0]->samples, 102);
	assert_string_equal(one.list[0]->target, "/push.v1.PusherService/Push");
	/* The same window has the same bytes and ids, another time others. */
	assert_string_equal(one.list[0]->id, two.list[0]->id);
	assert_int_equal(one.list[0]->len, two.list[0]->len);
	assert_memory_equal(one.list[0]->body, two.list[0]->body, one.list[0]->len);
	drop(&two);
	make(three, 1000.6, PUSH_PYROSCOPE, &two);
	assert_string_not_equal(one.list[0]->id, two.list[0]->id);
	drop(&two);
	drop(&one);
	make(three, 1000.5, PUSH_INGEST, &one);
	assert_int_equal(one.nr, 3);
	assert_int_equal(one.list[0]->samples, 70);
	assert_string_equal(one.list[2]->target,
			    "/ingest?name=%28other%29%7Bhost%3Dh_1_%7D&from=1000&until=1011&format=pprof&"
			    "spyName=cpuprobe");
	assert_int_equal((unsigned char)one.list[0]->body[0], 0x1f);
	drop(&one);
	make(three, 1000.5, PUSH_PARCA, &one);
	assert_int_equal(strncmp(one.list[0]->body,
				 "{\"series\":[{\"labels\":{\"labels\":[{\"name\":\"__name__\"", 50),
			 0);
	assert_string_equal(one.list[0]->body + one.list[0]->len - 18, "\"normalized\":true}");
	drop(&one);
}

static struct push_request *request_of(u64 samples, size_t len)
{
	struct push_request *request = calloc(1, sizeof(*request));

	request->samples = samples;
	request->target = strdup("/");
	request->body = calloc(1, len);
	request->len = len;
	return request;
}

static void test_queue(void **state)
{
	struct push_queue queue = { .bytes_max = 3500 };
	struct push_request *request;
	u64 i;

	for (i = 1; i <= 5; i++)
		push_queue_add(&queue, request_of(i, 1000));
	/* Three have room; the two oldest were dropped. */
	assert_int_equal(queue.nr, 3);
	assert_int_equal(queue.dropped, 2);
	assert_int_equal(queue.dropped_samples, 1 + 2);
	request = push_queue_take(&queue);
	assert_int_equal(request->samples, 3);
	push_queue_return(&queue, request);
	request = push_queue_take(&queue);
	assert_int_equal(request->samples, 3);
	push_queue_add(&queue, request_of(6, 1000));
	/* No room any more for the oldest. */
	push_queue_return(&queue, request);
	assert_int_equal(queue.dropped_samples, 1 + 2 + 3);
	push_queue_add(&queue, request_of(100, 5000));
	assert_int_equal(queue.nr, 0);
	assert_int_equal(queue.bytes, 0);
	assert_null(push_queue_take(&queue));
	push_queue_add(&queue, request_of(7, 1000));
	push_queue_deinit(&queue);
	assert_int_equal(queue.dropped_samples, 1 + 2 + 3 + 4 + 5 + 6 + 100 + 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_url),	 cmocka_unit_test(test_url_refused),
		cmocka_unit_test(test_labels),	 cmocka_unit_test(test_text),
		cmocka_unit_test(test_verdict),	 cmocka_unit_test(test_backoff),
		cmocka_unit_test(test_services), cmocka_unit_test(test_services_all),
		cmocka_unit_test(test_detail),   cmocka_unit_test(test_roots),
		cmocka_unit_test(test_compressed), cmocka_unit_test(test_containers), cmocka_unit_test(test_container_names),
			 cmocka_unit_test(test_requests),
		cmocka_unit_test(test_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
