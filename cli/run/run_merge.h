/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several saved runs made one: which of them fit together, the numbers of their CPUs in the merged
 * run, and the sums of their totals, receipts and accounts. The contents of runs are merged by
 * sys_merge.h and profile_merge.h.
 */
#ifndef RUN_MERGE_H
#define RUN_MERGE_H

#include "run/host.h"
#include "run/run.h"

/** One of the runs. */
struct merge_part {
	const char *path;
	struct record record;
	struct run_result result;
	struct receipt receipt;
	const struct receipt_cpu *cpus;	/* owned by the record */
	size_t nr_cpus;
	struct run_host host;		/* .first_cpu is set by run_merge_add_up() */
	char name[HOST_NAME_LEN];	/* the host's; of a run that does not say it, the file's */
	bool has_host;			/* the run says its host */
};

/** Runs to merge. All zero: none. */
struct run_merge {
	const char *verb;		/* for error texts: "merge", "compare" */
	struct merge_part *part;
	size_t nr;
	u32 nr_hosts;
	/* after run_merge_add_up() */
	u32 nr_cpus;			/* numbers of CPUs in the merged run */
	struct run run;			/* the merged run: .result, .receipt, .cpus, .nr_cpus */
};

/**
 * run_merge_open() - read the runs and check that they fit together: one kind of session, one unit
 * of rows, one bound of deferred samples, no sample twice.
 * @verb: a literal, for error texts
 * @paths: must outlive the merge
 * -EINVAL or another -errno, with a reason. Free with run_merge_close() in any case.
 */
int run_merge_open(struct run_merge *merge, const char *verb, const char *const *paths, size_t nr,
		   struct text_error *error_ret);

/**
 * run_merge_number() - give each CPU of each host a number in the merged run. -E2BIG with a reason: there
 * are more CPUs than a saved run can have.
 */
int run_merge_number(struct run_merge *merge, struct text_error *error_ret);

/**
 * run_merge_add_up() - number the CPUs and fill in .run: all counts, times and costs add up. The excess
 * of the samples is the largest of the runs; run_merge_set_excess() corrects it. -ENOMEM or -E2BIG, with
 * a reason.
 */
int run_merge_add_up(struct run_merge *merge, struct text_error *error_ret);

/**
 * run_merge_set_excess() - set the excess of all samples. -ERANGE with a reason: more than a file may
 * have, as some runs have far fewer samples for their time than others.
 */
int run_merge_set_excess(struct run_merge *merge, double excess, struct text_error *error_ret);

/** run_merge_hosts() - entries of the section HOST, one for each run; to be freed. NULL: out of memory. */
struct run_host *run_merge_hosts(const struct run_merge *merge);

void run_merge_close(struct run_merge *merge);

#endif
