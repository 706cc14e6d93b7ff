/* SPDX-License-Identifier: GPL-2.0-only */
/* The options that every sampling command shares, and the output they share. */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "cpus.h"
#include "options.h"

enum sampling_format { FORMAT_TEXT, FORMAT_TSV, FORMAT_JSON };
enum sampling_ci { CI_WILSON, CI_PAPER };
enum sampling_of { OF_MACHINE, OF_CPU };

struct sampling_options {
	double seconds;		/* 0: not given */
	uint64_t period_ns;
	unsigned int jitter;	/* enum cpuprobe_jitter */
	uint64_t seed;		/* 0: not given */
	struct cpus cpus;	/* empty: not given */
	unsigned int ci;	/* enum sampling_ci */
	unsigned int of;	/* enum sampling_of */
	enum sampling_format format;
};

extern const struct option_spec sampling_specs[];

/** sampling_init() - the defaults. */
void sampling_init(struct sampling_options *options);

/**
 * sampling_set() - as options_set, with a struct sampling_options.
 * 1: not an option of sampling.
 */
int sampling_set(struct sampling_options *options, const char *name, const char *value,
		 struct text_error *error_ret);

/** sampling_deinit() - free what the options hold. */
void sampling_deinit(struct sampling_options *options);

#endif
