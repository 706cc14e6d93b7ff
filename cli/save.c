// SPDX-License-Identifier: GPL-2.0-only
/* What of a run is kept: see save.h and docs/format.md. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hist.h"
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
};

_Static_assert(sizeof(struct kept_task) == 536, "kept in files");
_Static_assert(sizeof(struct proc_object) == 96, "kept in files");
_Static_assert(sizeof(struct proc_step) == 120, "kept in files");
_Static_assert(sizeof(struct fold_cell) == 136, "kept in files");
_Static_assert(sizeof(struct fold_cpu) == 16, "kept in files");

void save_sys(struct record_writer *writer, const struct fold *fold,
	      const struct run_result *result)
{
	const struct fold_cell *cells;
	const struct fold_cpu *cpus;
	size_t nr;

	record_add_result(writer, result);
	cpus = fold_cpus(fold, &nr);
	record_add(writer, "CPUS", cpus, nr * sizeof(*cpus));
	cells = fold_cells(fold, &nr);
	record_add(writer, "CELL", cells, nr * sizeof(*cells));
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
			(cells[i].kind && cells[i].kind <= CPUPROBE_KIND_EXITING);

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

struct fold *load_fold(const struct record *record, struct run_result *result_ret,
		       struct text_error *error_ret)
{
	size_t cpus_len = 0, cells_len = 0;
	const struct fold_cpu *cpus = record_find(record, "CPUS", &cpus_len);
	const struct fold_cell *cells = record_find(record, "CELL", &cells_len);
	size_t nr_cpus = cpus_len / sizeof(*cpus), nr_cells = cells_len / sizeof(*cells);
	struct fold *fold;

	if (record_get_result(record, result_ret, error_ret))
		return NULL;
	if (!cpus || !cells || cpus_len % sizeof(*cpus) || cells_len % sizeof(*cells) ||
	    nr_cpus > 8192 || !are_sound(cells, nr_cells, nr_cpus)) {
		bad(error_ret, "its sections 'CPUS' and 'CELL' are missing or senseless");
		return NULL;
	}
	if (!do_cells_fit(cells, nr_cells, result_ret->account.taken)) {
		bad(error_ret, "its counts are more than its samples");
		return NULL;
	}
	fold = fold_create_kept(cells, nr_cells, cpus, nr_cpus, result_ret->account.taken);
	if (!fold)
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
	struct hist hist = { .layout = &report->layout };
	char *text = NULL;
	size_t len = 0, next = 0;
	FILE *out = open_memstream(&text, &len);
	uint32_t slot;

	if (!out)
		return;
	for (slot = 0; slot < report->layout.nr_slots; slot++)
		if (report->hits[slot] || all_slots)
			write_symbols(out, symbols, hist_slot_low(&hist, slot),
				      hist_slot_high(&hist, slot), &next);
	fclose(out);
	record_add(writer, "SYMS", text, len);
	free(text);
}

void save_proc(struct record_writer *writer, const struct proc_report *report,
	       const struct sym_index *symbols, bool all_slots)
{
	struct kept_task kept = {
		.low = report->layout.low, .high = report->layout.high,
		.object_start = report->object_start, .outside = report->elsewhere.outside,
		.other_mode = report->elsewhere.other_mode, .other_exe = report->elsewhere.other_exe,
		.other_task = report->elsewhere.other_task, .mode = report->mode,
		.is_exe = report->is_exe,
	};

	memcpy(kept.task, report->task, sizeof(kept.task));
	memcpy(kept.object, report->object, sizeof(kept.object));
	memcpy(kept.verdict, report->verdict, sizeof(kept.verdict));
	record_add_result(writer, &report->result);
	record_add(writer, "TASK", &kept, sizeof(kept));
	record_add(writer, "SLOT", report->hits, report->layout.nr_slots * sizeof(report->hits[0]));
	record_add(writer, "OBJS", report->objects, report->nr_objects * sizeof(report->objects[0]));
	if (report->nr_steps)
		record_add(writer, "STEP", report->steps,
			   report->nr_steps * sizeof(report->steps[0]));
	if (symbols)
		add_symbols(writer, report, symbols, all_slots);
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
	error = write(fd, text, len) == (ssize_t)len ? sym_index_create_text(fd, symbols_ret, NULL) :
		-EIO;
	close(fd);
	return error;
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
		error = record_get(record, "TASK", &kept, sizeof(kept), sizeof(kept), error_ret);
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
	if (!add_up(&sum, report->hits, CPUPROBE_SLOTS, report->result.account.taken) ||
	    !add_up(&sum, elsewhere, 4, report->result.account.taken))
		return bad(error_ret, "its counts are more than its samples");
	report->mode = kept.mode;
	report->is_exe = kept.is_exe;
	get_text(report->task, sizeof(report->task), kept.task);
	get_text(report->object, sizeof(report->object), kept.object);
	get_text(report->verdict, sizeof(report->verdict), kept.verdict);
	report->nr_objects = get_array(record, "OBJS", report->objects, sizeof(report->objects[0]),
				       CPUPROBE_OBJECTS);
	for (i = 0; i < report->nr_objects; i++)
		get_text(report->objects[i].name, sizeof(report->objects[i].name),
			 strndupa(report->objects[i].name, sizeof(report->objects[i].name)));
	report->nr_steps = get_array(record, "STEP", report->steps, sizeof(report->steps[0]),
				     PROC_STEPS_MAX);
	for (i = 0; i < report->nr_steps; i++)
		get_text(report->steps[i].why, sizeof(report->steps[i].why),
			 strndupa(report->steps[i].why, sizeof(report->steps[i].why)));
	if (load_symbols(record, symbols_ret))
		return bad(error_ret, "its section 'SYMS' cannot be read");
	return 0;
}
