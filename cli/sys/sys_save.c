// SPDX-License-Identifier: GPL-2.0-only
/* Sections of a saved run of the whole machine: see sys_save.h and docs/format.md. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sys/sys_save.h"

/** An entry of the section "BLKS", after the number of blocks. */
struct saved_blocks {
	__u64 id[2];
	u32 kind;
	u32 reserved;
	double sum;
	double sum2;
};

/** An entry of the section "NAME". */
struct saved_name {
	__u64 id[2];
	u32 kind;
	char name[FOLD_NAME_LEN];
};

_Static_assert(sizeof(struct saved_blocks) == 40, "saved in files");
_Static_assert(sizeof(struct saved_name) == 256, "saved in files");
_Static_assert(sizeof(struct fold_cell) == 136, "saved in files");
_Static_assert(sizeof(struct fold_cpu) == 16, "saved in files");

/* Add the block sums of processes, and the names from the namer. */
static void add_processes(struct record_writer *writer, const struct fold *fold)
{
	size_t nr, i, nr_names = 0;
	const struct fold_process *processes = fold_processes(fold, &nr);
	size_t blocks_len = sizeof(u64) + nr * sizeof(struct saved_blocks);
	struct saved_name *names = calloc(nr + 1, sizeof(*names));
	u64 *blocks = calloc(1, blocks_len);
	struct saved_blocks *block = (struct saved_blocks *)(blocks + 1);

	if (names && blocks) {
		blocks[0] = fold_nr_blocks(fold);
		for (i = 0; i < nr; i++) {
			const struct fold_process *process = &processes[i];

			block[i] = (struct saved_blocks){
				.id = { process->id[0], process->id[1] }, .kind = process->kind,
				.sum = process->sum, .sum2 = process->sum2,
			};
			if (!process->long_name)
				continue;
			names[nr_names].id[0] = process->id[0];
			names[nr_names].id[1] = process->id[1];
			names[nr_names].kind = process->kind;
			snprintf(names[nr_names++].name, FOLD_NAME_LEN, "%s", process->long_name);
		}
		record_add(writer, "BLKS", blocks, blocks_len);
		if (nr_names)
			record_add(writer, "NAME", names, nr_names * sizeof(*names));
	}
	free(names);
	free(blocks);
}

static void add_table(struct record_writer *writer, const struct fold *fold)
{
	const struct fold_cell *cells;
	const struct fold_cpu *cpus;
	size_t nr;

	cpus = fold_cpus(fold, &nr);
	record_add(writer, "CPUS", cpus, nr * sizeof(*cpus));
	cells = fold_cells(fold, &nr);
	record_add(writer, "CELL", cells, nr * sizeof(*cells));
	add_processes(writer, fold);
}

void sys_save(struct record_writer *writer, const struct fold *fold, const struct run *run)
{
	run_save(writer, run);
	add_table(writer, fold);
}

void sys_save_merged(struct record_writer *writer, const struct fold *fold, const struct run *run,
		     const struct run_host *hosts, size_t nr)
{
	run_save_totals(writer, run);
	host_save(writer, hosts, nr);
	add_table(writer, fold);
}

static bool are_cells_valid(const struct fold_cell *cells, size_t nr, size_t nr_cpus)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		bool is_known = cells[i].kind == FOLD_KIND_LOST ||
			(cells[i].kind && cells[i].kind <= CPUPROBE_KIND_CGROUP);

		if (!is_known || cells[i].cpu >= nr_cpus ||
		    !memchr(cells[i].name, '\0', sizeof(cells[i].name)))
			return false;
	}
	return true;
}

/* Whether the cells have at most @taken hits. The module counts each sample in one record only. */
static bool do_hits_add_up(const struct fold_cell *cells, size_t nr, u64 taken)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		if (!run_add_up(&sum, cells[i].hits, CPUPROBE_MODES, taken))
			return false;
	return true;
}

static void load_processes(const struct record *record, struct fold *fold)
{
	size_t len = 0, i;
	const u64 *blocks = record_find(record, "BLKS", &len);
	const struct saved_blocks *block;
	const struct saved_name *names;
	char name[FOLD_NAME_LEN];

	if (blocks && len >= sizeof(*blocks)) {
		fold_keep_blocks(fold, blocks[0]);
		block = (const struct saved_blocks *)(blocks + 1);
		for (i = 0; i < (len - sizeof(*blocks)) / sizeof(*block); i++)
			fold_keep_process(fold, block[i].id, block[i].kind, block[i].sum,
					  block[i].sum2, NULL);
	}
	len = 0;
	names = record_find(record, "NAME", &len);
	for (i = 0; names && i < len / sizeof(*names); i++) {
		snprintf(name, sizeof(name), "%.*s", FOLD_NAME_LEN - 1, names[i].name);
		fold_keep_process(fold, names[i].id, names[i].kind, 0, 0, name);
	}
}

/* The samples of a merged run have the weights of their clocks. -ENOMEM. */
static int load_weights(const struct record *record, struct fold *fold)
{
	size_t nr;
	const struct run_host *hosts = host_load(record, &nr);
	double *excess;
	int error;

	if (nr < 2)
		return 0;
	excess = host_cpu_excess(hosts, nr, fold_nr_cpus(fold));
	error = excess ? fold_weigh(fold, excess) : -ENOMEM;
	free(excess);
	return error;
}

struct fold *sys_load(const struct record *record, struct run_result *result_ret,
		      struct text_error *error_ret)
{
	size_t cpus_len = 0, cells_len = 0;
	const struct fold_cpu *cpus = record_find(record, "CPUS", &cpus_len);
	const struct fold_cell *cells = record_find(record, "CELL", &cells_len);
	size_t nr_cpus = cpus_len / sizeof(*cpus), nr_cells = cells_len / sizeof(*cells);
	struct fold *fold;
	u64 taken;

	if (record_get_result(record, result_ret, error_ret))
		return NULL;
	if (!cpus || !cells || cpus_len % sizeof(*cpus) || cells_len % sizeof(*cells) ||
	    nr_cpus > 8192 || !are_cells_valid(cells, nr_cells, nr_cpus)) {
		text_fail(error_ret, -EBADMSG,
			  "its sections 'CPUS' and 'CELL' are missing or malformed");
		return NULL;
	}
	taken = result_ret->account.taken - result_ret->account.excluded;
	if (!do_hits_add_up(cells, nr_cells, taken)) {
		text_fail(error_ret, -EBADMSG, "its counts are more than its samples");
		return NULL;
	}
	fold = fold_create_kept(cells, nr_cells, cpus, nr_cpus, taken);
	if (fold && !load_weights(record, fold)) {
		load_processes(record, fold);
		return fold;
	}
	fold_destroy(fold);
	text_fail(error_ret, -ENOMEM, "out of memory");
	return NULL;
}
