// SPDX-License-Identifier: GPL-2.0-only
/* Lines of an agent: cli/agent/journal.c for people, notify.c for the service manager. */
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "unit.h"
#include "directory.h"
#include "said.h"
#include "agent/journal.h"
#include "agent/notify.h"

/* A kind of fault has a line, then silence for ten minutes; each is counted. */
static void faults_are_said_seldom(void **state)
{
	struct journal journal = { 0 };
	int second, before;

	before = said_begin(in_directory("said"));
	for (second = 1; second <= 601; second++)
		journal_fault(&journal, JOURNAL_RING, second, "no room\033");
	journal_fault(&journal, JOURNAL_LOSS, 2, "lost");
	said_end(before);
	assert_int_equal(journal_sum(&journal), 602);
	assert_string_equal(journal.last, "lost");
	assert_int_equal(journal.nr_silent[JOURNAL_RING], 0);
	sh("printf 'probe: agent: no room?\\nprobe: agent: no room? (599 more since the last line)\\n"
	   "probe: agent: lost\\n' | diff - said");
}

/* The end of a fault is said if the fault was; silent ones have no end. */
static void ends_of_faults_are_said(void **state)
{
	struct journal journal = { 0 };
	int before;

	before = said_begin(in_directory("said"));
	journal_end(&journal, JOURNAL_SINK, "works again");
	journal_fault(&journal, JOURNAL_SINK, 1, "away");
	journal_fault(&journal, JOURNAL_REFUSED, 2, "refused");
	journal_end(&journal, JOURNAL_SINK, "works again");
	journal_fault(&journal, JOURNAL_SINK, 3, "away");
	journal_end(&journal, JOURNAL_SINK, "works again");
	said_end(before);
	assert_int_equal(journal_sum(&journal), 3);
	sh("printf 'probe: agent: away\\nprobe: agent: refused\\nprobe: agent: works again\\n' | diff - said");
}

/* Somebody waits to hear of his configuration. */
static void configurations_are_always_said(void **state)
{
	struct journal journal = { 0 };
	int before;

	before = said_begin(in_directory("said"));
	journal_fault(&journal, JOURNAL_CONFIG, 1, "unknown key");
	journal_fault(&journal, JOURNAL_CONFIG, 2, "unknown key");
	said_end(before);
	sh("printf 'probe: agent: unknown key\\nprobe: agent: unknown key\\n' | diff - said");
}

/* journald reads the priority of a line. */
static void lines_have_priorities(void **state)
{
	struct journal journal = { 0 };
	int before;

	before = said_begin(in_directory("said"));
	setenv("JOURNAL_STREAM", "8:1", 1);
	journal_note("begins\n%d", 5);
	journal_fault(&journal, JOURNAL_RING, 1, "no room");
	journal_fault(&journal, JOURNAL_RING, 2, "no room");
	journal_fault(&journal, JOURNAL_RING, 700, "no room");
	said_end(before);
	unsetenv("JOURNAL_STREAM");
	sh("printf '<6>probe: agent: begins?5\\n<4>probe: agent: no room\\n"
	   "<4>probe: agent: no room (1 more since the last line)\\n' | diff - said");
}

/* Listens as a service manager; @path may begin with '@', of an abstract socket. */
static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	strcpy(address.sun_path, path);
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	assert_int_equal(bind(fd, (struct sockaddr *)&address,
			      offsetof(struct sockaddr_un, sun_path) + strlen(path)), 0);
	setenv("NOTIFY_SOCKET", path, 1);
	return fd;
}

static void hears(int fd, const char *lines)
{
	char heard[100] = "";

	assert_int_equal(recv(fd, heard, sizeof(heard) - 1, 0), strlen(lines));
	assert_string_equal(heard, lines);
	close(fd);
}

static void the_service_manager_is_told(void **state)
{
	char path[100];
	int fd;

	fd = listen_at(in_directory("socket"));
	notify_service("READY=1\nSTATUS=samples");
	hears(fd, "READY=1\nSTATUS=samples");
	snprintf(path, sizeof(path), "@cpuprobe-unit-%d", getpid());
	fd = listen_at(path);
	notify_service("STOPPING=1");
	hears(fd, "STOPPING=1");
	/* Nobody is there, or no address is. */
	notify_service("STOPPING=1");
	setenv("NOTIFY_SOCKET", "@", 1);
	notify_service("STOPPING=1");
	unsetenv("NOTIFY_SOCKET");
	notify_service("STOPPING=1");
}

/* A path that is not absolute names no socket, and one that is too long cannot. */
static void odd_addresses_are_ignored(void **state)
{
	char path[200];
	int fd;

	fd = listen_at(in_directory("other"));
	assert_int_equal(chdir(in_directory("")), 0);
	setenv("NOTIFY_SOCKET", "other", 1);
	notify_service("READY=1");
	memset(path, '/', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	setenv("NOTIFY_SOCKET", path, 1);
	notify_service("READY=1");
	assert_int_equal(recv(fd, path, sizeof(path), 0), -1);
	close(fd);
	unsetenv("NOTIFY_SOCKET");
	assert_int_equal(chdir("/"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_said_seldom),
		cmocka_unit_test(ends_of_faults_are_said),
		cmocka_unit_test(configurations_are_always_said),
		cmocka_unit_test(lines_have_priorities),
		cmocka_unit_test(the_service_manager_is_told),
		cmocka_unit_test(odd_addresses_are_ignored),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
