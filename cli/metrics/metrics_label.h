/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels in Prometheus' text format. Pure. */
#ifndef METRICS_LABEL_H
#define METRICS_LABEL_H

#include <stdbool.h>
#include <stdio.h>

/** metrics_put_label() - write name="value", after a comma unless @is_first. @name: must be valid */
void metrics_put_label(FILE *out, const char *name, const char *value, bool is_first);

#endif
