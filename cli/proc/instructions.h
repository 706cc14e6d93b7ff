/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of a target, or of a saved run, as a listing with the hits of a report. The code
 * of a target is read from the object's open file, from a process's memory, or from the kernel's.
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
	bool is_changed;		/* saved run: the file has changed or is gone */
};

/**
 * instructions_open() - open the code of a target, before or during the measurement.
 * @has_lines: look for source lines too; their absence is not an error
 * -errno with reason and hint: the code cannot be read.
 */
int instructions_open(struct instructions *instructions_ret, const struct target *target,
		      bool is_kernel, bool has_lines, struct text_error *error_ret);

/**
 * instructions_can_save() - whether instructions_save() can write code: the slots are small enough for a listing, and
 * the file has not changed.
 */
bool instructions_can_save(const struct instructions *instructions, const struct proc_report *report);

/**
 * instructions_open_kept() - open the code of a saved run, and the source lines if the file is
 * still the same.
 * @record: must outlive @instructions_ret
 * -ENOENT: the run was saved without code. -ENOMEM.
 */
int instructions_open_kept(struct instructions *instructions_ret, const struct record *record,
			   struct text_error *error_ret);

/**
 * instructions_list() - make a listing with the hits of a finished report.
 * @max_rows: as in struct listing_request
 * -ESTALE: the file has changed since instructions_open(). Others as listing_create().
 */
int instructions_list(const struct instructions *instructions, const struct proc_report *report,
		      const struct sym_index *symbols, size_t max_rows,
		      struct listing **listing_ret, struct text_error *error_ret);

/** instructions_save() - save the code that was hit, so that it can be listed without its file. */
void instructions_save(struct record_writer *writer, const struct instructions *instructions,
		       const struct proc_report *report, const struct sym_index *symbols);

/** instructions_close() - free all that @instructions holds; a zeroed one is allowed. */
void instructions_close(struct instructions *instructions);

#endif
