/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hosts that a saved run comes from: the section HOST of docs/format.md. A measured run has one
 * entry, a merged run one for each run that it was made of.
 */
#ifndef HOST_H
#define HOST_H

#include "run/record.h"
#include "run/receipt.h"

#define HOST_NAME_LEN	64	/* with the NUL */
#define HOST_BOOT_LEN	40	/* with the NUL */

/** One run of one host. Saved in files: the layout is fixed. */
struct run_host {
	char name[HOST_NAME_LEN];	/* node name; "": unknown */
	char boot[HOST_BOOT_LEN];	/* id of the kernel's boot; "": unknown */
	double began;			/* seconds since 1970 */
	double ended;			/* the same; with pauses */
	u64 expected, taken, missed, lost, deferred, excluded;
	u64 sampled_ns;			/* on all its CPUs */
	u64 period_ns;
	double excess;			/* of its samples, as in stat.h */
	u32 first_cpu;			/* number of its CPU 0 in this run; 0 in a measured run */
	u32 nr_cpus;			/* its highest CPU number plus one */
};

/** host_identify() - fill in the name and the boot of this host. */
void host_identify(struct run_host *host);

/** host_count() - fill in the times and counts of a run. */
void host_count(struct run_host *host, const struct run_result *result, const struct receipt *receipt);

/** host_save() - write the section. */
void host_save(struct record_writer *writer, const struct run_host *hosts, size_t nr);

/**
 * host_load() - the entries, owned by the record; check their texts with host_name(). NULL, with 0
 * in @nr_ret: the run was saved without them, or they are invalid.
 */
const struct run_host *host_load(const struct record *record, size_t *nr_ret);

/** host_is_merged() - whether the run was made of several runs. */
bool host_is_merged(const struct record *record);

/**
 * host_cpu_excess() - excess of each CPU's samples (stat.h), to be freed; 0 for CPUs of no host. NULL:
 * out of memory.
 */
double *host_cpu_excess(const struct run_host *hosts, size_t nr, size_t nr_cpus);

/** host_name() - copy the name of @host, harmless to a terminal. */
void host_name(const struct run_host *host, char name_ret[HOST_NAME_LEN]);

#endif
