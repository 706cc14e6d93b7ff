// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_report TEXT RUN: a saved run of `probe proc` or `probe sys`, from lines of text.
 *
 *	task NAME			makes a run of `probe proc`, with
 *	range LOW HIGH
 *	symbol ADDR SIZE NAME		a function of the object
 *	at ADDR HITS
 *	program PATH			an ELF file whose code is saved, with the path to its lines
 *	code ADDR HEX			or these bytes; consecutive lines form a stretch
 *	object HITS NAME
 *	elsewhere OUTSIDE MODES EXES TASKS
 *	step LOW HIGH SLOT HITS OUTSIDE SECONDS WHY
 *	verdict TEXT
 *
 *	row KIND CPU KERNEL SOFTIRQ GUEST USER MISSED NAME	makes a run of `probe sys`; KIND
 *						is a number of the interface
 *	lost CPU HITS NAME
 * Each sample represents a millisecond. The receipt is invented.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <elf.h>
#include <fcntl.h>

#include "proc/instructions.h"
#include "sys/sys_save.h"
#include "proc/proc_save.h"

#define ROWS_MAX 256

static struct proc_report report;
static struct funcs funcs;
static struct sym_index *symbols;
static int symbols_fd;
static struct fold_cell cells[ROWS_MAX];
static struct fold_cpu cpus[8];
static size_t nr_cells, nr_cpus;
static struct instructions program;
static bool has_program;
static u8 bytes[4096];
static struct code_segment stretch;
static struct run run = {
	.result = { .nr_cpus = 1, .period_ns = 1000000, .seed = 1, .began = 1e9 },
	.receipt = { .seed = 42, .period_ns = 1000000, .missed = 2, .steal = 0.001, .nr_cpus = 1,
		     .cost_ns = 700, .flags = RECEIPT_VIRTUAL,
		     .module = "0.1.0 build <b>4dc76e4aacd1</b>", .kernel = "6.1.0-56-amd64" },
};

static void add_slot(u64 addr, u64 hits)
{
	report.hits[(addr - report.layout.base) >> report.layout.shift] += hits;
	run.result.account.taken += hits;
}

static void open_program(const char *path)
{
	struct text_error error;
	int fd = open(path, O_RDONLY);

	has_program = fd >= 0 && !code_open_file(&program.code, fd, path, &error);
	if (!has_program)
		fprintf(stderr, "make_report: %s is not to be read\n", path);
	close(fd);
}

/* Saved as if read from a process. */
static void add_code(u64 addr, const char *hex)
{
	unsigned int byte;
	int used;

	if (!has_program)
		stretch.addr = addr;
	has_program = true;
	for (; stretch.len < sizeof(bytes) && sscanf(hex, "%2x%n", &byte, &used) == 1; hex += used)
		bytes[stretch.len++] = byte;
	program.code = (struct code){ .kind = CODE_KEPT, .fd = -1, .kept = bytes, .path = "code",
				      .machine = { EM_X86_64, true, false },
				      .segments = &stretch, .nr_segments = 1 };
}

static void add_cell(const struct fold_cell *cell, const char *name)
{
	struct fold_cell *own = &cells[nr_cells++];
	size_t i;
	int mode;

	*own = *cell;
	snprintf(own->name, sizeof(own->name), "%s", name);
	for (i = 0; i < nr_cells; i++)
		if (cells[i].kind == own->kind && !strcmp(cells[i].name, own->name))
			break;
	own->id[0] = i + 1;
	for (mode = 0; mode < CPUPROBE_MODES; mode++) {
		own->time_ns[mode] = own->hits[mode] * 1000000;
		run.result.account.taken += own->hits[mode];
		cpus[own->cpu].taken_ns += own->time_ns[mode];
	}
	cpus[own->cpu].sampled_ns += 1000000 * own->missed;
	run.result.account.missed += own->missed;
	nr_cpus = own->cpu >= nr_cpus ? own->cpu + 1 : nr_cpus;
}

static void read_proc(const char *word, const char *rest)
{
	unsigned long long a[2] = { 0 };
	int at = 0;

	if (!strcmp(word, "task")) {
		snprintf(report.task, sizeof(report.task), "%s", rest);
		snprintf(report.object, sizeof(report.object), "%s", rest);
		report.is_exe = true;
		run.result.account.missed = 2;
	} else if (!strcmp(word, "range") && sscanf(rest, "%lli %lli", &a[0], &a[1]) == 2) {
		slots_layout_init(&report.layout, a[0], a[1]);
	} else if (!strcmp(word, "symbol") &&
		   sscanf(rest, "%lli %lli %n", &a[0], &a[1], &at) == 2) {
		dprintf(symbols_fd, "%016llx %016llx T %s\n", a[0], a[1], rest + at);
	} else if (!strcmp(word, "at") && sscanf(rest, "%lli %lli", &a[0], &a[1]) == 2) {
		add_slot(a[0], a[1]);
	} else if (!strcmp(word, "program")) {
		open_program(rest);
	} else if (!strcmp(word, "code") && sscanf(rest, "%lli %n", &a[0], &at) == 1) {
		add_code(a[0], rest + at);
	} else if (!strcmp(word, "verdict")) {
		snprintf(report.verdict, sizeof(report.verdict), "%s", rest);
	}
}

/* The numbers beside the histogram. */
static void read_beside(const char *word, const char *rest)
{
	unsigned long long a[5] = { 0 };
	double seconds = 0;
	int at = 0;

	if (!strcmp(word, "object") && sscanf(rest, "%lli %n", &a[0], &at) == 1) {
		struct proc_object *object = &report.objects[report.nr_objects++];

		object->hits = a[0];
		snprintf(object->name, sizeof(object->name), "%s", rest + at);
	} else if (!strcmp(word, "elsewhere") &&
		   sscanf(rest, "%lli %lli %lli %lli", &a[0], &a[1], &a[2], &a[3]) == 4) {
		report.elsewhere = (struct proc_elsewhere){ a[0], a[1], a[2], a[3] };
		run.result.account.taken += a[0] + a[1] + a[2] + a[3];
	} else if (!strcmp(word, "step") &&
		   sscanf(rest, "%lli %lli %lli %lli %lli %lf %n", &a[0], &a[1], &a[2], &a[3],
			  &a[4], &seconds, &at) == 6) {
		struct proc_step *step = &report.steps[report.nr_steps++];

		*step = (struct proc_step){ a[0], a[1], a[2], a[3], a[4], seconds, "" };
		snprintf(step->why, sizeof(step->why), "%s", rest + at);
	}
}

static void read_sys(const char *word, const char *rest)
{
	unsigned long long a[7] = { 0 };
	struct fold_cell cell = { .kind = 0 };
	int at = 0;

	if (!strcmp(word, "row") &&
	    sscanf(rest, "%lli %lli %lli %lli %lli %lli %lli %n", &a[0], &a[1], &a[2], &a[3], &a[4],
		   &a[5], &a[6], &at) == 7) {
		cell.kind = a[0];
		cell.hits[CPUPROBE_MODE_KERNEL] = a[2];
		cell.hits[CPUPROBE_MODE_SOFTIRQ] = a[3];
		cell.hits[CPUPROBE_MODE_GUEST] = a[4];
		cell.hits[CPUPROBE_MODE_USER] = a[5];
		cell.missed = a[6];
	} else if (!strcmp(word, "lost") && sscanf(rest, "%lli %lli %n", &a[1], &a[2], &at) == 2) {
		cell.kind = FOLD_KIND_LOST;
		cell.hits[CPUPROBE_MODE_KERNEL] = a[2];
		run.result.account.lost += a[2];
	} else {
		return;
	}
	cell.cpu = a[1];
	add_cell(&cell, rest + at);
}

static void read_text(FILE *file)
{
	char line[4096], *rest;

	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		rest = line;
		strsep(&rest, " ");
		if (line[0] == '#' || !rest)
			continue;
		read_proc(line, rest);
		read_beside(line, rest);
		if (nr_cells < ROWS_MAX)
			read_sys(line, rest);
	}
}

static void save(struct record_writer *writer)
{
	struct fold *fold;
	size_t i;

	run.result.account.expected = run.result.account.taken + run.result.account.missed;
	run.result.elapsed_seconds = run.result.account.taken / 1e3;
	run.receipt.taken = run.result.account.taken;
	run.receipt.expected = run.receipt.taken + run.receipt.missed;
	run.receipt.sampled_ns = run.receipt.expected * 1000000;
	if (report.task[0]) {
		sym_index_create_text(symbols_fd, &symbols, NULL);
		report.result = run.result;
		funcs_init(&funcs, &report.layout, symbols, report.object);
		funcs_finish(&funcs, &report.layout, report.hits);
		proc_save(writer, &report, &run, &funcs, symbols, true);
		if (has_program)
			instructions_save(writer, &program, &report, symbols);
		sym_index_destroy(symbols);
		return;
	}
	for (i = 0; i < nr_cpus; i++)
		cpus[i].sampled_ns += cpus[i].taken_ns;
	run.result.nr_cpus = nr_cpus;
	run.result.elapsed_seconds /= nr_cpus ? nr_cpus : 1;
	fold = fold_create_kept(cells, nr_cells, cpus, nr_cpus, run.result.account.taken);
	sys_save(writer, fold, &run);
	fold_destroy(fold);
}

int main(int argc, char **argv)
{
	FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;
	struct record_writer writer;
	struct text_error error;

	symbols_fd = memfd_create("symbols", 0);
	if (!file || symbols_fd < 0) {
		fprintf(stderr, "usage: make_report TEXT RUN\n");
		return 2;
	}
	read_text(file);
	fclose(file);
	if (record_create(&writer, argv[2], &error))
		return 1;
	save(&writer);
	close(symbols_fd);
	if (!record_commit(&writer, &error))
		return 0;
	text_report(&error);
	return 1;
}
