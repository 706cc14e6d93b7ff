/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of what a target is: from the object that is measured, or from a kept run, to
 * a listing of a report. Its code is the very file that was opened, the memory of a process, or
 * the kernel's.
 */
#ifndef INSTRUCTIONS_H
#define INSTRUCTIONS_H

#include "code/listing.h"
#include "proc/proc_report.h"
#include "proc/target.h"
#include "run/record.h"

struct instructions {
	struct code code;
	struct sym_lines *lines;	/* NULL: none known */
	bool is_changed;		/* of a kept run: its file is another by now, or gone */
};

/**
 * instructions_open() - of a target, before or while it is measured.
 * @has_lines: look for source lines too
 * Without error nothing is said; -errno: where its code is cannot be read, with reason and hint.
 */
int instructions_open(struct instructions *instructions_ret, const struct target *target,
		      bool is_kernel, bool has_lines, struct text_error *error_ret);

/**
 * instructions_open_kept() - of a kept run; source lines too, if its file is still the same.
 * The record must stay. -ENOENT: it was kept without code.
 */
int instructions_open_kept(struct instructions *instructions_ret, const struct record *record,
			   struct text_error *error_ret);

/**
 * instructions_list() - list a report's hits, after its measurement.
 * @max_rows: as in struct listing_request
 * -ESTALE: the file has been changed meanwhile. Others as listing_create().
 */
int instructions_list(const struct instructions *instructions, const struct proc_report *report,
		      const struct sym_index *symbols, size_t max_rows,
		      struct listing **listing_ret, struct text_error *error_ret);

/** instructions_save() - keep the code that was hit, so that it can be listed without its file. */
void instructions_save(struct record_writer *writer, const struct instructions *instructions,
		       const struct proc_report *report, const struct sym_index *symbols);

/** instructions_close() - free what it holds; a zeroed one is allowed. */
void instructions_close(struct instructions *instructions);

#endif
