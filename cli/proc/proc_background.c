// SPDX-License-Identifier: GPL-2.0-only
/* A run of `probe proc` in the background: see proc_parts.h and background/holder.h. */
#include "proc/proc_parts.h"

static int begin_proc(void *self, struct run **run_ret, struct text_error *error_ret)
{
	struct proc *proc = self;

	proc_prepare_report(proc);
	proc_prepare_run(proc);
	/* Code that cannot be read is not saved. */
	proc->has_code = !instructions_open(&proc->instructions, &proc->target,
					    proc->options.mode == 1, false, error_ret);
	*run_ret = &proc->run;
	return 0;
}

static int save_proc(void *self, struct record_writer *writer)
{
	struct proc *proc = self;

	proc->report.result = proc->run.result;
	target_name_objects(&proc->report, proc->object_hits, &proc->target.places);
	proc->report.mappings = proc->target.places.mappings;
	return proc_write(proc, writer);
}

static int reset_proc(void *self)
{
	struct proc *proc = self;

	proc_clear(proc);
	funcs_init(&proc->funcs, &proc->report.layout, proc->target.symbols, proc->report.object);
	return 0;
}

/* Without code, the report has no -asm. */
static void put_status(void *self, FILE *out)
{
	const struct proc *proc = self;

	fprintf(out, "code\t%d\n", proc->has_code && instructions_can_save(&proc->instructions, &proc->report));
}

static void end_proc(void *self)
{
	struct proc *proc = self;

	instructions_close(&proc->instructions);
	run_deinit(&proc->run);
}

const struct holder_kind proc_background_kind = {
	.name = "proc",
	.rate = HOLDER_ONE_RATE,
	.begin = begin_proc,
	.save = save_proc,
	.reset = reset_proc,
	.put_status = put_status,
	.end = end_proc,
};
