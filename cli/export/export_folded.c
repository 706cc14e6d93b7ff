// SPDX-License-Identifier: GPL-2.0-only
/* Folded stacks, the input of flame graph tools: see export.h. */
#include <errno.h>
#include <stdlib.h>

#include "export/export.h"

void export_folded_name(FILE *out, const char *name)
{
	for (name = export_name(name); *name; name++)
		fputc(*name == ';' ? ':' : *name, out);
}

static void write_stack(FILE *out, const struct profile *profile, const struct profile_stack *stack,
			u64 hits)
{
	const u32 *frames = profile_frames_of(profile, stack);
	u32 left;

	export_folded_name(out, profile->processes[stack->process].name);
	for (left = stack->nr_frames; left; left--) {
		fputc(';', out);
		export_folded_name(out, profile_function_of(profile, frames[left - 1])->name);
	}
	fprintf(out, " %llu\n", hits);
}

int export_folded(FILE *out, const struct stack_run *stacks)
{
	const struct profile *profile = stacks->profile;
	u32 *order = export_order(profile), i;
	u64 hits = 0;

	if (!order)
		return -ENOMEM;
	/* Stacks that differ only in what the format lacks, such as the mode, share a line. */
	for (i = 0; i < profile->nr_stacks; i++) {
		hits += profile->stacks[order[i]].hits;
		if (i + 1 < profile->nr_stacks && export_is_same(profile, order[i], order[i + 1]))
			continue;
		write_stack(out, profile, &profile->stacks[order[i]], hits);
		hits = 0;
	}
	if (profile->lost)
		fprintf(out, EXPORT_LOST " %llu\n", profile->lost);
	free(order);
	return 0;
}
