// SPDX-License-Identifier: GPL-2.0-only
/* Saved runs of stacks, read by the commands: reports in all formats, and exports. */
#include "kept.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	char path[64];
	int fd = kept_begin(bytes, len, path);

	KEPT_PROBE(command_verify, path);
	KEPT_PROBE(command_show, path);
	KEPT_PROBE(command_flat, "-json", "-min", "1", path);
	KEPT_PROBE(command_flat, "-by", "line", "-sort", "name", "-width", "40", path);
	KEPT_PROBE(command_flat, "-tsv", "-by", "program-object", "-base", "kernel", path);
	KEPT_PROBE(command_flat, "-by", "process", "-n", "3", "-sort", "cumulative", path);
	KEPT_PROBE(command_flat, "-bars", path);
	KEPT_PROBE(command_flat, "-inline", "-tsv", "-by", "line", path);
	KEPT_PROBE(command_calls, "-never", path);
	KEPT_PROBE(command_calls, "-json", "-arcs", "-sort", "name", path);
	KEPT_PROBE(command_graph, "-min", "0", "-base", "machine", path);
	KEPT_PROBE(command_graph, "-no-inline", "-min", "0", path);
	KEPT_PROBE(command_graph, "-json", "-n", "5", "-depth", "3", path);
	KEPT_PROBE(command_graph, "-tree", "-by-process", "-min", "0", path);
	KEPT_PROBE(command_graph, "-tsv", "-callers", "*", path);
	KEPT_PROBE(command_graph, "-focus", "m*", path);
	KEPT_PROBE(command_graph, "-count", "7", "-omit", "f:g", path);
	KEPT_PROBE(command_diff, "-fail-if-worse", "0", path, path);
	KEPT_PROBE(command_diff, "-json", "-sampling-only", path, path);
	KEPT_PROBE(command_export, "-folded", "-", path);
	KEPT_PROBE(command_export, "-pprof", "-", path);
	KEPT_PROBE(command_export, "-pprof", "-", "-no-inline", path);
	KEPT_PROBE(command_export, "-speedscope", "-", path);
	KEPT_PROBE(command_export, "-callgrind", "-", path);
	KEPT_PROBE(command_export, "-html", "-", path);
	kept_end(fd);
	return 0;
}
