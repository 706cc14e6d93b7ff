// SPDX-License-Identifier: GPL-2.0-only
/* Checks tables of the whole machine and histograms of a task: see verify_parts.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "proc/proc_save.h"
#include "sys/sys_save.h"
#include "verify/verify_parts.h"

/* Sums over the cells of one CPU. */
struct cell_sums {
	u64 hits, lost, missed, deferred, time_ns;
};

/* Sums for each CPU of the table, to be freed. The CPU of every cell is in the table. */
static struct cell_sums *sum_cells(const struct fold *fold)
{
	size_t nr_cpus, nr, i;
	struct cell_sums *sums;
	const struct fold_cell *cells = fold_cells(fold, &nr);
	int mode;

	fold_cpus(fold, &nr_cpus);
	sums = calloc(nr_cpus + 1, sizeof(*sums));
	for (i = 0; sums && i < nr; i++) {
		struct cell_sums *of_cpu = &sums[cells[i].cpu];

		for (mode = 0; mode < CPUPROBE_MODES; mode++) {
			of_cpu->hits += cells[i].hits[mode];
			of_cpu->time_ns += cells[i].time_ns[mode];
			of_cpu->lost += cells[i].kind == FOLD_KIND_LOST ? cells[i].hits[mode] : 0;
		}
		of_cpu->missed += cells[i].missed;
		of_cpu->deferred += cells[i].deferred;
	}
	return sums;
}

static void check_cells(struct verify *verify, const struct fold *fold,
			const struct cell_sums *sums)
{
	static const struct cell_sums none;
	size_t nr_times, i;
	const struct fold_cpu *times = fold_cpus(fold, &nr_times);
	u64 hits = 0;

	for (i = 0; i < nr_times; i++) {
		hits += sums[i].hits;
		verify_equal(verify, sums[i].time_ns, times[i].taken_ns,
			     "CPU %zu: time of the rows = time sampled", i);
	}
	verify_equal(verify, hits, verify->run.account.taken - verify->run.account.excluded,
		     "rows + lost = taken - left out");
	for (i = 0; i < verify->nr_cpus; i++) {
		const struct receipt_cpu *cpu = &verify->cpus[i];
		const struct cell_sums *rows = cpu->cpu < nr_times ? &sums[cpu->cpu] : &none;

		verify_equal(verify, rows->hits, cpu->taken - cpu->excluded,
			     "CPU %u: rows + lost = taken - left out", cpu->cpu);
		verify_equal(verify, rows->lost, cpu->lost, "CPU %u: row (lost) = lost", cpu->cpu);
		verify_equal(verify, rows->missed <= cpu->missed && rows->deferred <= cpu->deferred, 1,
			     "CPU %u: rows' missed and deferred are at most the CPU's", cpu->cpu);
		verify_equal(verify, cpu->cpu < nr_times ? times[cpu->cpu].sampled_ns : 0, cpu->sampled_ns,
			     "CPU %u: time of the table = time of the account", cpu->cpu);
	}
}

/* In each block the shares add up to 1, and no square exceeds its share. */
static void check_blocks(struct verify *verify, const struct fold *fold)
{
	size_t nr, i;
	const struct fold_process *processes = fold_processes(fold, &nr);
	double blocks = fold_nr_blocks(fold), sum = 0;
	bool are_possible = true;

	for (i = 0; i < nr; i++) {
		const struct fold_process *process = &processes[i];

		sum += process->sum;
		are_possible = are_possible && process->sum >= 0 && process->sum <= blocks + 1e-6 &&
			process->sum2 <= process->sum + 1e-6 &&
			process->sum2 * blocks >= process->sum * process->sum - 1e-6;
	}
	verify_equal(verify, fabs(sum - blocks) <= 1e-6 * (1 + blocks), 1,
		     "shares of all rows add up to 1 per block");
	verify_equal(verify, are_possible, 1, "sums and sums of squares over blocks are possible");
}

int verify_sys(struct verify *verify, struct text_error *error_ret)
{
	struct run_result result;
	struct fold *fold = sys_load(verify->record, &result, error_ret);
	struct cell_sums *sums;

	if (!fold)
		return -EBADMSG;
	sums = sum_cells(fold);
	if (!sums) {
		fold_destroy(fold);
		return text_fail(error_ret, -ENOMEM, "out of memory");
	}
	check_cells(verify, fold, sums);
	free(sums);
	if (verify->result->has_receipt)
		check_blocks(verify, fold);
	fold_destroy(fold);
	return 0;
}

static void check_funcs(struct verify *verify, u64 hits)
{
	struct funcs *funcs = malloc(sizeof(*funcs));
	u64 sum = 0;
	double shares = 0;
	u32 i;

	if (funcs && !proc_load_funcs(verify->record, funcs)) {
		for (i = 0; i < funcs->nr; i++) {
			sum += funcs->func[i].hits;
			shares += funcs->func[i].sum;
		}
		verify_equal(verify, sum, hits, "functions = slots");
		verify_equal(verify, shares <= funcs->nr_blocks + 1e-6, 1,
			     "shares of all functions add up to at most 1 per block");
		verify_equal(verify, funcs->shared_hits <= hits, 1, "hits in shared slots are hits");
	}
	free(funcs);
}

int verify_proc(struct verify *verify, struct text_error *error_ret)
{
	struct proc_report *report = calloc(1, sizeof(*report));
	const struct proc_elsewhere *elsewhere;
	struct sym_index *symbols = NULL;
	u64 hits, objects = 0;
	u32 i;
	int error;

	if (!report)
		return text_fail(error_ret, -ENOMEM, "out of memory");
	error = proc_load(verify->record, report, &symbols, error_ret);
	if (!error) {
		elsewhere = &report->elsewhere;
		hits = proc_report_hits(report);
		for (i = 0; i < report->nr_objects; i++)
			objects += report->objects[i].hits;
		verify_equal(verify, hits + elsewhere->outside + elsewhere->other_mode +
			     elsewhere->other_exe + elsewhere->other_task + verify->run.account.lost,
			     proc_report_taken(report), "slots + elsewhere + lost = taken - left out");
		/* Objects count all steps of a search, slots only the last one. */
		if (report->nr_steps <= 1)
			verify_equal(verify, objects, hits + elsewhere->outside + elsewhere->other_mode,
				     "objects = slots + out of range + other modes");
		verify_equal(verify, report->missed <= report->result.account.missed, 1,
			     "the task's missed are at most the run's");
		check_funcs(verify, hits);
	}
	sym_index_destroy(symbols);
	free(report);
	return error;
}
