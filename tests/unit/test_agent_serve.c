// SPDX-License-Identifier: GPL-2.0-only
/* Requests to an agent that is busy with a window: cli/agent/agent_serve.c. Clients are processes. */
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent_windows.h"
#include "agent/agent_serve.h"

static struct agent agent;
static char name[32];

/** A client: its process, and where its answer arrives. */
struct client {
	pid_t pid;
	int fd;
};

static bool is_asked(int milliseconds)
{
	struct pollfd fd = { .fd = agent.control.listen_fd, .events = POLLIN };

	return poll(&fd, 1, milliseconds) == 1;
}

/* Asks, and returns when the agent can see it. */
static struct client ask(const char *request)
{
	struct text_error error = { "", "" };
	char *answer = NULL;
	struct client client;
	int pipes[2];
	size_t len;

	assert_int_equal(pipe(pipes), 0);
	client.fd = pipes[0];
	client.pid = fork();
	if (!client.pid) {
		control_ask(name, request, &answer, &len, &error);
		dprintf(pipes[1], "%s", answer ?: error.what);
		_exit(0);
	}
	close(pipes[1]);
	assert_true(is_asked(10000));
	return client;
}

/* The text that the client got; the buffer is reused. */
static const char *answer_to(struct client client)
{
	static char answer[8192];
	size_t len = 0;
	ssize_t got;

	while (len < sizeof(answer) - 1 && (got = read(client.fd, answer + len, sizeof(answer) - 1 - len)) > 0)
		len += got;
	answer[len] = '\0';
	close(client.fd);
	assert_int_equal(waitpid(client.pid, NULL, 0), client.pid);
	return answer;
}

static void begin_agent(u64 bytes)
{
	struct window_now now = { 1, 1000, 1e9 };

	agent = (struct agent){ .client = -1, .waiting = -1 };
	snprintf(name, sizeof(name), "unit-agent-%d", getpid());
	assert_int_equal(control_take(name, &agent.control, &why), 0);
	open_windows(&agent.windows, bytes, &now);
	agent.windows.between = agent_serve_between;
	agent.windows.context = &agent;
	agent.measurement.profile = profile;
}

static void end_agent(void)
{
	window_ring_close(&agent.windows.ring);
	control_release(&agent.control);
}

static struct client client;
static int nr_steps;

/* The work of a step: a request comes in the meantime, and must have been taken before the next step. */
static void work(void)
{
	assert_false(is_asked(0));
	nr_steps++;
	agent.looked = 0;
	client = ask("status");
}

static int take_table(void *self, const struct agent_table_window *window, struct text_error *error_ret)
{
	work();
	return 0;
}

static int take_stacks(void *self, const struct agent_stacks_window *window, struct text_error *error_ret)
{
	work();
	return 0;
}

static void says_samples(u64 taken)
{
	char line[64];
	const char *answer = answer_to(client);

	/* No account has the lost sample: it is the profile's. */
	snprintf(line, sizeof(line), "\nsamples\t%llu\nlost\t1\n", taken);
	if (!strstr(answer, line))
		fail_msg("no %s in %s", line, answer);
}

/* Two sinks, each of which takes long: whoever asks for the status is answered before the next one begins. */
static void the_status_comes_between_steps(void **state)
{
	const struct agent_sink slow = { .name = "slow", .take_table = take_table, .take_stacks = take_stacks };
	struct window_now now = { 1, 1060, 1e9 + 60 };
	struct run_result *result = &agent.measurement.run.result;

	begin_agent(64 << 20);
	agent.windows.sinks[0] = slow;
	agent.windows.nr_sinks = 1;
	agent.windows.per_stacks = 1;
	agent.is_counted = false;
	*result = (struct run_result){ .nr_cpus = 1, .elapsed_seconds = 15, .account.taken = TAKEN };
	assert_true(windows_end_table(&agent.windows, NULL, result, &run.receipt, &now));
	assert_false(is_asked(0));
	says_samples(TAKEN);
	/* The samples of the table are in the window, and are told once. */
	agent.is_counted = true;
	windows_end_stacks(&agent.windows, &run, profile, NULL, &now);
	assert_false(is_asked(0));
	says_samples(TAKEN);
	assert_int_equal(nr_steps, 2);
	end_agent();
}

/* Looks cost a system call: between short steps there is none. */
static void looks_are_rare(void **state)
{
	begin_agent(64 << 20);
	agent.looked = 1e12;
	client = ask("status");
	agent_serve_between(&agent);
	assert_true(is_asked(0));
	assert_false(agent_serve_now(&agent));
	assert_false(is_asked(0));
	says_samples(0);
	end_agent();
}

/* A request that needs a harvest is kept, and one for the status that came later waits for it. */
static void others_wait_for_the_harvest(void **state)
{
	struct client pause, status;

	begin_agent(64 << 20);
	pause = ask("pause");
	agent_serve_between(&agent);
	assert_true(agent.orders.is_left);
	status = ask("status");
	assert_true(agent_serve_now(&agent));
	assert_int_equal(agent_serve(&agent), RUN_GO_ON);
	assert_false(agent.orders.is_left);
	assert_non_null(strstr(answer_to(pause), "cannot be paused"));
	assert_false(agent_serve_now(&agent));
	client = status;
	says_samples(0);
	agent.measurement.run.start.period_ns = 50000000;
	client = ask("rate");
	assert_true(agent_serve_now(&agent));
	assert_int_equal(agent_serve(&agent), RUN_GO_ON);
	assert_string_equal(answer_to(client), "20");
	client = ask("rate 100");
	assert_true(agent_serve_now(&agent));
	assert_int_equal(agent_serve(&agent), RUN_GO_ON);
	assert_non_null(strstr(answer_to(client), "part of its configuration"));
	client = ask("stop");
	assert_true(agent_serve_now(&agent));
	assert_int_equal(agent_serve(&agent), RUN_STOP);
	agent_serve_end(&agent);
	assert_non_null(strstr(answer_to(client), "no window has been measured yet"));
	end_agent();
}

/* A signal ends an agent that has kept a request to stop. */
static void the_last_request_is_served(void **state)
{
	begin_agent(64 << 20);
	client = ask("stop");
	assert_true(agent_serve_now(&agent));
	agent_serve_end(&agent);
	assert_non_null(strstr(answer_to(client), "no window has been measured yet"));
	end_agent();
}

/* A client that reads some bytes of the answer and ends. */
static struct client ask_and_end(void)
{
	struct client short_one;
	char bytes[10];
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	short_one.fd = ends[0];
	short_one.pid = fork();
	if (!short_one.pid)
		_exit(recv(ends[1], bytes, sizeof(bytes), MSG_WAITALL) != sizeof(bytes));
	close(ends[1]);
	return short_one;
}

/* A client that has all windows is no fault; one that ends before is one. */
static void the_last_dump_must_arrive(void **state)
{
	struct window_now now = { 1, 1060, 1e9 + 60 };

	begin_agent(64 << 20);
	windows_end_stacks(&agent.windows, &run, profile, NULL, &now);
	client = ask("stop");
	assert_true(agent_serve_now(&agent));
	agent_serve_end(&agent);
	answer_to(client);
	assert_int_equal(agent.windows.journal.nr[JOURNAL_DUMP], 0);
	client = ask_and_end();
	agent.client = client.fd;
	agent_serve_end(&agent);
	assert_int_equal(waitpid(client.pid, NULL, 0), client.pid);
	assert_int_equal(agent.windows.journal.nr[JOURNAL_DUMP], 1);
	assert_non_null(strstr(agent.windows.journal.last, agent.windows.ring.directory));
	end_agent();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_status_comes_between_steps), TEST(looks_are_rare), TEST(others_wait_for_the_harvest),
		TEST(the_last_request_is_served), TEST(the_last_dump_must_arrive),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
