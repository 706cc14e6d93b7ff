// SPDX-License-Identifier: GPL-2.0-only
/* Warnings about a run with stacks: see stacks_fetch.h. */
#include <stdio.h>

#include "resolve/resolver.h"
#include "stacks/stacks_fetch.h"

#define SHARE_DIGITS	1	/* decimals of a percent, as the reports print them */
#define LEAST_SHARE	0.0005	/* half of the last decimal */

/* Warns of samples that the module delivered but the tool had no room for. */
static void warn_of_room(const struct stack_run *stacks)
{
	const struct profile *profile = stacks->profile;
	u64 lost = profile->lost > stacks->receipt.lost ? profile->lost - stacks->receipt.lost : 0;

	if (!profile->taken || (double)lost / profile->taken < LEAST_SHARE)
		return;
	fprintf(stderr, "probe: warning: %llu samples (%.1f%%) found no room among %u stacks: row "
		"(lost)\nhint: 'probe reset' makes room; -task and -cgroup sample less\n",
		lost, 100.0 * lost / profile->taken, profile->nr_stacks);
}

/* Warns of a number of things, with the noun in singular or plural. */
static void warn_of(u64 nr, const char *one, const char *many, const char *what)
{
	if (nr)
		fprintf(stderr, "probe: warning: %llu %s %s\n", nr, nr == 1 ? one : many, what);
}

static void warn_of_names(struct resolver *resolver)
{
	const struct resolver_counts *counts = resolver_counts(resolver);

	warn_of(counts->files_unread, "file of code", "files of code",
		"could not be opened: functions without names");
	warn_of(counts->jits_refused, "perf map was", "perf maps were",
		"ignored: of another user, or refused");
	warn_of(counts->jits_odd, "line", "lines", "of perf maps ignored: malformed");
	if (counts->debug_left_out)
		fprintf(stderr, "probe: inlined functions of %llu file%s are not shown: large debug "
			"information, or of another user or a container\nhint: -inline reads it\n",
			counts->debug_left_out, counts->debug_left_out == 1 ? "" : "s");
	warn_of(counts->events_lost, "event", "events",
		"of processes dropped by the kernel: objects may be unknown");
	warn_of(counts->spaces_left_out, "mapping or process", "mappings or processes",
		"found no room: objects may be unknown");
	if (resolver_note(resolver)[0])
		fprintf(stderr, "probe: %s\n", resolver_note(resolver));
}

void stacks_warn(const struct stack_run *stacks)
{
	if (stacks->has_receipt) {
		receipt_warn(&stacks->receipt, SHARE_DIGITS);
		warn_of_room(stacks);
	}
	if (stacks->resolver)
		warn_of_names(stacks->resolver);
}
