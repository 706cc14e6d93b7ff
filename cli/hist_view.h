/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of one task: Figures 4 and 5 as text, tab-separated values and JSON. */
#ifndef HIST_VIEW_H
#define HIST_VIEW_H

#include "hist.h"
#include "run.h"

/** Where the samples that are in no slot went. */
struct hist_elsewhere {
	uint64_t outside;
	uint64_t other_mode;
	uint64_t other_exe;
	uint64_t other_task;
};

struct hist_view {
	struct hist hist;
	struct hist_elsewhere elsewhere;
	const char *task;	/* clean */
	const char *mode;	/* "user" or "kernel" */
	double scale;		/* 100, or 100 x CPUs with -of cpu */
	enum sampling_ci ci;
	const struct run *run;
};

/** hist_view_render() - write the report. */
void hist_view_render(FILE *out, const struct hist_view *view, enum sampling_format format);

#endif
