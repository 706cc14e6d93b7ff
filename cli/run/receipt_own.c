// SPDX-License-Identifier: GPL-2.0-only
/* Coverage of a run that sampled the user's own processes: see receipt_own.h. */
#include "base/text.h"
#include "run/receipt_own.h"

void receipt_add_own(struct receipt_own *own, const struct receipt_own *earlier)
{
	own->late_ns += earlier->late_ns;
	own->nr_threads += earlier->nr_threads;
	own->nr_gone += earlier->nr_gone;
	own->nr_no_file += earlier->nr_no_file;
	own->nr_no_memory += earlier->nr_no_memory;
	own->nr_refused += earlier->nr_refused;
	own->nr_throttled += earlier->nr_throttled;
}

/* Appends threads that were not sampled, and the remedy. Returns the length of the text. */
static size_t add_shut_out(char *text, size_t len, size_t used, u32 nr, const char *why)
{
	return nr ? used + snprintf(text + used, len - used, ", %u thread%s %s", nr,
				    nr == 1 ? "" : "s", why) : used;
}

void receipt_print_own(FILE *out, const struct receipt_own *own, int cols)
{
	char line[1024], late[16];
	size_t used = snprintf(line, sizeof(line), "Own processes, user mode only: %u thread%s sampled. "
			       "Not covered: %s of CPU time of threads before they had an event",
			       own->nr_threads, own->nr_threads == 1 ? "" : "s",
			       text_ns(own->late_ns, late));

	used = add_shut_out(line, sizeof(line), used, own->nr_gone, "that ended before");
	used = add_shut_out(line, sizeof(line), used, own->nr_no_file,
			    "without a descriptor (raise ulimit -n)");
	used = add_shut_out(line, sizeof(line), used, own->nr_no_memory,
			    "without memory for a ring (raise kernel.perf_event_mlock_kb)");
	used = add_shut_out(line, sizeof(line), used, own->nr_refused,
			    "that the kernel refused (run as root)");
	if (own->nr_throttled)
		used += snprintf(line + used, sizeof(line) - used, ", %u throttled moment%s (raise "
				 "kernel.perf_event_max_sample_rate)", own->nr_throttled,
				 own->nr_throttled == 1 ? "" : "s");
	snprintf(line + used, sizeof(line) - used, ". Missed periods are those that ended in the kernel, "
		 "or late. Shares of code whose cycles are in step with a period, which stays the "
		 "same for some 50 samples, may be wrong by more than their intervals.");
	text_wrap(out, line, cols);
}

void receipt_json_own(FILE *out, const struct receipt_own *own)
{
	fprintf(out, ",\n    \"own\": { \"threads\": %u, \"late_ns\": %llu, \"gone\": %u, "
		"\"no_descriptor\": %u,\n      \"no_memory\": %u, \"refused\": %u, \"throttled\": %u }",
		own->nr_threads, own->late_ns, own->nr_gone, own->nr_no_file, own->nr_no_memory,
		own->nr_refused, own->nr_throttled);
}
