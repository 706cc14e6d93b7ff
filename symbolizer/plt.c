// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names for the entries of procedure linkage tables, which no symbol table has. An entry
 * jumps through a slot of the global offset table, and the relocation of that slot names the
 * function. So the jump is decoded; the order of entries differs between linkers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sym_arch.h"

#define NAME_MAX_BYTES	256

/** A slot of the global offset table and the function that its relocation names. */
struct slot {
	u64 addr;
	u64 addend;		/* without a symbol: the address of the IFUNC's resolver */
	const char *name;	/* belongs to the ELF file; NULL: find the name by addend */
};

struct got_slots {
	const struct sym_arch *arch;
	struct slot *slots;
	size_t nr;
	size_t max;
};

static int compare_slots(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static int add_got_slot(struct got_slots *slots, const struct slot *slot)
{
	if (slots->nr == slots->max) {
		size_t max = slots->max ? slots->max * 2 : 256;
		void *more = realloc(slots->slots, max * sizeof(*slots->slots));

		if (!more)
			return -ENOMEM;
		slots->slots = more;
		slots->max = max;
	}
	slots->slots[slots->nr++] = *slot;
	return 0;
}

static int add_relocations(struct elf_file *file, Elf_Scn *section,
			   const GElf_Shdr *header, struct got_slots *slots)
{
	Elf_Data *data = elf_data(file, section, header), *syms = NULL;
	size_t i, nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	Elf_Scn *table = elf_getscn(file->elf, header->sh_link);
	struct elf_names names = { "", 0 };
	GElf_Shdr table_header;
	GElf_Rela rela;
	GElf_Sym sym;
	int error = 0;

	if (nr && table && gelf_getshdr(table, &table_header)) {
		syms = elf_data(file, table, &table_header);
		names = elf_names(file, table_header.sh_link);
	}
	for (i = 0; !error && i < nr && gelf_getrela(data, i, &rela); i++) {
		struct slot slot = { .addr = rela.r_offset, .addend = rela.r_addend };
		u32 type = GELF_R_TYPE(rela.r_info);

		if (type == slots->arch->jump_slot || type == slots->arch->glob_dat) {
			if (!syms || !gelf_getsym(syms, GELF_R_SYM(rela.r_info), &sym))
				continue;
			slot.name = elf_name(&names, sym.st_name);
			if (slot.name[0])
				error = add_got_slot(slots, &slot);
		} else if (type == slots->arch->irelative) {
			error = add_got_slot(slots, &slot);
		}
	}
	return error;
}

static int read_slots(struct elf_file *file, struct got_slots *slots)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	int error = 0;

	while (!error && (section = elf_nextscn(file->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA)
			error = add_relocations(file, section, &header, slots);
	if (slots->nr)
		qsort(slots->slots, slots->nr, sizeof(*slots->slots), compare_slots);
	return error;
}

/*
 * Find the name of an IFUNC by its resolver's address. The symbols are not sorted yet, hence the
 * linear search.
 */
static const char *ifunc_name(const struct builder *builder, size_t nr_syms, u64 resolver)
{
	size_t i;

	for (i = 0; i < nr_syms; i++)
		if (builder->syms[i].start == resolver)
			return builder->syms[i].name;
	return NULL;
}

/* State of a walk over the tables. */
struct plt {
	const struct got_slots *slots;
	struct builder *builder;
	size_t nr_own;		/* number of symbols before the entries of tables */
	size_t nr_lookups;	/* linear searches for IFUNCs so far: limited */
	char *names;
	size_t names_len;
	size_t names_max;
};

static int add_plt_entry(struct plt *plt, const GElf_Shdr *header,
			 const struct sym_plt_entry *entry)
{
	struct slot key = { .addr = entry->slot };
	const struct slot *slot = bsearch(&key, plt->slots->slots, plt->slots->nr,
					  sizeof(key), compare_slots);
	const char *name = slot ? slot->name : NULL;
	u64 end = entry->start + plt->slots->arch->plt_entry_max;
	int len;

	if (!slot)
		return 0;
	if (!name && plt->nr_lookups++ < 256)
		name = ifunc_name(plt->builder, plt->nr_own, slot->addend);
	if (!name || plt->names_max - plt->names_len < NAME_MAX_BYTES)
		return 0;
	len = snprintf(plt->names + plt->names_len, NAME_MAX_BYTES, "%.240s@plt", name);
	name = plt->names + plt->names_len;
	plt->names_len += len + 1;
	if (end > header->sh_addr + header->sh_size)
		end = header->sh_addr + header->sh_size;
	/* An open end, because entries may be shorter: the next symbol or @end bounds it. */
	return builder_add(plt->builder,
			   &(struct raw_sym){ entry->start, entry->start, end, name, 3 });
}

static int add_entries(struct plt *plt, const GElf_Shdr *header, const Elf_Data *data)
{
	struct sym_plt_entry entry;
	size_t at = 0;
	int error = 0;

	while (!error && plt->slots->arch->plt_next(data->d_buf, data->d_size, header->sh_addr,
						    &at, &entry))
		error = add_plt_entry(plt, header, &entry);
	return error;
}

static int add_sections(struct elf_file *file, struct plt *plt)
{
	static const char *const names[] = { ".plt", ".plt.sec", ".plt.got", ".iplt" };
	int error = 0;
	size_t i;

	for (i = 0; !error && i < sizeof(names) / sizeof(names[0]); i++) {
		GElf_Shdr header;
		Elf_Scn *section = elf_section(file, names[i], 0, &header);
		Elf_Data *data = section && header.sh_type == SHT_PROGBITS ?
			elf_data(file, section, &header) : NULL;

		if (data && header.sh_flags & SHF_EXECINSTR &&
		    header.sh_addr + header.sh_size >= header.sh_addr)
			error = add_entries(plt, &header, data);
	}
	return error;
}

int plt_add_symbols(struct elf_file *file, struct builder *builder)
{
	struct got_slots slots = { .arch = sym_arch_of(file->header.e_machine) };
	struct plt plt = { .slots = &slots, .builder = builder, .nr_own = builder->nr_syms };
	int error = 0;

	if (!slots.arch)
		return 0;
	error = read_slots(file, &slots);
	if (!error && slots.nr) {
		plt.names_max = (slots.nr < 65536 ? slots.nr + 1 : 65536) * NAME_MAX_BYTES;
		plt.names = malloc(plt.names_max);
		error = builder_own(builder, plt.names, plt.names_max);
		if (!error) {
			error = add_sections(file, &plt);
			builder_trim(builder, plt.names_len);
		}
	}
	free(slots.slots);
	return error;
}
