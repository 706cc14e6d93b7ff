// SPDX-License-Identifier: GPL-2.0-only
/* Saved runs of tables, read by the commands probe show, verify and diff, in all formats. */
#include "kept.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t len)
{
	char path[64];
	int fd = kept_begin(bytes, len, path);

	KEPT_PROBE(command_verify, path);
	/* Options of one kind of run are refused for the other. */
	KEPT_PROBE(command_show, path);
	KEPT_PROBE(command_show, "-tsv", path);
	KEPT_PROBE(command_show, "-json", "-percpu", path);
	KEPT_PROBE(command_show, "-tsv", "-n", "3", "-sort", "name", "-of", "cpu", "-ci", "paper",
		   path);
	KEPT_PROBE(command_show, "-json", "-all", "-of", "cpu", path);
	KEPT_PROBE(command_show, "-all", "-width", "40", "-ci", "paper", path);
	KEPT_PROBE(command_show, "-asm", "-all", path);
	KEPT_PROBE(command_show, "-asm", "-json", "-plain", path);
	KEPT_PROBE(command_show, "-html", "/dev/null", path);
	KEPT_PROBE(command_diff, "-tsv", "-fail-if-worse", "0", path, path);
	KEPT_PROBE(command_diff, "-sampling-only", path, path);
	kept_end(fd);
	return 0;
}
