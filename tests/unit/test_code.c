// SPDX-License-Identifier: GPL-2.0-only
/* Sources of code and source lines: cli/code/code.c, cli/code/source.c, cli/proc/instructions.c. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory.h"
#include "pipes.h"
#include "proc/instructions.h"
#include "code/source.h"

static int make_file(const char *name, const void *bytes, size_t len)
{
	int fd = open(in_directory(name), O_RDWR | O_CREAT | O_TRUNC, 0644);

	assert_int_equal(write(fd, bytes, len), len);
	return fd;
}

/* A 32-bit executable whose code, four bytes, is at 0x8000. */
static size_t make_elf32(u8 *bytes)
{
	Elf32_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_386, .e_version = 1, .e_phoff = sizeof(header),
		.e_ehsize = sizeof(header), .e_phentsize = sizeof(Elf32_Phdr), .e_phnum = 1,
		.e_shentsize = sizeof(Elf32_Shdr),
	};
	Elf32_Phdr segment = {
		.p_type = PT_LOAD, .p_offset = 0x100, .p_vaddr = 0x8000, .p_filesz = 4,
		.p_memsz = 4,
		.p_flags = PF_R | PF_X,
	};

	memset(bytes, 0, 0x104);
	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), &segment, sizeof(segment));
	memcpy(bytes + 0x100, "\x40\x41\x42\xc3", 4);
	return 0x104;
}

static void file_of_32_bits(void **state)
{
	u8 bytes[0x200], got[8];
	int fd = make_file("small", bytes, make_elf32(bytes));
	struct code code;

	assert_int_equal(code_open_file(&code, fd, "small", NULL), 0);
	assert_int_equal(code.machine.machine, EM_386);
	assert_false(code.machine.is_64);
	assert_int_equal(code_read(&code, 0x8001, got, 8), 3);
	assert_memory_equal(got, "\x41\x42\xc3", 3);
	assert_int_equal(code_read(&code, 0x8004, got, 8), 0);
	assert_int_equal(code_read(&code, 0x7fff, got, 8), 0);
	code_close(&code);
	close(fd);
}

static void this_program(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	struct text_error error;
	struct code code, memory;
	u8 in_file[16], in_memory[16];
	struct sym_index *index;
	u64 addr;

	assert_int_equal(code_open_file(&code, fd, "test", &error), 0);
	assert_int_equal(code_open_process(&memory, getpid(), fd, &error), 0);
	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_true(sym_index_by_name(index, "make_file", &addr));
	assert_int_equal(code_read(&code, addr, in_file, 16), 16);
	assert_int_equal(code_read(&memory, (uintptr_t)make_file, in_memory, 16), 16);
	assert_memory_equal(in_file, in_memory, 16);
	assert_int_equal(code_check(&code, &error), 0);
	sym_index_destroy(index);
	code_close(&code);
	code_close(&memory);
	close(fd);
}

static void changed_file(void **state)
{
	u8 bytes[0x200];
	int fd = make_file("changing", bytes, make_elf32(bytes));
	struct timespec times[2] = { { 0, UTIME_OMIT }, { 1000, 0 } };
	struct text_error error;
	struct code code;

	assert_int_equal(code_open_file(&code, fd, "changing", &error), 0);
	assert_int_equal(code_check(&code, &error), 0);
	assert_int_equal(futimens(fd, times), 0);
	assert_int_equal(code_check(&code, &error), -ESTALE);
	assert_string_equal(error.what, "read code of changing: the file has changed since it "
			    "was measured");
	code_close(&code);
	close(fd);
}

/* A build-id outweighs a time. */
static void identities(void **state)
{
	struct code_identity a = { .size = 5, .changed_ns = 1, .build_id_len = 2,
				   .build_id = { 1, 2 } };
	struct code_identity b = { .size = 5, .changed_ns = 2, .build_id_len = 2,
				   .build_id = { 1, 2 } };

	assert_true(code_is_same(&a, &b));
	b.build_id[1] = 3;
	assert_false(code_is_same(&a, &b));
	b.build_id_len = 0;
	assert_false(code_is_same(&a, &b));
	a.build_id_len = 0;
	assert_false(code_is_same(&a, &b));
	b.changed_ns = 1;
	assert_true(code_is_same(&a, &b));
}

static void bad_files(void **state)
{
	u8 bytes[0x200];
	struct text_error error;
	struct code code;
	int fd = make_file("text", "no program", 10);

	assert_int_equal(code_open_file(&code, fd, "text", &error), -ENOEXEC);
	assert_string_equal(error.what, "read code of text: not an ELF file, or a damaged one");
	assert_int_equal(code_open_process(&code, getpid(), fd, &error), -ENOEXEC);
	assert_non_null(strstr(error.what, ": its executable: not an ELF file, or a damaged one"));
	close(fd);
	make_elf32(bytes);
	((Elf32_Phdr *)(bytes + sizeof(Elf32_Ehdr)))->p_flags = PF_R;
	fd = make_file("data", bytes, 0x104);
	assert_int_equal(code_open_file(&code, fd, "data", &error), -ENOEXEC);
	assert_string_equal(error.what, "read code of data: the file has no code");
	close(fd);
	assert_int_equal(code_open_kernel(&code, in_directory("none"), &error), -ENOENT);
	assert_int_equal(code_open_process(&code, 0x3fffffff, 0, &error), -ENOENT);
	/* A segment beyond the end of the file. */
	make_elf32(bytes);
	((Elf32_Phdr *)(bytes + sizeof(Elf32_Ehdr)))->p_filesz = 0x1000;
	fd = make_file("cut", bytes, 0x104);
	assert_int_equal(code_open_file(&code, fd, "cut", &error), 0);
	assert_int_equal(code_read(&code, 0x8002, bytes, 16), 2);
	code_close(&code);
	close(fd);
}

static void source_lines(void **state)
{
	struct source source = { .changed_ns = UINT64_MAX, .owner = getuid() };
	struct watched_pipe watched;
	char text[32], path[64], fifo[64];
	int fd = make_file("a.c", "one\n\t two\tthree \r\n\nlast\x1b", 24);

	snprintf(path, sizeof(path), "%s", in_directory("a.c"));
	close(fd);
	assert_true(source_line(&source, path, 1, text, sizeof(text)));
	assert_string_equal(text, "one");
	assert_true(source_line(&source, path, 2, text, sizeof(text)));
	assert_string_equal(text, "two three");
	assert_true(source_line(&source, path, 3, text, sizeof(text)));
	assert_string_equal(text, "");
	assert_true(source_line(&source, path, 4, text, sizeof(text)));
	assert_string_equal(text, "last?");
	/* Debug information with wrong contents. */
	assert_false(source_line(&source, path, 5, text, sizeof(text)));
	assert_false(source_line(&source, path, 4000000000u, text, sizeof(text)));
	assert_false(source_line(&source, in_directory("none"), 1, text, sizeof(text)));
	assert_false(source_line(&source, directory, 1, text, sizeof(text)));
	assert_false(source_line(&source, "/dev/zero", 1, text, sizeof(text)));
	/* A pipe or a device is not opened, even for a moment. */
	snprintf(fifo, sizeof(fifo), "%s", in_directory("fifo"));
	watch_pipe(&watched, fifo);
	assert_false(source_line(&source, fifo, 1, text, sizeof(text)));
	assert_false(was_pipe_opened(&watched));
	source_deinit(&source);
}

/* A source newer than the program is not read, nor is another user's private file. */
static void sources_not_read(void **state)
{
	struct source source = { .changed_ns = 1, .owner = getuid() };
	char text[32], path[64];
	int fd = make_file("b.c", "secret\n", 7);

	snprintf(path, sizeof(path), "%s", in_directory("b.c"));
	assert_false(source_line(&source, path, 1, text, sizeof(text)));
	assert_int_equal(source.nr_newer, 1);
	source_deinit(&source);
	source.changed_ns = UINT64_MAX;
	source.owner = getuid() + 1;
	assert_true(source_line(&source, path, 1, text, sizeof(text)));
	source_deinit(&source);
	assert_int_equal(fchmod(fd, 0600), 0);
	source.changed_ns = UINT64_MAX;
	source.owner = getuid() + 1;
	assert_false(source_line(&source, path, 1, text, sizeof(text)));
	source_deinit(&source);
	source.changed_ns = UINT64_MAX;
	source.owner = getuid();
	assert_true(source_line(&source, path, 1, text, sizeof(text)));
	source_deinit(&source);
	close(fd);
}

/* A saved run with the code of this program, listed without the program. */
static void saved_runs(void **state)
{
	static struct proc_report report;
	struct instructions made = { .lines = NULL }, kept;
	struct record_writer writer;
	struct record record;
	struct listing *listing;
	struct text_error error;
	struct sym_index *index;
	u64 addr;
	int fd = open("/proc/self/exe", O_RDONLY);
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, &record.len);

	assert_int_equal(sym_index_create_elf(fd, &index, NULL), 0);
	assert_true(sym_index_by_name(index, "make_file", &addr));
	assert_int_equal(slots_layout_init(&report.layout, addr, addr + 100), 0);
	report.hits[0] = 7;
	assert_int_equal(code_open_file(&made.code, fd, "/not/here", NULL), 0);
	record_begin(&writer, out);
	instructions_save(&writer, &made, &report, index);
	assert_int_equal(record_commit(&writer, &error), 0);
	record.bytes = bytes;
	assert_int_equal(record_check(&record, "run", &error), 0);
	assert_int_equal(instructions_open_kept(&kept, &record, &error), 0);
	assert_true(kept.is_changed);
	assert_int_equal(instructions_list(&kept, &report, index, 0, &listing, &error), 0);
	assert_int_equal(listing->rows[0].addr, addr);
	assert_int_equal(listing->rows[0].hits, 7);
	listing_destroy(listing);
	instructions_close(&kept);
	instructions_close(&made);
	sym_index_destroy(index);
	free(bytes);
	close(fd);
}

/* Stretches may overlap, since each extends beyond its function: the longer one is read. */
static void overlapping_stretches(void **state)
{
	struct code_segment segments[] = { { 0x1000, 6, 0 }, { 0x1004, 4, 6 } };
	struct code code = { .kind = CODE_KEPT, .fd = -1, .kept = "abcdefEFGH",
			     .segments = segments,
			     .nr_segments = 2 };
	char got[8];

	assert_int_equal(code_read(&code, 0x1000, got, 8), 6);
	assert_int_equal(code_read(&code, 0x1004, got, 8), 4);
	assert_memory_equal(got, "EFGH", 4);
}

/* Saved code that claims more bytes than the file has. */
static void hostile_run(void **state)
{
	u64 stretches[] = { 0x1000, 8, 0x9090909090909090, 0x2000, 9, 0x90 };
	u8 code[576] = { 0 };
	struct record_writer writer;
	struct instructions kept;
	struct record record;
	struct text_error error;
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, &record.len);

	code[20] = EM_X86_64;
	memset(code + 64, 'x', 512);
	record_begin(&writer, out);
	record_add(&writer, "CODE", code, sizeof(code));
	record_add(&writer, "BYTE", stretches, sizeof(stretches));
	assert_int_equal(record_commit(&writer, &error), 0);
	record.bytes = bytes;
	assert_int_equal(instructions_open_kept(&kept, &record, &error), 0);
	assert_int_equal(kept.code.nr_segments, 1);
	assert_int_equal(strlen(kept.code.path), 511);
	instructions_close(&kept);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file_of_32_bits), cmocka_unit_test(this_program),
		cmocka_unit_test(changed_file), cmocka_unit_test(identities),
		cmocka_unit_test(bad_files), cmocka_unit_test(source_lines),
		cmocka_unit_test(sources_not_read), cmocka_unit_test(saved_runs),
		cmocka_unit_test(overlapping_stretches), cmocka_unit_test(hostile_run),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
