// SPDX-License-Identifier: GPL-2.0-only
/* What of a run is kept: see save.h and docs/format.md. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "save.h"

#define NESTED_MAX 64	/* symbols looked at for further pieces of the function before them */

/** The section "TASK". */
struct kept_task {
	uint64_t low;
	uint64_t high;
	uint64_t object_start;
	uint64_t outside;
	uint64_t other_mode;
	uint64_t other_exe;
	uint64_t other_task;
	uint32_t mode;
	uint32_t is_exe;
	char task[64];
	char object[88];
	char verdict[320];
	uint64_t executions;	/* from here on: not in the first files */
	uint64_t missed;
};

#define KEPT_TASK_LEAST offsetof(struct kept_task, executions)
#define KEPT_RECEIPT_LEAST offsetof(struct receipt, skipped)

/** One entry of the section "BLKS", behind the number of blocks. */
struct kept_blocks {
	__u64 id[2];
	uint32_t kind;
	uint32_t reserved;
	double sum;
	double sum2;
};

/** One entry of the section "NAME". */
struct kept_name {
	__u64 id[2];
	uint32_t kind;
	char name[FOLD_NAME_LEN];
};

/** The head of the section "FUNC". */
struct kept_funcs {
	uint64_t nr_blocks;
	uint64_t shared_hits;
};

_Static_assert(sizeof(struct kept_task) == 552, "kept in files");
_Static_assert(sizeof(struct kept_blocks) == 40, "kept in files");
_Static_assert(sizeof(struct kept_name) == 256, "kept in files");
_Static_assert(sizeof(struct func) == 128, "kept in files");
_Static_assert(sizeof(struct receipt) == 464, "kept in files");
_Static_assert(sizeof(struct receipt_cpu) == 88, "kept in files");
_Static_assert(sizeof(struct proc_object) == 96, "kept in files");
_Static_assert(sizeof(struct proc_step) == 120, "kept in files");
_Static_assert(sizeof(struct fold_cell) == 136, "kept in files");
_Static_assert(sizeof(struct fold_cpu) == 16, "kept in files");

void save_run(struct record_writer *writer, const struct run *run)
{
	record_add_result(writer, &run->result);
	record_add(writer, "RCPT", &run->receipt, sizeof(run->receipt));
	record_add(writer, "ACCT", run->cpus, run->nr_cpus * sizeof(run->cpus[0]));
}

/* How the rows vary, and the names that the module did not give. */
static void add_processes(struct record_writer *writer, const struct fold *fold)
{
	size_t nr, i, nr_names = 0;
	const struct fold_process *processes = fold_processes(fold, &nr);
	size_t blocks_len = sizeof(uint64_t) + nr * sizeof(struct kept_blocks);
	struct kept_name *names = calloc(nr + 1, sizeof(*names));
	uint64_t *blocks = calloc(1, blocks_len);
	struct kept_blocks *block = (struct kept_blocks *)(blocks + 1);

	if (names && blocks) {
		blocks[0] = fold_nr_blocks(fold);
		for (i = 0; i < nr; i++) {
			const struct fold_process *process = &processes[i];

			block[i] = (struct kept_blocks){
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

void save_sys(struct record_writer *writer, const struct fold *fold, const struct run *run)
{
	const struct fold_cell *cells;
	const struct fold_cpu *cpus;
	size_t nr;

	save_run(writer, run);
	cpus = fold_cpus(fold, &nr);
	record_add(writer, "CPUS", cpus, nr * sizeof(*cpus));
	cells = fold_cells(fold, &nr);
	record_add(writer, "CELL", cells, nr * sizeof(*cells));
	add_processes(writer, fold);
}

static int bad(struct text_error *error_ret, const char *what)
{
	return text_fail(error_ret, -EBADMSG, "%s", what);
}

static bool are_sound(const struct fold_cell *cells, size_t nr, size_t nr_cpus)
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

/* Adds up counts; false: they come to more than @limit, which no sum of this run may. */
static bool add_up(uint64_t *sum, const uint64_t *counts, size_t nr, uint64_t limit)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (counts[i] > limit - *sum)
			return false;
		*sum += counts[i];
	}
	return true;
}

/* As in every account of the module: each sample is counted in one place. */
static bool do_cells_fit(const struct fold_cell *cells, size_t nr, uint64_t taken)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		if (!add_up(&sum, cells[i].hits, CPUPROBE_MODES, taken))
			return false;
	return true;
}

static void load_processes(const struct record *record, struct fold *fold)
{
	size_t len = 0, i;
	const uint64_t *blocks = record_find(record, "BLKS", &len);
	const struct kept_blocks *block;
	const struct kept_name *names;
	char name[FOLD_NAME_LEN];

	if (blocks && len >= sizeof(*blocks)) {
		fold_keep_blocks(fold, blocks[0]);
		block = (const struct kept_blocks *)(blocks + 1);
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

struct fold *load_fold(const struct record *record, struct run_result *result_ret,
		       struct text_error *error_ret)
{
	size_t cpus_len = 0, cells_len = 0;
	const struct fold_cpu *cpus = record_find(record, "CPUS", &cpus_len);
	const struct fold_cell *cells = record_find(record, "CELL", &cells_len);
	size_t nr_cpus = cpus_len / sizeof(*cpus), nr_cells = cells_len / sizeof(*cells);
	struct fold *fold;
	uint64_t taken;

	if (record_get_result(record, result_ret, error_ret))
		return NULL;
	if (!cpus || !cells || cpus_len % sizeof(*cpus) || cells_len % sizeof(*cells) ||
	    nr_cpus > 8192 || !are_sound(cells, nr_cells, nr_cpus)) {
		bad(error_ret, "its sections 'CPUS' and 'CELL' are missing or senseless");
		return NULL;
	}
	taken = result_ret->account.taken - result_ret->account.excluded;
	if (!do_cells_fit(cells, nr_cells, taken)) {
		bad(error_ret, "its counts are more than its samples");
		return NULL;
	}
	fold = fold_create_kept(cells, nr_cells, cpus, nr_cpus, taken);
	if (fold)
		load_processes(record, fold);
	else
		text_fail(error_ret, -ENOMEM, "out of memory");
	return fold;
}

/* Each function that overlaps [low, high) as a line of nm -S; those named before are left out. */
static void write_symbols(FILE *out, const struct sym_index *symbols, uint64_t low, uint64_t high,
			  size_t *next)
{
	size_t i = sym_index_lower_bound(symbols, low), last;
	char name[256];

	for (i = i < *next ? *next : i; i < sym_index_size(symbols); i++) {
		const struct sym *sym = sym_index_at(symbols, i);
		uint64_t end = sym->end;

		if (sym->start >= high)
			break;
		/* Pieces of one function, if others lie inside it, make one line. */
		for (last = i + 1; last < sym_index_size(symbols) && last <= i + NESTED_MAX; last++)
			if (sym_index_at(symbols, last)->entry == sym->entry)
				end = sym_index_at(symbols, last)->end;
		*next = i + 1;
		sym_name(sym, name, sizeof(name));
		fprintf(out, "%016llx %016llx T %s\n", (unsigned long long)sym->entry,
			(unsigned long long)(end - sym->entry), name);
	}
}

static void add_symbols(struct record_writer *writer, const struct proc_report *report,
			const struct sym_index *symbols, bool all_slots)
{
	const struct slots_layout *layout = &report->layout;
	char *text = NULL;
	size_t len = 0, next = 0;
	FILE *out = open_memstream(&text, &len);
	uint32_t slot;

	if (!out)
		return;
	for (slot = 0; slot < layout->nr_slots; slot++)
		if (report->hits[slot] || all_slots)
			write_symbols(out, symbols, slots_low(layout, slot),
				      slots_high(layout, slot), &next);
	fclose(out);
	record_add(writer, "SYMS", text, len);
	free(text);
}

static void add_funcs(struct record_writer *writer, const struct funcs *funcs)
{
	size_t len = sizeof(struct kept_funcs) + funcs->nr * sizeof(struct func);
	struct kept_funcs *kept = calloc(1, len);

	if (!kept)
		return;
	kept->nr_blocks = funcs->nr_blocks;
	kept->shared_hits = funcs->shared_hits;
	memcpy(kept + 1, funcs->func, funcs->nr * sizeof(struct func));
	record_add(writer, "FUNC", kept, len);
	free(kept);
}

void save_proc(struct record_writer *writer, const struct proc_report *report,
	       const struct run *run, const struct funcs *funcs, const struct sym_index *symbols,
	       bool all_slots)
{
	struct kept_task kept = {
		.low = report->layout.low, .high = report->layout.high,
		.object_start = report->object_start, .outside = report->elsewhere.outside,
		.other_mode = report->elsewhere.other_mode,
		.other_exe = report->elsewhere.other_exe,
		.other_task = report->elsewhere.other_task, .mode = report->mode,
		.is_exe = report->is_exe, .executions = report->executions,
		.missed = report->missed,
	};

	memcpy(kept.task, report->task, sizeof(kept.task));
	memcpy(kept.object, report->object, sizeof(kept.object));
	memcpy(kept.verdict, report->verdict, sizeof(kept.verdict));
	save_run(writer, run);
	record_add(writer, "TASK", &kept, sizeof(kept));
	record_add(writer, "SLOT", report->hits, report->layout.nr_slots * sizeof(report->hits[0]));
	record_add(writer, "OBJS", report->objects,
		   report->nr_objects * sizeof(report->objects[0]));
	if (report->nr_steps)
		record_add(writer, "STEP", report->steps,
			   report->nr_steps * sizeof(report->steps[0]));
	add_funcs(writer, funcs);
	if (symbols)
		add_symbols(writer, report, symbols, all_slots);
}

static void end_text(char *text, size_t len)
{
	text[len - 1] = '\0';
	text_clean(text);
}

int load_receipt(const struct record *record, struct receipt *receipt_ret)
{
	size_t len = 0;
	const void *found = record_find(record, "RCPT", &len);

	if (!found || len < KEPT_RECEIPT_LEAST)
		return -ENOENT;
	memset(receipt_ret, 0, sizeof(*receipt_ret));
	memcpy(receipt_ret, found, len < sizeof(*receipt_ret) ? len : sizeof(*receipt_ret));
	end_text(receipt_ret->module, sizeof(receipt_ret->module));
	end_text(receipt_ret->kernel, sizeof(receipt_ret->kernel));
	end_text(receipt_ret->kernel_build, sizeof(receipt_ret->kernel_build));
	end_text(receipt_ret->skipped, sizeof(receipt_ret->skipped));
	if (!receipt_ret->period_ns)
		receipt_ret->period_ns = 1;
	/* A share that is none is not known; NAN compares as false. */
	if (!(receipt_ret->steal >= 0 && receipt_ret->steal <= 1))
		receipt_ret->steal = NAN;
	if (receipt_ret->excluded > receipt_ret->taken)
		receipt_ret->excluded = receipt_ret->taken;
	return 0;
}

const struct receipt_cpu *load_cpus(const struct record *record, size_t *nr_ret)
{
	size_t len = 0;
	const struct receipt_cpu *cpus = record_find(record, "ACCT", &len);

	*nr_ret = cpus ? len / sizeof(*cpus) : 0;
	return cpus;
}

int load_funcs(const struct record *record, struct funcs *funcs_ret)
{
	size_t len = 0;
	const struct kept_funcs *kept = record_find(record, "FUNC", &len);
	uint32_t i;

	memset(funcs_ret, 0, sizeof(*funcs_ret));
	if (!kept || len < sizeof(*kept))
		return -ENOENT;
	funcs_ret->nr = (len - sizeof(*kept)) / sizeof(struct func);
	if (funcs_ret->nr > CPUPROBE_SLOTS)
		funcs_ret->nr = CPUPROBE_SLOTS;
	funcs_ret->nr_blocks = kept->nr_blocks;
	funcs_ret->shared_hits = kept->shared_hits;
	memcpy(funcs_ret->func, kept + 1, funcs_ret->nr * sizeof(struct func));
	for (i = 0; i < funcs_ret->nr; i++)
		end_text(funcs_ret->func[i].name, sizeof(funcs_ret->func[i].name));
	return 0;
}

/* Text from a file: ended, and harmless to a terminal. */
static void get_text(char *text, size_t len, const char *kept)
{
	snprintf(text, len, "%.*s", (int)len - 1, kept);
	text_clean(text);
}

/* A section that is an array of at most @max entries; the number of them. */
static uint32_t get_array(const struct record *record, const char *tag, void *array,
			  size_t entry_len, size_t max)
{
	size_t len = 0;
	const void *found = record_find(record, tag, &len);
	size_t nr = found ? len / entry_len : 0;

	if (nr > max)
		nr = max;
	if (nr)
		memcpy(array, found, nr * entry_len);
	return nr;
}

static int load_symbols(const struct record *record, struct sym_index **symbols_ret)
{
	size_t len = 0;
	const void *text = record_find(record, "SYMS", &len);
	int fd, error;

	*symbols_ret = NULL;
	if (!text || !len)
		return 0;
	fd = memfd_create("symbols", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = write(fd, text, len) == (ssize_t)len ?
		sym_index_create_text(fd, symbols_ret, NULL) : -EIO;
	close(fd);
	return error;
}

/* The steps of a search; false: one took no time that there is. */
static bool load_steps(const struct record *record, struct proc_report *report)
{
	uint32_t i;

	report->nr_steps = get_array(record, "STEP", report->steps, sizeof(report->steps[0]),
				     PROC_STEPS_MAX);
	for (i = 0; i < report->nr_steps; i++) {
		struct proc_step *step = &report->steps[i];

		if (!isfinite(step->seconds) || step->seconds < 0)
			return false;
		get_text(step->why, sizeof(step->why), strndupa(step->why, sizeof(step->why)));
	}
	return true;
}

int load_proc(const struct record *record, struct proc_report *report,
	      struct sym_index **symbols_ret, struct text_error *error_ret)
{
	struct kept_task kept;
	uint64_t elsewhere[4], sum = 0;
	uint32_t i;
	int error;

	memset(report, 0, sizeof(*report));
	error = record_get_result(record, &report->result, error_ret);
	if (!error)
		error = record_get(record, "TASK", &kept, sizeof(kept), KEPT_TASK_LEAST, error_ret);
	if (error)
		return error;
	if (kept.mode > 1 || slots_layout_init(&report->layout, kept.low, kept.high))
		return bad(error_ret, "its section 'TASK' is senseless");
	if (get_array(record, "SLOT", report->hits, sizeof(report->hits[0]), CPUPROBE_SLOTS) !=
	    report->layout.nr_slots)
		return bad(error_ret, "its section 'SLOT' does not fit the range of addresses");
	report->object_start = kept.object_start;
	report->elsewhere = (struct proc_elsewhere){ kept.outside, kept.other_mode, kept.other_exe,
						     kept.other_task };
	memcpy(elsewhere, &report->elsewhere, sizeof(elsewhere));
	if (!add_up(&sum, report->hits, CPUPROBE_SLOTS, proc_report_taken(report)) ||
	    !add_up(&sum, elsewhere, 4, proc_report_taken(report)))
		return bad(error_ret, "its counts are more than its samples");
	report->mode = kept.mode;
	report->is_exe = kept.is_exe;
	report->executions = kept.executions;
	report->missed = kept.missed;
	get_text(report->task, sizeof(report->task), kept.task);
	get_text(report->object, sizeof(report->object), kept.object);
	get_text(report->verdict, sizeof(report->verdict), kept.verdict);
	report->nr_objects = get_array(record, "OBJS", report->objects, sizeof(report->objects[0]),
				       CPUPROBE_OBJECTS);
	for (i = 0; i < report->nr_objects; i++)
		get_text(report->objects[i].name, sizeof(report->objects[i].name),
			 strndupa(report->objects[i].name, sizeof(report->objects[i].name)));
	if (!load_steps(record, report))
		return bad(error_ret, "its section 'STEP' is senseless");
	if (load_symbols(record, symbols_ret))
		return bad(error_ret, "its section 'SYMS' cannot be read");
	return 0;
}
