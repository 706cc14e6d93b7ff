/* SPDX-License-Identifier: GPL-2.0-only */
/* probe export of a saved trace: pictures of it. */
#ifndef EXPORT_TRACE_H
#define EXPORT_TRACE_H

#include "export/export_options.h"
#include "picture/picture.h"
#include "run/record.h"

extern const struct option_spec export_trace_specs[];	/* for a struct picture_options */

/** export_trace_check() - check the options for runs of both kinds. -EINVAL with a reason. */
int export_trace_check(const struct picture_options *options, struct text_error *error_ret);

/**
 * export_trace_refuse() - whether a run of this kind lacks what was asked for. -EINVAL with a reason.
 * @is_trace: it is a trace; otherwise it has stacks
 * @stacks_option: an option that was given and is for stacks alone; NULL: none
 */
int export_trace_refuse(const struct export_options *exports, const struct picture_options *options,
			bool is_trace, const char *stacks_option, struct text_error *error_ret);

/** export_trace() - write pictures of the trace of a saved run. -errno with a reason: nothing was written. */
int export_trace(struct export *exports, const struct record *record, const struct picture_options *options,
		 struct text_error *error_ret);

#endif
