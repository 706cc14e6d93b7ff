// SPDX-License-Identifier: GPL-2.0-only
/*
 * Line tables of functions that the linker dropped (--gc-sections, equal ones of several units). They remain in the
 * file, with 0 or another low address in place of that of the function. The rows of a long one then lie among those of real
 * code, and libdw, which sorts the rows of a unit, would mix them. See lines_parts.h.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "byte_reader.h"
#include "lines_parts.h"

#define ADDRESS_BYTES	8
#define DROPPED_ADDRESS	0xffffffff00000000	/* above all code, with room for the longest function */

/** The program that makes the line table of a unit. */
struct program {
	struct byte_reader code;
	u8 opcode_base;			/* first opcode without operands, which makes a row */
	const u8 *nr_operands;		/* of the standard opcodes, from 1 on */
};

/* Reads the header of a program. False: malformed, or of an unknown version. */
static bool read_header(struct byte_reader unit, size_t offset_len, struct program *program_ret)
{
	u64 version = read_word(&unit, 2), header_len;

	if (version < 2 || version > 5)
		return false;
	if (version == 5)
		read_bytes(&unit, 2);	/* sizes of addresses */
	header_len = read_word(&unit, offset_len);
	program_ret->code = unit;
	read_bytes(&program_ret->code, header_len);
	/* Least length of an instruction, operations in one, whether rows begin statements, base and range of lines. */
	read_bytes(&unit, version >= 4 ? 5 : 4);
	program_ret->opcode_base = read_byte(&unit);
	program_ret->nr_operands = program_ret->opcode_base ? read_bytes(&unit, program_ret->opcode_base - 1) : NULL;
	return program_ret->nr_operands && !unit.is_bad && !program_ret->code.is_bad;
}

/* Reads an extended opcode, and moves the address that it sets, if it is below all code. Returns whether it did. */
static bool move_address(struct byte_reader *code, u64 code_start)
{
	const u64 dropped = DROPPED_ADDRESS;
	u64 len = read_uleb(code), addr;
	const u8 *operation = read_bytes(code, len);

	if (!operation || len != 1 + ADDRESS_BYTES || operation[0] != DW_LNE_set_address)
		return false;
	memcpy(&addr, operation + 1, ADDRESS_BYTES);
	if (addr >= code_start)
		return false;
	memcpy((u8 *)operation + 1, &dropped, ADDRESS_BYTES);
	return true;
}

static bool move_addresses(struct program *program, u64 code_start)
{
	struct byte_reader *code = &program->code;
	bool is_moved = false;
	u8 opcode, i;

	while (code->at < code->end) {
		opcode = read_byte(code);
		if (!opcode)
			is_moved |= move_address(code, code_start);
		else if (opcode >= program->opcode_base)
			continue;
		else if (opcode == DW_LNS_fixed_advance_pc)
			read_bytes(code, 2);
		else
			for (i = 0; i < program->nr_operands[opcode - 1]; i++)
				read_uleb(code);
	}
	return is_moved;
}

static bool move_units(u8 *bytes, size_t len, u64 code_start)
{
	struct byte_reader section = { .at = bytes, .end = bytes + len }, unit;
	struct program program;
	bool is_moved = false;
	size_t offset_len;
	u64 unit_len;

	while (section.at < section.end) {
		unit_len = read_word(&section, 4);
		offset_len = unit_len == UINT32_MAX ? 8 : 4;
		if (offset_len == 8)
			unit_len = read_word(&section, 8);
		unit = section;
		if (!read_bytes(&section, unit_len))
			break;
		unit.end = section.at;
		if (read_header(unit, offset_len, &program))
			is_moved |= move_addresses(&program, code_start);
	}
	return is_moved;
}

u64 lines_code_start(Elf *elf)
{
	Elf_Scn *section = NULL;
	u64 start = UINT64_MAX;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR && header.sh_size &&
		    header.sh_addr < start)
			start = header.sh_addr;
	return start == UINT64_MAX ? 0 : start;
}

/* Finds the contents of the line tables, as libdw will: decompressed, and the same for each caller. NULL: none. */
static Elf_Data *find_tables(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *name;
	size_t number;

	if (elf_getshdrstrndx(elf, &number))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		name = gelf_getshdr(section, &header) ? elf_strptr(elf, number, header.sh_name) : NULL;
		if (!name || strcmp(name, ".debug_line") || header.sh_type == SHT_NOBITS)
			continue;
		if (header.sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0)
			return NULL;
		return elf_getdata(section, NULL);
	}
	return NULL;
}

int lines_move_dropped(struct sym_lines *lines)
{
	Elf_Data *tables = find_tables(lines->elf);
	u8 *copy;

	if (!tables || !tables->d_buf || !lines->code_start)
		return 0;
	/* Other sections of a malicious file may overlap, headers too: they must stay as they were checked. */
	copy = malloc(tables->d_size + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, tables->d_buf, tables->d_size);
	if (!move_units(copy, tables->d_size, lines->code_start)) {
		free(copy);
		return 0;
	}
	lines->tables = copy;
	tables->d_buf = copy;
	return 0;
}
