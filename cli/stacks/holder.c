// SPDX-License-Identifier: GPL-2.0-only
/* The holder of a background run: see holder.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "profile/profile_save.h"
#include "stacks/control.h"
#include "stacks/holder.h"
#include "stacks/measurement.h"
#include "stacks/ring.h"

#define TABLE_SECONDS	1.0

struct holder {
	const char *name;
	const struct stacks_options *options;
	struct control control;
	struct measurement measurement;
	struct ring *ring;
	struct ring_totals last_totals;	/* the profile's totals at the last ring update */
	double table_begun;
	bool is_in_account;	/* stacks of the current account were added */
	double began;			/* or when it was reset */
	int ready_fd;			/* reports the start to the parent; -1: reported */
	int client;			/* waits for its order to be carried out; -1: none */
	bool has_ended;
};

static double read_clock(const struct holder *holder)
{
	return run_clock(&holder->measurement.run);
}

/* A table of the ring begins between accounts: stacks and totals of one belong together. */
static void begin_table(struct holder *holder)
{
	double now = read_clock(holder);

	if (!holder->is_in_account &&
	    (!holder->table_begun || now >= holder->table_begun + TABLE_SECONDS)) {
		ring_begin(holder->ring, now);
		holder->table_begun = now;
	}
	holder->is_in_account = true;
}

/* Adds one stack of the current account to the ring. */
static void add_to_ring(void *context, u32 stack, u64 hits, double ns)
{
	struct holder *holder = context;

	begin_table(holder);
	ring_add(holder->ring, stack, hits, ns);
}

static struct ring_totals get_totals(const struct profile *profile)
{
	return (struct ring_totals){
		.taken = profile->taken, .lost = profile->lost, .other = profile->other,
		.taken_ns = profile->taken_ns, .lost_ns = profile->lost_ns,
		.other_ns = profile->other_ns,
	};
}

/* Adds the totals of an account whose stacks were added. */
static void add_account_totals(void *context)
{
	struct holder *holder = context;
	struct ring_totals now = get_totals(holder->measurement.profile);
	struct ring_totals *last = &holder->last_totals;

	begin_table(holder);
	ring_add_totals(holder->ring, &(struct ring_totals){
		.taken = now.taken - last->taken, .lost = now.lost - last->lost,
		.other = now.other - last->other, .taken_ns = now.taken_ns - last->taken_ns,
		.lost_ns = now.lost_ns - last->lost_ns, .other_ns = now.other_ns - last->other_ns,
	});
	*last = now;
	holder->is_in_account = false;
}

static void report_start(void *context)
{
	struct holder *holder = ((struct measurement *)context)->context;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	holder->began = read_clock(holder);
	if (write(holder->ready_fd, "", 1) < 0 || null < 0)
		_exit(1);
	close(holder->ready_fd);
	holder->ready_fd = -1;
	dup2(null, STDERR_FILENO);
	close(null);
}

/* Copies the profile without the empty stacks that a reset leaves. */
static struct profile *copy_profile(const struct holder *holder)
{
	const struct profile *profile = holder->measurement.profile;
	u64 *hits = calloc(profile->nr_stacks + 1, sizeof(*hits));
	double *ns = calloc(profile->nr_stacks + 1, sizeof(*ns));
	struct profile *copy = NULL;
	u32 i;

	for (i = 0; hits && ns && i < profile->nr_stacks; i++) {
		hits[i] = profile->stacks[i].hits;
		ns[i] = profile->stacks[i].ns;
	}
	if (hits && ns)
		copy = profile_extract(profile, hits, ns);
	free(hits);
	free(ns);
	if (!copy)
		return NULL;
	copy->taken = profile->taken;
	copy->lost = profile->lost;
	copy->other = profile->other;
	copy->taken_ns = profile->taken_ns;
	copy->lost_ns = profile->lost_ns;
	copy->other_ns = profile->other_ns;
	return copy;
}

/* Writes the sections of the last @seconds. A part of a run has no receipt. */
static void save_part(struct holder *holder, const struct profile *part, double seconds,
		      struct record_writer *writer)
{
	struct run_result result = holder->measurement.run.result;
	double now = read_clock(holder), reach = ring_reach(holder->ring);

	/* The ring may not reach back that far. */
	if (reach && now - reach < seconds)
		seconds = now - reach;
	if (now - holder->began < seconds)
		seconds = now - holder->began;
	result.account = (struct run_account){
		.taken = part->taken, .expected = part->taken, .lost = part->lost
	};
	result.began += result.elapsed_seconds - seconds;
	result.elapsed_seconds = seconds;
	record_add_result(writer, &result);
	profile_save(writer, part);
}

/* Returns the bytes of a saved run; @seconds: the last ones only, 0: all. NULL: no memory. */
static void *pack_run(struct holder *holder, double seconds, size_t *len_ret)
{
	struct profile *profile = seconds ?
		ring_extract(holder->ring, holder->measurement.profile, read_clock(holder) - seconds) :
		copy_profile(holder);
	struct record_writer writer;
	struct text_error error;
	char *bytes = NULL;
	FILE *memory = profile ? open_memstream(&bytes, len_ret) : NULL;
	bool is_whole = false;

	if (memory) {
		record_begin(&writer, memory);
		if (seconds)
			save_part(holder, profile, seconds, &writer);
		else
			measurement_save(&holder->measurement, profile, &writer);
		is_whole = !record_commit(&writer, &error);
	}
	profile_destroy(profile);
	if (!is_whole) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

static void answer_dump(struct holder *holder, int client, double seconds)
{
	size_t len = 0;
	void *bytes = pack_run(holder, seconds, &len);

	if (bytes)
		control_answer(client, bytes, len);
	else
		control_refuse(client, "out of memory", "");
	free(bytes);
}

/* An order was carried out, or @error says why not. */
static void answer_order(void *context, const struct text_error *error)
{
	struct holder *holder = ((struct measurement *)context)->context;

	if (error)
		control_refuse(holder->client, error->what, error->hint);
	else
		control_answer(holder->client, "", 0);
	holder->client = -1;
}

static const char *get_state(const struct holder *holder)
{
	return holder->has_ended ? "ended" :
		holder->measurement.run.paused_at ? "paused" : "sampling";
}

static void answer_status(const struct holder *holder, int client)
{
	const struct run *run = &holder->measurement.run;
	const struct run_result *result = &run->result;
	const struct profile *profile = holder->measurement.profile;
	double reach = ring_reach(holder->ring), now = read_clock(holder);
	char text[512];
	int len;

	len = snprintf(text, sizeof(text),
		       "pid\t%d\nstate\t%s\nbegan\t%.3f\nseconds\t%.3f\npaused\t%.3f\n"
		       "samples\t%llu\nlost\t%llu\nmissed\t%llu\nstacks\t%u\nstacks_max\t%u\n"
		       "last_seconds\t%.0f\n", getpid(), get_state(holder), result->began,
		       result->elapsed_seconds, run->receipt.paused_seconds, result->account.taken, profile->lost,
		       result->account.missed, profile->nr_stacks, profile->stacks_max,
		       reach ? now - reach : now - holder->began);
	control_answer(client, text, len);
}

static void reset_counts(struct holder *holder)
{
	profile_forget_stacks(holder->measurement.profile);
	ring_clear(holder->ring);
	holder->last_totals = (struct ring_totals){ 0 };
	holder->table_begun = 0;
	holder->began = read_clock(holder);
}

/* Returns the order of a request; RUN_GO_ON: the run cannot follow it, and the client was told. */
static enum run_order read_order(const struct holder *holder, int client, const char *request)
{
	bool is_paused = holder->measurement.run.paused_at;

	if (!strcmp(request, "stop"))
		return RUN_STOP;
	if (strcmp(request, "reset") && strcmp(request, "pause") && strcmp(request, "resume"))
		control_refuse(client, "unknown request", "");
	else if (holder->has_ended)
		control_refuse(client, "sampling has ended",
			       "'probe stop' shows or saves the counts");
	else if (!strcmp(request, "reset"))
		return RUN_RESET;
	else if (is_paused && !strcmp(request, "pause"))
		control_refuse(client, "it is already paused", "'probe resume' continues it");
	else if (!is_paused && !strcmp(request, "resume"))
		control_refuse(client, "it is not paused", "'probe status' shows its state");
	else
		return is_paused ? RUN_RESUME : RUN_PAUSE;
	return RUN_GO_ON;
}

/* Serves one request, after a harvest. */
static enum run_order serve_request(struct holder *holder)
{
	char request[64];
	int client = control_accept(&holder->control, request, sizeof(request));
	enum run_order order = RUN_GO_ON;

	if (client < 0)
		return RUN_GO_ON;
	if (!strcmp(request, "status"))
		answer_status(holder, client);
	else if (!strncmp(request, "dump", 4))
		answer_dump(holder, client, request[4] ? atof(request + 5) : 0);
	else
		order = read_order(holder, client, request);
	if (order == RUN_RESET) {
		reset_counts(holder);
		control_answer(client, "", 0);
	} else if (order != RUN_GO_ON) {
		holder->client = client;
	}
	return order;
}

static enum run_order serve_measurement(void *context)
{
	return serve_request(((struct measurement *)context)->context);
}

/* The run ended by itself: keeps its counts until a client stops it. */
static void serve_until_stopped(struct holder *holder)
{
	struct pollfd poll_fd = { .fd = holder->control.listen_fd, .events = POLLIN };

	holder->has_ended = true;
	while (poll(&poll_fd, 1, -1) >= 0)
		if (serve_request(holder) == RUN_STOP)
			return;
}

static int save_run(struct holder *holder)
{
	struct record_writer writer = { 0 };
	struct text_error error;
	struct profile *profile = copy_profile(holder);
	int result = profile ?
		record_create(&writer, holder->options->sampling.save, &error) : -ENOMEM;

	if (!result) {
		measurement_save(&holder->measurement, profile, &writer);
		result = record_commit(&writer, &error);
	}
	record_abandon(&writer);
	profile_destroy(profile);
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

static int prepare_holder(struct holder *holder, size_t ring_mib, struct text_error *error_ret)
{
	struct measurement *measurement = &holder->measurement;
	int error = check_save_file(holder->options->sampling.save, error_ret);

	if (!error)
		error = control_take(holder->name, &holder->control, error_ret);
	if (error)
		return error;
	holder->ring = ring_create(ring_mib << 20);
	error = holder->ring ? measurement_init(measurement, holder->options, NULL, error_ret) :
		text_fail(error_ret, -ENOMEM, "start run %s: out of memory", holder->name);
	if (error) {
		control_release(&holder->control);
		return error;
	}
	measurement->profile->stacks_max = HOLDER_STACKS_MAX;
	measurement->context = holder;
	measurement->counted = add_account_totals;
	measurement->counted_stack = add_to_ring;
	measurement->run.began = report_start;
	measurement->run.control_fd = holder->control.listen_fd;
	measurement->run.control = serve_measurement;
	measurement->run.obeyed = answer_order;
	return 0;
}

/* Runs in a process of its own. */
static int run_holder(struct holder *holder, size_t ring_mib)
{
	struct text_error error;
	int result = prepare_holder(holder, ring_mib, &error);
	bool is_kept;

	if (result) {
		text_report(&error);
		return 1;
	}
	result = measurement_run(&holder->measurement, &error);
	if (result && result != -EBADMSG) {
		text_report(&error);
	} else {
		is_kept = holder->options->sampling.save && !save_run(holder);
		/* If the file could not be written, keep the counts for a client. */
		if (!is_kept && holder->client < 0 &&
		    holder->measurement.run.end != RUN_INTERRUPTED)
			serve_until_stopped(holder);
		if (holder->client >= 0)
			answer_dump(holder, holder->client, 0);
	}
	measurement_deinit(&holder->measurement);
	ring_destroy(holder->ring);
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

int holder_start(const char *name, const struct stacks_options *options, size_t ring_mib)
{
	struct holder holder = {
		.name = name, .options = options, .client = -1,
	};
	bool is_running;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0) {
		fprintf(stderr, "probe: start run %s: %s\n", name, strerror(errno));
		return -1;
	}
	if (!pid) {
		close(ends[0]);
		holder.ready_fd = ends[1];
		leave_terminal(ends[1]);
		_exit(run_holder(&holder, ring_mib));
	}
	close(ends[1]);
	is_running = has_begun(ends[0]);
	close(ends[0]);
	return is_running ? pid : -1;
}
