// SPDX-License-Identifier: GPL-2.0-only
/* The alarms of a repeated table: see alarms.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/option_values.h"
#include "sys/alarms.h"

#define ALARMS(field)	offsetof(struct alarms, field)

const struct option_spec alarm_specs[] = {
	{ "alarm", "LIMIT", "exit 3 when a row is surely past NAME>PCT or NAME<PCT; repeatable",
	  alarm_parse, ALARMS(limits) },
	{ "alarm-run", "CMD", "at an alarm, run CMD by a shell and go on", option_text,
	  ALARMS(command) },
	{ NULL }
};

void alarms_init(struct alarms *alarms)
{
	alarms->nice = getpriority(PRIO_PROCESS, 0);
}

int alarms_check(const struct alarms *alarms, bool repeats, bool has_command, enum output_of of,
		 struct text_error *error_ret)
{
	if (!alarms->limits.nr)
		return alarms->command ? text_fail(error_ret, -EINVAL, "-alarm-run needs -alarm") : 0;
	if (!repeats)
		return text_fail(error_ret, -EINVAL, "-alarm needs -repeat");
	if (has_command)
		return text_fail(error_ret, -EINVAL, "-alarm cannot be combined with a COMMAND");
	if (of == OF_CPU)
		return text_fail(error_ret, -EINVAL, "-alarm cannot be combined with -of cpu");
	return 0;
}

static void set_number(const char *variable, double number)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f", number);
	setenv(variable, text, 1);
}

/* In the child: its output goes to standard error, because the tables are on standard output. */
static void exec_shell(const struct alarms *alarms, const char *name, const struct share *share)
{
	int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpriority(PRIO_PROCESS, 0, alarms->nice);
	dup2(null_fd, STDIN_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	setenv("PROBE_ALARM_NAME", name, 1);
	set_number("PROBE_ALARM_PCT", share->value);
	set_number("PROBE_ALARM_LO", share->lo);
	set_number("PROBE_ALARM_HI", share->hi);
	execl("/bin/sh", "sh", "-c", alarms->command, (char *)NULL);
	_exit(errno == ENOENT ? 127 : 126);
}

static void start_command(struct alarms *alarms, size_t i, const struct share *share)
{
	pid_t pid;

	if (alarms->pid[i]) {
		fprintf(stderr, "probe: the command of the previous alarm is still running\n");
		return;
	}
	pid = fork();
	if (!pid)
		exec_shell(alarms, alarms->limits.limit[i].name, share);
	if (pid < 0)
		fprintf(stderr, "probe: run '%s': %s\n", alarms->command, strerror(errno));
	else
		alarms->pid[i] = pid;
}

/* Forgets a command that has ended; says so if it failed. */
static void reap_command(pid_t *pid)
{
	int status;

	if (!*pid || waitpid(*pid, &status, WNOHANG) != *pid)
		return;
	*pid = 0;
	if (WIFSIGNALED(status))
		fprintf(stderr, "probe: the command of an alarm was killed by signal %d\n",
			WTERMSIG(status));
	else if (WEXITSTATUS(status))
		fprintf(stderr, "probe: the command of an alarm ended with status %d\n",
			WEXITSTATUS(status));
}

bool alarms_judge(struct alarms *alarms, const struct fold *fold, const struct run_result *result,
		  enum output_ci ci)
{
	struct share share;
	struct rows rows;
	size_t i;

	if (!alarms->limits.nr)
		return true;
	if (rows_init(&rows, fold, result->account.excess)) {
		fprintf(stderr, "probe: judge the alarms: out of memory\n");
		return true;
	}
	for (i = 0; i < alarms->limits.nr; i++) {
		const struct alarm_limit *limit = &alarms->limits.limit[i];

		reap_command(&alarms->pid[i]);
		if (!alarm_judge(limit, &rows, ci, &share))
			continue;
		alarm_print(stderr, limit, &share, result->began);
		if (alarms->command)
			start_command(alarms, i, &share);
		else
			alarms->is_raised = true;
	}
	rows_deinit(&rows);
	return !alarms->is_raised;
}
