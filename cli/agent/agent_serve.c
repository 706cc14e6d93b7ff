// SPDX-License-Identifier: GPL-2.0-only
/* The requests that an agent answers: see agent_serve.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/agent_serve.h"
#include "agent/agent_status.h"
#include "agent/window_merge.h"
#include "base/clock.h"

#define DUMP_NICE	10
#define LOOK_SECONDS	0.1	/* between two looks for requests in the midst of work */

static void answer_status(const struct agent *agent, int client)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (out) {
		agent_status_put(agent, out);
		fclose(out);
	}
	control_answer(client, text ?: "", len);
	free(text);
}

/* Adds the files of the ring that reach into the last @seconds; 0: all. */
static void add_kept(const struct agent *agent, struct window_merge *merge, double seconds,
		     const struct window_now *now)
{
	const struct window_ring *ring = &agent->windows.ring;
	char path[WINDOW_RING_PATH];
	struct window *good;
	struct record record;
	size_t nr, i;

	good = window_ring_good(ring, &nr);
	for (i = good && seconds ? window_first_since(good, nr, seconds, now) : 0; good && i < nr; i++) {
		window_ring_path(ring, good[i].number, path);
		if (record_read(path, &record, NULL)) {
			merge->nr_left_out++;
			continue;
		}
		merge->nr_left_out += window_merge_add(merge, &record) != 0;
		record_deinit(&record);
	}
	free(good);
}

/* Adds what was measured since the last window ended. */
static void add_current(const struct agent *agent, struct window_merge *merge, const struct window_now *now)
{
	const struct measurement *measurement = &agent->measurement;
	struct window window;
	struct record record = { NULL, 0 };

	if (!agent->is_measuring || !measurement->profile->taken)
		return;
	record.bytes = windows_pack(&agent->windows, &measurement->run, measurement->profile,
				    &measurement->run.result, now, &window, &record.len);
	if (record.bytes)
		window_merge_add(merge, &record);
	free(record.bytes);
}

/* Puts the windows together, and answers with them. False: the client has not read them all. */
static bool answer_dump(const struct agent *agent, int client, double seconds)
{
	struct record_writer writer = { 0 };
	struct window_merge merge;
	struct window_now now;
	struct text_error error;
	bool is_delivered = true;
	char *bytes = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&bytes, &len);

	window_now(&now);
	if (!memory || window_merge_init(&merge)) {
		control_refuse(client, "out of memory", "");
		return true;
	}
	add_kept(agent, &merge, seconds, &now);
	add_current(agent, &merge, &now);
	record_begin(&writer, memory);
	window_merge_save(&merge, &writer);
	if (!merge.nr_windows)
		control_refuse(client, "no window has been measured yet",
			       client == agent->client ? "the agent has ended all the same" : "");
	else if (merge.rates.nr_changes &&
		 receipt_rates_excess(&merge.rates, receipt_clock_excess(&merge.receipt)) > RECORD_EXCESS_MAX)
		control_refuse(client, "the rates of its windows differ too much",
			       "ask for the windows since the rate changed, with -last");
	else if (record_commit(&writer, &error))
		control_refuse(client, "out of memory", "");
	else
		is_delivered = control_deliver(client, bytes, len);
	record_abandon(&writer);
	window_merge_deinit(&merge);
	free(bytes);
	return is_delivered;
}

void agent_serve_reap(struct agent *agent)
{
	int i;

	for (i = 0; i < AGENT_DUMPS_MAX; i++)
		if (agent->dumps[i] && waitpid(agent->dumps[i], NULL, WNOHANG))
			agent->dumps[i] = 0;
}

/* If the agent ends now, sampling, hooks and locks end with it: they belong to descriptors. */
static void close_all_but(int fd)
{
	if (fd > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, fd - 1, 0);
	close_range(fd + 1, ~0U, 0);
}

/* Answers in a process of its own, so that neither time nor memory of the agent grows with the ring. */
static void fork_dump(struct agent *agent, int client, double seconds)
{
	int *slot = agent->dumps;
	pid_t pid;

	agent_serve_reap(agent);
	while (slot < agent->dumps + AGENT_DUMPS_MAX && *slot)
		slot++;
	pid = slot < agent->dumps + AGENT_DUMPS_MAX ? fork() : -1;
	if (!pid) {
		close_all_but(client);
		setpriority(PRIO_PROCESS, 0, DUMP_NICE);
		answer_dump(agent, client, seconds);
		_exit(0);
	}
	if (pid < 0) {
		control_refuse(client, "it is busy with other dumps", "try again in a few seconds");
		return;
	}
	*slot = pid;
	close(client);
}

bool agent_serve_now(void *context)
{
	struct agent *agent = context;

	while (agent->waiting < 0) {
		agent->waiting = control_accept(&agent->control, agent->request, sizeof(agent->request));
		if (agent->waiting < 0 || strcmp(agent->request, "status"))
			break;
		answer_status(agent, agent->waiting);
		agent->waiting = -1;
	}
	agent->orders.is_left = agent->waiting >= 0;
	return agent->orders.is_left;
}

void agent_serve_between(void *context)
{
	struct agent *agent = context;
	double now = clock_seconds();

	if (now < agent->looked + LOOK_SECONDS)
		return;
	agent_serve_now(agent);
	agent->looked = now;
}

static void answer_rate(const struct agent *agent, int client)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6g", 1e9 / agent->measurement.run.start.period_ns);
	control_answer(client, text, strlen(text));
}

enum run_order agent_serve(void *context)
{
	struct agent *agent = context;
	const char *request = agent->request;
	int client = agent->waiting;

	agent->waiting = -1;
	agent->orders.is_left = false;
	if (client < 0)
		return RUN_GO_ON;
	if (!strncmp(request, "dump", 4)) {
		fork_dump(agent, client, request[4] ? atof(request + 5) : 0);
	} else if (!strcmp(request, "stop")) {
		agent->client = client;
		return RUN_STOP;
	} else if (!strcmp(request, "rate")) {
		answer_rate(agent, client);
	} else if (!strncmp(request, "rate", 4)) {
		control_refuse(client, "the rate of an agent is part of its configuration",
			       "change 'rate' in the FILE of -config, and send SIGHUP to the agent");
	} else {
		control_refuse(client, "an agent cannot be paused or reset", "'probe stop' ends it");
	}
	return RUN_GO_ON;
}

void agent_serve_end(struct agent *agent)
{
	agent->is_measuring = false;
	if (agent->client < 0)
		agent_serve(agent);
	if (agent->client >= 0 && !answer_dump(agent, agent->client, 0))
		journal_fault(&agent->windows.journal, JOURNAL_DUMP, clock_seconds(),
			      "'probe stop' has not got all windows: they stay in %s", agent->windows.ring.directory);
	agent->client = -1;
}
