// SPDX-License-Identifier: GPL-2.0-only
/* Virtual machines: see virtual.h. */
#include <stdio.h>
#include <string.h>

#include "base/virtual.h"

static FILE *open_below(const char *root, const char *path)
{
	char name[4096];

	snprintf(name, sizeof(name), "%s%s", root, path);
	return fopen(name, "re");
}

static bool has_hypervisor_flag(const char *root)
{
	FILE *file = open_below(root, "/proc/cpuinfo");
	bool is_found = false;
	char line[4096];

	while (file && !is_found && fgets(line, sizeof(line), file))
		is_found = !strncmp(line, "flags", 5) && strstr(line, " hypervisor");
	if (file)
		fclose(file);
	return is_found;
}

/* "linux,dummy-virt" is the board of QEMU, crosvm and others. */
static bool is_on_virtual_board(const char *root)
{
	FILE *file = open_below(root, "/proc/device-tree/compatible");
	char names[512] = "";
	size_t len;

	if (!file)
		return false;
	len = fread(names, 1, sizeof(names), file);
	fclose(file);
	return memmem(names, len, "dummy-virt", strlen("dummy-virt"));
}

bool virtual_is(const char *root)
{
	return has_hypervisor_flag(root) || is_on_virtual_board(root);
}
