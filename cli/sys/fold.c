// SPDX-License-Identifier: GPL-2.0-only
/* Folding records into counts: see fold.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/intern.h"
#include "sys/fold.h"

struct fold {
	struct fold_cell *cells;
	u32 *cell_process;		/* index of each cell's process */
	u32 nr_cells;
	struct intern cell_index;
	struct fold_process *processes;
	u32 nr_processes;
	struct intern process_index;
	struct fold_cpu *cpus;
	size_t nr_cpus;
	double *excess;			/* by CPU; NULL: fold_weigh() was not called */
	u64 taken;
	u64 block_ns;			/* all samples of the current block */
	u64 nr_blocks;
	void (*namer)(const struct cpuprobe_record *record, char *name, size_t len);
	void (*namer_with)(void *context, const struct cpuprobe_record *record, char *name, size_t len);
	void *namer_context;
};

struct fold *fold_create(void)
{
	return calloc(1, sizeof(struct fold));
}

void fold_destroy(struct fold *fold)
{
	size_t i;

	if (!fold)
		return;
	for (i = 0; i < fold->nr_processes; i++)
		free(fold->processes[i].long_name);
	free(fold->cells);
	free(fold->cell_process);
	intern_deinit(&fold->cell_index);
	free(fold->processes);
	intern_deinit(&fold->process_index);
	free(fold->cpus);
	free(fold->excess);
	free(fold);
}

void fold_name_by(struct fold *fold,
		  void (*namer)(const struct cpuprobe_record *record, char *name, size_t len))
{
	fold->namer = namer;
}

void fold_name_with(struct fold *fold,
		    void (*namer)(void *context, const struct cpuprobe_record *record, char *name, size_t len),
		    void *context)
{
	fold->namer_with = namer;
	fold->namer_context = context;
}

/** Key of a cell. In keys of processes, cpu is 0. */
struct key {
	__u64 id[2];
	u32 kind;
	u32 cpu;
};

static bool is_cell(const void *owner, u32 position, const void *key_at)
{
	const struct fold_cell *cell = &((const struct fold *)owner)->cells[position];
	const struct key *key = key_at;

	return cell->id[0] == key->id[0] && cell->id[1] == key->id[1] &&
	       cell->kind == key->kind && cell->cpu == key->cpu;
}

static bool is_process(const void *owner, u32 position, const void *key_at)
{
	const struct fold_process *process = &((const struct fold *)owner)->processes[position];
	const struct key *key = key_at;

	return process->id[0] == key->id[0] && process->id[1] == key->id[1] &&
	       process->kind == key->kind;
}

static u64 hash_cell(const struct key *key)
{
	return intern_hash(0, key, sizeof(*key));
}

static void copy_name(char to[CPUPROBE_NAME_LEN], const char *from)
{
	memcpy(to, from, CPUPROBE_NAME_LEN);
	to[CPUPROBE_NAME_LEN - 1] = '\0';
}

/* Index of the record's process, which is added if new. INTERN_NONE: out of memory. */
static u32 get_process(struct fold *fold, const struct cpuprobe_record *record)
{
	const struct key key = { { record->id[0], record->id[1] }, record->kind, 0 };
	u32 at = intern_find(&fold->process_index, hash_cell(&key), is_process, fold, &key);
	char long_name[FOLD_NAME_LEN] = "";
	struct fold_process *process;

	if (at != INTERN_NONE)
		return at;
	at = fold->nr_processes;
	if (!array_has_room(&fold->processes, at, sizeof(*fold->processes)) ||
	    intern_add(&fold->process_index, hash_cell(&key), at))
		return INTERN_NONE;
	fold->nr_processes++;
	process = &fold->processes[at];
	*process = (struct fold_process){ .id = { key.id[0], key.id[1] }, .kind = key.kind };
	copy_name(process->name, record->name);
	if (fold->namer)
		fold->namer(record, long_name, sizeof(long_name));
	else if (fold->namer_with)
		fold->namer_with(fold->namer_context, record, long_name, sizeof(long_name));
	if (long_name[0])
		process->long_name = strdup(long_name);
	return at;
}

/* Cell of a record on a CPU, which is added if new. NULL: out of memory. */
static struct fold_cell *get_cell(struct fold *fold, const struct cpuprobe_record *record, u32 cpu)
{
	const struct key key = { { record->id[0], record->id[1] }, record->kind, cpu };
	u32 at = intern_find(&fold->cell_index, hash_cell(&key), is_cell, fold, &key), process;
	struct fold_cell *cell;

	if (at != INTERN_NONE)
		return &fold->cells[at];
	at = fold->nr_cells;
	process = get_process(fold, record);
	if (process == INTERN_NONE ||
	    !array_has_room(&fold->cells, at, sizeof(*fold->cells)) ||
	    !array_has_room(&fold->cell_process, at, sizeof(*fold->cell_process)) ||
	    intern_add(&fold->cell_index, hash_cell(&key), at))
		return NULL;
	fold->nr_cells++;
	fold->cell_process[at] = process;
	cell = &fold->cells[at];
	*cell = (struct fold_cell){ .id = { key.id[0], key.id[1] }, .kind = key.kind, .cpu = cpu };
	copy_name(cell->name, record->name);
	return cell;
}

static void add_hits(struct fold *fold, struct fold_cell *cell, const __u64 hits[CPUPROBE_MODES],
		     u64 period_ns)
{
	struct fold_process *process = &fold->processes[fold->cell_process[cell - fold->cells]];
	int mode;

	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		cell->hits[mode] += hits[mode];
		cell->time_ns[mode] += hits[mode] * period_ns;
		process->block_ns += hits[mode] * period_ns;
	}
}

static void add_lost(struct fold *fold, u32 cpu, const __u64 hits[CPUPROBE_MODES], u64 period_ns)
{
	static const struct cpuprobe_record lost = { .kind = FOLD_KIND_LOST, .name = "(lost)" };
	struct fold_cell *cell = get_cell(fold, &lost, cpu);

	if (cell)
		add_hits(fold, cell, hits, period_ns);
}

static bool add_time(struct fold *fold, u32 cpu, const struct cpuprobe_account *account)
{
	u64 taken_ns = (account->taken - account->excluded) * account->period_ns;

	if (cpu >= fold->nr_cpus) {
		struct fold_cpu *cpus = realloc(fold->cpus, (cpu + 1) * sizeof(*cpus));

		if (!cpus)
			return false;
		memset(&cpus[fold->nr_cpus], 0, (cpu + 1 - fold->nr_cpus) * sizeof(*cpus));
		fold->cpus = cpus;
		fold->nr_cpus = cpu + 1;
	}
	fold->cpus[cpu].taken_ns += taken_ns;
	fold->cpus[cpu].sampled_ns += account->expected * account->period_ns;
	fold->block_ns += taken_ns;
	return true;
}

void fold_add(void *context, u32 cpu, const struct cpuprobe_account *account, const void *records)
{
	const struct cpuprobe_record *record = records;
	struct fold *fold = context;
	u64 nr_lost = 0;
	u32 i, mode;

	if (!add_time(fold, cpu, account))
		return;
	fold->taken += account->taken - account->excluded;
	for (i = 0; i < account->entries; i++, record++) {
		struct fold_cell *cell = get_cell(fold, record, cpu);

		if (!cell) {
			add_lost(fold, cpu, record->hits, account->period_ns);
			continue;
		}
		add_hits(fold, cell, record->hits, account->period_ns);
		cell->missed += record->missed;
		cell->deferred += record->deferred;
	}
	for (mode = 0; mode < CPUPROBE_MODES; mode++)
		nr_lost += account->lost[mode];
	if (nr_lost)
		add_lost(fold, cpu, account->lost, account->period_ns);
}

void fold_end_block(struct fold *fold)
{
	size_t i;

	if (!fold->block_ns)
		return;
	for (i = 0; i < fold->nr_processes; i++) {
		struct fold_process *process = &fold->processes[i];
		double share = (double)process->block_ns / fold->block_ns;

		process->sum += share;
		process->sum2 += share * share;
		process->block_ns = 0;
	}
	fold->block_ns = 0;
	fold->nr_blocks++;
}

u64 fold_taken(const struct fold *fold)
{
	return fold->taken;
}

u64 fold_nr_blocks(const struct fold *fold)
{
	return fold->nr_blocks;
}

size_t fold_nr_cpus(const struct fold *fold)
{
	return fold->nr_cpus;
}

bool fold_has_cpu(const struct fold *fold, u32 cpu)
{
	return cpu < fold->nr_cpus && fold->cpus[cpu].taken_ns > 0;
}

const struct fold_cell *fold_cells(const struct fold *fold, size_t *nr_ret)
{
	*nr_ret = fold->nr_cells;
	return fold->cells;
}

const struct fold_cpu *fold_cpus(const struct fold *fold, size_t *nr_ret)
{
	*nr_ret = fold->nr_cpus;
	return fold->cpus;
}

const struct fold_process *fold_processes(const struct fold *fold, size_t *nr_ret)
{
	*nr_ret = fold->nr_processes;
	return fold->processes;
}

size_t fold_process_of(const struct fold *fold, size_t cell)
{
	return fold->cell_process[cell];
}

int fold_include(struct fold *fold, const struct fold *other)
{
	u32 i;

	for (i = 0; i < other->nr_processes; i++) {
		const struct fold_process *process = &other->processes[i];
		struct cpuprobe_record record = {
			.id = { process->id[0], process->id[1] }, .kind = process->kind,
		};

		memcpy(record.name, process->name, sizeof(record.name));
		if (get_process(fold, &record) == INTERN_NONE)
			return -ENOMEM;
	}
	return 0;
}

size_t fold_find(const struct fold *fold, const struct fold_process *process)
{
	const struct key key = { { process->id[0], process->id[1] }, process->kind, 0 };
	u32 at = intern_find(&fold->process_index, hash_cell(&key), is_process, fold, &key);

	return at == INTERN_NONE ? FOLD_NONE : at;
}

/* Add a saved cell. Cells with equal keys, which only a crafted file has, become one. */
static bool add_saved_cell(struct fold *fold, const struct fold_cell *kept)
{
	struct cpuprobe_record record = { .id = { kept->id[0], kept->id[1] }, .kind = kept->kind };
	struct fold_cell *cell;
	int mode;

	memcpy(record.name, kept->name, sizeof(record.name));
	cell = get_cell(fold, &record, kept->cpu);
	if (!cell)
		return false;
	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		cell->hits[mode] += kept->hits[mode];
		cell->time_ns[mode] += kept->time_ns[mode];
	}
	cell->missed += kept->missed;
	cell->deferred += kept->deferred;
	return true;
}

struct fold *fold_create_kept(const struct fold_cell *cells, size_t nr_cells,
			      const struct fold_cpu *cpus, size_t nr_cpus, u64 taken)
{
	struct fold *fold = fold_create();
	size_t i;

	if (!fold)
		return NULL;
	fold->cpus = calloc(nr_cpus + 1, sizeof(*cpus));
	if (!fold->cpus)
		goto no_memory;
	if (nr_cpus)
		memcpy(fold->cpus, cpus, nr_cpus * sizeof(*cpus));
	fold->nr_cpus = nr_cpus;
	fold->taken = taken;
	for (i = 0; i < nr_cells; i++)
		if (!add_saved_cell(fold, &cells[i]))
			goto no_memory;
	return fold;

no_memory:
	fold_destroy(fold);
	return NULL;
}

void fold_keep_process(struct fold *fold, const __u64 id[2], u32 kind, double sum, double sum2,
		       const char *long_name)
{
	const struct key key = { { id[0], id[1] }, kind, 0 };
	u32 at = intern_find(&fold->process_index, hash_cell(&key), is_process, fold, &key);
	struct fold_process *process;

	if (at == INTERN_NONE)
		return;
	process = &fold->processes[at];
	process->sum += sum;
	process->sum2 += sum2;
	if (long_name && !process->long_name)
		process->long_name = strdup(long_name);
}

void fold_keep_blocks(struct fold *fold, u64 nr_blocks)
{
	fold->nr_blocks = nr_blocks;
}

int fold_weigh(struct fold *fold, const double *excess)
{
	size_t nr = fold->nr_cpus;

	free(fold->excess);
	fold->excess = calloc(nr + 1, sizeof(*excess));
	if (!fold->excess)
		return -ENOMEM;
	if (nr)
		memcpy(fold->excess, excess, nr * sizeof(*excess));
	return 0;
}

const double *fold_excess(const struct fold *fold)
{
	return fold->excess;
}
