// SPDX-License-Identifier: GPL-2.0-only
/* The holder of a background run: see holder.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "background/holder.h"
#include "base/option_values.h"
#include "base/outfile.h"

struct holder {
	const char *name;
	const struct holder_kind *kind;
	void *self;
	struct run *run;
	const char *save;		/* file for the counts when the run ends; NULL: none */
	struct control control;
	struct run_control orders;
	int ready_fd;			/* reports the start to the parent; -1: reported */
	int client;			/* waits for its order to be carried out; -1: none */
	bool has_ended;
};

static void report_start(void *context)
{
	struct holder *holder = context;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (write(holder->ready_fd, "", 1) < 0 || null < 0)
		_exit(1);
	close(holder->ready_fd);
	holder->ready_fd = -1;
	dup2(null, STDERR_FILENO);
	close(null);
}

/* Writes a saved run; @seconds: the last ones only, 0: all. */
static int write_run(const struct holder *holder, double seconds, struct record_writer *writer)
{
	const struct holder_kind *kind = holder->kind;
	struct text_error error;

	return (seconds ? kind->save_last(holder->self, seconds, writer) :
		kind->save(holder->self, writer)) ?: record_commit(writer, &error);
}

/* Returns the bytes of a saved run. NULL: no memory. */
static void *pack_run(const struct holder *holder, double seconds, size_t *len_ret)
{
	struct record_writer writer = { 0 };
	char *bytes = NULL;
	FILE *memory = open_memstream(&bytes, len_ret);
	int error = -ENOMEM;

	if (memory) {
		record_begin(&writer, memory);
		error = write_run(holder, seconds, &writer);
		record_abandon(&writer);
	}
	if (!error)
		return bytes;
	free(bytes);
	return NULL;
}

static void answer_dump(const struct holder *holder, int client, double seconds)
{
	size_t len = 0;
	void *bytes;

	if (seconds && !holder->kind->save_last) {
		control_refuse(client, "only a run of stacks keeps its last seconds", "");
		return;
	}
	bytes = pack_run(holder, seconds, &len);
	if (bytes)
		control_answer(client, bytes, len);
	else
		control_refuse(client, "out of memory", "");
	free(bytes);
}

/* Answers the client that has stopped the run. False: the client has not got the counts. */
static bool deliver_counts(struct holder *holder)
{
	size_t len = 0;
	void *bytes = pack_run(holder, 0, &len);
	bool is_delivered = bytes && control_deliver(holder->client, bytes, len);

	if (!bytes)
		control_refuse(holder->client, "out of memory", "");
	holder->client = -1;
	free(bytes);
	return is_delivered;
}

/* An order was carried out, or @error says why not. */
static void answer_order(void *context, const struct text_error *error)
{
	struct holder *holder = context;

	if (error)
		control_refuse(holder->client, error->what, error->hint);
	else
		control_answer(holder->client, "", 0);
	holder->client = -1;
}

static const char *get_state(const struct holder *holder)
{
	return holder->has_ended ? "ended" :
		holder->run->paused_at ? "paused" : "sampling";
}

static void put_event(FILE *out, const struct run *run)
{
	const struct event *event = &run->result.event;

	if (event_is_sampled(event))
		fprintf(out, "event\t%s, one sample in %llu\n", event->name, event->period);
}

static void answer_status(const struct holder *holder, int client)
{
	const struct run *run = holder->run;
	const struct run_result *result = &run->result;
	char *text = NULL;
	size_t len = 0, i;
	FILE *out = open_memstream(&text, &len);

	if (out && holder->kind->put_status)
		holder->kind->put_status(holder->self, out);
	if (out) {
		fprintf(out, "pid\t%d\nkind\t%s\nstate\t%s\nbegan\t%.3f\nseconds\t%.3f\n"
			"paused\t%.3f\nsamples\t%llu\nlost\t%llu\nmissed\t%llu\n", getpid(),
			holder->kind->name, get_state(holder), result->began,
			result->elapsed_seconds, run->receipt.paused_seconds,
			result->account.taken, result->account.lost, result->account.missed);
		put_event(out, run);
		for (i = 0; i < run->nr_beside; i++)
			put_event(out, run->beside[i]);
		fclose(out);
	}
	control_answer(client, text ?: "", len);
	free(text);
}

/* Refuses a kind or a run without a rate. False: it has one. */
static bool refuse_no_rate(const struct holder *holder, int client)
{
	if (holder->kind->rate == HOLDER_NO_RATE)
		control_refuse(client, "it counts calls, and has no rate", "");
	else if (event_is_sampled(&holder->run->result.event))
		control_refuse(client, "its samples are of an event, and not of time",
			       "start another run with another -period");
	else
		return false;
	return true;
}

/* The period that was asked for last. */
static u64 get_period_ns(const struct run *run)
{
	return run->wanted_ns ?: run->start.period_ns;
}

static void answer_rate(const struct holder *holder, int client)
{
	char text[32];

	if (refuse_no_rate(holder, client))
		return;
	snprintf(text, sizeof(text), "%.6g", 1e9 / get_period_ns(holder->run));
	control_answer(client, text, strlen(text));
}

/* Refuses a rate whose samples could not be counted with those of the run. False: it can have it. */
static bool refuse_rate(const struct holder *holder, int client, u64 period_ns)
{
	const struct receipt *receipt = &holder->run->receipt;
	char reason[160];

	if (refuse_no_rate(holder, client))
		return true;
	if (holder->kind->rate == HOLDER_ONE_RATE) {
		snprintf(reason, sizeof(reason), "a run of %s counts samples of one rate", holder->kind->name);
		control_refuse(client, reason, "stop it, and start another one");
		return true;
	}
	if (receipt_rates_bound(&receipt->rates, period_ns, receipt_clock_excess(receipt)) <= RECORD_EXCESS_MAX)
		return false;
	snprintf(reason, sizeof(reason), "it has samples at %.6g to %.6g Hz: some would weigh too much",
		 1e9 / receipt->rates.most_ns, 1e9 / receipt->rates.least_ns);
	control_refuse(client, reason, "'probe reset' first, or choose a rate that is nearer to these");
	return true;
}

/* Returns the order of the request "rate HZ"; as read_order(). */
static enum run_order read_rate(const struct holder *holder, int client, const char *hz)
{
	struct text_error error;
	u64 period_ns;

	if (option_rate(NULL, hz, &period_ns, &error)) {
		control_refuse(client, error.what, "");
		return RUN_GO_ON;
	}
	if (refuse_rate(holder, client, period_ns))
		return RUN_GO_ON;
	if (period_ns == get_period_ns(holder->run)) {
		control_answer(client, "", 0);
		return RUN_GO_ON;
	}
	holder->run->wanted_ns = period_ns;
	return RUN_RATE;
}

/* Returns RUN_RESET if the counts are zero. */
static enum run_order reset_counts(const struct holder *holder, int client)
{
	if (holder->kind->reset(holder->self)) {
		control_refuse(client, "out of memory", "");
		return RUN_GO_ON;
	}
	control_answer(client, "", 0);
	return RUN_RESET;
}

/* Returns the order of a request; RUN_GO_ON: the run cannot follow it, and the client was told. */
static enum run_order read_order(const struct holder *holder, int client, const char *request)
{
	bool is_paused = holder->run->paused_at;

	if (!strcmp(request, "stop"))
		return RUN_STOP;
	if (strcmp(request, "reset") && strcmp(request, "pause") && strcmp(request, "resume") &&
	    strncmp(request, "rate ", 5))
		control_refuse(client, "unknown request", "");
	else if (holder->has_ended)
		control_refuse(client, "sampling has ended",
			       "'probe stop' shows or saves the counts");
	else if (!strcmp(request, "reset"))
		return RUN_RESET;
	else if (!strncmp(request, "rate ", 5))
		return read_rate(holder, client, request + 5);
	else if (is_paused && !strcmp(request, "pause"))
		control_refuse(client, "it is already paused", "'probe resume' continues it");
	else if (!is_paused && !strcmp(request, "resume"))
		control_refuse(client, "it is not paused", "'probe status' shows its state");
	else
		return is_paused ? RUN_RESUME : RUN_PAUSE;
	return RUN_GO_ON;
}

/* Serves one request, after a harvest. */
static enum run_order serve_request(void *context)
{
	struct holder *holder = context;
	char request[64];
	int client = control_accept(&holder->control, request, sizeof(request));
	enum run_order order = RUN_GO_ON;

	if (client < 0)
		return RUN_GO_ON;
	if (!strcmp(request, "status"))
		answer_status(holder, client);
	else if (!strcmp(request, "rate"))
		answer_rate(holder, client);
	else if (!strncmp(request, "dump", 4))
		answer_dump(holder, client, request[4] ? atof(request + 5) : 0);
	else
		order = read_order(holder, client, request);
	if (order == RUN_RESET)
		return reset_counts(holder, client);
	if (order != RUN_GO_ON)
		holder->client = client;
	return order;
}

/* Sampling has ended: keeps the counts until a client stops the run. */
static void serve_until_stopped(struct holder *holder)
{
	struct pollfd poll_fd = { .fd = holder->control.listen_fd, .events = POLLIN };

	holder->has_ended = true;
	while (poll(&poll_fd, 1, -1) >= 0)
		if (serve_request(holder) == RUN_STOP)
			return;
}

/* Sampling has ended. @is_kept: a file has the counts; otherwise they are kept until a client has got them. */
static void hand_over(struct holder *holder, bool is_kept)
{
	bool is_by_signal = holder->client < 0 && holder->run->end == RUN_INTERRUPTED;
	bool may_end = is_kept || is_by_signal;

	do {
		if (holder->client < 0 && !may_end)
			serve_until_stopped(holder);
	} while (holder->client >= 0 && !deliver_counts(holder) && !may_end);
}

static int save_run(const struct holder *holder)
{
	struct record_writer writer = { 0 };
	struct text_error error;
	int result = record_create(&writer, holder->save, &error) ?:
		write_run(holder, 0, &writer);

	record_abandon(&writer);
	return result;
}

/* Checks early that the file can be written: nobody sees an error when sampling has ended. */
static int check_save_file(const char *path, struct text_error *error_ret)
{
	struct outfile out = { 0 };
	int error = path ? outfile_open(&out, path, error_ret) : 0;

	outfile_abandon(&out);
	return error;
}

static int prepare_holder(struct holder *holder, struct text_error *error_ret)
{
	int error = check_save_file(holder->save, error_ret);

	if (!error)
		error = control_take(holder->name, &holder->control, error_ret);
	if (error)
		return error;
	error = holder->kind->begin(holder->self, &holder->run, error_ret);
	if (error) {
		control_release(&holder->control);
		return error;
	}
	holder->orders = (struct run_control){
		.fd = holder->control.listen_fd, .context = holder, .began = report_start,
		.serve = serve_request, .obeyed = answer_order,
	};
	holder->run->control = &holder->orders;
	return 0;
}

/* Runs in a process of its own. */
static int run_holder(struct holder *holder)
{
	struct text_error error;
	int result = prepare_holder(holder, &error);

	if (result) {
		text_report(&error);
		return 1;
	}
	result = run_measure(holder->run, &error);
	if (result && result != -EBADMSG)
		text_report(&error);
	else
		hand_over(holder, holder->save && !save_run(holder));
	holder->kind->end(holder->self);
	control_release(&holder->control);
	return result != 0;
}

/* Leaves the terminal. Errors before sampling begins go to the parent. */
static void leave_terminal(int ready_fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	signal(SIGHUP, SIG_IGN);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(ready_fd, STDERR_FILENO);
	close(null);
}

/* Prints the child's errors; true: a zero byte says that sampling has begun. */
static bool has_begun(int fd)
{
	char byte;

	while (read(fd, &byte, 1) == 1) {
		if (!byte)
			return true;
		fputc(byte, stderr);
	}
	return false;
}

int holder_start(const char *name, const struct holder_kind *kind, void *self,
		 struct sampling_options *sampling)
{
	struct holder holder = {
		.name = name, .kind = kind, .self = self, .save = sampling->save, .client = -1,
	};
	bool is_running;
	int ends[2];
	pid_t pid;

	if (!sampling->seconds)
		sampling->seconds = INT_MAX;
	if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0) {
		fprintf(stderr, "probe: start run %s: %s\n", name, strerror(errno));
		return -1;
	}
	if (!pid) {
		close(ends[0]);
		holder.ready_fd = ends[1];
		leave_terminal(ends[1]);
		_exit(run_holder(&holder));
	}
	close(ends[1]);
	is_running = has_begun(ends[0]);
	close(ends[0]);
	return is_running ? pid : -1;
}
