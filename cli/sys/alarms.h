/* SPDX-License-Identifier: GPL-2.0-only */
/* The alarms of a repeated table: their options, and what happens when one is raised. */
#ifndef ALARMS_H
#define ALARMS_H

#include <sys/types.h>

#include "run/run_result.h"
#include "sys/alarm.h"
#include "sys/fold.h"

struct alarms {
	struct alarm_limits limits;
	const char *command;		/* for a shell; NULL: an alarm ends the run */
	pid_t pid[ALARMS_MAX];		/* each limit's command; 0: not running */
	int nice;			/* priority of the tool before a run raises it */
	bool is_raised;			/* an alarm ended the run */
};

extern const struct option_spec alarm_specs[];	/* options of a struct alarms */

/** alarms_init() - note the state that commands inherit. @alarms is zero. */
void alarms_init(struct alarms *alarms);

/**
 * alarms_check() - check for conflicts with other options.
 * @repeats: -repeat was given; @has_command: a COMMAND was; @of: value of -of
 */
int alarms_check(const struct alarms *alarms, bool repeats, bool has_command, enum output_of of,
		 struct text_error *error_ret);

/**
 * alarms_judge() - judge the counts of one interval; tell on stderr of each alarm, and run the
 * command. A command that still runs is not started again. Never waits. False: end the run.
 */
bool alarms_judge(struct alarms *alarms, const struct fold *fold, const struct run_result *result,
		  enum output_ci ci);

#endif
