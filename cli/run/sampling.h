/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of taking samples, which every measuring command shares. */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "base/options.h"
#include "cpuprobe.h"
#include "run/cpus.h"

#define SAMPLING_WITHIN_LEAST	0.01	/* -within is about shares above this */

struct sampling_options {
	double seconds;		/* 0: not given */
	uint64_t period_ns;
	unsigned int jitter;	/* enum cpuprobe_jitter */
	uint64_t seed;		/* 0: not given */
	struct cpus cpus;	/* empty: not given */
	double repeat_seconds;	/* 0: one report at the end */
	const char *save;	/* file to keep the run in; NULL: none */
	bool excludes_deferred;	/* leave late samples out */
	bool lets_sleep;	/* count what finds a CPU idle without waking it */
	double within;	/* go on until half-widths are at most that many points; 0: not given */
};

extern const struct option_spec sampling_specs[];
extern const struct option_spec report_specs[];	/* what makes of it one report or more; of shares */

/** sampling_init() - the defaults. */
void sampling_init(struct sampling_options *options);

/** sampling_check() - -EINVAL: options that exclude each other. */
int sampling_check(const struct sampling_options *options, struct text_error *error_ret);

/** sampling_deinit() - free what the options hold. */
void sampling_deinit(struct sampling_options *options);

#endif
