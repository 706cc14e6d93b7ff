// SPDX-License-Identifier: GPL-2.0-only
/* Symbols and their files, made to take hours or gigabytes: see hostile.h. */
#include <elf.h>
#include <errno.h>

#include "code/code.h"
#include "hostile.h"
#include "inputs.h"
#include "internal.h"
#include "run/modfile.h"
#include "sym_unwind.h"

#define MIB	(1UL << 20)

/** A file with headers of its own, and a hole after them. */
struct sparse_file {
	Elf64_Ehdr header;
	Elf64_Phdr code;
	Elf64_Shdr sections[3];
	char names[32];
	Elf64_Chdr packed;
};

static struct sparse_file sparse_file(u64 len)
{
	return (struct sparse_file){
		.header = {
			.e_ident = { 127, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_phoff = offsetof(struct sparse_file, code), .e_phnum = 1,
			.e_shoff = offsetof(struct sparse_file, sections), .e_shnum = 3, .e_shstrndx = 2,
			.e_ehsize = sizeof(Elf64_Ehdr), .e_phentsize = sizeof(Elf64_Phdr),
			.e_shentsize = sizeof(Elf64_Shdr),
		},
		.code = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 4096, .p_memsz = 4096 },
		.sections = {
			[1] = { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addr = 1 << 16,
				.sh_offset = 4096, .sh_size = len - 4096 },
			[2] = { .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct sparse_file, names),
				.sh_size = sizeof(((struct sparse_file *)NULL)->names) },
		},
		.names = "\0.eh_frame",
	};
}

static u64 peak_bytes(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_maxrss * 1024UL;
}

/* The file is read by everything that reads ELF files, in little memory. */
static void read_sparse_bytes(const void *bytes, size_t bytes_len, u64 len)
{
	int fd = memfd_of(bytes, bytes_len);
	double begun = own_seconds();
	u64 before = peak_bytes();
	struct sym_unwind *unwind;
	struct sym_index *index;
	struct sym_lines *lines;
	struct modfile module;
	struct code code;
	char path[32];

	assert_int_equal(ftruncate(fd, len), 0);
	assert_int_not_equal(sym_unwind_create(fd, &unwind, NULL), 0);
	assert_int_not_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_int_not_equal(sym_lines_create(fd, &lines, NULL), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_not_equal(modfile_read(path, &module), 0);
	if (!code_open_file(&code, fd, "sparse", NULL))
		code_close(&code);
	assert_true(peak_bytes() - before < 16 * MIB);
	assert_true(own_seconds() - begun < SECONDS_MAX);
	close(fd);
}

static void read_sparse_file(const struct sparse_file *sparse, u64 len)
{
	read_sparse_bytes(sparse, sizeof(*sparse), len);
}

/* 4 KiB on the disk that claim to be so much call frame information, or so many symbols. */
static void read_holes(u64 len)
{
	struct sparse_file file = sparse_file(len);

	read_sparse_file(&file, len);
	file.sections[1].sh_type = SHT_SYMTAB;
	file.sections[1].sh_entsize = sizeof(Elf64_Sym);
	file.sections[1].sh_link = 2;
	read_sparse_file(&file, len);
}

/* A file of 60 MiB could be read whole if it were on the disk. */
static void sections_that_are_holes(void **state)
{
	read_holes(60 * MIB);
	read_holes(1000 * MIB);
}

/* More headers than the first one can count: their number is in the first section. */
static void headers_that_are_holes(void **state)
{
	const u64 len = 64 * MIB;
	struct sparse_file file = sparse_file(len);

	file.header.e_phnum = PN_XNUM;
	file.sections[0].sh_info = len / sizeof(Elf64_Phdr) - 100;
	read_sparse_file(&file, len);
	file = sparse_file(len);
	file.header.e_shnum = 0;
	file.sections[0].sh_size = len / sizeof(Elf64_Shdr) - 100;
	read_sparse_file(&file, len);
}

/** A file of 32 bits: its header is shorter. */
struct file_32 {
	Elf32_Ehdr header;
	Elf32_Shdr sections[2];
};

static struct file_32 file_32(void)
{
	return (struct file_32){
		.header = {
			.e_ident = { 127, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN, .e_machine = EM_ARM, .e_version = EV_CURRENT,
			.e_shoff = offsetof(struct file_32, sections), .e_shnum = 2,
			.e_ehsize = sizeof(Elf32_Ehdr), .e_shentsize = sizeof(Elf32_Shdr),
		},
	};
}

static void headers_of_32_bits_that_are_holes(void **state)
{
	const u64 len = 64 * MIB;
	struct file_32 file = file_32();

	file.header.e_shnum = 0;
	file.sections[0].sh_size = len / sizeof(Elf32_Shdr) - 100;
	read_sparse_bytes(&file, sizeof(file), len);
}

static void refuse_in_memory(const void *bytes, size_t len, const char *why)
{
	struct sym_unwind *unwind = NULL;
	struct sym_error reason;

	assert_int_equal(sym_unwind_create_memory(bytes, len, &unwind, &reason), -ENOEXEC);
	assert_string_equal(reason.text, why);
	assert_null(unwind);
}

/* The same, with numbers that are right. */
static void headers_in_memory(void **state)
{
	static const char why[] = "more sections than a program has";
	struct sparse_file file = sparse_file(MIB);
	struct file_32 small = file_32();

	file.header.e_phnum = PN_XNUM;
	file.sections[0].sh_info = 1;
	refuse_in_memory(&file, sizeof(file), why);
	file = sparse_file(MIB);
	file.header.e_shnum = 0;
	file.sections[0].sh_size = 3;
	refuse_in_memory(&file, sizeof(file), why);
	small.header.e_shnum = 0;
	small.sections[0].sh_size = 2;
	refuse_in_memory(&small, sizeof(small), why);
}

/* A header of 32 bits has other bytes of the file where a header of 64 bits has its counts. */
static void header_of_another_class(void **state)
{
	static const char why[] = "not a 64-bit little-endian program";
	struct file_32 file = file_32();
	Elf64_Ehdr as_64 = { 0 };

	for (int value = 0; value < 2; value++) {
		as_64.e_phnum = value ? PN_XNUM : 1;
		as_64.e_shnum = value;
		memcpy((char *)&file + sizeof(file.header), (char *)&as_64 + sizeof(file.header),
		       sizeof(as_64) - sizeof(file.header));
		refuse_in_memory(&file, sizeof(file), why);
	}
	refuse_in_memory(&file, sizeof(file.header), why);
}

/* A file of 2 MiB, and the blocks of 512 bytes that the disk has of it. */
static void files_with_holes(void **state)
{
	static const struct {
		u64 len, nr_blocks, stored;
		bool is_mostly_holes;
	} file[] = {
		{ 2 * MIB, 4096, 2 * MIB, false }, { 2 * MIB, 512, 2 * MIB, false },
		{ 2 * MIB, 511, 511 * 4096, false }, { 2 * MIB, 256, MIB, false },
		{ 2 * MIB, 255, 255 * 4096, true }, { 2 * MIB, 0, 2 * MIB, false },
		{ MIB, 8, 8 * 4096, false },
	};

	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		const struct stat info = { .st_size = file[i].len, .st_blocks = file[i].nr_blocks };

		assert_int_equal(bytes_without_holes(&info), file[i].stored);
		assert_int_equal(is_mostly_holes(&info), file[i].is_mostly_holes);
	}
}

/* Debug information is read whole, so a file of holes is refused, and one that says how much it is when unpacked. */
static void debug_information_that_is_holes(void **state)
{
	const u64 len = 1000 * MIB;
	struct sparse_file file = sparse_file(len);
	struct sym_lines *lines = NULL;
	int fd;

	memcpy(file.names, "\0.debug_line\0.zdebug_info", 26);
	file.sections[1].sh_size = 64;
	read_sparse_file(&file, len);
	fd = memfd_of(&file, sizeof(file));
	assert_int_equal(ftruncate(fd, len), 0);
	assert_true(sym_debug_len(fd) == UINT64_MAX);
	assert_int_equal(sym_lines_create(fd, &lines, NULL), -EFBIG);
	assert_int_equal(ftruncate(fd, 8192), 0);
	assert_int_equal(sym_debug_len(fd), 64);
	close(fd);
	/* libdw would believe this section's own length. */
	file.sections[2].sh_name = 13;
	fd = memfd_of(&file, sizeof(file));
	assert_int_equal(ftruncate(fd, 8192), 0);
	assert_int_equal(sym_debug_len(fd), 0);
	close(fd);
	/* And this one's, whatever its name. */
	file = sparse_file(MIB);
	file.packed = (Elf64_Chdr){ .ch_type = ELFCOMPRESS_ZLIB, .ch_size = 2UL << 30, .ch_addralign = 1 };
	file.sections[1].sh_offset = offsetof(struct sparse_file, packed);
	file.sections[1].sh_size = sizeof(file.packed);
	file.sections[1].sh_flags = SHF_COMPRESSED;
	fd = memfd_of(&file, sizeof(file));
	assert_int_equal(sym_lines_create(fd, &lines, NULL), -EFBIG);
	assert_null(lines);
	close(fd);
}

/* Many file systems keep a file in less than its size, though not in a thousandth. */
static void a_part_may_be_holes(void **state)
{
	const u64 len = MIB;
	struct sparse_file sparse = sparse_file(len);
	int fd = memfd_of(&sparse, sizeof(sparse));
	char stored[MIB / 4] = { 0 };
	struct elf_file file;
	GElf_Shdr header;

	assert_int_equal(pwrite(fd, stored, sizeof(stored), len - sizeof(stored)), sizeof(stored));
	assert_int_equal(elf_open(fd, &file, NULL), 0);
	assert_non_null(elf_section(&file, ".eh_frame", 0, &header));
	assert_non_null(elf_data(&file, elf_getscn(file.elf, 1), &header));
	elf_close(&file);
	close(fd);
}

/*
 * Ten sections, each of which covers most of the file: the sections read amount to at most twice
 * the size of the file.
 */
static void read_sections_that_overlap(u64 len)
{
	enum { NR = 10, LEN = 1 << 16 };
	union {
		struct {
			Elf64_Ehdr header;
			Elf64_Shdr sections[1 + NR];
		};
		char bytes[LEN];
	} *bytes = calloc(1, sizeof(*bytes));
	struct elf_file file;
	GElf_Shdr header;

	bytes->header = (Elf64_Ehdr){
		.e_ident = { 127, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_shoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 1 + NR,
	};
	for (int i = 1; i <= NR; i++)
		bytes->sections[i] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_size = len };
	assert_int_equal(elf_open_memory(bytes->bytes, LEN, &file, NULL), 0);
	for (int round = 0; round < 2; round++)
		for (int i = 1; i <= NR; i++) {
			Elf_Scn *section = elf_getscn(file.elf, i);

			assert_non_null(gelf_getshdr(section, &header));
			assert_int_equal(elf_data(&file, section, &header) != NULL, i <= 2);
		}
	elf_close(&file);
	/* To learn how long a section is when unpacked, it is read too. */
	for (int i = 1; i <= NR; i++)
		bytes->sections[i].sh_flags = SHF_COMPRESSED;
	assert_int_equal(elf_open_memory(bytes->bytes, LEN, &file, NULL), 0);
	for (int i = 1; i <= NR; i++) {
		Elf_Scn *section = elf_getscn(file.elf, i);

		assert_non_null(gelf_getshdr(section, &header));
		assert_int_equal(elf_unpacked_len(&file, section, &header) != UINT64_MAX, i <= 2);
	}
	elf_close(&file);
	free(bytes);
}

static void sections_that_overlap(void **state)
{
	read_sections_that_overlap(1 << 16);
	read_sections_that_overlap(3 << 14);
}

/* 200,000 symbols at one address, whose names are suffixes of one name of 8 MiB. */
static void names_share_their_end(void **state)
{
	enum { NR = 200000, NAMES = 8 << 20 };
	struct {
		Elf64_Ehdr header;
		Elf64_Shdr sections[4];
		Elf64_Sym syms[NR];
		char names[NAMES];
	} *file = calloc(1, sizeof(*file));
	struct sym_index *index;
	u64 addr;
	int fd;

	file->header = (Elf64_Ehdr){
		.e_ident = { 127, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_shoff = offsetof(typeof(*file), sections), .e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 4,
	};
	file->sections[1] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_addr = 4096, .sh_size = 64,
					  .sh_flags = SHF_ALLOC | SHF_EXECINSTR };
	file->sections[2] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_link = 3,
		.sh_offset = offsetof(typeof(*file), syms), .sh_size = sizeof(file->syms),
		.sh_entsize = sizeof(Elf64_Sym) };
	file->sections[3] = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
		.sh_offset = offsetof(typeof(*file), names), .sh_size = NAMES };
	memset(file->names + 1, 'a', NAMES - 2);
	for (int i = 0; i < NR; i++)
		file->syms[i] = (Elf64_Sym){ .st_name = 1 + i, .st_shndx = 1, .st_value = 4096,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) };
	fd = memfd_of(file, sizeof(*file));
	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_int_equal(sym_index_size(index), 1);
	assert_true(sym_index_agreement(index, index) == 1);
	assert_false(sym_index_by_name(index, "aaa::aaa", &addr));
	sym_index_destroy(index);
	close(fd);
	free(file);
}

/* 60,000 sections, whose names are suffixes of one name of 8 MiB. */
static void sections_share_their_names(void **state)
{
	enum { NR = 60000, NAMES = 8 << 20 };
	struct {
		Elf64_Ehdr header;
		Elf64_Shdr sections[NR];
		char names[NAMES];
	} *file = calloc(1, sizeof(*file));
	struct sym_lines *lines;
	int fd;

	file->header = (Elf64_Ehdr){
		.e_ident = { 127, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_shoff = offsetof(typeof(*file), sections), .e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3, .e_shstrndx = 1,
	};
	memset(file->names + 1, 'a', NAMES - 14);
	memcpy(file->names + NAMES - 13, "\0.debug_line", 13);
	for (int i = 1; i < NR; i++)
		file->sections[i] = (Elf64_Shdr){ .sh_name = i, .sh_type = SHT_PROGBITS };
	file->sections[1].sh_type = SHT_STRTAB;
	file->sections[1].sh_offset = offsetof(typeof(*file), names);
	file->sections[1].sh_size = NAMES;
	file->sections[2].sh_name = NAMES - 12;
	file->sections[2].sh_offset = offsetof(typeof(*file), names);
	file->sections[2].sh_size = 16;
	fd = memfd_of(file, sizeof(*file));
	assert_int_equal(sym_debug_len(fd), 0);
	file->header.e_shnum = NR;
	assert_int_equal(pwrite(fd, file, sizeof(*file), 0), sizeof(*file));
	assert_int_equal(sym_debug_len(fd), 0);
	assert_int_equal(sym_lines_create(fd, &lines, NULL), -ENODATA);
	close(fd);
	free(file);
}

static void one_name_for_all(void **state)
{
	enum { NR = 100000, LINE = 13 };
	struct sym_index *index;
	char *text = malloc(NR * LINE + 1);
	int fd;

	for (int i = 0; i < NR; i++)
		sprintf(text + i * LINE, "%08x T a\n", 4096 + i);
	fd = memfd_of(text, NR * LINE);
	assert_int_equal(sym_index_create_text(fd, &index, NULL), 0);
	assert_int_equal(sym_index_size(index), NR);
	assert_true(sym_index_agreement(index, index) == 1);
	sym_index_destroy(index);
	close(fd);
	free(text);
}

/* Each substitution repeats the previous one twice: 30 of them would make a gigabyte. */
static void names_that_double(void **state)
{
	char cxx[512] = "_Z1fISt4pairIiiE", rust[512] = "_RINvC1a1fTllE", readable[64];
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct sym sym = { .name = cxx };
	int at = 10, len;
	char ref[8];

	for (int i = 1; i <= 30; i++)
		sprintf(cxx + strlen(cxx), "S0_IS%c_S%c_E", i < 10 ? '0' + i : 'A' + i - 10,
			i < 10 ? '0' + i : 'A' + i - 10);
	strcat(cxx, "Evv");
	assert_null(name_demangle(cxx));
	sym_name(&sym, readable, sizeof(readable));
	assert_memory_equal(readable, "_Z1fISt4pairIiiE", 16);
	/* The first tuple is 8 bytes after "_R"; the others are 8 or 6 bytes long. */
	for (at = 8, len = 4; strlen(rust) < 250; at = strlen(rust) - 2 - len) {
		if (at - 1 < 62)
			sprintf(ref, "B%c_", digits[at - 1]);
		else
			sprintf(ref, "B%c%c_", digits[(at - 1) / 62], digits[(at - 1) % 62]);
		len = sprintf(rust + strlen(rust), "T%s%sE", ref, ref);
	}
	strcat(rust, "E");
	assert_null(name_demangle(rust));
	rust[14] = 'E', rust[15] = '\0';
	sym.name = rust;
	sym_name(&sym, readable, sizeof(readable));
	assert_string_equal(readable, "a::f::<(i32, i32)>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIMITED(sections_that_are_holes), LIMITED(headers_that_are_holes),
		LIMITED(headers_of_32_bits_that_are_holes), LIMITED(headers_in_memory),
		LIMITED(header_of_another_class), LIMITED(files_with_holes),
		LIMITED(debug_information_that_is_holes),
		LIMITED(a_part_may_be_holes),
		LIMITED(sections_that_overlap), LIMITED(names_share_their_end),
		LIMITED(sections_share_their_names),
		LIMITED(one_name_for_all), LIMITED(names_that_double),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
