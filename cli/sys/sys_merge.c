// SPDX-License-Identifier: GPL-2.0-only
/* Merges tables of the whole machine: see sys_merge.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/intern.h"
#include "sys/rows.h"
#include "sys/sys_merge.h"
#include "sys/sys_save.h"

/** Rows of several runs with equal keys are one row. Unused bytes are 0: keys are compared as bytes. */
struct row_key {
	u64 pid;			/* of a row per process or thread, otherwise 0 */
	u64 start;			/* of that process */
	u32 kind;
	u32 flags;			/* HAS_ID */
	char name[CPUPROBE_NAME_LEN];	/* with the directory of an executable */
	char long_name[FOLD_NAME_LEN];
	char host[HOST_NAME_LEN];	/* "": rows of all hosts are one */
};

#define HAS_ID	1u	/* the first half of the id is not 0, or that half's hash: see rows_ended.c */

/** A row of the merged table, and the sums over its blocks. */
struct merged_row {
	struct row_key key;
	double sum, sum2;		/* of all runs so far */
	double part_sum, part_sum2;	/* of the run that is being added */
};

struct sys_merger {
	struct merged_row *row;
	u32 nr_rows;
	struct intern index;
	struct fold_cell *cell;
	u32 nr_cells;
	struct fold_cpu *cpus;
	u64 taken;
	u64 nr_blocks;
};

static bool matches_row(const void *owner, u32 position, const void *key)
{
	return !memcmp(&((const struct sys_merger *)owner)->row[position].key, key,
		       sizeof(struct row_key));
}

static bool is_of_process(u32 kind)
{
	return kind == CPUPROBE_KIND_PROCESS || kind == CPUPROBE_KIND_THREAD;
}

/* Copies a name and the directory after its NUL, and nothing else. */
static void copy_names(char to[CPUPROBE_NAME_LEN], const struct fold_process *process)
{
	size_t len = strnlen(process->name, CPUPROBE_NAME_LEN - 1) + 1;

	memcpy(to, process->name, len - 1);
	if (process->kind == CPUPROBE_KIND_EXE && len < CPUPROBE_NAME_LEN)
		memcpy(to + len, process->name + len,
		       strnlen(process->name + len, CPUPROBE_NAME_LEN - len - 1));
}

static void make_key(struct row_key *key, const struct fold_process *process, const char *host)
{
	const char *name = process->long_name ? process->long_name : process->name;
	bool has_pid = is_of_process(process->kind);

	memset(key, 0, sizeof(*key));
	key->kind = process->kind;
	key->flags = (has_pid ? (u32)process->id[0] : process->id[0]) ? HAS_ID : 0;
	if (has_pid) {
		key->pid = process->id[0] >> 32;
		key->start = process->id[1];
	}
	copy_names(key->name, process);
	if (process->long_name)
		snprintf(key->long_name, sizeof(key->long_name), "%s", process->long_name);
	if (!host)
		return;
	snprintf(key->host, sizeof(key->host), "%s", host);
	snprintf(key->long_name, sizeof(key->long_name), "%.*s@%s",
		 (int)(FOLD_NAME_LEN - 2 - strlen(key->host)), name[0] ? name : "(no name)", key->host);
}

/* Finds or adds the merged row of a process. INTERN_NONE: out of memory. */
static u32 get_merged_row(struct sys_merger *merger, const struct fold_process *process, const char *host)
{
	struct row_key key;
	u64 hash;
	u32 at;

	make_key(&key, process, host);
	hash = intern_hash(0, &key, sizeof(key));
	at = intern_find(&merger->index, hash, matches_row, merger, &key);
	if (at != INTERN_NONE)
		return at;
	at = merger->nr_rows;
	if (!array_has_room(&merger->row, at, sizeof(*merger->row)) || intern_add(&merger->index, hash, at))
		return INTERN_NONE;
	merger->nr_rows++;
	merger->row[at] = (struct merged_row){ .key = key };
	return at;
}

/* The id of a merged row: made from its position, as ids of several hosts may be equal. */
static void make_id(const struct merged_row *row, u32 at, __u64 id_ret[2])
{
	const struct row_key *key = &row->key;
	u64 number = key->flags & HAS_ID ? at + 1 : 0;

	id_ret[0] = is_of_process(key->kind) ? key->pid << 32 | number : number;
	id_ret[1] = is_of_process(key->kind) ? key->start : at + 1;
}

static int add_merged_cell(struct sys_merger *merger, const struct fold_cell *cell, u32 row, u32 first_cpu)
{
	struct fold_cell *added;

	if (!array_has_room(&merger->cell, merger->nr_cells, sizeof(*merger->cell)))
		return -ENOMEM;
	added = &merger->cell[merger->nr_cells++];
	*added = *cell;
	added->cpu += first_cpu;
	memset(added->name, 0, sizeof(added->name));
	memcpy(added->name, merger->row[row].key.name, sizeof(added->name));
	make_id(&merger->row[row], row, added->id);
	return 0;
}

/* The square of a sum is not known; its bounds are those of Cauchy and Schwarz, and of shares up to 1. */
static void add_part_blocks(struct merged_row *row, const struct fold_process *process)
{
	double both = 2 * sqrt(fmax(row->part_sum2 * process->sum2, 0));

	row->part_sum += process->sum;
	row->part_sum2 = fmin(row->part_sum2 + process->sum2 + both, row->part_sum);
}

/* The blocks of different runs are different blocks. */
static void end_part_blocks(struct sys_merger *merger)
{
	u32 i;

	for (i = 0; i < merger->nr_rows; i++) {
		merger->row[i].sum += merger->row[i].part_sum;
		merger->row[i].sum2 += merger->row[i].part_sum2;
		merger->row[i].part_sum = merger->row[i].part_sum2 = 0;
	}
}

static int add_fold(struct sys_merger *merger, const struct fold *fold, u32 first_cpu, const char *host)
{
	size_t nr_processes, nr, i;
	const struct fold_process *processes = fold_processes(fold, &nr_processes);
	const struct fold_cell *cells = fold_cells(fold, &nr);
	const struct fold_cpu *cpus;
	u32 *rows = calloc(nr_processes + 1, sizeof(*rows));
	int error = rows ? 0 : -ENOMEM;

	for (i = 0; !error && i < nr_processes; i++) {
		rows[i] = get_merged_row(merger, &processes[i], host);
		if (rows[i] == INTERN_NONE)
			error = -ENOMEM;
		else
			add_part_blocks(&merger->row[rows[i]], &processes[i]);
	}
	for (i = 0; !error && i < nr; i++)
		error = add_merged_cell(merger, &cells[i], rows[fold_process_of(fold, i)], first_cpu);
	free(rows);
	cpus = fold_cpus(fold, &nr);
	for (i = 0; i < nr; i++) {
		merger->cpus[first_cpu + i].taken_ns += cpus[i].taken_ns;
		merger->cpus[first_cpu + i].sampled_ns += cpus[i].sampled_ns;
	}
	merger->taken += fold_taken(fold);
	merger->nr_blocks += fold_nr_blocks(fold);
	end_part_blocks(merger);
	return error;
}

static int add_part(struct sys_merger *merger, const struct merge_part *part, bool by_host,
		    struct text_error *error_ret)
{
	struct text_error why = { "", "" };
	struct run_result result;
	struct fold *fold = sys_load(&part->record, &result, &why);
	int error;

	if (!fold)
		return text_fail(error_ret, -EBADMSG, "merge %s: %s", part->path, why.what);
	/* Its accounts decide how many CPUs it has: sections that disagree would not fit. */
	if (fold_nr_cpus(fold) > part->host.nr_cpus)
		error = text_fail(error_ret, -EBADMSG, "merge %s: its table has more CPUs than its accounts",
				  part->path);
	else if (add_fold(merger, fold, part->host.first_cpu, by_host ? part->name : NULL))
		error = text_fail(error_ret, -ENOMEM, "merge: out of memory");
	else
		error = 0;
	fold_destroy(fold);
	return error;
}

static struct fold *make_fold(const struct sys_merger *merger, u32 nr_cpus)
{
	struct fold *fold = fold_create_kept(merger->cell, merger->nr_cells, merger->cpus, nr_cpus,
					     merger->taken);
	__u64 id[2];
	u32 i;

	if (!fold)
		return NULL;
	fold_keep_blocks(fold, merger->nr_blocks);
	for (i = 0; i < merger->nr_rows; i++) {
		const struct merged_row *row = &merger->row[i];

		make_id(row, i, id);
		fold_keep_process(fold, id, row->key.kind, row->sum, row->sum2,
				  row->key.long_name[0] ? row->key.long_name : NULL);
	}
	return fold;
}

/* Sets the weights of the samples, and the excess that is right for all rows. */
static int weigh_samples(struct run_merge *merge, struct fold *fold, struct text_error *error_ret)
{
	struct run_host *hosts = run_merge_hosts(merge);
	double *excess = hosts ? host_cpu_excess(hosts, merge->nr, merge->nr_cpus) : NULL;
	double most = merge->run.result.account.excess;
	int error = excess ? fold_weigh(fold, excess) : -ENOMEM;
	struct rows rows = { 0 };

	error = error ?: rows_init(&rows, fold, most);
	if (!error)
		most = fmax(stat_weights_excess(&rows.weights, rows.taken), most);
	rows_deinit(&rows);
	free(hosts);
	free(excess);
	return error ? text_fail(error_ret, error, "merge: out of memory") :
		run_merge_set_excess(merge, most, error_ret);
}

struct fold *sys_merge(struct run_merge *merge, bool by_host, struct text_error *error_ret)
{
	u32 by = merge->run.receipt.by;
	struct sys_merger merger = { .cpus = calloc(merge->nr_cpus + 1, sizeof(*merger.cpus)) };
	struct fold *fold = NULL;
	int error = merger.cpus ? 0 : text_fail(error_ret, -ENOMEM, "merge: out of memory");
	size_t i;

	if (!error && !by_host && (by == CPUPROBE_BY_PID || by == CPUPROBE_BY_THREAD)) {
		error = text_fail(error_ret, -EINVAL, "merge: numbers of processes say nothing on another host");
		text_hint(error_ret, "-by host keeps the rows of each host apart");
	}
	for (i = 0; !error && i < merge->nr; i++)
		error = add_part(&merger, &merge->part[i], by_host, error_ret);
	if (!error) {
		fold = make_fold(&merger, merge->nr_cpus);
		error = fold ? weigh_samples(merge, fold, error_ret) :
			text_fail(error_ret, -ENOMEM, "merge: out of memory");
	}
	if (error) {
		fold_destroy(fold);
		fold = NULL;
	}
	intern_deinit(&merger.index);
	free(merger.row);
	free(merger.cell);
	free(merger.cpus);
	return fold;
}
