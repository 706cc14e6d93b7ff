// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests that carry one window of profiles: see push_request.h. Parca's names are those of its
 * profilestore.proto, v1alpha1, Pyroscope's names and numbers those of its push.proto.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/export.h"
#include "export/gzip.h"
#include "export/protobuf.h"
#include "push/push_request.h"
#include "push/push_text.h"

#define COMMENT_LEN	512

/** The profile of one service, packed. */
struct series {
	struct push_labels labels;
	char id[PUSH_ID_LEN];
	char *packed;		/* gzipped pprof; is_binary(): plain */
	size_t len;
};

/* Fields of push.proto. */
enum push_field {
	REQUEST_SERIES = 1,
	SERIES_LABELS = 1,
	SERIES_SAMPLES = 2,
	LABEL_NAME = 1,
	LABEL_VALUE = 2,
	SAMPLE_PROFILE = 1,
	SAMPLE_ID = 2,
};

/* Pyroscope takes both encodings of its messages. Plain profiles in one compressed message share their names. */
static bool is_binary(enum push_format format, bool is_packed)
{
	return format == PUSH_PYROSCOPE && is_packed;
}

const char *push_request_type(enum push_format format, bool is_packed)
{
	if (is_binary(format, is_packed))
		return "application/proto";
	return format == PUSH_INGEST ? "application/octet-stream" : "application/json";
}

void push_request_destroy(struct push_request *request)
{
	if (!request)
		return;
	free(request->target);
	free(request->body);
	free(request);
}

static void destroy_all(struct push_requests *requests)
{
	while (requests->nr)
		push_request_destroy(requests->list[--requests->nr]);
}

/* Labels that are known of every series. Those of @shape win. */
static void label_series(struct series *series, const struct stack_run *stacks,
			 const struct push_shape *shape, const struct push_services *services, u32 at)
{
	bool is_program = shape->naming && shape->naming->is_program;
	const struct profile_object *object = is_program ? push_services_object(services, at) : NULL;
	const struct push_service *service = &services->list[at];
	char text[2 * sizeof(object->build_id) + 1] = "";
	u32 i;

	push_labels_set(&series->labels, "__name__", "process_cpu");
	push_labels_set(&series->labels, "service_name", service->name);
	if (!gethostname(text, sizeof(text) - 1))
		push_labels_set(&series->labels, "host", text);
	push_labels_set(&series->labels, "kernel", stacks->has_receipt ? stacks->receipt.kernel : "");
	for (i = 0; object && i < object->build_id_len; i++)
		sprintf(text + 2 * i, "%02x", object->build_id[i]);
	push_labels_set(&series->labels, "build_id", i ? text : "");
	if (shape->naming && shape->naming->label && service->process != PROFILE_NONE)
		shape->naming->label(shape->naming->context, &services->profile->processes[service->process],
				     &series->labels);
	for (i = 0; i < shape->labels.nr; i++)
		push_labels_set(&series->labels, shape->labels.list[i].name, shape->labels.list[i].value);
}

/* The account of the whole run, for the comments of each of its profiles. */
static void describe_run(char text[COMMENT_LEN], const struct stack_run *stacks)
{
	const struct run_account *account = &stacks->result.account;
	const struct receipt *receipt = &stacks->receipt;
	const bool is_timed = stacks->has_receipt && !(receipt->flags & RECEIPT_NO_MODULE);
	char deferred[64] = "deferred unknown";

	if (is_timed)
		snprintf(deferred, sizeof(deferred), "%llu deferred, %llu excluded", account->deferred, account->excluded);
	snprintf(text, COMMENT_LEN,
		 "receipt of the window: %llu samples expected, %llu taken, %llu missed, %llu lost, "
		 "%s; %zu CPUs; period %llu ns; seed %llu; measured by %s; kernel %s",
		 account->expected, account->taken, account->missed, account->lost, deferred,
		 stacks->result.nr_cpus, stacks->result.period_ns, stacks->result.seed,
		 !stacks->has_receipt ? "unknown" : is_timed ? "module" :
			 receipt->flags & RECEIPT_BPF ? "bpf" : "perf",
		 stacks->has_receipt ? receipt->kernel : "unknown");
}

/* Write the profile of service @at. */
static int pack_service(struct series *series, const struct stack_run *stacks,
			const struct push_services *services, u32 at, const struct push_shape *shape)
{
	struct profile *part = push_services_extract(services, at, shape->has_detail);
	char about[COMMENT_LEN], share[COMMENT_LEN];
	const char *const comments[] = { about, share, NULL };
	struct stack_run run = *stacks;
	FILE *out = part ? open_memstream(&series->packed, &series->len) : NULL;
	int error = -ENOMEM;

	describe_run(about, stacks);
	snprintf(share, sizeof(share), "service %.200s: %llu of these samples", services->list[at].name,
		 services->list[at].hits);
	run.profile = part;
	if (out) {
		error = is_binary(shape->format, shape->is_packed) ? export_pprof_plain(out, &run, comments) :
			export_pprof_with(out, &run, comments);
		if (fclose(out))
			error = -ENOMEM;
	}
	profile_destroy(part);
	return error;
}

/* Derive the id from everything that the series says. */
static int identify_series(struct series *series)
{
	size_t labels_len = series->labels.nr * sizeof(*series->labels.list), len = labels_len + series->len;
	char *all = malloc(len + 1);

	if (!all)
		return -ENOMEM;
	memcpy(all, series->labels.list, labels_len);
	memcpy(all + labels_len, series->packed, series->len);
	push_uuid(series->id, all, len);
	free(all);
	return 0;
}

/* Write "labels":... and "samples":... of a series, as the format nests them. */
static void write_series(FILE *out, const struct series *series, enum push_format format)
{
	u32 i;

	fputs(format == PUSH_PARCA ? "{\"labels\":{\"labels\":[" : "{\"labels\":[", out);
	for (i = 0; i < series->labels.nr; i++) {
		fputs(i ? ",{\"name\":" : "{\"name\":", out);
		text_json(out, series->labels.list[i].name);
		fputs(",\"value\":", out);
		text_json(out, series->labels.list[i].value);
		fputc('}', out);
	}
	fputs(format == PUSH_PARCA ? "]},\"samples\":[{\"rawProfile\":\"" :
				     "],\"samples\":[{\"rawProfile\":\"",
	      out);
	push_base64(out, series->packed, series->len);
	fputc('"', out);
	if (format == PUSH_PYROSCOPE)
		fprintf(out, ",\"ID\":\"%s\"", series->id);
	fputs("}]}", out);
}

static void add_series(struct protobuf *message, const struct series *series)
{
	size_t begin = protobuf_begin(message, REQUEST_SERIES), part;
	u32 i;

	for (i = 0; i < series->labels.nr; i++) {
		part = protobuf_begin(message, SERIES_LABELS);
		protobuf_text(message, LABEL_NAME, series->labels.list[i].name);
		protobuf_text(message, LABEL_VALUE, series->labels.list[i].value);
		protobuf_end(message, part);
	}
	part = protobuf_begin(message, SERIES_SAMPLES);
	protobuf_bytes(message, SAMPLE_PROFILE, series->packed, series->len);
	protobuf_text(message, SAMPLE_ID, series->id);
	protobuf_end(message, part);
	protobuf_end(message, begin);
}

/* Write a whole request in Pyroscope's binary encoding. */
static int write_binary(FILE *out, const struct series *series, u32 nr)
{
	struct protobuf message = { .len = 0 };
	int error;
	u32 i;

	for (i = 0; i < nr; i++)
		add_series(&message, &series[i]);
	error = message.is_full ? -ENOMEM : 0;
	if (!error)
		fwrite(message.bytes, 1, message.len, out);
	protobuf_deinit(&message);
	return error;
}

/* Write a whole request in JSON. */
static void write_json(FILE *out, const struct series *series, u32 nr, enum push_format format)
{
	u32 i;

	fputs("{\"series\":[", out);
	for (i = 0; i < nr; i++) {
		fputs(i ? "," : "", out);
		write_series(out, &series[i], format);
	}
	fputs(format == PUSH_PARCA ? "],\"normalized\":true}" : "]}", out);
}

/* Write a text for the name of an application, which has no way to quote. */
static void write_plain(FILE *out, const char *text)
{
	char plain[PUSH_LABEL_VALUE_LEN], *at;

	snprintf(plain, sizeof(plain), "%s", text);
	for (at = plain; (at = strpbrk(at, "{}=,\"")); )
		*at = '_';
	push_percent(out, plain);
}

/* Write the query of Pyroscope's /ingest: name=SERVICE{LABEL=VALUE,...}&from=SECONDS&until=SECONDS&... */
static void write_ingest_target(FILE *out, const struct series *series, const struct run_result *result)
{
	u64 from = export_whole(floor(result->began));
	u64 until = export_whole(ceil(result->began + result->elapsed_seconds));
	bool is_first = true;
	u32 i;

	fputs("/ingest?name=", out);
	write_plain(out, push_labels_get(&series->labels, "service_name"));
	for (i = 0; i < series->labels.nr; i++) {
		const struct push_label *label = &series->labels.list[i];

		/* The server makes these itself. */
		if (!strcmp(label->name, "__name__") || !strcmp(label->name, "service_name"))
			continue;
		fputs(is_first ? "%7B" : "%2C", out);
		fputs(label->name, out);
		fputs("%3D", out);
		write_plain(out, label->value);
		is_first = false;
	}
	fprintf(out, "%s&from=%llu&until=%llu&format=pprof&spyName=cpuprobe", is_first ? "" : "%7D", from,
		until > from ? until : from + 1);
}

/* Compress the body: base64 makes what it contains a third longer. */
static int pack_body(struct push_request *request)
{
	char *packed = NULL;
	size_t len;
	FILE *out = open_memstream(&packed, &len);
	int error = out ? gzip_write(out, request->body, request->len) : -ENOMEM;

	if (out && fclose(out))
		error = -ENOMEM;
	if (error) {
		free(packed);
		return error;
	}
	free(request->body);
	request->body = packed;
	request->len = len;
	request->is_packed = true;
	return 0;
}

/*
 * Make a request of series; PUSH_INGEST: of one. The series keep their profiles unless the request takes it
 * over.
 */
static struct push_request *make_request(struct series *series, u32 nr, const struct push_shape *shape,
					 const struct run_result *result)
{
	enum push_format format = shape->format;
	struct push_request *request = calloc(1, sizeof(*request));
	bool is_whole = true;
	size_t len;
	FILE *out;

	if (!request)
		return NULL;
	request->format = format;
	memcpy(request->id, series[0].id, PUSH_ID_LEN);
	out = open_memstream(&request->target, &len);
	if (!out)
		goto full;
	if (format == PUSH_INGEST)
		write_ingest_target(out, series, result);
	else
		fputs(push_format_path(format), out);
	if (fclose(out) || len >= PUSH_TARGET_LEN)
		goto full;
	if (format == PUSH_INGEST) {
		request->body = series->packed;
		request->len = series->len;
		series->packed = NULL;
		return request;
	}
	out = open_memstream(&request->body, &request->len);
	if (!out)
		goto full;
	if (is_binary(format, shape->is_packed))
		is_whole = !write_binary(out, series, nr);
	else
		write_json(out, series, nr, format);
	if (!fclose(out) && is_whole && (!shape->is_packed || !pack_body(request)))
		return request;
full:
	push_request_destroy(request);
	return NULL;
}

static int add_request(struct push_requests *requests, struct series *series, u32 nr, u64 samples,
		       const struct push_shape *shape, const struct run_result *result)
{
	struct push_request *request = make_request(series, nr, shape, result);

	if (!request)
		return -ENOMEM;
	request->samples = samples;
	requests->list[requests->nr++] = request;
	return 0;
}

/* Pack all services, and make requests of them. @series: room for all */
static int make_all(struct push_requests *requests, struct series *series, const struct stack_run *stacks,
		    const struct push_shape *shape, const struct push_services *services)
{
	u64 samples = 0;
	int error = 0;
	u32 i;

	for (i = 0; !error && i < services->nr; i++) {
		label_series(&series[i], stacks, shape, services, i);
		error = pack_service(&series[i], stacks, services, i, shape);
		if (!error)
			error = identify_series(&series[i]);
		if (!error && shape->format == PUSH_INGEST)
			error = add_request(requests, &series[i], 1, services->list[i].hits, shape,
					    &stacks->result);
		samples += services->list[i].hits;
	}
	if (!error && shape->format != PUSH_INGEST)
		error = add_request(requests, series, services->nr, samples, shape, &stacks->result);
	requests->nr_services = services->nr;
	return error;
}

/* The naming of a profile that is one service. */
static void name_whole(void *context, const struct profile_process *process,
		       char text_ret[PUSH_LABEL_VALUE_LEN])
{
	const char *name = context;

	if (!name || !name[0]) {
		if (gethostname(text_ret, PUSH_LABEL_VALUE_LEN - 1))
			text_ret[0] = '\0';
		text_ret[PUSH_LABEL_VALUE_LEN - 1] = '\0';
	} else {
		snprintf(text_ret, PUSH_LABEL_VALUE_LEN, "%s", name);
	}
}

int push_request_make(const struct stack_run *stacks, const struct push_shape *shape,
		      struct push_requests *requests_ret)
{
	const struct push_naming whole = { .name = name_whole, .context = (void *)shape->service };
	struct push_services services;
	struct series *series;
	int error;
	u32 i;

	*requests_ret = (struct push_requests){ .nr = 0 };
	error = push_services_init(&services, stacks->profile, shape->naming ? shape->naming : &whole,
				   shape->services_max);
	if (error)
		return error;
	series = calloc(services.nr + 1UL, sizeof(*series));
	error = !services.nr ? -ENODATA : !series ? -ENOMEM :
		make_all(requests_ret, series, stacks, shape, &services);
	for (i = 0; series && i < services.nr; i++)
		free(series[i].packed);
	free(series);
	push_services_deinit(&services);
	if (error)
		destroy_all(requests_ret);
	return error;
}
