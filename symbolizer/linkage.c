// SPDX-License-Identifier: GPL-2.0-only
/* The linkage table of a file whose call frame information leaves it out: see call_frames.h. */
#include <errno.h>
#include <stdlib.h>

#include "call_frames.h"
#include "internal.h"

int linkage_add(struct elf_file *file, const struct sym_arch *arch, struct cfi_entries *entries)
{
	struct cfi_function *functions;
	GElf_Shdr header;
	Elf_Scn *section = arch->linkage_rows ? elf_section(file, ".plt", 0, &header) : NULL;
	Elf_Data *data = section ? elf_data(file, section, &header) : NULL;

	if (!data || header.sh_offset + data->d_size > CFI_PLACES)
		return 0;
	functions = reallocarray(entries->functions, entries->nr_functions + 1, sizeof(*functions));
	if (!functions)
		return -ENOMEM;
	entries->functions = functions;
	entries->max_functions = entries->nr_functions + 1;
	functions[entries->nr_functions++] = (struct cfi_function){
		.start = header.sh_addr, .len = data->d_size, .place = header.sh_offset,
		.common = CFI_LINKAGE, .program = UINT32_MAX,
	};
	entries->nr_linkage = arch->linkage_rows(data->d_buf, data->d_size, entries->linkage);
	return 0;
}
