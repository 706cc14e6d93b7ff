// SPDX-License-Identifier: GPL-2.0-only
/* Symbols of files made for the tests: symbolizer/elf.c, object.c, plt.c, xz.c, maps.c. */
#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>

#include "directory.h"
#include "inputs.h"

static int open_made(const char *name)
{
	int fd = open(in_directory(name), O_RDONLY);

	assert_true(fd >= 0);
	return fd;
}

static struct sym_index *index_of(const char *name)
{
	struct sym_index *index = NULL;
	int fd = open_made(name);

	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	close(fd);
	return index;
}

static bool knows(const struct sym_index *index, const char *name)
{
	u64 addr;

	return sym_index_by_name(index, name, &addr);
}

/* The name shown for an alias. */
static const char *shown_for(const struct sym_index *index, const char *name)
{
	u64 addr;

	assert_true(sym_index_by_name(index, name, &addr));
	return sym_index_find(index, addr)->name;
}

static u64 len_of(const struct sym_index *index, const char *name)
{
	u64 addr;
	const struct sym *sym;

	assert_true(sym_index_by_name(index, name, &addr));
	sym = sym_index_find(index, addr);
	return sym->end - sym->start;
}

/*
 * The output of an assembler: functions and mere labels; global, weak and local; sizes that are too
 * large; a label after the last instruction.
 */
static void symbols_of_all_kinds(void **state)
{
	struct sym_index *index;
	struct sym_error error;
	int fd;

	sh("printf '.text\\n"
	   ".type local,@function\\nlocal:\\n.weak weaker\\n.type weaker,@function\\nweaker:\\n"
	   " nop\\n ret\\n.size local,2\\n.size weaker,2\\n"
	   ".weak weak\\n.type weak,@function\\nweak:\\n.globl globally\\n"
	   ".type globally,@function\\nglobally:\\n nop\\n ret\\n.size weak,2\\n.size globally,2\\n"
	   ".globl label\\nlabel:\\n.type named,@function\\nnamed:\\n nop\\n ret\\n.size named,2\\n"
	   ".globl chosen\\n.type chosen,@gnu_indirect_function\\nchosen:\\n nop\\n ret\\n"
	   ".size chosen,2\\n.Lhidden: nop\\n"
	   ".globl large\\n.type large,@function\\nlarge:\\n nop\\n ret\\n.size large,1000\\n"
	   "end_label:\\n.data\\n.globl data\\n.type data,@object\\ndata: .long 1\\n"
	   ".globl misplaced\\n.type misplaced,@function\\nmisplaced: .long 1\\n"
	   "' >a.s && as -L -o a.o a.s && ld -shared -o a.so a.o");
	index = index_of("a.so");
	assert_string_equal(shown_for(index, "local"), "weaker");
	assert_string_equal(shown_for(index, "weak"), "globally");
	/* A function takes precedence over a label, even a global one. */
	assert_string_equal(shown_for(index, "label"), "named");
	assert_true(knows(index, "chosen"));
	assert_false(knows(index, ".Lhidden"));
	assert_false(knows(index, "data"));
	assert_false(knows(index, "misplaced"));
	assert_false(knows(index, "end_label"));
	assert_int_equal(len_of(index, "large"), 2);
	sym_index_destroy(index);
	/* An object file has no addresses yet. */
	fd = open_made("a.o");
	assert_int_equal(sym_index_create_elf(fd, &index, &error), -ENOEXEC);
	assert_string_equal(error.text, "neither an executable nor a shared object");
	close(fd);
}

/** An ELF file of program headers only, and the data they point to. */
struct image_file {
	Elf64_Ehdr header;
	Elf64_Phdr segment[14];
	struct { Elf64_Nhdr head; char name[4]; u8 bytes[8]; } note[3];
	char interpreter[16];
};

static void add_segment(struct image_file *file, u32 type, u32 flags, u64 offset,
			u64 addr, u64 filesz, u64 memsz)
{
	file->segment[file->header.e_phnum++] = (Elf64_Phdr){
		.p_type = type, .p_flags = flags, .p_offset = offset, .p_vaddr = addr,
		.p_filesz = filesz, .p_memsz = memsz,
	};
}

static struct image_file *new_image(void)
{
	static struct image_file file;

	file = (struct image_file){
		.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			    .e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = 1,
			    .e_phoff = offsetof(struct image_file, segment),
			    .e_ehsize = sizeof(Elf64_Ehdr), .e_phentsize = sizeof(Elf64_Phdr) },
		.note = {
			{ { 4, 8, NT_GNU_ABI_TAG }, "GNU", { 9 } },
			{ { 4, 8, NT_GNU_BUILD_ID }, "XYZ", { 8 } },
			{ { 4, 8, NT_GNU_BUILD_ID }, "GNU", { 1, 2, 3, 4, 5, 6, 7, 8 } },
		},
		.interpreter = "/lib/l\033d.so",
	};
	return &file;
}

static int read_image(const struct image_file *file, struct sym_image *image_ret)
{
	int fd = memfd_of(file, sizeof(*file));
	int error = sym_image_read(fd, image_ret, NULL);
	close(fd);
	return error;
}

/* The lowest and the highest address of code, including memory beyond the file's bytes. */
static void images(void **state)
{
	struct image_file *file = new_image();
	struct sym_image image = { .nr_segments = 77 };

	add_segment(file, PT_LOAD, PF_R, 0, 0x10000, 0x800, 0x800);
	assert_int_equal(read_image(file, &image), -ENOEXEC);
	assert_int_equal(image.nr_segments, 77);
	add_segment(file, PT_LOAD, PF_R | PF_X, 0x1000, 0x21000, 0x100, 0x300);
	add_segment(file, PT_LOAD, PF_R | PF_X, 0x3000, 0x43000, 0x200, 0x200);
	add_segment(file, PT_LOAD, PF_R | PF_X, 0x2000, 0x32000, 0x50, 0x60);
	add_segment(file, PT_LOAD, PF_R | PF_W, 0x4000, 0x54000, 0x10, 0x9000);
	add_segment(file, PT_NOTE, PF_R, offsetof(struct image_file, note), 0, sizeof(file->note),
		    0);
	add_segment(file, PT_INTERP, PF_R, offsetof(struct image_file, interpreter), 0,
		    sizeof(file->interpreter), 0);
	assert_int_equal(read_image(file, &image), 0);
	assert_int_equal(image.load_start, 0x10000);
	assert_int_equal(image.code_start, 0x21000);
	assert_int_equal(image.code_end, 0x43200);
	assert_int_equal(image.nr_segments, 3);
	assert_int_equal(image.segment[0].offset, 0x1000);
	assert_int_equal(image.segment[0].len, 0x100);
	assert_int_equal(image.segment[0].addr, 0x21000);
	assert_int_equal(image.segment[2].addr, 0x32000);
	assert_int_equal(image.build_id_len, 8);
	assert_int_equal(image.build_id[7], 8);
	assert_string_equal(image.interpreter, "/lib/l?d.so");
	/* The last segment of code has memory beyond its bytes. */
	file = new_image();
	add_segment(file, PT_LOAD, PF_R | PF_X, 0x1000, 0x1000, 0x100, 0x5000);
	assert_int_equal(read_image(file, &image), 0);
	assert_int_equal(image.code_end, 0x6000);
	/* More segments than are stored; none that wraps, and none that is empty. */
	file = new_image();
	for (u64 i = 0; i < 10; i++)
		add_segment(file, PT_LOAD, PF_X, 0x1000 * i, 0x1000 * i, 0x10, 0x10);
	add_segment(file, PT_LOAD, PF_X, 0, 0xfffffffffffff000, 0x10, 0x2000);
	add_segment(file, PT_LOAD, PF_X, 0, 0x90000, 0, 0);
	assert_int_equal(read_image(file, &image), 0);
	assert_int_equal(image.nr_segments, SYM_SEGMENTS_MAX);
	assert_int_equal(image.code_end, 0x9010);
}

/* The header of a file of the other byte order. */
static void swap_header(Elf64_Ehdr *header)
{
	header->e_ident[EI_DATA] = ELFDATA2MSB;
	header->e_type = htobe16(header->e_type);
	header->e_machine = htobe16(EM_AARCH64);
	header->e_version = htobe32(header->e_version);
	header->e_phoff = htobe64(header->e_phoff);
	header->e_ehsize = htobe16(header->e_ehsize);
	header->e_phentsize = htobe16(header->e_phentsize);
	header->e_phnum = htobe16(header->e_phnum);
}

/* A file of a big-endian processor, or one that only says so, is refused by name, whatever is read of it. */
static void other_byte_order(void **state)
{
	struct sym_index *const none = (void *)state;

	for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
		struct image_file *file = new_image();
		struct sym_image image = { .nr_segments = 77 };
		struct sym_index *index = none;
		struct sym_error error = { "" };
		int fd;

		add_segment(file, PT_LOAD, PF_R | PF_X, 0x1000, 0x1000, 0x100, 0x100);
		if (is_swapped)
			swap_header(&file->header);
		else
			file->header.e_ident[EI_DATA] = ELFDATA2MSB;
		fd = memfd_of(file, sizeof(*file));
		assert_int_equal(sym_index_create_elf(fd, &index, &error), -ENOEXEC);
		assert_ptr_equal(index, none);
		if (is_swapped)
			assert_string_equal(error.text, "not a 64-bit little-endian program");
		assert_int_equal(sym_image_read(fd, &image, &error), -ENOEXEC);
		assert_int_equal(image.nr_segments, 77);
		close(fd);
	}
}

/*
 * IFUNC symbols have PLT entries too, named after the resolver. In a static program the entries are
 * 8 bytes long, and sh_entsize does not say so: each entry keeps its own name.
 */
static void entries_of_chosen_functions(void **state)
{
	static const char *const names[] = { "choose_0@plt", "choose_1@plt", "choose_2@plt" };
	struct sym_index *index;
	u64 addr[3];

	/* The first symbol in the table has the higher address. */
	sh("{ echo 'static int first(int n) { return n; }'; "
	   "for i in 0 1 2; do printf 'static int f%d(int n) { return first(n) + %d; }\n"
	   "__attribute__((section(\".text.unlikely\")))"
	   "static void *choose_%d(void) { return f%d; }\n"
	   "int chosen_%d(int) __attribute__((ifunc(\"choose_%d\")));\n' $i $i $i $i $i $i; done; "
	   "echo 'void _start(void) { chosen_0(chosen_1(chosen_2(1))); for (;;); }'; } >s.c && "
	   "cc -O0 -fno-stack-protector -fcf-protection=none -nostdlib -static -no-pie -o s s.c");
	index = index_of("s");
	for (int i = 0; i < 3; i++) {
		assert_true(sym_index_by_name(index, names[i], &addr[i]));
		assert_string_equal(shown_for(index, names[i]), names[i]);
		assert_int_equal(len_of(index, names[i]), 8);
	}
	assert_int_equal(addr[0] + addr[1] + addr[2], 3 * (addr[0] < addr[2] ? addr[0] : addr[2]) +
			 24);
	sym_index_destroy(index);
}

/* Names packed into several blocks; a debug file whose link's name is a multiple of four long. */
static void packed_and_linked(void **state)
{
	static const char *const links[] = { "abc.debug", "abcd.debug", "abcde.debug",
					     "abcdef.debug" };
	struct sym_origin origin;
	struct sym_index *index;
	char command[512];
	int fd;

	sh("printf '.text\\n.globl shown\\n.type shown,@function\\nshown: nop\\n"
	   ".type hidden,@function\\nhidden: nop\\n' >p.s && as -o p.o p.s && "
	   "ld -shared --build-id=none -o p p.o && objcopy --only-keep-debug p p.debug && "
	   "objcopy --strip-all p p.bare && cp p.debug keep && truncate -s 65536 keep && "
	   "xz -k --block-size=16384 keep && "
	   "objcopy --add-section .gnu_debugdata=keep.xz p.bare p.packed");
	index = index_of("p.packed");
	assert_true(knows(index, "hidden"));
	sym_index_destroy(index);
	index = index_of("p.bare");
	assert_false(knows(index, "hidden"));
	sym_index_destroy(index);
	for (int i = 0; i < 4; i++) {
		snprintf(command, sizeof(command), "cp p.debug %s && "
			 "objcopy --add-gnu-debuglink=%s p.bare p.linked", links[i], links[i]);
		sh(command);
		fd = open_made("p.linked");
		assert_int_equal(sym_index_create_object(fd, in_directory("p.linked"), NULL, &index,
							 &origin, NULL), 0);
		close(fd);
		assert_true(knows(index, "hidden"));
		assert_string_equal(origin.path, in_directory(links[i]));
		sym_index_destroy(index);
	}
}

/* A table of all symbols that has lost most of them; and a whole one, whose names have versions. */
static void partial_and_whole_tables(void **state)
{
	struct sym_index *index;
	u64 addr;

	sh("printf '.text\\n.globl shown\\n.type shown,@function\\nshown: nop\\n"
	   ".globl mark\\nmark:\\n.globl marked\\n.type marked,@function\\nmarked: nop\\n"
	   ".type hidden,@function\\nhidden: nop\\n"
	   ".globl old_way\\n.type old_way,@function\\nold_way: nop\\n.symver old_way,way@V1,remove\\n"
	   ".globl new_way\\n.type new_way,@function\\nnew_way: nop\\n.symver new_way,way@@V2,remove\\n' >v.s && "
	   "echo 'V1 { }; V2 { };' >v.map && as -o v.o v.s && ld -shared --version-script v.map -o v v.o && "
	   "objcopy --strip-all --keep-symbol=hidden --keep-symbol=mark v v.partial");
	index = index_of("v.partial");
	assert_true(knows(index, "hidden"));
	assert_true(knows(index, "shown"));
	/* A function takes precedence over a label of the other table. */
	assert_string_equal(shown_for(index, "mark"), "marked");
	sym_index_destroy(index);
	index = index_of("v");
	assert_string_equal(shown_for(index, "way@V1"), "way@V1");
	assert_true(sym_index_by_name(index, "way", &addr));
	assert_string_equal(sym_index_find(index, addr)->name, "way");
	sym_index_destroy(index);
}

/* Holes of a file do not count in the limit of what its packed symbols unpack to. */
static void holes_are_no_bytes(void **state)
{
	struct sym_index *index;

	/* Long names that are alike: they pack to a hundredth. */
	sh("a=$(printf '%0300d' 0 | tr 0 a) && "
	   "printf '.text\\n.globl shown\\n.type shown,@function\\nshown: nop\\n' >q.s && "
	   "for i in $(seq 20000); do echo \"$a$i: nop\"; done >>q.s && as -o q.o q.s && "
	   "ld -shared -o q q.o && objcopy --strip-all q q.bare && xz -k q && "
	   "objcopy --add-section .gnu_debugdata=q.xz q.bare q.packed && truncate -s 80M q.packed");
	index = index_of("q.packed");
	assert_int_equal(sym_index_size(index), 1);
	assert_true(knows(index, "shown"));
	sym_index_destroy(index);
}

/* Tables of DWARF 4 and line tables 2, by hand: the assembler makes no overlaps and no line 0. */
static const char overlapping[] =
	".text\n.globl f\n.type f,@function\nf: .fill 100,1,0x90\n.size f,.-f\n"
	".section .debug_abbrev,\"\",@progbits\n"
	".byte 1,0x11,0,0x10,0x17,0x11,1,0x12,7,0,0,0\n"
	".section .debug_info,\"\",@progbits\n"
	".long 28\n.short 4\n.long 0\n.byte 8,1\n.long 0\n.quad f,100\n"
	".long 28\n.short 4\n.long 0\n.byte 8,1\n.long 0\n.quad f+10,10\n"
	".section .debug_line,\"\",@progbits\n"
	".long 3f-1f\n1: .short 2\n.long 2f-.-4\n.byte 1,1,-5,14,10,0,1,1,1,1,0,0,0,1\n"
	".byte 0\n.asciz \"x.c\"\n.byte 0,0,0,0\n2: .byte 0,9,2\n.quad f\n.byte 1\n"
	".rept 8\n.byte 2,10,3,1,1\n.endr\n.byte 2,10,3,0x77,1,2,10,0,1,1\n3:\n";

/*
 * Two overlapping units: 100 bytes of one, of which the 11th to 20th also belong to the other;
 * lines from 1 on in tens, except the last ten bytes, which belong to no line.
 */
static void units_that_overlap(void **state)
{
	struct sym_lines *lines;
	struct sym_index *index;
	const char *file;
	u64 addr;
	u32 line;
	int fd;

	write_file(in_directory("o.s"), overlapping);
	sh("as -o o.o o.s && ld -shared -o o.so o.o");
	index = index_of("o.so");
	assert_true(sym_index_by_name(index, "f", &addr));
	sym_index_destroy(index);
	fd = open_made("o.so");
	assert_int_equal(sym_lines_create(fd, &lines, NULL), 0);
	close(fd);
	for (u32 at = 0; at < 90; at++) {
		assert_true(sym_lines_find(lines, addr + at, &file, &line));
		assert_int_equal(line, 1 + at / 10);
	}
	for (u32 at = 90; at < 101; at++)
		assert_false(sym_lines_find(lines, addr + at, &file, &line));
	assert_false(sym_lines_find(lines, addr - 1, &file, &line));
	sym_lines_destroy(lines);
}

/* 300 units of DWARF 4 that share one list of 20000 empty ranges: reading six million ones takes too long. */
static const char shared_ranges[] =
	".text\nf: nop\n"
	".section .debug_abbrev,\"\",@progbits\n.byte 1,0x11,0,0x11,1,0x55,0x17,0,0,0\n"
	".section .debug_info,\"\",@progbits\n"
	".rept 300\n.long 20\n.short 4\n.long 0\n.byte 8,1\n.quad f\n.long 0\n.endr\n"
	".section .debug_ranges,\"\",@progbits\n.rept 20000\n.quad 8,8\n.endr\n.quad 0,0\n"
	".section .debug_line,\"\",@progbits\n.long 0\n";

static void units_that_share_ranges(void **state)
{
	struct sym_lines *lines;
	int fd;

	write_file(in_directory("r.s"), shared_ranges);
	sh("as -o r.o r.s && ld -shared -o r.so r.o");
	fd = open_made("r.so");
	assert_int_equal(sym_lines_create(fd, &lines, NULL), -ENOMEM);
	close(fd);
	sh("sed 's/rept 300/rept 200/' r.s >s.s && as -o s.o s.s && ld -shared -o s.so s.o");
	fd = open_made("s.so");
	assert_int_equal(sym_lines_create(fd, &lines, NULL), 0);
	sym_lines_destroy(lines);
	close(fd);
}

/* Empty mappings are ignored; executable ones are kept, whatever other access they allow. */
static void odd_maps(void **state)
{
	char text[] = "1000-1000 r-xp 00000000 00:00 0 empty\n"
		      "2000-3000 --xp 00000000 00:00 0 only\n"
		      "4000-5000 rwxs 00002000 08:01 7 (deleted)\n"
		      "6000-7000 rw-p 00000000 00:00 0 data\n"
		      "8000-9000 r-xp 00000000 00:00 0 odd (deleted) \n"
		      "a000-b000 r-x 00000000 00:00 0 short\n";
	struct sym_maps maps;

	assert_int_equal(sym_maps_parse(text, &maps), 0);
	assert_int_equal(maps.nr, 3);
	assert_string_equal(maps.maps[0].path, "only");
	/* Nothing of the name would remain. */
	assert_string_equal(maps.maps[1].path, "(deleted)");
	assert_false(maps.maps[1].is_deleted);
	assert_int_equal(maps.maps[1].offset, 0x2000);
	assert_int_equal(maps.maps[1].dev_major, 8);
	assert_int_equal(maps.maps[1].dev_minor, 1);
	assert_int_equal(maps.maps[1].inode, 7);
	assert_false(maps.maps[2].is_deleted);
	sym_maps_deinit(&maps);
	assert_int_equal(maps.nr, 0);
}

/* One hidden address hides all of them; adjacent modules keep their sizes. */
static void odd_modules(void **state)
{
	static const struct { const char *text; int error; size_t nr; } cases[] = {
		{ "a 4096 0 - Live 0x0000000000000000\nb 4096 0 - Live 0xffffffffc0000000\n",
		  -EACCES, 0 },
		{ "a 4096 0 - Live 0xffffffffc0000000\nb 8192 0 - Live 0xffffffffc0001000\n",
		  0, 2 },
		{ "a 4096 0 - Live 0xfffffffffffff000\n", 0, 0 }, { "", 0, 0 },
	};
	struct sym_maps maps;
	char path[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int fd = memfd_of(cases[i].text, strlen(cases[i].text));

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		assert_int_equal(sym_modules_read(path, &maps), cases[i].error);
		close(fd);
		if (cases[i].error)
			continue;
		assert_int_equal(maps.nr, cases[i].nr);
		if (maps.nr) {
			assert_int_equal(maps.maps[0].end, 0xffffffffc0001000);
			assert_int_equal(maps.maps[1].end, 0xffffffffc0003000);
		}
		sym_maps_deinit(&maps);
	}
}

/* The bytes that each entry of a PLT covers. */
static u64 plt_bytes(const struct sym_index *index, const char *name)
{
	u64 addr;

	assert_true(sym_index_by_name(index, name, &addr));
	assert_int_equal(sym_index_find(index, addr)->entry, addr);
	assert_string_equal(sym_index_find(index, addr)->name, name);
	return sym_index_find(index, addr)->end - addr;
}

/*
 * GNU ld makes entries of 8 bytes for functions that are both called and have their address taken,
 * and of 16 bytes for functions that are only called.
 */
static void entries_of_8_bytes(void **state)
{
	static const char *const names[] = { "puts@plt", "malloc@plt", "strlen@plt" };
	struct sym_index *index;
	u64 addr[3];

	write_file(in_directory("lazy.c"),
		   "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
		   "void *volatile p[3];\nint main(int n, char **v)\n{\n"
		   "p[0] = puts;p[1] = malloc;p[2] = strlen;puts(*v);\n"
		   "return strlen(*v) + (malloc(n) != 0) + atoi(*v);\n}\n");
	sh("cc -O0 -fno-builtin -fcf-protection=none -Wl,-z,lazy -o lazy lazy.c");
	index = index_of("lazy");
	for (int i = 0; i < 3; i++) {
		assert_true(sym_index_by_name(index, names[i], &addr[i]));
		assert_int_equal(addr[i] % 8, 0);
		assert_true(plt_bytes(index, names[i]) >= 8);
	}
	/* Adjacent: at three addresses of 24 bytes. */
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < i; k++)
			assert_in_range(addr[i] - addr[k] + 16, 0, 32);
	assert_int_equal(plt_bytes(index, "atoi@plt"), 16);
	sym_index_destroy(index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(partial_and_whole_tables),
		cmocka_unit_test(holes_are_no_bytes),
		cmocka_unit_test(symbols_of_all_kinds), cmocka_unit_test(images),
		cmocka_unit_test(other_byte_order),
		cmocka_unit_test(entries_of_chosen_functions), cmocka_unit_test(packed_and_linked),
		cmocka_unit_test(units_that_overlap), cmocka_unit_test(units_that_share_ranges),
		cmocka_unit_test(odd_maps),
		cmocka_unit_test(odd_modules), cmocka_unit_test(entries_of_8_bytes),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
