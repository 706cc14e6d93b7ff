/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of a target as they come from the device: by object and by slot. And what the module is to
 * know of the target's memory, told before sampling begins and whenever it has changed.
 */
#ifndef TARGET_COUNTS_H
#define TARGET_COUNTS_H

#include "proc/proc_report.h"
#include "proc/target.h"

/** Where the counts of an account are added. */
struct target_counts {
	uint64_t *objects;		/* CPUPROBE_OBJECTS of them, by number */
	uint64_t *slots;		/* CPUPROBE_SLOTS */
	struct proc_elsewhere *elsewhere;
	uint64_t *missed;		/* periods missed before samples of the target */
};

/** target_counts_add() - one account of one CPU, as a device_sink gets it. */
void target_counts_add(const struct target_counts *counts, const struct cpuprobe_account *account,
		       const void *entries);

/** target_start() - what START is to be told of the target. @is_kernel: its kernel mode */
struct cpuprobe_start target_start(const struct target *target, bool is_kernel);

#define TELLER_PIDS 64	/* processes noted between two harvests; others are noted at the next */

/** What a session knows of the target's memory. Zero at first, and when another session begins. */
struct teller {
	int pids[TELLER_PIDS];		/* processes with samples in no area */
	size_t nr_pids;
	bool has_told;
};

/** teller_note() - the account may name a process whose memory is not known. */
void teller_note(struct teller *teller, const struct cpuprobe_account *account);

/** teller_tell() - read those processes, and hand over what has changed. */
int teller_tell(struct teller *teller, struct places *places, struct device *device,
		struct text_error *error_ret);

#endif
