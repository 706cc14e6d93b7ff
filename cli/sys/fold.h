/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Folding the accounts and records of all CPUs into counts by process and CPU, and into
 * sums over blocks of about a second, which tell how much a process varies. Memory grows
 * with the number of processes and CPUs seen, not with time. Pure: no device, no output.
 */
#ifndef FOLD_H
#define FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpuprobe.h"

#define FOLD_KIND_LOST		0xfffffffe	/* taken, but no record was free */
#define FOLD_NAME_LEN		236		/* of a name found by a namer, the NUL included */

/** Counts of one process on one CPU; what -save keeps, so its layout is fixed. */
struct fold_cell {
	__u64 id[2];
	uint32_t kind;			/* enum cpuprobe_kind or FOLD_KIND_LOST */
	uint32_t cpu;
	char name[CPUPROBE_NAME_LEN];	/* as the module gave it */
	uint64_t hits[CPUPROBE_MODES];
	uint64_t time_ns[CPUPROBE_MODES];	/* hits, each times its period */
	uint64_t missed;
	uint64_t deferred;
};

/** Time of one CPU; kept likewise. */
struct fold_cpu {
	uint64_t taken_ns;		/* samples taken and not excluded, each times its period */
	uint64_t sampled_ns;		/* periods due, each times its length */
};

/** One process on all CPUs: its name, and how its share varies from block to block. */
struct fold_process {
	__u64 id[2];
	uint32_t kind;
	uint64_t block_ns;		/* of its samples in the block that has not ended yet */
	double sum;			/* of its shares of the machine's samples in each block */
	double sum2;			/* of their squares */
	char name[CPUPROBE_NAME_LEN];	/* as the module gave it */
	char *long_name;		/* found by the namer; NULL: none */
};

struct fold;

/** fold_create() - an empty fold, or NULL. */
struct fold *fold_create(void);

/** fold_destroy() - NULL is allowed. */
void fold_destroy(struct fold *fold);

/**
 * fold_name_by() - have @namer find a better name for each process when it is first seen.
 * @namer: writes the name, or leaves it empty
 */
void fold_name_by(struct fold *fold,
		  void (*namer)(const struct cpuprobe_record *record, char *name, size_t len));

/**
 * fold_add() - add one account of one CPU. As device_sink, with a struct fold.
 * When there is no more memory the samples count as lost.
 */
void fold_add(void *fold, uint32_t cpu, const struct cpuprobe_account *account,
	      const void *records);

/** fold_end_block() - a block is complete. One without samples is not counted. */
void fold_end_block(struct fold *fold);

/** fold_taken() - samples taken and not excluded: the n of the intervals. */
uint64_t fold_taken(const struct fold *fold);

/** fold_nr_blocks() - blocks that have ended. */
uint64_t fold_nr_blocks(const struct fold *fold);

/** fold_nr_cpus() - highest CPU number seen plus one. */
size_t fold_nr_cpus(const struct fold *fold);

/** fold_has_cpu() - whether this CPU was sampled. */
bool fold_has_cpu(const struct fold *fold, uint32_t cpu);

/**
 * fold_cells(), fold_cpus(), fold_processes() - what was folded; they belong to the fold and
 * are valid until the next fold_add(). @nr_ret: how many
 */
const struct fold_cell *fold_cells(const struct fold *fold, size_t *nr_ret);
const struct fold_cpu *fold_cpus(const struct fold *fold, size_t *nr_ret);
const struct fold_process *fold_processes(const struct fold *fold, size_t *nr_ret);

/** fold_process_of() - the index of a cell's process. */
size_t fold_process_of(const struct fold *fold, size_t cell);

/**
 * fold_create_kept() - a fold from cells and times that were kept, and its number of samples.
 * fold_keep_process() - adds what was kept of a process of its cells. @long_name: may be NULL
 * fold_keep_blocks() - the number of blocks.
 */
struct fold *fold_create_kept(const struct fold_cell *cells, size_t nr_cells,
			      const struct fold_cpu *cpus, size_t nr_cpus, uint64_t taken);
void fold_keep_process(struct fold *fold, const __u64 id[2], uint32_t kind, double sum,
		       double sum2, const char *long_name);
void fold_keep_blocks(struct fold *fold, uint64_t nr_blocks);

#endif
