// SPDX-License-Identifier: GPL-2.0-only
/* The sections of a saved run of one task: see proc_save.h and docs/format.md. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proc/proc_save.h"
#include "run/run_save.h"

#define NESTED_MAX 64	/* following symbols searched for more pieces of a function */

/** The section "TASK". */
struct kept_task {
	u64 low;
	u64 high;
	u64 object_start;
	u64 outside;
	u64 other_mode;
	u64 other_exe;
	u64 other_task;
	u32 mode;
	u32 is_exe;
	char task[64];
	char object[88];
	char verdict[320];
	u64 executions;		/* files of early versions end here */
	u64 missed;		/* files of later versions end here */
	struct proc_mappings mappings;
};

#define KEPT_TASK_LEAST offsetof(struct kept_task, executions)

/** Header of the section "FUNC". */
struct kept_funcs {
	u64 nr_blocks;
	u64 shared_hits;
};

_Static_assert(sizeof(struct kept_task) == 568, "saved in files");
_Static_assert(sizeof(struct func) == 128, "saved in files");
_Static_assert(sizeof(struct proc_object) == 96, "saved in files");
_Static_assert(sizeof(struct proc_step) == 120, "saved in files");

/* Write each function that overlaps [low, high) as a line of nm -S, from index *@next on. */
static void write_symbols(FILE *out, const struct sym_index *symbols, u64 low, u64 high,
			  size_t *next)
{
	size_t i = sym_index_lower_bound(symbols, low), last;
	char name[1024];

	for (i = i < *next ? *next : i; i < sym_index_size(symbols); i++) {
		const struct sym *sym = sym_index_at(symbols, i);
		u64 end = sym->end;

		if (sym->start >= high)
			break;
		/* A function with another one inside has several pieces: write one line for all. */
		for (last = i + 1; last < sym_index_size(symbols) && last <= i + NESTED_MAX; last++)
			if (sym_index_at(symbols, last)->entry == sym->entry)
				end = sym_index_at(symbols, last)->end;
		*next = i + 1;
		sym_name(sym, name, sizeof(name));
		fprintf(out, "%016llx %016llx T %s\n", sym->entry, end - sym->entry, name);
	}
}

static void add_symbols(struct record_writer *writer, const struct proc_report *report,
			const struct sym_index *symbols, bool all_slots)
{
	const struct slots_layout *layout = &report->layout;
	char *text = NULL;
	size_t len = 0, next = 0;
	FILE *out = open_memstream(&text, &len);
	u32 slot;

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

void proc_save(struct record_writer *writer, const struct proc_report *report,
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
		.missed = report->missed, .mappings = report->mappings,
	};

	memcpy(kept.task, report->task, sizeof(kept.task));
	memcpy(kept.object, report->object, sizeof(kept.object));
	memcpy(kept.verdict, report->verdict, sizeof(kept.verdict));
	run_save(writer, run);
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

int proc_load_funcs(const struct record *record, struct funcs *funcs_ret)
{
	size_t len = 0;
	const struct kept_funcs *kept = record_find(record, "FUNC", &len);
	u32 i;

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
		record_text(funcs_ret->func[i].name, sizeof(funcs_ret->func[i].name));
	return 0;
}

/* Copy a section that is an array, at most @max entries. Returns the number of entries. */
static u32 get_array(const struct record *record, const char *tag, void *array, size_t entry_len,
		     size_t max)
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

/* Load the steps of a search. False: the duration of a step is invalid. */
static bool load_steps(const struct record *record, struct proc_report *report)
{
	u32 i;

	report->nr_steps = get_array(record, "STEP", report->steps, sizeof(report->steps[0]),
				     PROC_STEPS_MAX);
	for (i = 0; i < report->nr_steps; i++) {
		struct proc_step *step = &report->steps[i];

		if (!isfinite(step->seconds) || step->seconds < 0)
			return false;
		record_text(step->why, sizeof(step->why));
	}
	return true;
}

int proc_load(const struct record *record, struct proc_report *report,
	      struct sym_index **symbols_ret, struct text_error *error_ret)
{
	struct kept_task kept;
	u64 elsewhere[4], sum = 0;
	u32 i;
	int error;

	memset(report, 0, sizeof(*report));
	error = record_get_result(record, &report->result, error_ret);
	if (!error)
		error = record_get(record, "TASK", &kept, sizeof(kept), KEPT_TASK_LEAST, error_ret);
	if (error)
		return error;
	if (kept.mode > 1 || slots_layout_init(&report->layout, kept.low, kept.high))
		return text_fail(error_ret, -EBADMSG, "its section 'TASK' is malformed");
	if (get_array(record, "SLOT", report->hits, sizeof(report->hits[0]), CPUPROBE_SLOTS) !=
	    report->layout.nr_slots)
		return text_fail(error_ret, -EBADMSG,
				 "its section 'SLOT' does not match the range of addresses");
	report->object_start = kept.object_start;
	report->elsewhere = (struct proc_elsewhere){ kept.outside, kept.other_mode, kept.other_exe,
						     kept.other_task };
	memcpy(elsewhere, &report->elsewhere, sizeof(elsewhere));
	if (!run_add_up(&sum, report->hits, CPUPROBE_SLOTS, proc_report_taken(report)) ||
	    !run_add_up(&sum, elsewhere, 4, proc_report_taken(report)))
		return text_fail(error_ret, -EBADMSG, "its counts are more than its samples");
	report->mode = kept.mode;
	report->is_exe = kept.is_exe;
	report->executions = kept.executions;
	report->missed = kept.missed;
	report->mappings = kept.mappings;
	memcpy(report->task, kept.task, sizeof(report->task));
	record_text(report->task, sizeof(report->task));
	memcpy(report->object, kept.object, sizeof(report->object));
	record_text(report->object, sizeof(report->object));
	memcpy(report->verdict, kept.verdict, sizeof(report->verdict));
	record_text(report->verdict, sizeof(report->verdict));
	report->nr_objects = get_array(record, "OBJS", report->objects, sizeof(report->objects[0]),
				       CPUPROBE_OBJECTS);
	for (i = 0; i < report->nr_objects; i++)
		record_text(report->objects[i].name, sizeof(report->objects[i].name));
	if (!load_steps(record, report))
		return text_fail(error_ret, -EBADMSG, "its section 'STEP' is malformed");
	if (load_symbols(record, symbols_ret))
		return text_fail(error_ret, -EBADMSG, "its section 'SYMS' cannot be read");
	return 0;
}
