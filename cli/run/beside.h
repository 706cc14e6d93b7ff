/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second session of the module beside that of a run, on the same CPUs at the same rate, so that both see the
 * same time. It is harvested when the run is: it must not fill up sooner.
 */
#ifndef BESIDE_H
#define BESIDE_H

#include "run/device.h"
#include "run/sampling.h"

struct beside {
	struct device device;
	struct cpuprobe_start start;	/* the caller sets the kind, beside_start() the rest */
	device_sink sink;
	void *context;
	bool is_running;
};

/** beside_start() - begin. -errno with a reason; close it in any case. */
int beside_start(struct beside *beside, const struct sampling_options *options, struct text_error *error_ret);

/** beside_harvest() - hand new counts to the sink. */
int beside_harvest(struct beside *beside, struct text_error *error_ret);

/** beside_stop() - end, and hand the last counts to the sink. Nothing if it does not run. */
int beside_stop(struct beside *beside, struct text_error *error_ret);

/** beside_close() - free everything; in any state. */
void beside_close(struct beside *beside);

#endif
