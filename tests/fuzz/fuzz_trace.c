// SPDX-License-Identifier: GPL-2.0-only
/* Saved traces, read by the commands: summaries, code paths, exports and the check of their sums. */
#include "kept.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	char path[64];
	int fd = kept_begin(bytes, len, path);

	KEPT_PROBE(command_verify, path);
	KEPT_PROBE(command_show, path);
	KEPT_PROBE(command_trace, "-hist", "*", path);
	KEPT_PROBE(command_trace, "-json", "-sort", "max", path);
	KEPT_PROBE(command_trace, "-tsv", "-task", "1", "-cpu", "0", path);
	KEPT_PROBE(command_trace, "-flow", path);
	KEPT_PROBE(command_trace, "-flow", "-json", "-over", "1us", "-depth", "3", path);
	KEPT_PROBE(command_trace, "-flow", "-from", "1us", "-to", "1s", "-width", "40", path);
	KEPT_PROBE(command_trace, "-flow", "-from", "300ns", path);
	KEPT_PROBE(command_trace, "-longest", "*", path);
	KEPT_PROBE(command_trace, "-beside", path);
	KEPT_PROBE(command_trace, "-beside", "-json", path);
	KEPT_PROBE(command_export, "-perfetto", "-", path);
	KEPT_PROBE(command_export, "-speedscope", "-", "-from", "1us", path);
	KEPT_PROBE(command_export, "-html", "-", "-from", "300ns", "-to", "1s", path);
	KEPT_PROBE(command_export, "-html", "-", "-task", "1", path);
	kept_end(fd);
	return 0;
}
