/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds up the counts that the device returns for a target, by object and by slot. Passes the areas
 * of the target's memory to the module, before sampling starts and whenever they have changed.
 */
#ifndef TARGET_COUNTS_H
#define TARGET_COUNTS_H

#include "proc/proc_report.h"
#include "proc/target.h"

/** Sums to which the counts of an account are added. */
struct target_counts {
	u64 *objects;			/* CPUPROBE_OBJECTS, by number */
	u64 *slots;			/* CPUPROBE_SLOTS */
	struct proc_elsewhere *elsewhere;
	u64 *missed;			/* periods missed before samples of the target */
};

/** target_counts_add() - add one account of one CPU, as passed to a device_sink. */
void target_counts_add(const struct target_counts *counts, const struct cpuprobe_account *account,
		       const void *entries);

/** target_name_objects() - fill in the objects of a report that were hit, most hits first. @hits: of each object */
void target_name_objects(struct proc_report *report, const u64 hits[CPUPROBE_OBJECTS], const struct places *places);

/** target_start() - arguments of START for the target. @is_kernel: sample its kernel mode. */
struct cpuprobe_start target_start(const struct target *target, bool is_kernel);

#define TELLER_PIDS 64	/* processes noted for one harvest; others are noted again later */

/** Processes to read before the next update of the areas. Begins as all zeros. */
struct teller {
	int pids[TELLER_PIDS];		/* processes with samples outside all areas */
	size_t nr_pids;
};

/** teller_note() - note the process that an account names for a sample outside all areas. */
void teller_note(struct teller *teller, const struct cpuprobe_account *account);

/** teller_look() - read the noted processes, and look for changes of the known ones. */
void teller_look(struct teller *teller, struct places *places);

/** teller_tell() - pass the areas to the module, if they have changed or the session has none yet. */
int teller_tell(struct places *places, struct device *device, struct text_error *error_ret);

#endif
