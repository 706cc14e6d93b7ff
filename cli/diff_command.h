/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the parts of `probe diff`: cmd_diff.c compares tables, diff_stacks.c runs with stacks,
 * diff_calls.c runs with calls, diff_hosts.c sets of runs; diff_table.c reads the rows of a table,
 * diff_events.c looks at the events that were sampled.
 */
#ifndef DIFF_COMMAND_H
#define DIFF_COMMAND_H

#include "base/output.h"
#include "run/receipt.h"
#include "run/record.h"
#include "sys/diff.h"

#define EXIT_WORSE	3

struct diff_options {
	struct output_options output;
	u64 nr_rows;		/* 0: all */
	bool is_sampling_only;
	const char *event;	/* the one to compare, of runs with several; NULL: the first */
	bool wants_stacks;	/* compare the stacks of runs with calls */
	double worse_points;	/* NAN: not given */
	bool has_before, has_after;	/* sets of runs are compared */
	bool declines_pairs;	/* compare these sets without pairs, although they have the same hosts */
};

/** Contents that two saved runs have in common. A run with calls has stacks too. */
enum diff_contents { DIFF_TABLES, DIFF_STACKS, DIFF_CALLS };

/**
 * diff_warn_of_short_runs() - warn that runs of less than two blocks do not show how they vary, unless
 * their counts were to be compared.
 */
void diff_warn_of_short_runs(const struct diff_options *options);

/**
 * diff_common_contents() - what can be compared. DIFF_TABLES if a file is unreadable or without
 * stacks: reading it again gives the reason.
 */
enum diff_contents diff_common_contents(const char *const paths[2]);

/**
 * diff_add_table() - add the rows of a table as side @side. -EBADMSG or -ENOMEM, with a reason.
 */
int diff_add_table(struct diff *diff, int side, const struct record *record, struct text_error *error_ret);

/**
 * diff_compare_hosts() - compare the sets of runs after -before and -after. Returns the exit status.
 * @lists: the options of the command
 */
int diff_compare_hosts(const struct options_rest *rest, const struct option_list *lists,
		       const struct diff_options *options);

/** diff_check_events() - refuse two runs, @a and @b by name, whose samples are of different events. -EINVAL. */
int diff_check_events(const char *a, const struct receipt *of_a, const char *b, const struct receipt *of_b,
		      struct text_error *error_ret);

/** diff_compare_stacks(), diff_compare_calls() - compare two such runs. Return the exit status. */
int diff_compare_stacks(const char *const paths[2], const struct diff_options *options);
int diff_compare_calls(const char *const paths[2], const struct diff_options *options);

#endif
