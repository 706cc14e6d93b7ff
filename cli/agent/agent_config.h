/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The configuration of an agent: lines KEY = VALUE in a file, and options of the same names on the command
 * line, which prevail.
 */
#ifndef AGENT_CONFIG_H
#define AGENT_CONFIG_H

#include "base/options.h"
#include "metrics/listen.h"
#include "metrics/metrics_run.h"
#include "push/push_options.h"
#include "types.h"

#define AGENT_RING_USER	"cpuprobe"	/* directory of the ring, below that for states */

/** Whether idle CPUs are left asleep. */
enum agent_idle { AGENT_IDLE_AUTO, AGENT_IDLE_SAMPLE, AGENT_IDLE_SLEEP };

/** Rows of the metrics. */
enum agent_by { AGENT_BY_EXE, AGENT_BY_CONTAINER };

struct agent_config {
	u64 period_ns;
	unsigned int engine;		/* enum device_engine */
	unsigned int idle;		/* enum agent_idle */
	double table_seconds;		/* a window of the table of the system */
	double stacks_seconds;		/* a window of stacks: a multiple of it */
	const char *ring_dir;		/* NULL: see agent_config_ring_dir() */
	u64 ring_mib;
	double ring_seconds;
	unsigned int prom_by;		/* enum agent_by */
	u64 memory_mib;			/* resident, above which names are read anew */
	struct metrics_file_options prom;
	struct listen_options listening;
	const char *push_url;		/* NULL: nothing is pushed */
	struct push_options push;
	char *text;			/* the file, which the texts above point into */
};

/** Lists of options that set a struct agent_config at @at of the command's own. */
#define AGENT_CONFIG_LISTS(at) \
	{ agent_config_specs, at, "sampling (keys of FILE too)" }, \
	{ metrics_file_specs, at + offsetof(struct agent_config, prom), "metrics (keys of FILE too)" }, \
	{ listen_specs, at + offsetof(struct agent_config, listening) }, \
	{ agent_push_specs, at, "profiles (keys of FILE too)" }, \
	{ push_specs, at + offsetof(struct agent_config, push) }

extern const struct option_spec agent_config_specs[], agent_push_specs[];

/** agent_config_init() - set the defaults. */
void agent_config_init(struct agent_config *config);

/**
 * agent_config_read() - read a file. Values of before stay where it says nothing.
 * -EINVAL: "FILE:LINE: reason". Another -errno, with a reason: it cannot be read.
 */
int agent_config_read(struct agent_config *config, const char *path, struct text_error *error_ret);

/** agent_config_check() - check values that do not go together: -EINVAL with a reason. */
int agent_config_check(const struct agent_config *config, struct text_error *error_ret);

/**
 * agent_config_ring_dir() - the directory of the ring: as given, that of a service (STATE_DIRECTORY), root's, or
 * the user's. Makes the directory above it. -errno with a reason.
 */
int agent_config_ring_dir(const struct agent_config *config, char *path, size_t len,
			  struct text_error *error_ret);

void agent_config_deinit(struct agent_config *config);

#endif
