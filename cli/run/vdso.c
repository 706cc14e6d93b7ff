// SPDX-License-Identifier: GPL-2.0-only
/* The vdso of this process: see vdso.h. */
#include <stdio.h>
#include <sys/auxv.h>

#include "run/vdso.h"

/* End of the mapping that begins at @start; 0: there is none. */
static unsigned long find_mapping_end(unsigned long start)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long from, to, end = 0;
	char line[4352];

	while (maps && !end && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", &from, &to) == 2 && from == start)
			end = to;
	if (maps)
		fclose(maps);
	return end;
}

const void *vdso_image(size_t *len_ret)
{
	unsigned long start = getauxval(AT_SYSINFO_EHDR);
	unsigned long end = start ? find_mapping_end(start) : 0;

	*len_ret = end - (end ? start : 0);
	return end ? (const void *)start : NULL;
}
