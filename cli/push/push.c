// SPDX-License-Identifier: GPL-2.0-only
/*
 * Delivers windows of profiles: see push.h. The worker's lock covers the queue, the counts, the messages and
 * @next_at; the spool, the transport and @backoff belong to the worker's thread alone while it runs. The
 * thread releases the lock while it waits for the network or the disk.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/worker.h"
#include "push/push.h"
#include "push/push_queue.h"
#include "push/push_retry.h"
#include "push/push_spool.h"

#define MESSAGES	8
#define MESSAGE_LEN	400
#define IDLE_NS		60000000000ULL	/* the thread is woken before if there is something to do */
#define POLL_NS		5000000
#define READ_NS		5000000000ULL	/* until the spool, which could not be read, is tried again */

struct push {
	struct push_config config;
	struct worker worker;
	atomic_bool is_ending;
	struct push_queue queue;
	struct push_spool spool;
	bool has_spool;
	struct transport *transport;
	struct push_backoff backoff;
	u64 next_at;		/* CLOCK_MONOTONIC, ns: no attempt before */
	bool is_busy;		/* a request is in the thread's hands */
	bool is_only_there;	/* ... and neither in the queue nor in the spool */
	bool spool_fails;	/* the last write failed, and was told */
	bool read_fails;	/* the last read failed, and was told */
	u64 spool_dropped, spool_dropped_samples;	/* copies of the spool's counts */
	bool is_hopeless;	/* see struct transport_answer */
	struct push_counts counts;
	char message[MESSAGES][MESSAGE_LEN];
	enum push_line message_says[MESSAGES];
	u32 first_message, nr_messages;
	char last_fault[MESSAGE_LEN];	/* "": the last attempt succeeded */
};

/* Keep a line for push_message(). If nobody reads, the oldest is lost. */
static void tell(struct push *push, enum push_line says, const char *line)
{
	u32 at = (push->first_message + push->nr_messages) % MESSAGES;

	if (push->nr_messages == MESSAGES)
		push->first_message = (push->first_message + 1) % MESSAGES;
	else
		push->nr_messages++;
	snprintf(push->message[at], MESSAGE_LEN, "%s", line);
	text_clean(push->message[at]);
	push->message_says[at] = says;
}

static void tell_spool(struct push *push, const struct text_error *error)
{
	char line[MESSAGE_LEN];

	snprintf(line, sizeof(line), "%.300s; requests wait in memory", error->what);
	tell(push, PUSH_LINE_FAULT, line);
}

enum push_line push_message(struct push *push, char *line_ret, size_t len)
{
	enum push_line says = PUSH_NO_LINE;

	worker_lock(&push->worker);
	if (push->nr_messages) {
		says = push->message_says[push->first_message];
		snprintf(line_ret, len, "%s", push->message[push->first_message]);
		push->first_message = (push->first_message + 1) % MESSAGES;
		push->nr_messages--;
	}
	worker_unlock(&push->worker);
	return says;
}

/* Copy the spool's counts to where other threads read them, under the lock. */
static void update_spool_counts(struct push *push)
{
	push->counts.damaged = push->spool.counts.damaged;
	push->counts.waiting_spool = push->spool.nr;
	push->spool_dropped = push->spool.counts.dropped;
	push->spool_dropped_samples = push->spool.counts.dropped_samples;
}

/* Release the lock for something that waits. @is_only_there: see struct push */
static void begin_wait(struct push *push, bool is_only_there)
{
	push->is_busy = true;
	push->is_only_there = is_only_there;
	worker_unlock(&push->worker);
}

static void end_wait(struct push *push)
{
	worker_lock(&push->worker);
	push->is_busy = push->is_only_there = false;
	update_spool_counts(push);
}

/* Tell when writing to the spool begins to fail, and when it works again. */
static void note_stored(struct push *push, int error, const struct text_error *why)
{
	push->counts.spool_errors += error != 0;
	if (error && !push->spool_fails)
		tell_spool(push, why);
	else if (!error && push->spool_fails)
		tell(push, PUSH_LINE_WORKS, "the spool works again");
	push->spool_fails = error;
}

/*
 * Move requests from memory to the spool, under the lock, which is released during each write. The first one
 * that cannot be written stays, and the others after it.
 */
static void store_new(struct push *push)
{
	struct push_request *request;
	struct text_error why;
	int error = 0;

	while (push->has_spool && !error && (request = push_queue_take(&push->queue))) {
		begin_wait(push, true);
		error = push_spool_add(&push->spool, request, &why);
		end_wait(push);
		note_stored(push, error, &why);
		if (error)
			push_queue_return(&push->queue, request);
		else
			push_request_destroy(request);
	}
}

/* Tell when no file of the spool can be read for the moment, and when one can again. */
static void note_read(struct push *push, bool fails, const struct text_error *why)
{
	char line[MESSAGE_LEN];

	if (fails && !push->read_fails) {
		snprintf(line, sizeof(line), "%.300s; its requests wait", why->what);
		tell(push, PUSH_LINE_FAULT, line);
	} else if (!fails && push->read_fails) {
		tell(push, PUSH_LINE_WORKS, "the spool can be read again");
	}
	push->read_fails = fails;
}

static struct push_request *take_spooled(struct push *push)
{
	struct push_request *request;
	struct text_error why;

	begin_wait(push, false);
	request = push_spool_read(&push->spool, push->config.shape.format, &why);
	end_wait(push);
	note_read(push, !request && push->spool.nr, &why);
	return request;
}

/* Take the oldest request, from the spool before the memory. */
static struct push_request *take_oldest(struct push *push, bool *is_spooled_ret)
{
	struct push_request *request = NULL;

	*is_spooled_ret = push->has_spool && push->spool.nr;
	if (*is_spooled_ret)
		request = take_spooled(push);
	if (!request) {
		*is_spooled_ret = false;
		request = push_queue_take(&push->queue);
	}
	return request;
}

/* Count what is final, and free the request. */
static void finish(struct push *push, struct push_request *request, bool is_spooled,
		   enum push_verdict verdict)
{
	struct push_counts *counts = &push->counts;

	if (verdict == PUSH_DELIVERED) {
		counts->delivered++;
		counts->delivered_samples += request->samples;
		counts->delivered_bytes += request->len;
		counts->doubled += request->is_doubtful;
	} else {
		counts->refused++;
		counts->refused_samples += request->samples;
	}
	if (is_spooled) {
		begin_wait(push, false);
		push_spool_remove(&push->spool);
		end_wait(push);
	}
	push_request_destroy(request);
}

/* Keep a request for the next attempt, and choose when. */
static void keep(struct push *push, struct push_request *request, bool is_spooled, enum push_verdict verdict,
		 double retry_after)
{
	double wait = push_backoff_fail(&push->backoff, retry_after);

	push->next_at = clock_ns() + (u64)(wait * 1e9);
	if (is_spooled) {
		if (verdict == PUSH_REPEAT && !request->is_doubtful) {
			begin_wait(push, false);
			push_spool_untried(&push->spool);
			end_wait(push);
		}
		push_request_destroy(request);
		return;
	}
	request->is_doubtful |= verdict == PUSH_DOUBTFUL;
	push_queue_return(&push->queue, request);
}

/* Tell a fault unless it was the last one told, and the end of faults. */
static void tell_result(struct push *push, enum push_verdict verdict, const struct transport_answer *answer)
{
	char line[MESSAGE_LEN];

	if (verdict == PUSH_DELIVERED) {
		if (push->last_fault[0])
			tell(push, PUSH_LINE_WORKS, "push works again");
		push->last_fault[0] = '\0';
		return;
	}
	if (answer->status)
		snprintf(line, sizeof(line), "push to %.100s%s: status %d: %s", push->config.url.base,
			 verdict == PUSH_REFUSED ? " refused" : " failed", answer->status, answer->line);
	else
		snprintf(line, sizeof(line), "push to %.100s failed: %s", push->config.url.base,
			 answer->line);
	if (strcmp(line, push->last_fault))
		tell(push, verdict == PUSH_REFUSED ? PUSH_LINE_REFUSED : PUSH_LINE_FAULT, line);
	snprintf(push->last_fault, sizeof(push->last_fault), "%s", line);
}

/* Try to deliver a request. Called under the lock, and releases it during the attempt. */
static void attempt(struct push *push, struct push_request *request, bool is_spooled)
{
	const char *type = push_request_type(request->format, request->is_packed);
	struct transport_answer answer;
	enum push_verdict verdict;

	push->counts.attempts++;
	push->counts.repeated += request->is_doubtful;
	begin_wait(push, !is_spooled);
	transport_post(push->transport, request->target, type, request->is_packed,
		       request->id, request->body, request->len, &answer);
	end_wait(push);
	verdict = push_verdict(answer.status, answer.was_sent);
	push->is_hopeless = answer.is_hopeless;
	tell_result(push, verdict, &answer);
	if (verdict == PUSH_DELIVERED || verdict == PUSH_REFUSED) {
		finish(push, request, is_spooled, verdict);
		push_backoff_clear(&push->backoff);
		push->next_at = 0;
	} else {
		keep(push, request, is_spooled, verdict, answer.retry_after);
	}
}

/* The thread's work: implements struct worker.work. */
static u64 deliver(void *context)
{
	struct push *push = context;
	struct push_request *request;
	bool is_spooled;

	store_new(push);
	if (clock_ns() < push->next_at)
		return push->next_at;
	request = take_oldest(push, &is_spooled);
	if (!request)
		return clock_ns() + (push->read_fails ? READ_NS : IDLE_NS);
	attempt(push, request, is_spooled);
	/* A submission during the attempt has woken nobody. */
	store_new(push);
	return push->next_at;
}

static void open_spool(struct push *push)
{
	struct text_error error;

	if (!push->config.spool)
		return;
	if (push_spool_open(&push->spool, push->config.spool, push->config.spool_bytes, push->config.shape.format,
			    &error)) {
		tell_spool(push, &error);
		return;
	}
	push->has_spool = true;
	push->counts.found = push->spool.counts.found;
	update_spool_counts(push);
}

struct push *push_open(const struct push_config *config, struct text_error *error_ret)
{
	struct push *push = calloc(1, sizeof(*push));
	int error;

	if (!push) {
		text_fail(error_ret, -ENOMEM, "push: out of memory");
		return NULL;
	}
	push->config = *config;
	push->config.shape.format = config->url.format;
	push->queue.bytes_max = config->memory_bytes;
	push->spool.directory_fd = push->spool.lock_fd = -1;
	push->backoff.random = clock_ns() ^ (u64)getpid() << 40;
	worker_init(&push->worker);
	push->worker.is_background = true;
	push->transport = transport_create(&config->url, &config->transport, &push->is_ending, error_ret);
	if (push->transport) {
		open_spool(push);
		error = worker_start(&push->worker, deliver, push);
		if (!error)
			return push;
		text_fail(error_ret, error, "push: start a thread: %s", strerror(-error));
	}
	push_close(push, NULL);
	return NULL;
}

int push_submit(struct push *push, const struct stack_run *stacks, struct text_error *error_ret)
{
	struct push_requests requests;
	int error = push_request_make(stacks, &push->config.shape, &requests);
	u32 i;

	if (error)
		return text_fail(error_ret, error, "push: %s",
				 error == -ENODATA ? "the run has no samples" : "out of memory");
	worker_lock(&push->worker);
	push->counts.windows++;
	for (i = 0; i < requests.nr; i++) {
		push->counts.made++;
		push->counts.made_samples += requests.list[i]->samples;
		push_queue_add(&push->queue, requests.list[i]);
	}
	worker_wake(&push->worker);
	worker_unlock(&push->worker);
	return 0;
}

static void read_counts(const struct push *push, struct push_counts *counts_ret)
{
	*counts_ret = push->counts;
	counts_ret->dropped = push->queue.dropped + push->spool_dropped;
	counts_ret->dropped_samples = push->queue.dropped_samples + push->spool_dropped_samples;
	counts_ret->waiting = push->queue.nr + push->counts.waiting_spool + push->is_only_there;
}

void push_counts(struct push *push, struct push_counts *counts_ret)
{
	worker_lock(&push->worker);
	read_counts(push, counts_ret);
	worker_unlock(&push->worker);
}

bool push_wait(struct push *push, double seconds)
{
	const struct timespec pause = { 0, POLL_NS };
	double end = clock_seconds() + seconds;
	bool is_done, is_hopeless;

	for (;;) {
		worker_lock(&push->worker);
		is_done = !push->queue.nr && !push->counts.waiting_spool && !push->is_busy;
		is_hopeless = push->is_hopeless;
		worker_unlock(&push->worker);
		if (is_done || is_hopeless || clock_seconds() >= end)
			return is_done;
		nanosleep(&pause, NULL);
	}
}

void push_close(struct push *push, struct push_counts *counts_ret)
{
	atomic_store(&push->is_ending, true);
	worker_end(&push->worker);
	worker_lock(&push->worker);
	store_new(push);
	push_queue_deinit(&push->queue);
	worker_unlock(&push->worker);
	if (counts_ret)
		read_counts(push, counts_ret);
	push_spool_close(&push->spool);
	transport_destroy(push->transport);
	worker_deinit(&push->worker);
	free(push);
}
