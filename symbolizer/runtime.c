// SPDX-License-Identifier: GPL-2.0-only
/* Runtimes that walk the stacks of programs: see sym_runtime_read(). */
#include <string.h>

#include "internal.h"

/*
 * A static program in C has functions of the unwinder too, from its C library: there only functions of
 * languages count.
 */
static bool is_of_exceptions(const char *name, u32 type)
{
	static const char *const names[] = {
		"__cxa_throw", "__gxx_personality_v0", "rust_eh_personality",
		"_Unwind_RaiseException", "_Unwind_Resume",
	};
	const size_t nr = sizeof(names) / sizeof(names[0]) - (type == SHT_DYNSYM ? 0 : 2);
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool has_exceptions(struct elf_file *file, u32 type)
{
	GElf_Shdr table = { 0 };
	Elf_Scn *section = elf_section(file, NULL, type, &table);
	Elf_Data *data = section ? elf_data(file, section, &table) : NULL;
	struct elf_names names;
	GElf_Sym sym;
	size_t i;

	if (!data || !table.sh_entsize)
		return false;
	names = elf_names(file, table.sh_link);
	for (i = 0; i < data->d_size / table.sh_entsize && gelf_getsym(data, i, &sym); i++)
		if (is_of_exceptions(elf_name(&names, sym.st_name), type))
			return true;
	return false;
}

int sym_runtime_read(int fd, enum sym_runtime *runtime_ret, struct sym_error *error_ret)
{
	struct elf_file file;
	GElf_Shdr header;
	int error = elf_open(fd, &file, error_ret);

	if (error)
		return error;
	if (elf_section(&file, ".go.buildinfo", 0, &header) || elf_section(&file, ".note.go.buildid", 0, &header))
		*runtime_ret = SYM_RUNTIME_GO;
	else if (has_exceptions(&file, SHT_DYNSYM) || has_exceptions(&file, SHT_SYMTAB))
		*runtime_ret = SYM_RUNTIME_EXCEPTIONS;
	else
		*runtime_ret = SYM_RUNTIME_PLAIN;
	elf_close(&file);
	return 0;
}
