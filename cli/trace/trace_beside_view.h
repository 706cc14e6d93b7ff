/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of a trace beside its samples: both shares of each function, and how they agree. */
#ifndef TRACE_BESIDE_VIEW_H
#define TRACE_BESIDE_VIEW_H

#include "trace/trace_beside_rows.h"
#include "trace/trace_view.h"

extern const struct column_list trace_beside_columns;

/**
 * trace_beside_show() - print the comparison on @out.
 * @view: its sort applies to the functions
 * -ENODATA with a reason: the trace has no samples. Another -errno with a reason.
 */
int trace_beside_show(FILE *out, const struct trace_account *account, const struct trace_view *view,
		      struct text_error *error_ret);

#endif
