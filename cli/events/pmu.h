/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters that the kernel describes in sysfs: a directory per PMU, with its events and fields. */
#ifndef PMU_H
#define PMU_H

#include "base/text.h"
#include "events/event.h"

#define PMU_ROOT	"/sys/bus/event_source/devices"

/**
 * pmu_find() - the event "PMU/TERM,TERM/": a term is the name of an event of the PMU, FIELD=VALUE of a
 * field that it describes, or FIELD alone, which is 1.
 * @root: the directory of all PMUs
 * @event_ret: gets type, config and config1; untouched on failure
 * -ENOENT or -EINVAL with a reason.
 */
int pmu_find(const char *root, const char *text, struct event *event_ret, struct text_error *error_ret);

/** pmu_type() - the number of a PMU, as the type of its events. -ENOENT: there is no such PMU. */
int pmu_type(const char *root, const char *name, u32 *type_ret);

#define PMU_CPUS_LEN	256

/**
 * pmu_cpus() - the CPUs that count events of a type, "0-3", if its PMU is of one type of cores among several.
 * @list: filled in; returned. "": any CPU, or the kernel does not say
 */
const char *pmu_cpus(const char *root, u32 type, char list[PMU_CPUS_LEN]);

/** Called for each event of each PMU, sorted by PMU and name. @text: "PMU/EVENT/" */
typedef void (*pmu_visit)(void *context, const char *text);

/** pmu_each() - visit all events in sysfs. Without the directory: none. */
void pmu_each(const char *root, pmu_visit visit, void *context);

#endif
