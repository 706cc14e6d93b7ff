/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folds the accounts and records of all CPUs into counts by process and CPU, and into sums over
 * blocks of about a second, from which the variance of a process follows. Memory grows with the
 * number of processes and CPUs, not with time. Pure: no device, no output.
 */
#ifndef FOLD_H
#define FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "cpuprobe.h"
#include "types.h"

#define FOLD_KIND_LOST		0xfffffffe	/* samples taken while no record was free */
#define FOLD_NAME_LEN		236		/* name from a namer, including the NUL */

/** Counts of one process on one CPU. The layout is fixed: saved runs contain cells. */
struct fold_cell {
	__u64 id[2];
	u32 kind;			/* enum cpuprobe_kind or FOLD_KIND_LOST */
	u32 cpu;
	char name[CPUPROBE_NAME_LEN];	/* from the module, unchanged */
	u64 hits[CPUPROBE_MODES];
	u64 time_ns[CPUPROBE_MODES];		/* sum of the hits' periods */
	u64 missed;
	u64 deferred;
};

/** Time of one CPU. The layout is fixed: saved runs contain it. */
struct fold_cpu {
	u64 taken_ns;			/* sum of the periods of samples taken and not excluded */
	u64 sampled_ns;			/* sum of the periods due */
};

/** One process on all CPUs: its name, and the variation of its share between blocks. */
struct fold_process {
	__u64 id[2];
	u32 kind;
	u64 block_ns;			/* its samples in the current block */
	double sum;			/* sum of its shares of the machine's samples, by block */
	double sum2;			/* sum of the squares of these shares */
	char name[CPUPROBE_NAME_LEN];	/* from the module, unchanged */
	char *long_name;		/* from the namer; NULL: none */
};

struct fold;

/** fold_create() - create an empty fold. NULL: out of memory. */
struct fold *fold_create(void);

/** fold_destroy() - free a fold. NULL is allowed. */
void fold_destroy(struct fold *fold);

/**
 * fold_name_by() - set the function that finds a better name for each new process.
 * @namer: writes the name, or leaves @name empty
 */
void fold_name_by(struct fold *fold,
		  void (*namer)(const struct cpuprobe_record *record, char *name, size_t len));

/** fold_name_with() - fold_name_by() for a namer that gets @context, which must live as long as the fold. */
void fold_name_with(struct fold *fold,
		    void (*namer)(void *context, const struct cpuprobe_record *record, char *name, size_t len),
		    void *context);

/**
 * fold_add() - add one account of one CPU. This is a device_sink with a struct fold. If out of
 * memory, the samples count as lost.
 */
void fold_add(void *fold, u32 cpu, const struct cpuprobe_account *account, const void *records);

/** fold_end_block() - end the current block. A block without samples is not counted. */
void fold_end_block(struct fold *fold);

/** fold_taken() - number of samples taken and not excluded: the n of the intervals. */
u64 fold_taken(const struct fold *fold);

/** fold_nr_blocks() - number of completed blocks. */
u64 fold_nr_blocks(const struct fold *fold);

/** fold_nr_cpus() - highest CPU number with an account, plus one. */
size_t fold_nr_cpus(const struct fold *fold);

/** fold_has_cpu() - whether this CPU was sampled. */
bool fold_has_cpu(const struct fold *fold, u32 cpu);

/**
 * fold_cells(), fold_cpus(), fold_processes() - folded counts, which belong to the fold and are
 * valid until the next fold_add(). @nr_ret: number of entries
 */
const struct fold_cell *fold_cells(const struct fold *fold, size_t *nr_ret);
const struct fold_cpu *fold_cpus(const struct fold *fold, size_t *nr_ret);
const struct fold_process *fold_processes(const struct fold *fold, size_t *nr_ret);

/** fold_process_of() - index of a cell's process. */
size_t fold_process_of(const struct fold *fold, size_t cell);

/** fold_include() - add the processes of another fold, without their counts. -ENOMEM. */
int fold_include(struct fold *fold, const struct fold *other);

/** fold_find() - index of the fold's process that is the same as @process of another fold. FOLD_NONE: none. */
size_t fold_find(const struct fold *fold, const struct fold_process *process);
#define FOLD_NONE	((size_t)-1)

/**
 * fold_create_kept() - create a fold from a saved run's cells, times and number of samples. NULL:
 *	out of memory.
 * fold_keep_process() - add sums and name of a saved process; ignored if the process has no cell.
 *	@long_name: may be NULL
 * fold_keep_blocks() - set the number of blocks.
 */
struct fold *fold_create_kept(const struct fold_cell *cells, size_t nr_cells,
			      const struct fold_cpu *cpus, size_t nr_cpus, u64 taken);
void fold_keep_process(struct fold *fold, const __u64 id[2], u32 kind, double sum, double sum2,
		       const char *long_name);
void fold_keep_blocks(struct fold *fold, u64 nr_blocks);

/**
 * fold_weigh() - set the excess of each CPU's samples (stat.h), so that intervals use the weights of
 * samples: in a merged run, CPUs have different clocks. @excess: fold_nr_cpus() numbers. -ENOMEM.
 * fold_excess() - these numbers; NULL: not set, all samples have one weight.
 */
int fold_weigh(struct fold *fold, const double *excess);
const double *fold_excess(const struct fold *fold);

#endif
