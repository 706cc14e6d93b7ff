// SPDX-License-Identifier: GPL-2.0-only
/*
 * arm32 FILE: writes a 32-bit program for arm to FILE and becomes it. For ever, it computes in the functions three
 * and one, for three and one of four instructions, and after each round asks for its parent's pid. Its code is
 * written as numbers, since no compiler for 32 bits need be here.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BASE		0x10000		/* of the file in memory */
#define MOVW_R0(number)	(0xe3000000 | ((number) & 0xf000) << 4 | ((number) & 0xfff))
#define BL(words)	(0xeb000000 | (((words) - 2) & 0xffffff))
#define B(words)	(0xea000000 | (((words) - 2) & 0xffffff))
#define SUBS_R0		0xe2500001	/* subs r0, r0, #1 */
#define BNE_BEFORE	0x1afffffd	/* bne, to the instruction before */
#define RETURN		0xe12fff1e	/* bx lr */

enum { THREE = 6, ONE = 10, CODE_NR = 14 };	/* words of code */

static const struct program {
	Elf32_Ehdr header;
	Elf32_Phdr segment;
	Elf32_Word code[CODE_NR];
	Elf32_Sym symbol[4];
	char names[20];
	Elf32_Shdr section[4];
} program = {
	.header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_ARM, .e_version = EV_CURRENT,
		.e_entry = BASE + offsetof(struct program, code), .e_phoff = offsetof(struct program, segment),
		.e_shoff = offsetof(struct program, section), .e_flags = 0x5000400,	/* EABI, hard float */
		.e_ehsize = sizeof(Elf32_Ehdr), .e_phentsize = sizeof(Elf32_Phdr), .e_phnum = 1,
		.e_shentsize = sizeof(Elf32_Shdr), .e_shnum = 4,
	},
	.segment = {
		.p_type = PT_LOAD, .p_vaddr = BASE, .p_paddr = BASE, .p_filesz = sizeof(struct program),
		.p_memsz = sizeof(struct program), .p_flags = PF_R | PF_X, .p_align = 0x10000,
	},
	.code = {
		BL(THREE - 0), BL(ONE - 1),
		0xe3a07040,	/* mov r7, #64: getppid() */
		0xef000000,	/* svc #0 */
		B(0 - 4),
		0xe7f000f0,	/* an undefined instruction, never reached */
		[THREE] = MOVW_R0(60000), SUBS_R0, BNE_BEFORE, RETURN,
		[ONE] = MOVW_R0(20000), SUBS_R0, BNE_BEFORE, RETURN,
	},
	.symbol = {
		{ 0 },
		{ .st_name = 1, .st_value = BASE + offsetof(struct program, code), .st_size = 4 * THREE,
		  .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1 },
		{ .st_name = 8, .st_value = BASE + offsetof(struct program, code) + 4 * THREE, .st_size = 16,
		  .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1 },
		{ .st_name = 14, .st_value = BASE + offsetof(struct program, code) + 4 * ONE, .st_size = 16,
		  .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1 },
	},
	.names = "\0_start\0three\0one",
	.section = {
		{ 0 },
		{ .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addralign = 4,
		  .sh_addr = BASE + offsetof(struct program, code), .sh_offset = offsetof(struct program, code),
		  .sh_size = sizeof(program.code) },
		{ .sh_type = SHT_SYMTAB, .sh_offset = offsetof(struct program, symbol),
		  .sh_size = sizeof(program.symbol), .sh_link = 3, .sh_info = 1,
		  .sh_entsize = sizeof(Elf32_Sym), .sh_addralign = 4 },
		{ .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct program, names),
		  .sh_size = sizeof(program.names), .sh_addralign = 1 },
	},
};

int main(int argc, char **argv)
{
	int fd;

	if (argc != 2)
		return 2;
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	if (fd < 0 || write(fd, &program, sizeof(program)) != sizeof(program) || close(fd)) {
		perror(argv[1]);
		return 1;
	}
	execl(argv[1], argv[1], (char *)NULL);
	perror(argv[1]);
	return 1;
}
